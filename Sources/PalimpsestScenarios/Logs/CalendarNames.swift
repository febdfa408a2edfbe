import PalimpsestCore

/// Dates by the day, week, month, quarter or year they are in, in order of time.
struct CalendarNames {
  /// Place of each text's part of the calendar among `names`.
  let places: [Int32]
  /// `2024-03-31`, `2024-W13`, `2024-03`, `2024-Q1`, `2024`, in order.
  let names: [String]

  /// - Parameter texts: dates, all of one form.
  /// - Throws: ``ScenarioError`` where one is no date.
  init(_ texts: [String], _ every: TaskCut.Every, column: String) throws(ScenarioError) {
    let read = DateForm.allCases.lazy.map { form in texts.compactMap { calendarSeconds($0, form) } }
    guard let seconds = read.first(where: { $0.count == texts.count }) else {
      throw CalendarNames.refusal(texts, column)
    }
    let parts = seconds.map { CalendarPart(days: Int(($0 / 86_400).rounded(.down)), every) }
    let ordered = Set(parts).sorted { $0.start < $1.start }
    let numbers = Dictionary(uniqueKeysWithValues: ordered.enumerated().map { ($1, Int32($0)) })
    places = parts.map { numbers[$0] ?? 0 }
    names = ordered.map(\.name)
  }

  private static func refusal(_ texts: [String], _ column: String) -> ScenarioError {
    let wrong = texts.first { text in DateForm.allCases.allSatisfy { calendarSeconds(text, $0) == nil } }
    let forms = DateForm.allCases.map(\.rawValue).joined(separator: ", ")
    guard let wrong else {
      return ScenarioError(
        parameter: "tasks.column",
        "the dates of \"\(column)\" are not all of one form (\(forms)); write them alike, best as 2024-03-31")
    }
    return ScenarioError(
      parameter: "tasks.column",
      "\"\(wrong)\" in \"\(column)\" is no date of the forms \(forms). Correct it, or set \"every\": \"value\"")
  }
}

/// A day, week, month, quarter or year.
private struct CalendarPart: Hashable {
  /// Its first day since 1970.
  let start: Int
  let name: String

  init(days: Int, _ every: TaskCut.Every) {
    let (year, month, day) = civil(days)
    switch every {
    case .value, .day: (start, name) = (days, "\(year)-\(twoDigits(month))-\(twoDigits(day))")
    case .month: (start, name) = (days - day + 1, "\(year)-\(twoDigits(month))")
    case .quarter: (start, name) = (year * 4 + (month - 1) / 3, "\(year)-Q\((month + 2) / 3)")
    case .year: (start, name) = (year, "\(year)")
    case .week:
      // ISO 8601: a week begins on Monday and belongs to the year of its Thursday.
      let monday = days - (days + 3).modulo(7)
      let thursday = civil(monday + 3).year
      let first = civilDays(year: thursday, month: 1, day: 4)
      start = monday
      name = "\(thursday)-W\(twoDigits((monday - (first - (first + 3).modulo(7))) / 7 + 1))"
    }
  }
}

private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

extension Int {
  fileprivate func modulo(_ n: Int) -> Int { (self % n + n) % n }
}

/// Year, month and day of a number of days since 1970: Hinnant's `civil_from_days`.
private func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
  let z = days + 719_468
  let era = (z >= 0 ? z : z - 146_096) / 146_097
  let dayOfEra = z - era * 146_097
  let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let shifted = (5 * dayOfYear + 2) / 153
  let month = shifted < 10 ? shifted + 3 : shifted - 9
  return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
}
