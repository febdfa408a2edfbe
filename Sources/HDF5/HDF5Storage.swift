import CHDF5

/// How a dataset's values lie in the file.
public struct HDF5Storage: Sendable, Equatable {
  /// Values per chunk along each axis, or nil for one contiguous block.
  let chunk: [Int]?
  let shuffle: Bool
  let deflate: Int

  /// One block, as it is: for scalars and small columns.
  public static let contiguous = HDF5Storage(chunk: nil, shuffle: false, deflate: 0)

  /// Chunks of the given shape, compressed.
  ///
  /// A chunk may not exceed the dataset: each extent is clamped to the axis, and to at least 1.
  ///
  /// - Parameters:
  ///   - deflate: 0 (none) to 9. With 1 or more a flipped bit in the data is found when reading (zlib's checksum).
  ///   - shuffle: orders bytes by significance before compressing, which helps numbers.
  public static func chunks(_ chunk: [Int], deflate: Int = 1, shuffle: Bool = true) -> HDF5Storage {
    HDF5Storage(chunk: chunk, shuffle: shuffle, deflate: deflate)
  }

  /// Compressed chunks of up to `rows` of the first axis and the whole of the others.
  public static func rows(_ rows: Int, deflate: Int = 1, shuffle: Bool = true) -> HDF5Storage {
    HDF5Storage(chunk: [rows], shuffle: shuffle, deflate: deflate)
  }

  /// The chunk for a dataset of `shape`: given extents clamped, missing ones whole.
  package func clamped(to shape: [Int]) -> [Int]? {
    guard let chunk else { return nil }
    return shape.indices.map { axis in
      max(1, min(shape[axis], axis < chunk.count ? chunk[axis] : shape[axis]))
    }
  }

  /// Where compressed chunks of a dataset of `shape` are whole rows: how many.
  func rowsPerChunk(of shape: [Int]) -> Int? {
    guard deflate > 0, !shape.isEmpty, let chunk = clamped(to: shape), chunk.dropFirst() == shape.dropFirst() else {
      return nil
    }
    return chunk[0]
  }

  /// Writes the wish into the dataset creation properties `properties`.
  func apply(to properties: hid_t, shape: [Int], _ task: HDF5Task) throws(HDF5Error) {
    guard let chunk = clamped(to: shape), !shape.isEmpty else { return }
    let extents = chunk.map { hsize_t($0) }
    try task.check(unsafe H5Pset_chunk(properties, Int32(extents.count), extents))
    if shuffle { try task.check(H5Pset_shuffle(properties)) }
    if deflate > 0 { try task.check(H5Pset_deflate(properties, UInt32(deflate))) }
  }
}

private let tracked = UInt32(H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED)

/// Creation properties of a group, or of a file and its root: members and attributes keep the order in which they were
/// created, as netCDF-4 wants it, and no times are stored.
func makeGroupProperties(_ listClass: hid_t, _ task: HDF5Task) throws(HDF5Error) -> HDF5Scoped {
  let properties = try task.scoped(H5Pcreate(listClass))
  try task.check(H5Pset_link_creation_order(properties.id, tracked))
  try task.check(H5Pset_attr_creation_order(properties.id, tracked))
  try task.check(H5Pset_obj_track_times(properties.id, false))
  return properties
}

/// Creation properties of a dataset: attributes in order, no times, stored as `storage` says.
func makeDatasetProperties(
  _ storage: HDF5Storage, shape: [Int], _ task: HDF5Task
) throws(HDF5Error) -> HDF5Scoped {
  let properties = try task.scoped(H5Pcreate(pal_H5P_DATASET_CREATE()))
  try task.check(H5Pset_attr_creation_order(properties.id, tracked))
  try task.check(H5Pset_obj_track_times(properties.id, false))
  try storage.apply(to: properties.id, shape: shape, task)
  return properties
}

/// The space of an array of `shape`: `[]` is a scalar, an extent of 0 is allowed.
func makeSpace(_ shape: [Int], _ task: HDF5Task) throws(HDF5Error) -> HDF5Scoped {
  if shape.isEmpty { return try task.scoped(H5Screate(H5S_SCALAR)) }
  let extents = shape.map { hsize_t($0) }
  return try task.scoped(unsafe H5Screate_simple(Int32(extents.count), extents, nil))
}

/// Refuses values that do not fill `shape` exactly.
package func checkCount(_ count: Int, fills shape: [Int], _ task: HDF5Task) throws(HDF5Error) {
  if let bad = shape.first(where: { $0 < 0 }) { throw task.failure("\(bad) is not an extent in shape \(shape)") }
  var wanted = 1
  for extent in shape {
    let (product, overflow) = wanted.multipliedReportingOverflow(by: extent)
    if overflow { throw task.failure("shape \(shape) has more elements than can be counted") }
    wanted = product
  }
  if count != wanted { throw task.failure("\(count) values do not fill shape \(shape), which has \(wanted)") }
}
