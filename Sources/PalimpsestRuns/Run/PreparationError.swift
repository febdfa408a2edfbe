/// Settings or data that only show when a scenario is prepared.
public struct PreparationError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Kind: Sendable, Equatable { case settings, missing }

  public let kind: Kind
  public let description: String

  init(kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
