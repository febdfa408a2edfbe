import PalimpsestCore

/// What befalls a person on which days: trips, blips of one's own and common ones. Days count from the first of the burn-in.
struct SeasonDiary: Sendable {
  /// A stretch of days.
  struct Entry: Sendable, Equatable {
    let days: Range<Int>
    /// Of a trip: hours between local time and home, positive in the east; else 0.
    let hours: Double
  }

  /// In order of time; none begins before the one before has ended.
  let trips: [Entry]
  let ownBlips: [Entry]
  /// The days without the ones behind the stream.
  private let awayHours: [Int8]
  private let blips: [Bool]

  private static let tripDays = 10
  private static let tripHours = 8.0

  /// What a year's number is drawn for. Numbers of the n-th trip or blip stand 8n further.
  private enum Number: Int { case trips, tripStart, tripDirection, blips, blipStart, blipDays }

  init(_ user: SeasonUser, _ settings: HabitSeasons) {
    let all = settings.burnIn + settings.days
    let years = SeasonDiary.years(settings)
    trips = SeasonDiary.apart(
      years.flatMap { year in
        SeasonDiary.starts(user, year, settings.trips, .trips, .tripStart, settings.burnIn).enumerated().map {
          n, start in
          let isEast = SeasonDiary.uniform(user, year, .tripDirection, n) < 0.5
          return Entry(
            days: start..<start + SeasonDiary.tripDays, hours: isEast ? SeasonDiary.tripHours : -SeasonDiary.tripHours)
        }
      }, within: all)
    ownBlips = SeasonDiary.apart(
      years.flatMap { year in
        SeasonDiary.starts(user, year, settings.ownBlips, .blips, .blipStart, settings.burnIn).enumerated().map {
          n, start in
          let length = 3 + Int(5 * SeasonDiary.uniform(user, year, .blipDays, n))
          return Entry(days: start..<start + length, hours: 0)
        }
      }, within: all)
    var away = [Int8](repeating: 0, count: all)
    var blips = [Bool](repeating: false, count: all)
    for trip in trips { for day in trip.days.clamped(to: 0..<all) { away[day] = Int8(trip.hours) } }
    for blip in ownBlips + SeasonDiary.commonBlips(settings) {
      for day in blip.days.clamped(to: 0..<all) { blips[day] = true }
    }
    (awayHours, self.blips) = (away, blips)
  }

  /// Those of everybody.
  static func commonBlips(_ settings: HabitSeasons) -> [Entry] {
    settings.blips.map { first in
      let start = settings.burnIn + first
      return Entry(days: start..<start + settings.blipDays, hours: 0)
    }
  }

  func hoursAway(_ day: Int) -> Double { Double(awayHours[day]) }
  func isBlip(_ day: Int) -> Bool { blips[day] }

  // MARK: - Drawing

  /// The year of the burn-in is −1.
  private static func years(_ settings: HabitSeasons) -> Range<Int> { -1..<(settings.days + 364) / 365 }

  private static func uniform(_ user: SeasonUser, _ year: Int, _ number: Number, _ n: Int = 0) -> Double {
    user.draws.further(-3 - year, number.rawValue + 8 * n)
  }

  /// First days of what happens in a year, so many times on average, each on any of its days.
  private static func starts(
    _ user: SeasonUser, _ year: Int, _ mean: Double, _ count: Number, _ start: Number, _ burnIn: Int
  ) -> [Int] {
    (0..<Quantile.poisson(uniform(user, year, count), mean: mean)).map { n in
      burnIn + 365 * year + Int(365 * uniform(user, year, start, n))
    }
  }

  /// In order of time, without those that begin before an earlier one has ended, and those outside the days that are lived.
  private static func apart(_ entries: [Entry], within days: Int) -> [Entry] {
    let sorted = entries.enumerated().sorted {
      ($0.element.days.lowerBound, $0.offset) < ($1.element.days.lowerBound, $1.offset)
    }.map(\.element)
    return sorted.reduce(into: []) { kept, next in
      guard next.days.lowerBound >= 0, next.days.lowerBound < days else { return }
      if kept.last.map({ $0.days.upperBound <= next.days.lowerBound }) ?? true { kept.append(next) }
    }
  }
}
