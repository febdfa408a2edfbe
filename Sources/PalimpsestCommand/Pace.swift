import Palimpsest

/// Runs done, their rate and the time left, as words and as a bar.
struct Pace {
  let done: Int
  let planned: Int
  let ended: Int
  let seconds: Double

  init(_ progress: RunProgress, seconds: Double) {
    done = progress.doneBefore + progress.ended
    planned = progress.planned
    ended = progress.ended
    self.seconds = seconds
  }

  /// Runs a second in this call.
  private var rate: Double { seconds > 0 ? Double(ended) / seconds : 0 }

  private var secondsLeft: Double? { rate > 0 ? Double(planned - done) / rate : nil }

  /// Tenths of the plan, rounded down.
  var tenths: Int { planned > 0 ? done * 10 / planned : 10 }

  /// `16/160 runs (10 %), 30.1 runs/s, 5 s left`.
  var line: String {
    let share = planned > 0 ? done * 100 / planned : 100
    return "\(done)/\(planned) runs (\(share) %), \(rateText)" + (secondsLeft.map { ", \(duration($0)) left" } ?? "")
  }

  /// At most 79 columns.
  func bar(colored: Bool) -> String {
    let width = 24
    let filled = planned > 0 ? done * width / planned : width
    let bar = String(repeating: "━", count: filled)
    let rest = String(repeating: "─", count: width - filled)
    let left = secondsLeft.map { "  \(duration($0)) left" } ?? ""
    return (colored ? "\u{1B}[32m\(bar)\u{1B}[0m\(rest)" : bar + rest) + "  \(done)/\(planned) runs  \(rateText)\(left)"
  }

  var summary: String {
    if ended == 0 && done == planned { return "all \(planned) runs were done already" }
    return "\(ended) runs in \(duration(seconds)) (\(rateText))"
      + (done - ended > 0 ? ", \(done - ended) were done already" : "")
  }

  private var rateText: String { rate >= 10 ? "\(Int(rate.rounded())) runs/s" : "\(oneDecimal(rate)) runs/s" }
}

/// `0.4 s`, `5 s`, `3 min 20 s`, `2 h 5 min`.
func duration(_ seconds: Double) -> String {
  guard seconds.isFinite, seconds < 1e9 else { return "a long time" }
  let whole = Int(seconds.rounded())
  if seconds < 9.95 { return "\(oneDecimal(seconds)) s" }
  if whole < 60 { return "\(whole) s" }
  if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
  return "\(whole / 3600) h \(whole % 3600 / 60) min"
}

func oneDecimal(_ x: Double) -> String {
  let tenths = Int((x * 10).rounded())
  return "\(tenths / 10).\(tenths % 10)"
}
