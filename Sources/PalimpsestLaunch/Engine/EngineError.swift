/// An engine that cannot be called, or that says no: in its own words.
public struct EngineError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Kind: Sendable, Equatable {
    /// Its program is not on this machine.
    case missing
    /// It gave no answer in time, so what it did is not known.
    case silent
    /// It answered with an error.
    case refused
    /// It answered with what we cannot read.
    case strange
  }

  public let kind: Kind
  public let description: String

  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
