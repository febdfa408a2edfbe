import Palimpsest

/// Runs done, their rate and the time left, as words and as a bar.
struct Pace {
  let done: Int
  private let doneBefore: Int
  private let repeated: Int
  private let doneElsewhere: Int
  let planned: Int
  let ended: Int
  let seconds: Double

  init(_ progress: RunProgress, seconds: Double) {
    done = progress.done
    doneBefore = progress.doneBefore - progress.repeated
    repeated = progress.repeated
    doneElsewhere = progress.doneElsewhere
    planned = progress.planned
    ended = progress.ended
    self.seconds = seconds
  }

  /// Runs a second in this call.
  private var rate: Double { seconds > 0 ? Double(ended) / seconds : 0 }

  /// Said until a run has ended since the start.
  private static let estimating = "estimating the time left"

  private var secondsLeft: Double? {
    let together = Double(ended + doneElsewhere)
    return together > 0 ? Double(planned - done) * seconds / together : nil
  }

  /// Tenths of the plan, rounded down.
  var tenths: Int { planned > 0 ? done * 10 / planned : 10 }

  /// `16/160 runs (10 %), 30.1 runs/s, 5 s left`.
  var line: String {
    let share = planned > 0 ? done * 100 / planned : 100
    return "\(done)/\(planned) runs (\(share) %), "
      + (secondsLeft.map { "\(rateText), \(duration($0)) left" } ?? Pace.estimating)
  }

  /// At most 79 columns.
  func bar(colored: Bool) -> String {
    let width = 24
    let filled = planned > 0 ? done * width / planned : width
    let bar = String(repeating: "━", count: filled)
    let rest = String(repeating: "─", count: width - filled)
    let left = secondsLeft.map { "\(rateText)  \(duration($0)) left" } ?? Pace.estimating
    return (colored ? "\u{1B}[32m\(bar)\u{1B}[0m\(rest)" : bar + rest) + "  \(done)/\(planned) runs  \(left)"
  }

  var summary: String {
    if ended == 0 && done == planned { return "all \(planned) runs were done already" }
    let haveThem = repeated == 1 ? "has" : "have"
    return "\(ended) run\(ended == 1 ? "" : "s") in \(duration(seconds)) (\(rateText))"
      + (repeated > 0 ? ", \(repeated) more \(haveThem) the same settings under another label" : "")
      + (doneBefore > 0 ? ", \(doneBefore) were done already" : "")
      + (doneElsewhere > 0 ? ", \(doneElsewhere) by other processes meanwhile" : "")
  }

  private var rateText: String {
    rate >= 10 && rate < 1e15 ? "\(Int(rate.rounded())) runs/s" : "\(oneDecimal(rate)) runs/s"
  }
}
