import PalimpsestCore

/// Which of the latest answers were right.
///
/// - Memory: a byte an answer, all at once with the first one.
struct AnswerWindow: Sendable, Codable {
  /// 1 for a right answer, in a ring.
  private var answers: [UInt8] = []
  /// Answers in the ring, and the place of the next one.
  private(set) var count = 0
  private var next = 0
  /// Right ones.
  private(set) var right = 0

  var isFull: Bool { !answers.isEmpty && count == answers.count }
  var bytes: Int { 24 + answers.count }

  /// Adds the latest answer.
  /// - Parameter room: answers that the window holds; the same in every call.
  /// - Returns: whether the oldest answer, which had to go, was right; nil where there was still room.
  @discardableResult
  mutating func add(_ isRight: Bool, room: Int) -> Bool? {
    if answers.isEmpty { answers = Array(repeating: 0, count: room) }
    let (gone, wasFull) = (answers[next] == 1, isFull)
    if wasFull && gone { right -= 1 }
    if !wasFull { count += 1 }
    if isRight { right += 1 }
    answers[next] = isRight ? 1 : 0
    next = next + 1 == answers.count ? 0 : next + 1
    return wasFull ? gone : nil
  }

  /// Keeps its room.
  mutating func removeAll() { (count, next, right) = (0, 0, 0) }

  /// What is no window with that room; nil: nothing.
  func problem(room: Int) -> String? {
    let places = max(1, answers.count)
    guard answers.isEmpty || answers.count == room, (0...answers.count).contains(count), (0..<places).contains(next),
      count == answers.count || next == count, answers.allSatisfy({ $0 <= 1 }),
      right == answers[..<count].count(where: { $0 == 1 })
    else { return "\(right) right ones of \(count) answers in a window of \(answers.count), not \(room)" }
    return nil
  }
}
