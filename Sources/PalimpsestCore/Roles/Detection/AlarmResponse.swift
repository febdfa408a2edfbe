/// What a drift detector's alarms do to the learner: the same choice for every detector.
///
/// Of the alarms every `after`-th acts; those less than `minimumGap` rows behind one that acted are recorded and neither act nor
/// count. What an alarm does it does before the rows of its block are learned.
public struct AlarmResponse: ParameterGroup {
  /// What an alarm does.
  public enum Action: String, ParameterChoice {
    /// The experience ends before the alarm's block, where the run takes ends from alarms.
    case consolidate
    /// The network, and what it predicts with, is as at the start of a run, with weights drawn anew; the optimiser forgets its
    /// state. All other parts stay as they are, with their rows, anchors and random streams.
    case resetWeights = "reset-weights"
    /// The optimiser forgets its state.
    case resetOptimizer = "reset-optimizer"
    /// The memory is as new: empty.
    case clearMemory = "clear-memory"
    /// The step size is multiplied for some rows.
    case boost
    /// It is recorded.
    case none
  }

  @Parameter(
    "What an alarm does: ends the experience (where \"stream.boundaries\" is \"detected\"), draws fresh weights, lets the optimiser "
      + "forget its state, empties the memory, raises the step size for some rows, or nothing but a line in the record."
  )
  public var action: Action = .consolidate
  @Parameter("Alarms from one that acts to the next; 1: each of them acts.", .count) public var after: Int = 1
  @Parameter("Rows behind an alarm that acted before another may act, or counts.", .within(0...1_000_000_000))
  public var minimumGap: Int = 0
  @Parameter("What the step size is multiplied by where action is \"boost\".", .above(0))
  public var boostFactor: Double = 10
  @Parameter("Rows for which it is, from the alarm's block on; a block counts as a whole.", .count)
  public var boostRows: Int = 100

  public init() {}

  /// Why it is of no use in a learner of these parts; nil where it is.
  func problem(beside parts: [any StrategyPart]) -> String? {
    switch action {
    case .clearMemory where !parts.contains { $0 is any Memory }:
      "action: \"clear-memory\" empties a memory, and there is none; add one, or take another action."
    case .resetWeights where parts.contains { $0 is any Isolation }:
      "action: \"reset-weights\" would leave random weights where an isolation holds them; take the isolation away, or "
        + "another action."
    default: nil
    }
  }
}

extension KeyedDecodingContainer {
  /// Detectors that were saved before alarms had a choice have none: theirs is the default.
  func decode(_ type: AlarmResponse.Type, forKey key: Key) throws -> AlarmResponse {
    contains(key) ? try any(type, forKey: key) : AlarmResponse()
  }

  private func any<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try decode(type, forKey: key) }
}

/// What becomes of the alarms of a run.
struct AlarmCount: Sendable, Equatable, Codable {
  /// Alarms since the last that acted, and that one's row.
  private var alarms = 0
  private var latest: Int?
  /// Rows still to be learned with another step size.
  private(set) var boostLeft = 0
  /// The block at hand is one of them.
  private(set) var isBoosted = false

  /// - Returns: whether an alarm acts.
  mutating func acts(at row: Int, _ response: AlarmResponse) -> Bool {
    if let latest, row - latest < response.minimumGap { return false }
    alarms += 1
    guard alarms >= response.after else { return false }
    (alarms, latest) = (0, row)
    return true
  }

  /// The step at hand may have to be boosted.
  var isBoosting: Bool { isBoosted || boostLeft > 0 }

  mutating func boost(_ rows: Int) { boostLeft = rows }

  /// A step is taken.
  /// - Parameter newRows: rows of a block whose first step it is; 0 in the others.
  mutating func step(newRows: Int) {
    guard newRows > 0 else { return }
    isBoosted = boostLeft > 0
    boostLeft = max(0, boostLeft - newRows)
  }
}

extension AlarmCount: CheckedState {
  func problem(within limits: StateLimits) -> String? {
    let most = Int.max / 2
    guard (0...most).contains(alarms), (0...most).contains(latest ?? 0), (0...most).contains(boostLeft) else {
      return "\(alarms) alarms since row \(latest ?? 0), \(boostLeft) rows to boost"
    }
    return nil
  }
}
