import PalimpsestPersonal

/// The person's log: text, an entry a line, appended when something happens and never changed.
///
///     DAY HOUR DATE KIND [VALUE]
///     12 7.25 340 app-opened
public enum EventLog {
  /// What stands in the log from a place on.
  public struct Line: Equatable {
    public let entry: HabitEntry?
    /// Why it is no entry.
    public let problem: String?
    /// Of the line behind it, in bytes from the log's beginning.
    public let next: Int
  }

  public static func text(_ entry: HabitEntry) -> String {
    "\(entry.day) \(entry.hour) \(entry.date) \(entry.kind.rawValue)" + (entry.value.map { " \($0)" } ?? "") + "\n"
  }

  /// The lines that are there to their end; one that is still being written is not there yet.
  /// - Parameter start: where the bytes begin in the log.
  public static func lines(_ bytes: [UInt8], from start: Int) -> [Line] {
    var lines: [Line] = []
    var first = 0
    for (place, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      lines.append(line(String(decoding: bytes[first..<place], as: UTF8.self), next: start + place + 1))
      first = place + 1
    }
    return lines
  }

  private static func line(_ text: String, next: Int) -> Line {
    let words = text.split(separator: " ")
    guard (4...5).contains(words.count), let day = Int(words[0]), let hour = Double(words[1]), let date = Int(words[2]),
      let kind = HabitEntry.Kind(rawValue: String(words[3]))
    else { return Line(entry: nil, problem: "\"\(text)\" is no entry DAY HOUR DATE KIND [VALUE]", next: next) }
    let entry = HabitEntry(kind, day: day, hour: hour, date: date, value: words.count == 5 ? Double(words[4]) : nil)
    return Line(entry: entry.problem == nil ? entry : nil, problem: entry.problem, next: next)
  }
}
