import PalimpsestExperiments
import PalimpsestMetrics

/// The runs of a process: those that wait, and those that it has claimed, worker by worker.
///
/// Runs that share data are one group. A worker stays in its group and goes to one that nobody has begun when it is over, for two
/// in one group would both wait until its data are made; only where no other group is left does it help in one that is begun.
///
/// - Memory: 16 bytes a group beside the runs.
package struct RunLanes {
  /// A run on its way from those that wait to those that a worker has claimed.
  package struct Taken {
    package let run: PlannedRun
    fileprivate let worker: Int
    fileprivate let group: Int
  }

  private var runs: [PlannedRun]
  /// The place of the first that is begun once nothing else is left to begin.
  private var firstOfLast: Int
  /// What waits of each group.
  private var groups: [Range<Int>]
  private var begun = 0
  /// The group each worker is in.
  private var lanes: [Int?]
  /// What each worker has claimed and not begun, in order.
  private var ready: [ArraySlice<PlannedRun>]
  private var passedOver: [Taken] = []
  /// Runs that wait and were not passed over.
  private(set) var waiting: Int
  package var known: KnownRuns

  /// - Parameters:
  ///   - last: so many at the end are begun once nothing else is left to begin.
  ///   - groups: places in `runs`, in order and without gaps.
  package init(_ runs: [PlannedRun], last: Int = 0, groups: [Range<Int>], workers: Int, known: KnownRuns) {
    (self.runs, self.groups, self.known) = (runs, groups, known)
    firstOfLast = runs.count - last
    lanes = Array(repeating: nil, count: workers)
    ready = Array(repeating: [], count: workers)
    waiting = runs.count
  }

  /// Nothing is left but what workers have in hand.
  var isEmpty: Bool { waiting == 0 && passedOver.isEmpty && ready.allSatisfy(\.isEmpty) }

  /// What the workers have claimed and not begun.
  package var claimed: [PlannedRun] { Array(ready.joined()) }

  /// What other processes had claimed when it was last looked at.
  package var othersRuns: [PlannedRun] { passedOver.map(\.run) }

  /// What a worker has claimed and not begun.
  package mutating func next(worker: Int) -> PlannedRun? { ready[worker].popFirst() }

  /// The last claimed of the worker who has most: for one that finds nothing else.
  package mutating func anothers() -> PlannedRun? {
    guard let fullest = ready.indices.max(by: { ready[$0].count < ready[$1].count }) else { return nil }
    return ready[fullest].popLast()
  }

  /// The next runs that nobody has done or claimed: for `first` and, as far as the count goes, for the other workers.
  package mutating func take(_ count: Int, first: Int) -> [Taken] {
    if waiting == 0 { waitAgain() }
    var taken: [Taken] = []
    let each = max(1, (count + ready.count - 1) / ready.count)
    for worker in [first] + ready.indices.filter({ $0 != first }) {
      var wanted = min(each - ready[worker].count, count - taken.count)
      while wanted > 0, let next = waitingRun(for: worker, besides: taken) {
        if known.isDone(next.run.id) { continue }
        if known.isClaimed(next.run.id) {
          passedOver.append(next)
        } else {
          taken.append(next)
          wanted -= 1
        }
      }
    }
    return taken
  }

  /// After another look: those that are still nobody else's are the worker's.
  package mutating func keep(_ wanted: [Taken]) {
    for taken in wanted where !known.isDone(taken.run.id) {
      if known.isClaimed(taken.run.id) {
        passedOver.append(taken)
      } else {
        ready[taken.worker].append(taken.run)
      }
    }
  }

  private mutating func waitingRun(for worker: Int, besides taken: [Taken]) -> Taken? {
    let begins = taken.isEmpty && ready.allSatisfy(\.isEmpty)
    guard let group = group(for: worker, mayBeginLast: begins) else { return nil }
    lanes[worker] = group
    waiting -= 1
    return Taken(run: runs[groups[group].removeFirst()], worker: worker, group: group)
  }

  /// The worker's own, or one that nobody has begun, or the one of which most is left.
  /// - Parameter mayBeginLast: nothing is claimed that comes first.
  private mutating func group(for worker: Int, mayBeginLast: Bool) -> Int? {
    if let own = lanes[worker], !groups[own].isEmpty { return own }
    // What is begun and not empty is somebody's.
    let fullest = lanes.lazy.compactMap(\.self).max { groups[$0].count < groups[$1].count }
    let helped = fullest.flatMap { groups[$0].isEmpty ? nil : $0 }
    while begun < groups.count {
      if groups[begun].lowerBound >= firstOfLast && (helped != nil || !mayBeginLast) { return helped }
      begun += 1
      if !groups[begun - 1].isEmpty { return begun - 1 }
    }
    return helped
  }

  /// What was passed over waits once more.
  private mutating func waitAgain() {
    runs = passedOver.map(\.run)
    groups = passedOver.indices.chunked { passedOver[$0].group == passedOver[$1].group }
    (begun, waiting, passedOver, firstOfLast) = (0, runs.count, [], runs.count)
    lanes = Array(repeating: nil, count: lanes.count)
  }
}

extension Range<Int> {
  /// Ranges of neighbours that belong together.
  func chunked(_ belong: (Int, Int) -> Bool) -> [Range<Int>] {
    var (ranges, start): ([Range<Int>], Int) = ([], lowerBound)
    for end in self where end + 1 == upperBound || !belong(end, end + 1) {
      ranges.append(start..<(end + 1))
      start = end + 1
    }
    return ranges
  }
}
