import CHDF5

/// The attributes of a file's root, a group or a dataset: small named values, in the order in which they were set.
///
/// Strings are UTF-8 of variable length. Long texts belong in a dataset: tools print attributes whole. Empty arrays are
/// allowed, but netCDF shows them as an empty string.
public struct HDF5Attributes: Sendable {
  package let owner: HDF5Handle

  /// Creates an attribute of one string.
  ///
  /// - Errors: the name is taken; the string contains U+0000; the file is opened for reading.
  public func set(_ name: String, _ string: String) throws(HDF5Error) {
    try set(name, [string], shape: [])
  }

  /// Creates an attribute of several strings.
  public func set(_ name: String, _ strings: [String]) throws(HDF5Error) {
    try set(name, strings, shape: [strings.count])
  }

  /// Creates an attribute of one number.
  public func set<T: HDF5Number>(_ name: String, _ number: T) throws(HDF5Error) {
    try set(name, [number], shape: [])
  }

  /// Creates an attribute of several numbers.
  public func set<T: HDF5Number>(_ name: String, _ numbers: [T]) throws(HDF5Error) {
    try set(name, numbers, shape: [numbers.count])
  }

  private func set(_ name: String, _ strings: [String], shape: [Int]) throws(HDF5Error) {
    let task = self.task("write", name)
    try HDF5.sync { () throws(HDF5Error) in
      let type = try makeStringType(task)
      let attribute = try create(name, type: type.id, shape: shape, task)
      if strings.isEmpty { return }
      try unsafe writeStrings(strings, task) { unsafe H5Awrite(attribute.id, type.id, $0) }
    }
  }

  private func set<T: HDF5Number>(_ name: String, _ numbers: [T], shape: [Int]) throws(HDF5Error) {
    let task = self.task("write", name)
    try HDF5.sync { () throws(HDF5Error) in
      let attribute = try create(name, type: T.hdf5.file(), shape: shape, task)
      if numbers.isEmpty { return }
      let status = unsafe numbers.withUnsafeBytes {
        unsafe H5Awrite(attribute.id, T.hdf5.memory(), $0.baseAddress)
      }
      try task.check(status)
    }
  }

  private func create(
    _ name: String, type: hid_t, shape: [Int], _ task: HDF5Task
  ) throws(HDF5Error) -> HDF5Scoped {
    let space = try makeSpace(shape, task)
    return try task.scoped(
      unsafe H5Acreate2(owner.id, name, type, space.id, hid_t(H5P_DEFAULT), hid_t(H5P_DEFAULT)))
  }
}

extension HDF5Attributes {
  /// The names, in the order in which they were set.
  public func names() throws(HDF5Error) -> [String] {
    let task = owner.task("list the attributes of \(owner.path)")
    return try HDF5.sync { () throws(HDF5Error) in
      let count = try task.check(pal_attribute_count(owner.id))
      var names: [String] = []
      for place in 0..<hsize_t(count) { names.append(try attributeName(at: place, task)) }
      return names
    }
  }

  /// Whether there is an attribute of that name.
  public func contains(_ name: String) throws(HDF5Error) -> Bool {
    let task = self.task("look for", name)
    return try HDF5.sync { () throws(HDF5Error) in try task.check(unsafe H5Aexists(owner.id, name)) > 0 }
  }

  /// The attribute's only string.
  ///
  /// - Errors: it is missing, no string, or an array.
  public func string(_ name: String) throws(HDF5Error) -> String {
    try single(try strings(name), name)
  }

  /// The attribute's strings, of a scalar or an array.
  public func strings(_ name: String) throws(HDF5Error) -> [String] {
    let task = self.task("read", name)
    return try HDF5.sync { () throws(HDF5Error) in
      let attribute = try task.scoped(unsafe H5Aopen(owner.id, name, hid_t(H5P_DEFAULT)))
      let type = try task.scoped(H5Aget_type(attribute.id))
      try checkReadable(as: .string, by: HDF5Element(type: type.id), task)
      let space = try task.scoped(H5Aget_space(attribute.id))
      let count = try task.check(H5Sget_simple_extent_npoints(space.id))
      return try unsafe readStrings(Int(count), type: type.id, space: space.id, task) {
        unsafe H5Aread(attribute.id, type.id, $0)
      }
    }
  }

  /// The attribute's only number.
  ///
  /// - Errors: it is missing, an array, or of a type that `T` cannot hold exactly.
  public func number<T: HDF5Number>(_ name: String, as type: T.Type) throws(HDF5Error) -> T {
    try single(try numbers(name, as: type), name)
  }

  /// The attribute's numbers, of a scalar or an array.
  public func numbers<T: HDF5Number>(_ name: String, as type: T.Type) throws(HDF5Error) -> [T] {
    let task = self.task("read", name)
    return try HDF5.sync { () throws(HDF5Error) in
      let attribute = try task.scoped(unsafe H5Aopen(owner.id, name, hid_t(H5P_DEFAULT)))
      let stored = try task.scoped(H5Aget_type(attribute.id))
      try checkReadable(as: T.hdf5.element, by: HDF5Element(type: stored.id), task)
      let space = try task.scoped(H5Aget_space(attribute.id))
      let count = try task.check(H5Sget_simple_extent_npoints(space.id))
      return try unsafe readNumbers(Int(count), task) { unsafe H5Aread(attribute.id, T.hdf5.memory(), $0) }
    }
  }

  /// What an attribute holds, and its shape: `[]` for a single value.
  public func kind(of name: String) throws(HDF5Error) -> (element: HDF5Element, shape: [Int]) {
    let task = self.task("read", name)
    return try HDF5.sync { () throws(HDF5Error) in
      let attribute = try task.scoped(unsafe H5Aopen(owner.id, name, hid_t(H5P_DEFAULT)))
      let type = try task.scoped(H5Aget_type(attribute.id))
      let space = try task.scoped(H5Aget_space(attribute.id))
      var extents = [hsize_t](repeating: 0, count: Int(try task.check(H5Sget_simple_extent_ndims(space.id))))
      if !extents.isEmpty { try task.check(unsafe H5Sget_simple_extent_dims(space.id, &extents, nil)) }
      return (HDF5Element(type: type.id), extents.map { Int(clamping: $0) })
    }
  }

  private func single<Value>(_ values: [Value], _ name: String) throws(HDF5Error) -> Value {
    if values.count == 1, let value = values.first { return value }
    throw task("read", name).failure("it has \(values.count) values, not one")
  }

  private func attributeName(at place: hsize_t, _ task: HDF5Task) throws(HDF5Error) -> String {
    try unsafe readName(task) { index, buffer, size in
      unsafe H5Aget_name_by_idx(owner.id, ".", index, H5_ITER_INC, place, buffer, size, hid_t(H5P_DEFAULT))
    }
  }

  private func task(_ verb: String, _ name: String) -> HDF5Task {
    owner.task("\(verb) attribute \(name) of \(owner.path)")
  }
}
