/// Which concept makes each row of a stream: row t is made by concept k with probability `shares(at: t)[k]`, whatever the concepts are.
///
/// Schedules know nothing of concepts, and concepts nothing of schedules: any may go with any.
public protocol ConceptSchedule: Sendable {
  /// How many concepts take part.
  var concepts: Int { get }
  /// One a concept, each in 0...1, that sum to 1.
  /// - Parameter row: counted from 0 through the stream.
  func shares(at row: Int) -> [Double]
  /// The concept of one row.
  /// - Parameter u: uniform in [0, 1). The last concept has the smallest numbers: a schedule that moves its shares a little moves few
  ///   rows to another concept.
  func concept(at row: Int, drawing u: Double) -> Int
}

extension ConceptSchedule {
  public func concept(at row: Int, drawing u: Double) -> Int {
    let shares = shares(at: row)
    var sum = 0.0
    for concept in shares.indices.reversed() {
      sum += shares[concept]
      if u < sum { return concept }
    }
    return shares.firstIndex { $0 > 0 } ?? 0
  }
}
