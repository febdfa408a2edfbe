import PalimpsestCore

/// McDiarmid drift detection: alarms when the weighted share of right answers among the latest rows, newer ones weighing more,
/// lies below the best it has been more than chance allows.
///
/// With weights wᵢ from i = 0, the oldest of the latest `window` rows, on (1 + d·i, (1 + d)^i or e^(d·i)), normalised to vᵢ, and
/// p = Σ vᵢ · right ᵢ: an alarm where max p − p ≥ √(½ Σ vᵢ² ln(1/δ)). With d = 0 the weights are equal, as in ``FHDDM``.
///
/// - Memory: one byte a row of the window. Time: O(1) a row: the sum is moved on, not taken anew; its rounding errors fade
///   with the weights, and there are none where the weights are arithmetic. Nothing is allocated but the window, once.
public struct MDDM: DriftDetector, CheckedState {
  public static let name = "mddm"
  public static let summary =
    "McDiarmid drift detection: alarms when the accuracy over the latest rows, newer ones weighing more, is far below its best."
  public static let source =
    "Pesaranghader, Viktor & Paquet, \"McDiarmid drift detection methods for evolving data streams\", IJCNN 2018."

  /// How the weights grow towards the newest row.
  public enum Weights: String, ParameterChoice {
    case arithmetic, geometric, euler
  }

  @Parameter("How weights grow towards the newest row: 1 + d i, (1 + d)^i or exp(d i).")
  public var weights: Weights = .arithmetic
  @Parameter("What they grow by from row to row, d.", .within(0...10)) public var difference: Double = 0.01
  @Parameter("The latest rows that are looked at together.", .within(1...1_000_000)) public var window: Int = 100
  @Parameter("Chance of a false alarm, δ.", .between(0, 1)) public var delta: Double = 1e-6
  public var response = AlarmResponse()

  private var answers = AnswerWindow()
  /// Σ i · rightᵢ.
  private var moment = 0
  /// Σ of the weights of right answers, the newest weighing 1.
  private var sum = 0.0
  private var most = 0.0
  private var scale: Scale?

  /// What follows from the parameters alone.
  private struct Scale: Codable {
    /// Weight of a row over that of the next newer one, and of a row that leaves the window over the newest one's.
    var ratio: Double
    var gone: Double
    /// Σ wᵢ, the newest row of ratios weighing 1, and the drop that alarms.
    var total: Double
    var drop: Double
  }

  public init() {}

  public var bytes: Int { 56 + answers.bytes }

  public mutating func observe(_ outcome: Outcome) -> DriftSignal {
    let scale = scale ?? makeScale()
    self.scale = scale
    move(outcome.error == 0, scale)
    guard answers.isFull else { return .none }
    let share = (weights == .arithmetic ? Double(answers.right) + difference * Double(moment) : sum) / scale.total
    most = max(most, share)
    guard most - share >= scale.drop else { return .none }
    answers.removeAll()
    (moment, sum, most) = (0, 0, 0)
    return .alarm
  }

  /// Every row grows older by one, and the oldest leaves.
  private mutating func move(_ isRight: Bool, _ scale: Scale) {
    let right = answers.right
    let gone = answers.add(isRight, room: window)
    if let gone { moment -= right - (gone ? 1 : 0) }
    if isRight { moment += answers.count - 1 }
    sum = scale.ratio * sum + (isRight ? 1 : 0) - (gone ?? false ? scale.gone : 0)
  }

  private func makeScale() -> Scale {
    let ratio = weights == .euler ? Elementary.exp(-difference) : 1 / (1 + difference)
    var (total, squares, weight) = (0.0, 0.0, 1.0)
    for i in 0..<window {
      let w = weights == .arithmetic ? 1 + difference * Double(i) : weight
      total += w
      squares += w * w
      weight *= ratio
    }
    let drop = (squares / (total * total) / 2 * -Elementary.log(delta)).squareRoot()
    return Scale(ratio: ratio, gone: weight, total: total, drop: drop)
  }

  public func problem(within limits: StateLimits) -> String? {
    if let problem = answers.problem(room: window) { return problem }
    return (0...1_000_000_000_000).contains(moment) ? nil : "a moment of \(moment) in a window of \(window)"
  }
}
