import PalimpsestCore

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
  /// The laws that may make a row, with their shares: concepts without one are left out.
  func parts(at row: Int) -> [ConceptPart]
  /// The concept of one row, and how far its parameters are from being its own.
  /// - Parameter u: as for ``concept(at:drawing:)``.
  func moment(at row: Int, drawing u: Double) -> ConceptMoment
  /// What happens to the world in the first so many rows, in the order of the first rows; concepts are called by their places.
  ///
  /// A change happens in the rows in which the share of what comes is between 5 and 95 %.
  func events(in rows: Int) -> [DriftEvent]
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

  public func parts(at row: Int) -> [ConceptPart] {
    shares(at: row).enumerated().filter { $1 > 1e-12 }.map {
      ConceptPart(moment: ConceptMoment(concept: $0, row: row), share: $1)
    }
  }

  public func moment(at row: Int, drawing u: Double) -> ConceptMoment {
    ConceptMoment(concept: concept(at: row, drawing: u), row: row)
  }

  public func events(in rows: Int) -> [DriftEvent] { [] }
}

/// One of the laws that may make a row.
public struct ConceptPart: Sendable, Equatable {
  public let moment: ConceptMoment
  /// In (0, 1].
  public let share: Double

  public init(moment: ConceptMoment, share: Double) {
    (self.moment, self.share) = (moment, share)
  }
}

/// Between which shares a change happens, as the logarithm of their odds: 5 and 95 %.
let changeOdds = Elementary.log(19)

extension [DriftEvent] {
  /// Changes over spans of time, cut to whole rows from 0 on, each ended before the next one begins.
  /// - Parameter spans: in the order of their first rows; one without a whole row in it happens in the row behind it.
  init(_ spans: [(first: Double, last: Double, before: Int, behind: Int)], in rows: Int) {
    let firsts = spans.map { Swift.max(0, Int($0.first.rounded(.up))) }
    self = spans.indices.compactMap { i in
      let end = Swift.min(rows, i + 1 < spans.count ? Swift.max(firsts[i] + 1, firsts[i + 1]) : rows) - 1
      let last = Int(spans[i].last.rounded(.down))
      guard firsts[i] < rows, last >= 0 || spans[i].first >= 0 else { return nil }
      return DriftEvent(
        .change, firsts[i]...Swift.max(firsts[i], Swift.min(last, end)), before: spans[i].before,
        behind: spans[i].behind)
    }
  }
}
