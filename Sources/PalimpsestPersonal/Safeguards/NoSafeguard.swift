import PalimpsestCore

/// Whatever an update makes reaches the person.
public struct NoSafeguard: Safeguard {
  public static let name = "none"
  public static let summary = "Every update is deployed, and the person gets the personal model alone."
  public static let source = "The control: what a safeguard is worth is the harm that there is without it."

  public var experts: [Expert] { [.personal] }
  public var weights: [Double] { [1] }

  public init() {}
}
