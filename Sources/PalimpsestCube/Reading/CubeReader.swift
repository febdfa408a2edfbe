import HDF5
import PalimpsestJSON
import PalimpsestRuns

/// A cube opened for reading after its checksum was compared: libhdf5 may crash on a damaged file, so it sees only
/// whole ones.
public struct CubeReader: Sendable {
  public let file: HDF5File
  public let manifest: CubeManifest

  public var root: HDF5Group { file.root }

  /// - Throws: ``CubeError`` for a cube that is not the one collected; ``PalimpsestJSON/FileError``, ``HDF5/HDF5Error``.
  public init(_ folder: ResultsFolder) throws {
    guard Files.exists(folder.cube) else { throw CubeError(folder, .missing, "there is no cube") }
    guard let manifest = CubeManifest(of: folder) else {
      throw CubeError(folder, .unchecked, "there is no manifest that could vouch for it")
    }
    let bytes = try Files.read(folder.cube)
    guard sha256(bytes) == manifest.cube else {
      throw CubeError(folder, .damaged, "its checksum is not that of \(folder.manifestFile)")
    }
    file = try HDF5File.open(bytes: bytes, named: folder.cube)
    self.manifest = manifest
    try check(folder)
  }

  private func check(_ folder: ResultsFolder) throws {
    let schema = try root.attributes.string("palimpsest_schema")
    guard schema == Cube.schema else {
      throw CubeError(folder, .otherSchema, "its schema is \"\(schema)\", not \"\(Cube.schema)\"")
    }
    let rows = try root.dataset("run").shape().first ?? 0
    guard rows == manifest.rows else {
      throw CubeError(folder, .damaged, "it holds \(rows) runs where \(folder.manifestFile) has \(manifest.rows)")
    }
  }
}

/// A cube that cannot be trusted or is not there. The journals have everything to make it anew.
public struct CubeError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Kind: Sendable, Equatable { case missing, unchecked, damaged, otherSchema }

  public let kind: Kind
  public let description: String

  init(_ folder: ResultsFolder, _ kind: Kind, _ reason: String) {
    self.kind = kind
    description = "\(folder.cube): \(reason). \"palimpsest collect \(folder.cube)\" makes the cube from the journals."
  }

  /// A cube that was given by itself, perhaps without its journals.
  init(file: String, _ kind: Kind, _ reason: String) {
    self.kind = kind
    description = "\(file): \(reason)."
  }
}
