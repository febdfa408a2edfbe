/// Memory as a user writes it: `500M`, `2G`, `1.5 GB`; powers of 1024, as Slurm counts.
public struct MemoryAmount: Sendable, Equatable {
  public let megabytes: Int

  public init(megabytes: Int) { self.megabytes = megabytes }

  /// - Returns: nil for anything but a number above 0 with one of the units K, M, G and T, `B` or `iB` behind it or not.
  public init?(_ text: String) {
    let units: [Substring: Double] = ["K": 1 / 1024.0, "M": 1, "G": 1024, "T": 1024 * 1024]
    guard let (number, unit) = amount(text) else { return nil }
    let plain = unit.hasSuffix("iB") ? unit.dropLast(2) : unit.hasSuffix("B") ? unit.dropLast() : unit
    guard let factor = units[plain], number * factor <= 1e12 else { return nil }
    megabytes = max(1, Int((number * factor).rounded(.up)))
  }

  /// As a message says what is wanted.
  public static let expectation = "\"auto\" or an amount with its unit, such as \"500M\" or \"2G\""
}

/// A time limit as a user writes it: `30min`, `4h`, `2d`, or Slurm's `1-12:00:00`. It is counted in whole minutes, as Slurm does.
public struct TimeLimit: Sendable, Equatable {
  public let minutes: Int

  public init(minutes: Int) { self.minutes = minutes }

  /// - Returns: nil for anything but a time above 0 and up to a year.
  public init?(_ text: String) {
    guard let seconds = TimeLimit.clock(text) ?? TimeLimit.spoken(text), seconds > 0, seconds <= 366 * 86_400 else {
      return nil
    }
    minutes = max(1, Int((seconds / 60).rounded(.up)))
  }

  public static let expectation = "\"auto\" or a time with its unit, such as \"30min\" or \"4h\""

  private static func spoken(_ text: String) -> Double? {
    let units: [Substring: Double] = ["s": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400]
    guard let (number, unit) = amount(text), let factor = units[unit] else { return nil }
    return number * factor
  }

  /// `days-hours:minutes:seconds` and `hours:minutes:seconds`.
  private static func clock(_ text: String) -> Double? {
    let halves = text.split(separator: "-", omittingEmptySubsequences: false)
    guard (1...2).contains(halves.count), let days = halves.count == 2 ? natural(halves[0]) : 0 else { return nil }
    let fields = halves[halves.count - 1].split(separator: ":", omittingEmptySubsequences: false).map(natural)
    guard fields.count == 3, !fields.contains(nil) else { return nil }
    return zip([3600, 60, 1], fields).reduce(Double(days) * 86_400) { $0 + Double($1.0) * Double($1.1 ?? 0) }
  }

  private static func natural(_ text: Substring) -> Int? {
    text.count <= 6 && text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
  }
}

/// A number above 0 and the unit behind it.
private func amount(_ text: String) -> (number: Double, unit: Substring)? {
  let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
  guard let number = Double(digits), number > 0, number.isFinite else { return nil }
  return (number, text.dropFirst(digits.count).drop { $0 == " " })
}
