/// State with a meaning that its fields alone do not guarantee: lengths that must agree, places that must exist.
///
/// A type that would stop the program on such a contradiction (an index outside an array, say) conforms and says what is
/// wrong; the decoder then refuses the file instead. Types without such state need nothing but `Codable`.
public protocol CheckedState {
  /// - Returns: what contradicts itself or the limits; nil where nothing does.
  func problem(within limits: StateLimits) -> String?
}

/// What the network and the scenario allow a restored state to refer to; nil: not known here.
public struct StateLimits: Sendable {
  /// Columns of an input row.
  public var columns: Int?
  /// Labels are below it.
  public var labels: Int?
  /// Outputs of the network.
  public var outputs: Int?
  /// Tasks of the scenario.
  public var tasks: Int?
  /// Length of the parameter vector.
  public var parameters: Int?

  public init() {}
}

extension CodingUserInfoKey {
  static let stateLimits = CodingUserInfoKey(rawValue: "palimpsest.state-limits")
}

/// What one decoding knows: limits, which grow narrower as it goes on, and the parts handed out on the way.
package final class KnownLimits {
  package var limits: StateLimits
  var nested: [StateNodeDecoder] = []

  init(_ limits: StateLimits) { self.limits = limits }
}

extension [CodingUserInfoKey: Any] {
  package var knownLimits: KnownLimits {
    CodingUserInfoKey.stateLimits.flatMap { self[$0] as? KnownLimits } ?? KnownLimits(StateLimits())
  }

  /// What is decoded from here on has to stay within these limits.
  package func narrow(_ limits: StateLimits) { knownLimits.limits = limits }

  /// The limits given to ``StateDecoder``, and what is known by now.
  public var stateLimits: StateLimits { knownLimits.limits }
}
