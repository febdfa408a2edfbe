import PalimpsestCore
import PalimpsestScenarios

/// The law of `habit-permissions` from its formula: hidden calendars by 16-point Gauss–Legendre quadrature, hidden launches by their
/// 200 counts, hidden hours by a sum over 201 points.
struct RestatedLaw {
  let intercept: Double
  let steepness: Double
  private let calendars = gaussLegendre(16).map { (weight: $0.weight / 2, term: -1.5 * $0.point) }
  private let launches: [(weight: Double, term: Double)]
  private let hours: [(weight: Double, term: Double)]

  init(intercept: Double, steepness: Double) {
    (self.intercept, self.steepness) = (intercept, steepness)
    var mass = 1.0 / 9
    launches = (0..<200).map { count in
      defer { mass *= Double(count + 2) / Double(count + 1) * 2 / 3 }
      return (mass, 2 * (4 * Elementary.log(1 + Double(min(count, 40))) / Elementary.log(41) - 1.5))
    }
    let points = (0...200).map { -5 + Double($0) / 20 }
    let whole = points.reduce(0) { $0 + Elementary.exp(-$1 * $1 / 2) }
    hours = points.map { point in
      (
        Elementary.exp(-point * point / 2) / whole,
        2 * Elementary.cos(2 * .pi * (10 + 4 * point - 7.5) / 24)
      )
    }
  }

  /// - Parameter x: a row as it is shown in a task of the default ones.
  func probability(_ x: [Float], task: Int) -> Double {
    let x = x.map(Double.init)
    var z = 2 * x[0] - 0.6 + 2 * x[1] - 1 + 3 * x[3] - 0.5
    z += -0.8 * (2 * x[5] - 1) - 0.5 * (2 * x[6] - 0.3)
    var hidden = [(weight: 1.0, term: 0.0)]
    func hide(_ terms: [(weight: Double, term: Double)]) {
      hidden = hidden.flatMap { a in terms.map { (a.weight * $0.weight, a.term + $0.term) } }
    }
    if task == 1 { hide(launches) } else { z += 2 * (4 * x[2] - 1.5) }
    if task == 2 { hide(hours) } else { z += 2 * Elementary.cos(2 * .pi * (x[4] - 7.5 / 24)) }
    if task == 4 { z += -1.5 * (2 * x[9] - 1) } else { hide(calendars) }
    return hidden.reduce(0) { sum, part in
      sum + part.weight * (0.02 + 0.96 * Elementary.logistic(steepness * (intercept + z + part.term)))
    }
  }
}

/// Points and weights of Gauss–Legendre quadrature on [−1, 1]: the roots of the Legendre polynomial, by Newton's steps.
func gaussLegendre(_ n: Int) -> [(point: Double, weight: Double)] {
  (0..<n).map { i in
    var x = Elementary.cos(.pi * (Double(i) + 0.75) / (Double(n) + 0.5))
    var slope = 1.0
    for _ in 0..<50 {
      var (before, now) = (1.0, x)
      for k in 2...n { (before, now) = (now, ((2 * Double(k) - 1) * x * now - (Double(k) - 1) * before) / Double(k)) }
      slope = Double(n) * (x * now - before) / (x * x - 1)
      x -= now / slope
    }
    return (x, 2 / ((1 - x * x) * slope * slope))
  }
}

/// What a log of `habit-permissions` says of each day of each user.
struct PermissionDays {
  private struct Day {
    var hour = 0.0
    var launches = 0
    var sent = 0
    var tapped = 0
    var business = 0.0
    var date = 0
    var isCompleted: Bool?
    var isLost = false
  }

  private var days: [Int: [Int: Day]] = [:]

  init(_ events: [LoggedEvent]) {
    for event in events {
      var day = days[event.user]?[event.day] ?? Day()
      day.date = event.date ?? -1
      switch event.kind {
      case "phone-unlocked": day.hour = event.hour
      case "app-opened": day.launches += 1
      case "reminder-sent": day.sent += 1
      case "reminder-tapped": day.tapped += 1
      case "calendar-read": day.business = event.value ?? .nan
      case "habit-completed": day.isCompleted = true
      case "habit-skipped": day.isCompleted = false
      case "completion-lost": day.isLost = true
      default: day.sent = .max
      }
      days[event.user, default: [:]][event.day] = day
    }
  }

  private func day(_ user: Int, _ day: Int) -> Day { days[user]?[day] ?? Day() }

  func label(_ user: Int, _ day: Int) -> Int32 {
    let next = self.day(user, day + 1)
    return next.isCompleted == true && !next.isLost ? 1 : 0
  }

  /// As the task's phase shows them, without a mask.
  func features(_ user: Int, _ day: Int, task: Int) -> [Float] {
    let today = self.day(user, day)
    let outcomes = (0..<day).map { self.day(user, $0 + 1).isCompleted == true }
    let streak = outcomes.reversed().prefix { $0 }.count
    let recent = outcomes.suffix(30)
    let rate = recent.isEmpty ? 0.5 : Double(recent.count { $0 }) / Double(recent.count)
    let last = outcomes.lastIndex(of: true).map { $0 + 1 } ?? 0
    let week = (max(0, day - 6)...day).map { self.day(user, $0) }
    let launches = Elementary.log(1 + Double(min(today.launches, 40))) / Elementary.log(41)
    return [
      Float(Double(min(streak, 30)) / 30), Float(rate), task == 1 ? 0 : Float(launches),
      Float(today.tapped) / Float(today.sent), task == 2 ? 0 : Float(today.hour / 24),
      (today.date + 1) % 7 >= 5 ? 1 : 0, Float(Double(min(day + 1 - last, 14)) / 14),
      Float(week.reduce(0) { $0 + $1.tapped }) / Float(week.reduce(0) { $0 + $1.sent }), 0,
      task == 4 ? Float(today.business) : 0.5,
    ]
  }
}
