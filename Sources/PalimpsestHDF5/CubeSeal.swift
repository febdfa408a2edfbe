import PalimpsestExperiments

/// A checksum behind the end of the HDF5 file, so that a cube can be trusted without its folder.
///
/// libhdf5 can crash on a damaged file, and shows most flipped bits as wrong numbers. HDF5 ignores what follows the end
/// that its header names, so every reader opens a sealed file as any other. A program that writes into the file may drop
/// the seal; a file without one is taken as it is.
enum CubeSeal {
  /// Stands before the 64 hex digits of SHA-256 over all bytes before it.
  private static let mark = Array("\nsha256=".utf8)
  private static let length = mark.count + 64

  /// The file's bytes and the seal, without a second copy of them.
  static func sealedImage(of file: HDF5File) throws(HDF5Error) -> [UInt8] {
    var image = try file.image(spare: length)
    let digest = sha256(image)
    image += mark
    image += digest.utf8
    return image
  }

  /// Nil for a file without a seal; else whether its bytes are those that were sealed.
  static func isIntact(_ bytes: [UInt8]) -> Bool? {
    guard bytes.count > length, bytes.suffix(length).starts(with: mark) else { return nil }
    return bytes.suffix(64).elementsEqual(sha256(Array(bytes.dropLast(length))).utf8)
  }
}
