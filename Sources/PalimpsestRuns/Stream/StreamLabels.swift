import PalimpsestCore
import PalimpsestExperiments
import PalimpsestScenarios

/// When the labels of a stream's rows arrive, and what they say: by settings, seed and row alone.
struct StreamLabels: Sendable {
  private let settings: LabelSettings
  private let seed: Seed
  /// One a row, in seconds, where the delay is in days.
  private let times: [Int64]?

  /// - Parameter rows: all of the stream's.
  init(_ settings: LabelSettings, _ rows: StreamRows, seed: Seed) {
    self.settings = settings
    self.seed = seed.derived("labels")
    times = settings.unit == .days && settings.delay > 0 ? rows.times : nil
  }

  /// Every label arrives with its row, as it is.
  var areAtOnce: Bool { settings.delay == 0 && settings.missing == 0 && settings.loss == 0 }
  var areLate: Bool { settings.delay > 0 }

  /// The first row whose label has not arrived when the rows before `end` have been predicted.
  /// - Parameter first: one that had not arrived before.
  func arrived(from first: Int, before end: Int) -> Int {
    if settings.delay == 0 { return end }
    guard let times else { return max(first, end - settings.delay) }
    let latest = times[end - 1] - Int64(settings.delay) * 86_400
    return times[first..<end].firstIndex { $0 > latest } ?? end
  }

  /// The label that arrives; nil: none ever does.
  func shown(_ label: Int, ofRow row: Int, owner: Int) -> Int? {
    if settings.missing > 0 && draw("missing", key(row, label, owner)) < settings.missing { return nil }
    if settings.loss > 0 && label == 1 && draw("loss", row) < settings.loss { return 0 }
    return label
  }

  private func key(_ row: Int, _ label: Int, _ owner: Int) -> Int {
    switch settings.missingBy {
    case .row: row
    case .user: owner
    case .class: label
    }
  }

  private func draw(_ name: String, _ number: Int) -> Double {
    var rng = seed.stream(name, number)
    return rng.uniform()
  }
}
