import PalimpsestCore

/// What the alarms of a drift detector were worth in a stream whose changes are known.
///
/// Change i happens in rows sᵢ … eᵢ; its window reaches from sᵢ to min(eᵢ + maxDelay, sᵢ₊₁ − 1). The first alarm in it is the
/// *detection*, its delay the rows since sᵢ; later ones in it are *repeats*, neither good nor false. All others are *false*; of
/// these, those in a blip or soon behind it are blip alarms too. Rows outside all windows are *still*.
///
/// Counting every alarm in a window as a success, as others do, rewards a detector that never stops; counting none would blame
/// one that speaks early and again.
public struct DriftScore: Sendable, Equatable {
  /// Rows from the change to its detection, one a change; nil: it was missed.
  public let delays: [Int?]
  public let repeats: Int
  public let falseAlarms: Int
  /// Those of the false alarms that fall into a blip, or soon behind it.
  public let blipAlarms: Int
  /// All alarms, and all rows.
  public let alarms: Int
  public let rows: Int
  /// Rows outside all windows.
  public let stillRows: Int
  private let windows: [Range<Int>]

  /// - Parameters:
  ///   - alarms: rows, ascending.
  ///   - changes: rows in which each change happens, ascending, none in another.
  ///   - blips: rows of what a detector should not heed, with the rows behind them in which an alarm is still its fault.
  ///   - rows: of the stream.
  ///   - maxDelay: rows behind a change in which an alarm still detects it.
  public init(
    alarms: [Int], changes: [ClosedRange<Int>], blips: [ClosedRange<Int>] = [], rows: Int, maxDelay: Int
  ) {
    let windows = DriftScore.windows(of: changes, rows: rows, maxDelay)
    var (rest, wrong, caught) = (alarms[...], [Int](), [ArraySlice<Int>]())
    for window in windows {
      wrong += rest.prefix { $0 < window.lowerBound }
      rest = rest.drop { $0 < window.lowerBound }
      caught.append(rest.prefix { $0 < window.upperBound })
      rest = rest.dropFirst(caught[caught.count - 1].count)
    }
    wrong += rest
    delays = zip(windows, caught).map { window, caught in caught.first.map { $0 - window.lowerBound } }
    repeats = caught.reduce(0) { $0 + max(0, $1.count - 1) }
    falseAlarms = wrong.count
    blipAlarms = wrong.count { alarm in blips.contains { $0.contains(alarm) } }
    stillRows = rows - windows.reduce(0) { $0 + $1.count }
    (self.alarms, self.rows, self.windows) = (alarms.count, rows, windows)
  }

  private static func windows(of changes: [ClosedRange<Int>], rows: Int, _ maxDelay: Int) -> [Range<Int>] {
    changes.indices.map { i in
      let next = i + 1 < changes.count ? changes[i + 1].lowerBound : rows
      let (end, overflow) = changes[i].upperBound.addingReportingOverflow(maxDelay)
      return changes[i].lowerBound..<max(changes[i].lowerBound, min(overflow ? next : end + 1, next))
    }
  }
}

extension DriftScore {
  public var changes: Int { delays.count }
  public var detected: Int { delays.count { $0 != nil } }
  public var missed: Int { changes - detected }

  /// MTD: mean delay of the detections; NaN where there is none.
  public var meanDelay: Double { Double(delays.reduce(0) { $0 + ($1 ?? 0) }) / Double(detected) }

  /// MDR: share of the changes that were missed; NaN where there are none.
  public var missedShare: Double { Double(missed) / Double(changes) }

  /// MTFA: still rows a false alarm; infinite where there is none.
  public var meanTimeBetweenFalseAlarms: Double {
    falseAlarms == 0 ? .infinity : Double(stillRows) / Double(falseAlarms)
  }

  /// MTR = MTFA / max(MTD, 1) · (1 − MDR): the higher the better. 0 where every change was missed, infinite where none of the alarms was
  /// false, NaN where there are no changes.
  public var meanTimeRatio: Double {
    if detected == 0 { return changes == 0 ? .nan : 0 }
    return meanTimeBetweenFalseAlarms / max(meanDelay, 1) * (1 - missedShare)
  }

  /// 2 · detections / (2 · detections + false alarms + missed changes); NaN where there is nothing to find and nothing was found.
  public var f1: Double { DriftScore.f1(detected, falseAlarms, missed) }

  /// False alarms a thousand still rows; NaN where there are no such rows.
  public var falseAlarmsPerThousand: Double { 1000 * Double(falseAlarms) / Double(stillRows) }

  /// Alarms a thousand rows.
  public var alarmsPerThousand: Double { 1000 * Double(alarms) / Double(rows) }

  /// The F1 of a dummy that alarms every n rows, with n = ⌊rows / alarms⌋: about as often as the detector. The mean over all n rows
  /// at which it may begin. 0 where there were no alarms and there are changes.
  ///
  /// - Cost: O(n · changes).
  public var dummyF1: Double {
    guard alarms > 0, alarms <= rows else { return f1 }
    let every = rows / alarms
    let sum = (0..<every).reduce(0.0) { $0 + f1(every: every, from: $1) }
    return sum / Double(every)
  }

  /// Of alarms at `first`, `first` + `every`, …
  private func f1(every: Int, from first: Int) -> Double {
    /// Alarms before a row.
    func alarms(before row: Int) -> Int { row <= first ? 0 : (row - 1 - first) / every + 1 }
    let caught = windows.map { alarms(before: $0.upperBound) - alarms(before: $0.lowerBound) }
    let detected = caught.count { $0 > 0 }
    return DriftScore.f1(detected, alarms(before: rows) - caught.reduce(0, +), windows.count - detected)
  }

  private static func f1(_ detected: Int, _ wrong: Int, _ missed: Int) -> Double {
    2 * Double(detected) / Double(2 * detected + wrong + missed)
  }
}
