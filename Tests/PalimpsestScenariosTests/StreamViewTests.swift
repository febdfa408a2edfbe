import PalimpsestCore
import PalimpsestScenarios
import Testing

/// Two tasks of rows whose single input is their number: 0–9 and 100–104.
private struct Counted: DriftStream {
  let revisits: Bool
  var events: [DriftEvent]?
  let shape = TaskShape(inputs: 1, outputs: 1)
  let experiences = [("a", 0, 10), ("b", 1, 5)].map { name, index, rows in
    ExperienceInfo(index: index, name: name, outputs: 0..<1, seenOutputs: 0..<1, rows: rows)
  }
  let truth: ScenarioTruth? = ScenarioTruth(
    bayesAccuracy: [0.9, 0.8], crossAccuracy: [[0.9, 0.5], [0.4, 0.8]], totalVariation: [[0, 0.3], [0.2, 0]],
    hellinger: [[0, 0.1], [0.1, 0]], jointCeiling: 0.7)

  func rows(_ first: Int, _ count: Int, _ task: Int) -> Rows {
    Rows(
      Matrix((first..<(first + count)).map { [Float($0)] }),
      labels: (0..<Int32(count)).map { $0 % 2 }, experience: task, truth: [Float](repeating: 0.5, count: count))
  }

  func trainingRows(for task: Int) -> Rows { task == 0 ? rows(0, 10, 0) : rows(100, 5, 1) }
  func revisitableRows(for task: Int) -> Rows {
    trainingRows(for: task).selecting(revisits ? (0..<Int32(trainingRows(for: task).count)).map { $0 } : [])
  }
  func evaluationSet(for task: Int) -> EvaluationSet {
    EvaluationSet(rows: rows(1000, 3, task), knownExperience: task, candidates: 0..<1)
  }
}

@Suite struct StreamViewTests {
  func values(_ rows: Rows) -> [Float] { rows.batch.inputs.values.array }

  @Test func `the first tasks are those of the whole stream`() {
    let view = StreamView(Counted(revisits: true), tasks: 1, heldOut: nil, seed: Seed(1))
    #expect(view.experiences.map(\.name) == ["a"])
    #expect(values(view.trainingRows(for: 0)) == (0..<10).map(Float.init))
    #expect(values(view.evaluationSet(for: 0).rows) == [1000, 1001, 1002])
    #expect(view.truth?.bayesAccuracy == [0.9])
    #expect(view.truth?.crossAccuracy == [[0.9]])
    #expect(view.truth?.jointCeiling.isNaN == true)
  }

  /// The whole stream has the rows 0–9 and 10–14.
  @Test func `events are those of the rows that are left`() throws {
    #expect(StreamView(Counted(revisits: true), tasks: 1, heldOut: nil, seed: Seed(1)).events == nil)
    let events = [
      DriftEvent(.blip, 2...3, before: 0, behind: 1), DriftEvent(.change, 8...11, before: 0, behind: 1),
      DriftEvent(.change, 13...13),
    ]
    let whole = Counted(revisits: true, events: events)
    let first = StreamView(whole, tasks: 1, heldOut: nil, seed: Seed(1))
    #expect(first.events == [events[0], DriftEvent(.change, 8...9, before: 0, behind: 1)])
    #expect(StreamView(whole, tasks: nil, heldOut: nil, seed: Seed(1)).events == events)
    for seed in 0..<20 {
      let view = StreamView(whole, tasks: nil, heldOut: 0.5, seed: Seed(UInt64(seed)))
      let left = values(view.trainingRows(for: 0)) + values(view.trainingRows(for: 1)).map { $0 - 90 }
      func count(before row: Float) -> Int { left.count { $0 < row } }
      let blip = count(before: 2)..<count(before: 4)
      let found = try #require(view.events)
      #expect(found.filter { $0.kind == .blip }.map(\.rows) == (blip.isEmpty ? [] : [ClosedRange(blip)]))
      let change = try #require(found.first { $0.before == 0 && $0.kind == .change }).rows
      #expect(change == count(before: 8)...max(count(before: 8), count(before: 12) - 1))
    }
  }

  @Test func `more tasks than there are give all of them`() {
    let view = StreamView(Counted(revisits: true), tasks: 7, heldOut: nil, seed: Seed(1))
    #expect(view.experiences.count == 2)
    #expect(view.truth?.jointCeiling == 0.7)
  }

  @Test(arguments: [0.2, 0.5, 0.001, 0.999])
  func `held-out rows are evaluated on, never trained on, and both parts make the whole`(share: Double) {
    for seed in 0..<20 {
      let view = StreamView(Counted(revisits: true), tasks: nil, heldOut: share, seed: Seed(UInt64(seed)))
      for task in 0..<2 {
        let kept = values(view.trainingRows(for: task))
        let held = values(view.evaluationSet(for: task).rows)
        #expect(Set(kept).isDisjoint(with: held))
        #expect((kept + held).sorted() == values(Counted(revisits: true).trainingRows(for: task)))
        #expect(!kept.isEmpty && !held.isEmpty)
        #expect(view.experiences[task].rows == kept.count)
        #expect(values(view.revisitableRows(for: task)) == kept)
      }
    }
    #expect(StreamView(Counted(revisits: true), tasks: nil, heldOut: share, seed: Seed(0)).truth == nil)
  }

  @Test func `a fifth of ten rows is two, and seeds hold out different ones`() {
    let held = (0..<40).map { seed in
      values(
        StreamView(Counted(revisits: true), tasks: nil, heldOut: 0.2, seed: Seed(UInt64(seed))).evaluationSet(for: 0)
          .rows)
    }
    #expect(held.allSatisfy { $0.count == 2 })
    #expect(Set(held).count > 10)
    #expect(Set(held.joined()).count == 10)
  }

  @Test func `what may not be revisited stays so`() {
    let view = StreamView(Counted(revisits: false), tasks: nil, heldOut: 0.2, seed: Seed(1))
    #expect(view.revisitableRows(for: 0).count == 0)
  }

  @Test func `held-out rows keep their truth and the set's rules`() {
    let set = StreamView(Counted(revisits: true), tasks: nil, heldOut: 0.5, seed: Seed(1)).evaluationSet(for: 1)
    #expect(set.rows.truth == [Float](repeating: 0.5, count: set.rows.count))
    #expect(set.knownExperience == 1)
  }

  /// Phases, thresholds and contexts that come again are visits of the same one.
  @Test func `tasks know which of them are visits of one concept`() throws {
    var (phases, sea, recurring) = (HabitPhases(), SEA(), HabitRecurring())
    (phases.phases, phases.users, phases.testUsers, phases.calibration) = ([0, 3, 0], 2, 1, .table)
    phases.jointCeiling = .none
    sea.thresholds = [8, 9, 8, 8]
    (recurring.users, recurring.testUsers, recurring.jointCeiling) = (1, 1, .none)
    func concepts(_ scenario: any Scenario) throws -> [Int] {
      let stream = try scenario.prepare(from: EmptyLibrary()).makeStream(seed: Seed(0))
      let view = StreamView(stream, tasks: 2, heldOut: nil, seed: Seed(0))
      #expect(view.taskConcepts == Array(stream.taskConcepts.prefix(2)))
      return stream.taskConcepts
    }
    #expect(try concepts(phases) == [0, 3, 0])
    #expect(try concepts(sea) == [0, 1, 0, 0])
    #expect(try concepts(recurring) == (0..<12).map { $0 % 3 })
  }
}
