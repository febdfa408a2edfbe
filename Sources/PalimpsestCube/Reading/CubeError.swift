import PalimpsestRuns

/// A cube that cannot be trusted or is not there. The journals have everything to make it anew.
public struct CubeError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Kind: Sendable, Equatable { case missing, damaged, otherSchema }

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
