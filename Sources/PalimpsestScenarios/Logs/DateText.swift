/// Seconds from the beginning of 1970 to a date, with or without a time of day; nil where the text is none.
///
/// - Parameter form: the order of day, month and year where the year does not stand first in four digits.
/// - Source: ISO 8601 without weeks and days of the year; days by Hinnant's `days_from_civil`.
package func calendarSeconds(_ text: String, _ form: DateForm) -> Double? {
  let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
  guard let days = parts.first.flatMap({ days($0, form) }) else { return nil }
  if parts.count == 1 { return Double(days) * 86_400 }
  return timeOfDay(parts[1]).map { Double(days) * 86_400 + $0 }
}

private func days(_ text: Substring, _ form: DateForm) -> Int? {
  if text.utf8.count == 8, let number = wholeNumber(text) {
    return days(year: number / 10_000, month: number / 100 % 100, day: number % 100)
  }
  guard let separator = text.first(where: { "-/.".contains($0) }) else { return nil }
  let fields = text.split(separator: separator, omittingEmptySubsequences: false)
  let numbers = fields.compactMap(wholeNumber)
  guard fields.count == 3, numbers.count == 3 else { return nil }
  if fields[0].utf8.count == 4 { return days(year: numbers[0], month: numbers[1], day: numbers[2]) }
  let year = fullYear(numbers[2], digits: fields[2].utf8.count)
  switch form {
  case .year: return separator == "." ? days(year: year, month: numbers[1], day: numbers[0]) : nil
  case .day: return days(year: year, month: numbers[1], day: numbers[0])
  case .month: return days(year: year, month: numbers[0], day: numbers[1])
  }
}

/// Of two digits those below 69 are of this century, as POSIX has it.
private func fullYear(_ year: Int, digits: Int) -> Int { digits > 2 ? year : year + (year < 69 ? 2000 : 1900) }

private func days(year: Int, month: Int, day: Int) -> Int? {
  guard (1...9999).contains(year), (1...12).contains(month) else { return nil }
  let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  guard (1...lengths[month - 1]).contains(day) else { return nil }
  return civilDays(year: year, month: month, day: day)
}

/// Days since 1970 of a date that there is: Hinnant's `days_from_civil`.
func civilDays(year: Int, month: Int, day: Int) -> Int {
  let shifted = month > 2 ? year : year - 1
  let era = shifted / 400
  let yearOfEra = shifted - era * 400
  let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
  return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
}

/// `17:51`, `17:51:00.5`, with `Z` or a distance from it such as `+02:00` behind; in seconds.
private func timeOfDay(_ text: Substring) -> Double? {
  let zone = text.firstIndex { "Z+-".contains($0) } ?? text.endIndex
  guard let shift = zoneShift(text[zone...]) else { return nil }
  let fields = text[..<zone].split(separator: ":", omittingEmptySubsequences: false)
  guard (2...3).contains(fields.count), let hour = wholeNumber(fields[0]), let minute = wholeNumber(fields[1]),
    hour < 24, minute < 60
  else { return nil }
  guard fields.count == 3 else { return Double(hour * 3600 + minute * 60) - shift }
  guard let second = Double(fields[2]), fields[2].first?.isNumber == true, second < 61 else { return nil }
  return Double(hour * 3600 + minute * 60) + second - shift
}

private func zoneShift(_ text: Substring) -> Double? {
  if text.isEmpty || text == "Z" { return 0 }
  let digits = text.dropFirst().replacing(":", with: "")
  guard digits.count == 4, let number = wholeNumber(digits[...]), number % 100 < 60 else { return nil }
  let minutes = number / 100 * 60 + number % 100
  return Double((text.first == "-" ? -minutes : minutes) * 60)
}

/// Digits alone, at most eight.
private func wholeNumber(_ text: Substring) -> Int? {
  let isNumber = (1...8).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) }
  return isNumber ? Int(text) : nil
}
