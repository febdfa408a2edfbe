/// Something that happens to the world while a stream goes on: what the alarms of a drift detector are judged by.
public struct DriftEvent: Sendable, Equatable {
  /// The raw values are those of the results.
  public enum Kind: Int, Sendable {
    /// One law gives way to another, from one row to the next or little by little.
    case change = 1
    /// Another law for some rows, then the one before again: what a detector should not heed.
    case blip = 2
  }

  public let kind: Kind
  /// The rows in which it happens, counted from 0 through the whole stream. A change from one row to the next has the first row
  /// of the new law alone.
  public let rows: ClosedRange<Int>
  /// The task whose law holds before it; nil: none does.
  public let before: Int?
  /// The task whose law holds behind a change, or in a blip; nil: none does.
  public let behind: Int?

  public init(_ kind: Kind, _ rows: ClosedRange<Int>, before: Int? = nil, behind: Int? = nil) {
    precondition(rows.lowerBound >= 0, "an event before row 0")
    (self.kind, self.rows, self.before, self.behind) = (kind, rows, before, behind)
  }
}

extension [DriftEvent] {
  /// A change at each task's first row but the first's.
  /// - Parameter starts: the number of each task's first row.
  public init(changesAt starts: [Int]) {
    self = starts.indices.dropFirst().map {
      DriftEvent(.change, starts[$0]...starts[$0], before: $0 - 1, behind: $0)
    }
  }
}
