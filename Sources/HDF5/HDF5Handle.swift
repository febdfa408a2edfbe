import CHDF5

/// An open file, group or dataset, closed when the last value that uses it goes.
///
/// Holds the object it was opened from, so that a dataset keeps its file open. Sendable because it never changes and
/// every use of `id` happens inside `HDF5.sync`.
package final class HDF5Handle: Sendable {
  let id: hid_t
  /// The file's name for messages.
  let file: String
  /// The object's path inside the file: `/`, `/provenance/cpu`.
  package let path: String
  /// Chunks on their way into the file.
  let chunks: ChunkQueue
  private let parent: HDF5Handle?

  init(_ id: hid_t, file: String, path: String, parent: HDF5Handle? = nil) {
    (self.id, self.file, self.path, self.parent) = (id, file, path, parent)
    chunks = parent?.chunks ?? ChunkQueue()
  }

  deinit { HDF5.sync { _ = H5Idec_ref(id) } }

  package func task(_ doing: String) -> HDF5Task { HDF5Task(file: file, doing: doing) }

  /// The path of a member of this group.
  package func path(of name: String) -> String {
    if name.hasPrefix("/") { return name }
    return path == "/" ? "/" + name : path + "/" + name
  }

  /// Takes over the id of a member of this group.
  func member(_ name: String, _ id: hid_t) -> HDF5Handle {
    HDF5Handle(id, file: file, path: path(of: name), parent: self)
  }
}

/// A type, space, property list or attribute that is needed for a few lines: released at the end of the scope, not
/// earlier, which a class instance would not promise.
///
/// Bind it with `let` first: in `makeSpace(…).id` it is released before the id can be used.
struct HDF5Scoped: ~Copyable {
  let id: hid_t

  init(_ id: hid_t) { self.id = id }

  deinit { HDF5.sync { _ = H5Idec_ref(id) } }
}
