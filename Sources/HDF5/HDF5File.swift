import CHDF5
import Synchronization

/// An HDF5 file in memory: either a new one that becomes an image of bytes, or one opened for reading from such bytes.
///
/// libhdf5 never touches the disk here, neither to write (a full disk can make it crash the process at exit) nor to
/// read (no file locks). What is written is also valid netCDF-4, provided every axis has a dimension scale attached.
///
///     let file = try HDF5File.create()
///     let run = try file.root.write("run", [Int32(0), 1], shape: [2])
///     try run.makeScale()
///     try file.root.write("seed", [Int64(7), 8], shape: [2]).attach(run, axis: 0)
///     let bytes = try file.image()
///
/// - Memory: one copy of the content, plus one for each image taken; opening needs two copies more for a moment.
public struct HDF5File: Sendable {
  /// The group `/`.
  public let root: HDF5Group

  private var handle: HDF5Handle { root.handle }

  private init(_ id: hid_t, named name: String) {
    root = HDF5Group(handle: HDF5Handle(id, file: name, path: "/"))
  }

  /// A new, empty file; `name` is only for messages.
  public static func create(named name: String = "HDF5 image") throws(HDF5Error) -> HDF5File {
    let task = HDF5Task(file: name, doing: "create a file in memory")
    return try HDF5.sync { () throws(HDF5Error) in
      let access = try makeAccess(task)
      try task.check(pal_set_format(access.id))
      let creation = try makeGroupProperties(pal_H5P_FILE_CREATE(), task)
      let id = unsafe H5Fcreate(uniqueName(), pal_H5F_ACC_TRUNC(), creation.id, access.id)
      return HDF5File(try task.check(id), named: name)
    }
  }

  /// Opens an image for reading; `name` is only for messages.
  ///
  /// - Errors: bytes that are no HDF5 file, or only the beginning of one. Other damage is not always found, and
  ///   libhdf5 may crash on it: compare a checksum first where there is one.
  public static func open(bytes: [UInt8], named name: String = "HDF5 image") throws(HDF5Error) -> HDF5File {
    try unsafe open(named: name) { unsafe bytes.withUnsafeBytes($0) }
  }

  private static func open(
    named name: String, with bytes: ((UnsafeRawBufferPointer) -> Int) -> Int
  ) throws(HDF5Error) -> HDF5File {
    let task = HDF5Task(file: name, doing: "open the file")
    return try HDF5.sync { () throws(HDF5Error) in
      let access = try makeAccess(task)
      let size = unsafe bytes { unsafe setImage(of: access.id, $0) }
      if try task.check(size) == 0 { throw task.failure("it is empty, not an HDF5 file") }
      let id = unsafe H5Fopen(uniqueName(), pal_H5F_ACC_RDONLY(), access.id)
      return HDF5File(try task.check(id), named: name)
    }
  }

  /// The whole file as bytes, ready to be written to disk. The file stays open and may grow further.
  ///
  /// The same writes in the same order give the same bytes: no times are stored.
  public func image() throws(HDF5Error) -> [UInt8] {
    let image = try finished()
    return image.bytes(0..<image.count)
  }

  /// The same bytes where libhdf5 has them, in no second copy. Nothing may be written into the file any more.
  public func finished() throws(HDF5Error) -> HDF5Image {
    let task = handle.task("make an image of the file")
    return try HDF5.sync { () throws(HDF5Error) in
      try handle.chunks.finish()
      try task.check(H5Fflush(handle.id, H5F_SCOPE_LOCAL))
      let size = try task.check(H5Fget_file_image(handle.id, nil, 0))
      return HDF5Image(handle: handle, count: size)
    }
  }
}

/// The bytes of a file in memory, in parts.
public struct HDF5Image: Sendable {
  fileprivate let handle: HDF5Handle
  /// Bytes of the file.
  public let count: Int

  /// Some of the bytes, in a copy.
  /// - Precondition: the file was not written into since.
  public func bytes(_ range: Range<Int>) -> [UInt8] {
    HDF5.sync {
      var place: UnsafeMutableRawPointer?
      guard unsafe H5Fget_vfd_handle(handle.id, hid_t(H5P_DEFAULT), &place) >= 0, let place = unsafe place else {
        preconditionFailure("\(handle.file): the file is not in memory")
      }
      // The driver "core" gives the address of its pointer to the file's bytes.
      let start = unsafe place.load(as: UnsafeRawPointer.self)
      var bytes = unsafe Array(UnsafeRawBufferPointer(start: start, count: count)[range])
      for place in HDF5Image.openFlags where range.contains(place) { bytes[place - range.lowerBound] = 0 }
      return bytes
    }
  }

  /// Bytes of superblock 0 that say that the file is open for writing.
  private static let openFlags = 20..<24

  /// Calls `body` with all bytes, some at a time.
  public func forEachPiece<E: Error>(_ body: ([UInt8]) throws(E) -> Void) throws(E) {
    for first in stride(from: 0, to: count, by: HDF5Image.piece) {
      try body(bytes(first..<min(first + HDF5Image.piece, count)))
    }
  }

  private static let piece = 4 << 20
}

/// Gives the file to be opened with `access` its content. Returns the number of bytes, or a negative number.
private func setImage(of access: hid_t, _ bytes: UnsafeRawBufferPointer) -> Int {
  guard let start = bytes.baseAddress, bytes.count > 0 else { return 0 }
  let status = unsafe H5Pset_file_image(access, UnsafeMutableRawPointer(mutating: start), bytes.count)
  return status < 0 ? -1 : bytes.count
}

/// The driver that keeps the file in memory and has no file behind it.
private func makeAccess(_ task: HDF5Task) throws(HDF5Error) -> HDF5Scoped {
  if let refusal = HDF5Version.headers.refusal(of: .library) { throw task.failure(refusal) }
  let access = try task.scoped(H5Pcreate(pal_H5P_FILE_ACCESS()))
  try task.check(H5Pset_fapl_core(access.id, 4 << 20, false))
  try task.check(H5Pset_fclose_degree(access.id, H5F_CLOSE_STRONG))
  return access
}

private let fileCount = Atomic<Int>(0)

/// A name for a file in memory. libhdf5 takes equal names for the same file, and probes the disk for the name before
/// it creates anything: below /dev/null there is nothing to be found.
private func uniqueName() -> String {
  "/dev/null/palimpsest-\(fileCount.add(1, ordering: .relaxed).newValue)"
}
