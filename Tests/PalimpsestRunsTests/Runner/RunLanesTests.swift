import PalimpsestExperiments
import PalimpsestRuns
import TestFixtures
import Testing

/// Which run a worker is given next.
@Suite struct RunLanesTests {
  let folder: TemporaryFolder
  let runs: [PlannedRun]

  init() throws {
    folder = try TemporaryFolder()
    runs = Array(try Plan(Fixture.small(strategies: #""naive": []"#, #""seeds": 12"#)).runs)
  }

  /// Groups of three: 0 1 2, 3 4 5, 6 7 8, 9 10 11.
  func lanes(workers: Int, last: Int = 0) throws -> RunLanes {
    let known = try KnownRuns(ResultsFolder(folder.path), .current, retryFailed: false)
    return RunLanes(runs, last: last, groups: [0..<3, 3..<6, 6..<9, 9..<12], workers: workers, known: known)
  }

  /// The next run of a worker, claimed one at a time.
  func next(_ lanes: inout RunLanes, _ worker: Int) -> Int? {
    lanes.keep(lanes.take(1, first: worker))
    return (lanes.next(worker: worker) ?? lanes.anothers())?.index
  }

  @Test func `each worker stays with its data, and none waits for what another makes`() throws {
    var lanes = try lanes(workers: 2)
    let order = [0, 1, 0, 1, 1, 1, 0, 0, 0, 0].map { next(&lanes, $0) }
    #expect(order == [0, 3, 1, 4, 5, 6, 2, 9, 10, 11])
    // Nothing is left that nobody has begun: worker 0 helps.
    #expect([0, 1, 0].map { next(&lanes, $0) } == [7, 8, nil])
  }

  /// The last three may end their process.
  @Test func `what comes last is begun once nothing else is left to begin`() throws {
    var lanes = try lanes(workers: 2, last: 3)
    #expect((0..<12).map { next(&lanes, $0 % 2) } == [0, 3, 1, 4, 2, 5, 6, 7, 8, 9, 10, 11])
    var claimed = try self.lanes(workers: 2, last: 3)
    claimed.keep(claimed.take(24, first: 0))
    #expect(claimed.claimed.count == 9)
    _ = claimed.next(worker: 0)
    #expect(claimed.take(1, first: 1).isEmpty && claimed.anothers()?.index == 8)
  }

  @Test func `a lot is for all workers, each with data of its own`() throws {
    var lanes = try lanes(workers: 3)
    #expect(lanes.take(5, first: 1).map(\.run.index) == [0, 1, 3, 4, 6])
  }

  @Test func `one that finds nothing else takes the last that another has claimed`() throws {
    var lanes = try lanes(workers: 2)
    lanes.keep(lanes.take(24, first: 0))
    #expect(lanes.claimed.map(\.index) == Array(0..<12))
    #expect(lanes.next(worker: 1) == nil && lanes.anothers()?.index == 11 && lanes.next(worker: 0)?.index == 0)
  }

  @Test(arguments: [1, 2, 3, 5]) func `every run is given out once`(workers: Int) throws {
    var lanes = try lanes(workers: workers)
    var given: [Int] = []
    for turn in 0..<40 {
      if let run = next(&lanes, turn * turn % workers) { given.append(run) }
    }
    #expect(given.sorted() == Array(0..<12))
  }
}
