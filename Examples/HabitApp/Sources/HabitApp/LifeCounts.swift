import PalimpsestPersonal

/// What the app has counted of a life.
public struct LifeCounts: Sendable, Equatable, Codable {
  /// Rows whose outcome is known, and whose answer was right, of the person's model and of the one that was shipped.
  public struct Tally: Sendable, Equatable, Codable {
    public internal(set) var rows = 0
    public internal(set) var right = 0
    public internal(set) var rightShipped = 0
  }

  /// Entries of the log.
  public internal(set) var entries = 0
  /// Days that have ended.
  public internal(set) var days = 0
  public internal(set) var foretold = 0
  public internal(set) var reminders = 0
  public internal(set) var life = Tally()
  public internal(set) var week = Tally()
  /// Of the bits of all predictions, in their order.
  public internal(set) var digest: UInt64 = 0

  public init() {}

  mutating func observe(_ observed: PersonalModel.Observed, _ label: Int, shipped: Int) {
    func count(_ tally: inout Tally) {
      tally.rows += 1
      tally.right += observed.answer == label ? 1 : 0
      tally.rightShipped += shipped == label ? 1 : 0
    }
    count(&life)
    count(&week)
  }

  mutating func foretell(_ p: Double, _ decision: Decision) {
    foretold += 1
    reminders += decision == .remind ? 1 : 0
    digest = (digest ^ p.bitPattern) &* 0x100_0000_01B3 &+ 1
  }

  /// What contradicts itself in counts that were read.
  var isSound: Bool {
    let numbers = [
      entries, days, foretold, reminders, life.rows, life.right, life.rightShipped, week.rows, week.right,
      week.rightShipped,
    ]
    return numbers.allSatisfy { (0...Int.max / 16).contains($0) }
  }
}

extension HabitLoop {
  /// The line of a week that has ended with the day foretold last; nil within a week.
  mutating func weekLine() -> String? {
    guard counts.days % 7 == 0 else { return nil }
    let (week, life) = (counts.week, counts.life)
    counts.week = LifeCounts.Tally()
    return "week \(counts.days / 7): \(week.right) of \(week.rows) foretold (shipped \(week.rightShipped))"
      + " | so far \(percent(life.right, life.rows)) (shipped \(percent(life.rightShipped, life.rows)))"
      + " | personal model \(percent(model.personalWeight)) | updates \(model.counts.finished)"
      + " | rows \(samples.count) | reminders \(counts.reminders)"
  }
}

private func percent(_ part: Int, _ whole: Int) -> String { whole == 0 ? "- %" : percent(Double(part) / Double(whole)) }

private func percent(_ share: Double) -> String { "\(Int((100 * share).rounded())) %" }
