import CHDF5

/// A group: named datasets and further groups, in the order in which they were created.
public struct HDF5Group: Sendable {
  package let handle: HDF5Handle

  /// The path inside the file: `/`, `/provenance`.
  public var path: String { handle.path }

  public var attributes: HDF5Attributes { HDF5Attributes(owner: handle) }

  /// Creates a group inside this one.
  ///
  /// - Errors: the name is taken.
  public func createGroup(_ name: String) throws(HDF5Error) -> HDF5Group {
    let task = handle.task("create group \(handle.path(of: name))")
    return try HDF5.sync { () throws(HDF5Error) in
      let properties = try makeGroupProperties(pal_H5P_GROUP_CREATE(), task)
      let id = unsafe H5Gcreate2(handle.id, name, hid_t(H5P_DEFAULT), properties.id, hid_t(H5P_DEFAULT))
      return HDF5Group(handle: handle.member(name, try task.check(id)))
    }
  }

  /// Opens the group at `name`, which may be a path: `provenance/files`.
  public func group(_ name: String) throws(HDF5Error) -> HDF5Group {
    let task = handle.task("open group \(handle.path(of: name))")
    return try HDF5.sync { () throws(HDF5Error) in
      let id = unsafe H5Gopen2(handle.id, name, hid_t(H5P_DEFAULT))
      return HDF5Group(handle: handle.member(name, try task.check(id)))
    }
  }

  /// Opens the dataset at `name`, which may be a path: `provenance/cpu`.
  public func dataset(_ name: String) throws(HDF5Error) -> HDF5Dataset {
    let task = handle.task("open dataset \(handle.path(of: name))")
    return try HDF5.sync { () throws(HDF5Error) in
      let id = unsafe H5Dopen2(handle.id, name, hid_t(H5P_DEFAULT))
      return HDF5Dataset(handle: handle.member(name, try task.check(id)))
    }
  }

  /// The names of the datasets directly in this group, in order of creation (of name, where a file has not kept that).
  /// Links to elsewhere are left out.
  public func datasetNames() throws(HDF5Error) -> [String] { try names(of: H5I_DATASET) }

  /// The names of the groups directly in this group, in the same order.
  public func groupNames() throws(HDF5Error) -> [String] { try names(of: H5I_GROUP) }

  /// Everything else: links to elsewhere, named types.
  package func otherNames() throws(HDF5Error) -> [String] {
    try names { $0 != H5I_DATASET && $0 != H5I_GROUP }
  }

  private func names(of kind: H5I_type_t) throws(HDF5Error) -> [String] { try names { $0 == kind } }

  private func names(where isWanted: (H5I_type_t?) -> Bool) throws(HDF5Error) -> [String] {
    try HDF5.sync { () throws(HDF5Error) in
      var names: [String] = []
      for name in try allNames() where isWanted(try kind(of: name)) { names.append(name) }
      return names
    }
  }

  /// What `name` is: a group, a dataset, something else; nil for a soft or external link, which is not followed.
  private func kind(of name: String) throws(HDF5Error) -> H5I_type_t? {
    let task = handle.task("list member \(handle.path(of: name))")
    if try task.check(unsafe pal_is_hard_link(handle.id, name)) == 0 { return nil }
    let object = try task.scoped(unsafe H5Oopen(handle.id, name, hid_t(H5P_DEFAULT)))
    return H5Iget_type(object.id)
  }

  private func allNames() throws(HDF5Error) -> [String] {
    let task = handle.task("list group \(handle.path)")
    var info = H5G_info_t()
    try task.check(unsafe H5Gget_info(handle.id, &info))
    var names: [String] = []
    for place in 0..<info.nlinks { names.append(try linkName(at: place, task)) }
    return names
  }

  private func linkName(at place: hsize_t, _ task: HDF5Task) throws(HDF5Error) -> String {
    try unsafe readName(task) { index, buffer, size in
      unsafe H5Lget_name_by_idx(
        handle.id, ".", index, H5_ITER_INC, place, buffer, size, hid_t(H5P_DEFAULT))
    }
  }
}

/// Asks for the name of a link or attribute by the order of creation, or by name where the file has not kept that
/// order; first for its length, then for its bytes.
func readName(
  _ task: HDF5Task, _ ask: (H5_index_t, UnsafeMutablePointer<CChar>?, Int) -> Int
) throws(HDF5Error) -> String {
  var index = H5_INDEX_CRT_ORDER
  var length = ask(index, nil, 0)
  if length < 0 {
    index = H5_INDEX_NAME
    length = ask(index, nil, 0)
  }
  var name = [CChar](repeating: 0, count: try task.check(length) + 1)
  try task.check(unsafe ask(index, &name, length + 1))
  return String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
}
