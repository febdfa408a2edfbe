import PalimpsestCore
import PalimpsestScenarios

/// What a log of daily habits says of each day of each person: launches, reminders, outcomes, trips and the zone.
struct LoggedDays {
  private struct Day {
    var opened: [Double] = []
    var sent = 0
    var tapped = 0
    var date = 0
    var isCompleted: Bool?
    /// Hours between local time and home from this day on, where it says so.
    var zone: Double?
  }

  private var days: [Int: [Int: Day]] = [:]
  private(set) var kinds: [String: Int] = [:]

  init(_ events: [LoggedEvent]) {
    for event in events {
      var day = days[event.user]?[event.day] ?? Day()
      day.date = event.date ?? -1
      kinds[event.kind, default: 0] += 1
      switch event.kind {
      case "app-opened": day.opened.append(event.hour)
      case "reminder-sent": day.sent += 1
      case "reminder-tapped": day.tapped += 1
      case "habit-completed": day.isCompleted = true
      case "habit-skipped": day.isCompleted = false
      case "trip-began", "zone-changed": day.zone = event.value
      case "trip-ended": day.zone = day.zone ?? 0
      default: break
      }
      days[event.user, default: [:]][event.day] = day
    }
  }

  private func day(_ user: Int, _ day: Int) -> Day { days[user]?[day] ?? Day() }

  func label(_ user: Int, _ day: Int) -> Int32 { self.day(user, day + 1).isCompleted == true ? 1 : 0 }

  /// The ten features of a day; the hour is nil before the first launch.
  func features(_ user: Int, _ day: Int) -> [Float?] {
    let today = self.day(user, day)
    let outcomes = (0..<day).map { self.day(user, $0 + 1).isCompleted == true }
    let streak = outcomes.reversed().prefix { $0 }.count
    let recent = outcomes.suffix(30)
    let rate = recent.isEmpty ? 0.5 : Double(recent.count { $0 }) / Double(recent.count)
    let last = outcomes.lastIndex(of: true).map { $0 + 1 } ?? 0
    let week = (max(0, day - 6)...day).map { self.day(user, $0) }
    let hour = (0...day).reversed().lazy.compactMap { self.day(user, $0).opened.min() }.first
    let zone = (0...day).reversed().lazy.compactMap { self.day(user, $0).zone }.first ?? 0
    let launches = Elementary.log(1 + Double(min(today.opened.count, 40))) / Elementary.log(41)
    return [
      Float(Double(min(streak, 30)) / 30), Float(rate), Float(launches), Float(today.tapped) / Float(today.sent),
      hour.map { Float($0 / 24) }, (today.date + 1) % 7 >= 5 ? 1 : 0, Float(Double(min(day + 1 - last, 14)) / 14),
      Float(week.reduce(0) { $0 + $1.tapped }) / Float(week.reduce(0) { $0 + $1.sent }), Float(abs(zone) / 12),
      Float(0.5 + 0.5 * Elementary.sin(2 * .pi * Double(today.date % 365) / 365)),
    ]
  }

  /// Up to three places where rows with owners and times differ from the log.
  /// - Parameter burnIn: days before the first second.
  func mismatches(_ rows: Rows, burnIn: Int) -> [String] {
    guard let owners = rows.owners, let times = rows.times else { return ["rows without people or times"] }
    let inputs = rows.batch.inputs
    var found: [String] = []
    for row in 0..<rows.count where found.count < 3 {
      let (user, day) = (Int(owners[row]), burnIn + Int(times[row] / 86_400))
      let expected = features(user, day)
      found += (0..<10).filter { expected[$0] != nil && inputs[row, $0] != expected[$0] }.map {
        "person \(user), day \(day), column \($0): \(inputs[row, $0]), \(expected[$0] ?? .nan) by the log"
      }
      if rows.labels[row] != label(user, day) { found.append("person \(user), day \(day), label") }
    }
    return found
  }
}
