import HDF5
import PalimpsestJSON

/// A checksum behind the end of the HDF5 file, so that a cube can be trusted without its folder.
///
/// libhdf5 can crash on a damaged file, and shows most flipped bits as wrong numbers. HDF5 ignores what follows the end
/// that its header names, so every reader opens a sealed file as any other. A program that writes into the file may drop
/// the seal; a file without one is taken as it is.
enum CubeSeal {
  /// Stands before the 64 hex digits of SHA-256 over all bytes before it.
  fileprivate static let mark = Array("\nsha256=".utf8)
  private static let length = mark.count + 64

  /// Nil for a file without a seal; else whether its bytes are those that were sealed. One of which a part is left is not intact.
  static func isIntact(_ bytes: [UInt8]) -> Bool? {
    guard bytes.count > length, bytes.suffix(length).starts(with: mark) else {
      let isCut = (mark.count..<length).contains { bytes.suffix($0).starts(with: mark) }
      return isCut ? false : nil
    }
    return bytes.suffix(64).elementsEqual(sha256(bytes.dropLast(length)).utf8)
  }
}

/// A cube's bytes and their seal, which another thread works out while the bytes are written.
public struct SealedImage: Sendable {
  private let content: HDF5Image
  private let end: Later<(seal: [UInt8], digest: String)>

  init(of file: HDF5File) throws(HDF5Error) {
    let content = try file.finished()
    self.content = content
    end = Later {
      var hash = SHA256()
      content.forEachPiece { hash.add($0) }
      let seal = CubeSeal.mark + Array(hash.hex.utf8)
      hash.add(seal)
      return (seal, hash.hex)
    }
  }

  /// All of the file, in a copy.
  public var bytes: [UInt8] { content.bytes(0..<content.count) + end.value.seal }

  /// Bytes of the file.
  public var count: Int { content.count + end.value.seal.count }

  /// SHA-256 of the file, in hex.
  public var digest: String { end.value.digest }

  /// Replaces a file in one step; that to which a link leads, where one stands there.
  public func replace(_ path: String) throws(FileError) {
    try Files.replace(Files.destination(of: path)) { (write) throws(FileError) in
      try content.forEachPiece(write)
      try write(end.value.seal)
    }
  }
}
