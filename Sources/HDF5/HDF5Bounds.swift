import CHDF5

extension HDF5Dataset {
  /// zlib's highest compression.
  private static let mostCompressed = 1032
  /// Bytes of values that may be declared and not be stored: they read as the fill value.
  private static let mostUnwritten = 1 << 20

  /// Refuses a shape that cannot be real: values are stored in the file, compressed at the most by what zlib can, or are
  /// a few that were never written.
  ///
  /// - Returns: the bytes of the file that its values take.
  package func checkHolding(in size: Int) throws(HDF5Error) -> Int {
    let task = handle.task("read dataset \(path)")
    let shape = try shape()
    return try HDF5.sync { () throws(HDF5Error) in
      let properties = try task.scoped(H5Dget_create_plist(handle.id))
      if H5Pget_external_count(properties.id) > 0 || H5Pget_layout(properties.id) == H5D_VIRTUAL {
        throw task.failure("its values lie in other files")
      }
      let type = try task.scoped(H5Dget_type(handle.id))
      let width = H5Tget_size(type.id)
      let stored = Int(clamping: H5Dget_storage_size(handle.id))
      let isCompressed = H5Pget_layout(properties.id) == H5D_CHUNKED && H5Pget_nfilters(properties.id) > 0
      let (most, overflow) = stored.multipliedReportingOverflow(by: isCompressed ? HDF5Dataset.mostCompressed : 1)
      let declared = elementCount(shape + [width])
      guard stored <= size, !overflow, let declared, declared - HDF5Dataset.mostUnwritten <= most else {
        let count = elementCount(shape).map(String.init) ?? "more than 2^63"
        throw task.failure(
          "its shape \(shape) is \(count) values of \(width) bytes; the file has \(size) bytes, \(stored) of them for these"
        )
      }
      return stored
    }
  }
}

/// Nil where it cannot be counted.
package func elementCount(_ shape: [Int]) -> Int? {
  var count = 1
  for extent in shape {
    let (next, overflow) = count.multipliedReportingOverflow(by: extent)
    if overflow || extent < 0 { return nil }
    count = next
  }
  return count
}
