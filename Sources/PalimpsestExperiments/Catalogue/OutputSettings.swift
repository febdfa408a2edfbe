import PalimpsestCore

/// What is kept of a run beside its record. It changes no result and is no part of a run's identity.
public struct OutputSettings: Configurable {
  public enum Kept: String, ParameterChoice {
    /// The trained learner, for `palimpsest predict`.
    case model
  }

  @Parameter("Kept of each run beside its record: \"model\", the trained learner, for \"palimpsest predict\".")
  public var keep: [Kept] = []

  public init() {}
}
