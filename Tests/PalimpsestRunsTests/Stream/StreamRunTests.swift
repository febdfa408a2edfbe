import PalimpsestCore
import PalimpsestExperiments
import PalimpsestRuns
import PalimpsestScenarios
import PalimpsestStrategies
import Testing

/// What a learner is told, and what is recorded.
@Suite struct StreamRunTests {
  private func run(
    _ settings: StreamSettings, _ learner: Diarist = Diarist(), _ stream: TurningStream = TurningStream()
  ) throws -> (run: StreamRun, diary: [StreamEvent]) {
    var run = StreamRun(settings, stream, learner: learner, seed: Seed(1))
    run.finish()
    return (run, try #require(run.learner as? Diarist).diary)
  }

  @Test func `each row is predicted, then its outcome told, then it is learned, in order`() throws {
    let diary = try run(StreamSettings(window: 10)).diary
    #expect(diary.first == .begin(0, rows: 75))
    let rest = Array(diary.dropFirst())
    #expect(rest.count == 2 * 75)
    for row in 0..<75 {
      guard case .observe(row, _) = rest[2 * row] else {
        Issue.record("row \(row): \(rest[2 * row])")
        return
      }
      #expect(
        rest[2 * row + 1]
          == .learn([row], experience: 0, epoch: 0, step: row, steps: 75, runStep: row, runSteps: 75))
    }
  }

  /// 75 rows in blocks of 20: three of them and one of 15, two steps each.
  @Test func `a block is predicted as a whole and learned in so many steps`() throws {
    let diary = try run(StreamSettings(block: 20, steps: 2)).diary
    let steps = diary.filter { if case .learn = $0 { true } else { false } }
    #expect(steps.count == 8)
    #expect(
      steps[6...].elementsEqual([
        .learn(Array(60..<75), experience: 0, epoch: 0, step: 6, steps: 8, runStep: 6, runSteps: 8),
        .learn(Array(60..<75), experience: 0, epoch: 1, step: 7, steps: 8, runStep: 7, runSteps: 8),
      ]))
    let told = diary.compactMap { event -> Int? in
      if case .observe(let row, _) = event { return row }
      return nil
    }
    #expect(told == Array(0..<75))
    #expect(diary[1] == .observe(row: 0, error: 0))
  }

  /// The sign means its label for rows 0–29, the opposite for 30–49, and again for 50–74; the learner answers as the row before
  /// told it: rows 30 and 50 are its only errors. Windows of 10: one error each in the fourth and the sixth.
  @Test func `what a prediction was worth is averaged over windows, the last one short`() throws {
    let windows = try run(StreamSettings(window: 10)).run.windows
    #expect(windows.windows.map(\.rows) == [10, 10, 10, 10, 10, 10, 10, 5])
    #expect(windows.windows.map(\.accuracy) == [1, 1, 1, 0.9, 1, 0.9, 1, 1])
    #expect(windows.rightEdges == [10, 20, 30, 40, 50, 60, 70, 75])
    #expect(windows.meanAccuracy == 73.0 / 75)
    #expect(windows.windows.allSatisfy { $0.expectedAccuracy.isNaN && $0.regret.isNaN })
    // Logits 1 on the right side: ln(1 + 1/e) = .3132617; on the wrong one 1.3132617.
    #expect(abs(windows.windows[0].logLoss - 0.3132617) < 1e-7)
    #expect(abs(windows.windows[3].logLoss - 0.4132617) < 1e-7)
  }

  /// p* is .9: ten right answers expect .9, nine of ten .9 · .9 + .1 · .1 = .82; the best rule always .9.
  /// 800 rows of ten classes: what answers are worth lies within four deviations (.018 each) of how often they are right.
  @Test func `where p* of classes is known, so are expected accuracy and regret`() throws {
    var digits = LEDDigits()
    (digits.concepts, digits.rows.rowsPerTask, digits.rows.testRows) = ([0, 3], 400, 1)
    let stream = try digits.prepare(from: EmptyLibrary()).makeStream(seed: Seed(4))
    let setup = LearnerSetup(shape: stream.shape, hidden: [16], optimizer: Adam(), seed: Seed(4))
    var run = StreamRun(StreamSettings(window: 200), stream, learner: try ComposedLearner(setup, []), seed: Seed(4))
    run.finish()
    let best = (0..<2).flatMap { task in
      let p = stream.trainingRows(for: task).probabilities
      return (0..<400).map { row in (p?.row(row).max()).map(Double.init) ?? .nan }
    }
    let windows = run.windows.windows
    for (place, window) in windows.enumerated() {
      let mean = best[200 * place..<200 * (place + 1)].reduce(0, +) / 200
      #expect(abs(window.expectedAccuracy + window.regret - mean) < 1e-9 && window.regret >= 0)
    }
    #expect(windows.count == 4)
    let gap = windows.reduce(0) { $0 + $1.accuracy - $1.expectedAccuracy } / 4
    #expect(abs(gap) < 4 * 0.018)
  }

  @Test func `where p* is known, so are expected accuracy and regret`() throws {
    let windows = try run(StreamSettings(window: 10), Diarist(), TurningStream(truth: true)).run.windows.windows
    #expect(windows.map { ($0.expectedAccuracy * 1e6).rounded() / 1e6 } == [0.9, 0.9, 0.9, 0.82, 0.9, 0.82, 0.9, 0.9])
    #expect(windows.map { ($0.regret * 1e6).rounded() / 1e6 } == [0, 0, 0, 0.08, 0, 0.08, 0, 0])
  }

  @Test func `a whole block is answered before any of it is learned`() throws {
    // In one block nothing is learned before the end: rows 30–49 are answered by the first sense, which is wrong there.
    #expect(try run(StreamSettings(block: 75)).run.windows.windows.map(\.hits) == [10, 10, 10, 0, 0, 10, 10, 5])
  }

  /// No label is known before its row is predicted: other labels from row t on change nothing that was recorded up to then.
  @Test(arguments: [1, 7])
  func `labels of later rows change no earlier prediction`(block: Int) throws {
    let settings = StreamSettings(block: block, .detected, window: 1)
    let whole = try run(settings, Diarist(alarmed: [33])).run.windows.windows
    for first in stride(from: 0, to: 75, by: 5) {
      let other = try run(settings, Diarist(alarmed: [33]), TurningStream(flippedFrom: first)).run.windows.windows
      #expect(other[..<first].map(\.logLoss) == whole[..<first].map(\.logLoss))
      #expect(other[first].hits != whole[first].hits)
    }
  }

  // MARK: - Boundaries

  private func boundaries(_ diary: [StreamEvent]) -> [StreamEvent] {
    diary.filter { event in
      switch event {
      case .begin, .finish: true
      default: false
      }
    }
  }

  @Test func `without boundaries the learner is told of one experience, and rows carry no task`() throws {
    let (run, diary) = try run(StreamSettings(block: 4))
    #expect(boundaries(diary) == [.begin(0, rows: 75)])
    #expect(run.boundaries == [])
    for case .learn(_, let experience, _, _, _, _, _) in diary { #expect(experience == 0) }
  }

  @Test func `given boundaries are the tasks', and no block holds rows of two`() throws {
    let (run, diary) = try run(StreamSettings(block: 20, .given))
    #expect(run.boundaries == [30, 50])
    #expect(
      boundaries(diary) == [
        .begin(0, rows: 30), .finish(0, revisiting: Array(0..<30)), .begin(1, rows: 20),
        .finish(1, revisiting: Array(30..<50)), .begin(2, rows: 25), .finish(2, revisiting: Array(50..<75)),
      ])
    let steps = diary.filter { if case .learn = $0 { true } else { false } }
    #expect(
      steps == [
        .learn(Array(0..<20), experience: 0, epoch: 0, step: 0, steps: 2, runStep: 0, runSteps: 5),
        .learn(Array(20..<30), experience: 0, epoch: 0, step: 1, steps: 2, runStep: 1, runSteps: 5),
        .learn(Array(30..<50), experience: 1, epoch: 0, step: 0, steps: 1, runStep: 2, runSteps: 5),
        .learn(Array(50..<70), experience: 2, epoch: 0, step: 0, steps: 2, runStep: 3, runSteps: 5),
        .learn(Array(70..<75), experience: 2, epoch: 0, step: 1, steps: 2, runStep: 4, runSteps: 5),
      ])
  }

  /// Of task 1, rows 30–49, the scenario lets only its first row be looked at again.
  @Test func `what the scenario hides is not revisited, wherever a boundary is told`() throws {
    var stream = TurningStream()
    stream.hidden = [1]
    let diary = try run(StreamSettings(block: 20, .every, every: 40), Diarist(), stream).diary
    #expect(diary.contains(.finish(0, revisiting: Array(0...30))))
    #expect(!diary.contains { if case .finish(1, _) = $0 { true } else { false } })
    let given = try run(StreamSettings(block: 20, .given), Diarist(), stream).diary
    #expect(given.contains(.finish(1, revisiting: [30])))
  }

  @Test func `a boundary every so many rows`() throws {
    let (run, diary) = try run(StreamSettings(block: 20, .every, every: 32))
    #expect(run.boundaries == [32, 64])
    #expect(
      boundaries(diary) == [
        .begin(0, rows: 32), .finish(0, revisiting: Array(0..<32)), .begin(1, rows: 32),
        .finish(1, revisiting: Array(32..<64)), .begin(2, rows: 11),
      ])
  }

  /// Row 33 lies in the block 32–35: what ended is what came before that block.
  @Test func `an alarm ends an experience before its block is learned`() throws {
    let (run, diary) = try run(StreamSettings(block: 4, .detected), Diarist(alarmed: [33, 34, 60], warned: [12]))
    #expect(run.alarms == [33, 34, 60] && run.warnings == [12] && run.boundaries == [32, 60])
    #expect(
      boundaries(diary) == [
        .begin(0, rows: 75), .finish(0, revisiting: Array(0..<32)), .begin(1, rows: 43),
        .finish(1, revisiting: Array(32..<60)), .begin(2, rows: 15),
      ])
    #expect(
      diary.contains(
        .learn([32, 33, 34, 35], experience: 1, epoch: 0, step: 0, steps: nil, runStep: 8, runSteps: 19)))
  }

  @Test func `an alarm in the first block ends nothing, and one without detected boundaries is only recorded`() throws {
    let early = try run(StreamSettings(block: 4, .detected), Diarist(alarmed: [2]))
    #expect(early.run.alarms == [2] && early.run.boundaries == [])
    let alone = try run(StreamSettings(window: 10), Diarist(alarmed: [40]))
    #expect(alone.run.alarms == [40] && boundaries(alone.diary) == [.begin(0, rows: 75)])
  }

  @Test func `a shuffled stream keeps tasks in their order and rows in their task, by the seed`() throws {
    func order(_ seed: UInt64) throws -> [Int] {
      var run = StreamRun(
        StreamSettings(order: .shuffled), TurningStream(), learner: Diarist(), seed: Seed(seed))
      run.finish()
      return try #require(run.learner as? Diarist).diary.flatMap { event -> [Int] in
        if case .learn(let rows, _, _, _, _, _, _) = event { return rows }
        return []
      }
    }
    let first = try order(1)
    #expect(Set(first[..<30]) == Set(0..<30) && Set(first[30..<50]) == Set(30..<50))
    #expect(first != Array(0..<75) && first.count == 75)
    #expect(try order(1) == first && order(2) != first)
  }

  @Test func `a loss that is no number ends the stream and says where`() {
    var run = StreamRun(StreamSettings(window: 10), TurningStream(), learner: Diverging(), seed: Seed(1))
    run.finish()
    #expect(run.divergence == "the loss is inf in the step behind row 7")
    #expect(run.position.row == 8 && run.windows.rows == 8)
  }
}

private struct Diverging: Learner {
  var steps = 0

  mutating func begin(_ experience: ExperienceInfo) {}
  mutating func learn(_ batch: Batch, _ context: StepContext) -> StepReport {
    steps += 1
    return StepReport(loss: steps == 8 ? .infinity : 0, penalty: 0, rows: 1)
  }
  mutating func finish(_ experience: ExperienceInfo, revisiting data: Rows) {}
  func predict(_ inputs: Matrix, knowing experience: Int?) -> Matrix { Matrix(rows: inputs.rows, columns: 1) }
  func predictableOutputs(knowing experience: Int?) -> Range<Int> { 0..<1 }
  var cost: LearnerCost { LearnerCost() }
  var isFinite: Bool { true }
}
