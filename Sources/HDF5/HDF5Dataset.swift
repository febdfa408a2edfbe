import CHDF5

/// An n-dimensional array of numbers or strings with attributes; values are in row-major order (last axis fastest).
public struct HDF5Dataset: Sendable {
  package let handle: HDF5Handle

  /// The path inside the file: `/accuracy`.
  public var path: String { handle.path }

  /// The last part of the path: `accuracy`.
  public var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  public var attributes: HDF5Attributes { HDF5Attributes(owner: handle) }

  /// The extent of each axis; `[]` for a scalar.
  public func shape() throws(HDF5Error) -> [Int] {
    let task = handle.task("find the shape of \(path)")
    return try HDF5.sync { () throws(HDF5Error) in
      let space = try task.scoped(H5Dget_space(handle.id))
      var extents = [hsize_t](repeating: 0, count: Int(try task.check(H5Sget_simple_extent_ndims(space.id))))
      try task.check(unsafe H5Sget_simple_extent_dims(space.id, &extents, nil))
      return extents.map { Int(clamping: $0) }
    }
  }

  /// What the dataset holds.
  public func element() throws(HDF5Error) -> HDF5Element {
    let task = handle.task("find the type of \(path)")
    return try HDF5.sync { () throws(HDF5Error) in
      let type = try task.scoped(H5Dget_type(handle.id))
      return HDF5Element(type: type.id)
    }
  }

  /// All values as numbers of type `T`, shaped as `shape()`.
  ///
  /// - Errors: the dataset holds strings or numbers that `T` cannot hold exactly (`Double` as `Float`, any float as an
  ///   integer); damaged data.
  public func read<T: HDF5Number>(as type: T.Type) throws(HDF5Error) -> [T] {
    let task = handle.task("read dataset \(path) as \(T.hdf5.element)")
    return try HDF5.sync { () throws(HDF5Error) in
      try checkReadable(as: T.hdf5.element, by: try element(), task)
      try handle.chunks.finish()
      let space = try task.scoped(H5Dget_space(handle.id))
      let count = try task.check(H5Sget_simple_extent_npoints(space.id))
      return try unsafe readNumbers(Int(count), task) { buffer in
        unsafe H5Dread(
          handle.id, T.hdf5.memory(), hid_t(H5S_ALL), hid_t(H5S_ALL), hid_t(H5P_DEFAULT), buffer)
      }
    }
  }

  /// All values as strings, shaped as `shape()`. Reads variable and fixed lengths; bytes that are no UTF-8 are
  /// replaced by U+FFFD.
  ///
  /// - Errors: the dataset holds something else.
  public func strings() throws(HDF5Error) -> [String] {
    let task = handle.task("read dataset \(path) as strings")
    return try HDF5.sync { () throws(HDF5Error) in
      try checkReadable(as: .string, by: try element(), task)
      let type = try task.scoped(H5Dget_type(handle.id))
      let space = try task.scoped(H5Dget_space(handle.id))
      let count = try task.check(H5Sget_simple_extent_npoints(space.id))
      return try unsafe readStrings(Int(count), type: type.id, space: space.id, task) { buffer in
        unsafe H5Dread(handle.id, type.id, hid_t(H5S_ALL), hid_t(H5S_ALL), hid_t(H5P_DEFAULT), buffer)
      }
    }
  }
}

/// Refuses to read what is `stored` as something it is not.
func checkReadable(as wanted: HDF5Element, by stored: HDF5Element, _ task: HDF5Task) throws(HDF5Error) {
  if stored == wanted || stored.isExact(as: wanted) { return }
  let isNumeric = stored != .string && stored != .other && wanted != .string
  throw task.failure("it holds \(stored)" + (isNumeric ? ", which \(wanted) cannot hold exactly" : ""))
}
