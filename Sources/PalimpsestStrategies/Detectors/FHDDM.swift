import PalimpsestCore

/// Fast Hoeffding drift detection: alarms when the share of right answers among the latest rows lies below the best it has been
/// more than chance allows.
///
/// With p the share of right answers among the latest `window` rows: an alarm where max p − p > √(ln(1/δ) / (2 · window)).
///
/// - Memory: one byte a row of the window. Time: O(1) a row. Nothing is allocated but the window, once.
public struct FHDDM: DriftDetector, CheckedState {
  public static let name = "fhddm"
  public static let summary =
    "Fast Hoeffding drift detection: alarms when the accuracy over the latest rows is far below the best it has been."
  public static let source =
    "Pesaranghader & Viktor, \"Fast Hoeffding drift detection method for evolving data streams\", ECML-PKDD 2016; the alarms of "
    + "River where that is fed right answers as 1."

  @Parameter("The latest rows that are looked at together.", .within(1...1_000_000)) public var window: Int = 100
  @Parameter("Chance of a false alarm, δ.", .between(0, 1)) public var delta: Double = 1e-6
  public var response = AlarmResponse()

  private var answers = AnswerWindow()
  private var most = 0.0

  public init() {}

  public var bytes: Int { 8 + answers.bytes }

  public mutating func observe(_ outcome: Outcome) -> DriftSignal {
    answers.add(outcome.error == 0, room: window)
    guard answers.isFull else { return .none }
    let share = Double(answers.right) / Double(window)
    most = max(most, share)
    guard most - share > (-Elementary.log(delta) / (2 * Double(window))).squareRoot() else { return .none }
    answers.removeAll()
    most = 0
    return .alarm
  }

  public func problem(within limits: StateLimits) -> String? { answers.problem(room: window) }
}
