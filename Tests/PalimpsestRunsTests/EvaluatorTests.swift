import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestRuns
import PalimpsestScenarios
import TestFixtures
import Testing

@Suite struct EvaluatorTests {
  func evaluate(_ stream: StubStream, _ learner: StubLearner = StubLearner()) -> Evaluation {
    var evaluator = Evaluator(stream)
    return evaluator.evaluate(learner, task: 0)
  }

  func isNear(_ a: Double, _ b: Double) -> Bool { (a - b).magnitude < 1e-6 }

  /// Logits ln 3, −ln 3, ln 3, 0 are p(1) = 3/4, 1/4, 3/4, 1/2 and the answers 1, 0, 1, 0. Labels 1, 1, 0, 0: two of four.
  /// p* of the answers: 0.9, 1 − 0.6, 0.3, 1 − 0.2: 2.4 of 4.
  /// −ln p(label): −ln 3/4 − ln 1/4 − ln 1/4 + ln 2 = 0.2876821 + 1.3862944 + 1.3862944 + 0.6931472 = 3.7534181 of 4.
  @Test func `four yes-or-no answers by hand`() throws {
    let ln3: Float = 1.0986123
    let result = evaluate(
      StubStream([[ln3], [-ln3], [ln3], [0]], labels: [1, 1, 0, 0], truth: [0.9, 0.6, 0.3, 0.2]))
    #expect(result.accuracy == 0.5)
    #expect(isNear(try #require(result.expectedAccuracy), 0.6))
    #expect(isNear(result.logLoss, 0.9383545))
  }

  /// Softmax of (0, ln 2, 0) is (1/4, 1/2, 1/4); of (ln 2, 0, 0) the same turned. Answers 1 and 0, labels 1 and 2: one of two.
  /// Loss: (ln 2 + ln 4) / 2 = 1.0397208.
  @Test func `answers among three classes by hand`() {
    let ln2: Float = 0.6931472
    let result = evaluate(StubStream([[0, ln2, 0], [ln2, 0, 0]], labels: [1, 2]))
    #expect(result.accuracy == 0.5)
    #expect(result.expectedAccuracy == nil)
    #expect(isNear(result.logLoss, 1.0397208))
  }

  /// Answers 1 and 0 are worth .3 and .6; with outputs 1 and 2 alone allowed, 1 (on a tie the first) and 1: .3 and .25.
  @Test func `p* of several classes is averaged over the answers given`() throws {
    var stream = StubStream([[0, 2, 1], [3, 1, 1]], labels: [1, 2])
    let rows = Rows(
      Matrix([[0, 2, 1], [3, 1, 1]]), labels: [1, 2], experience: 0,
      probabilities: Matrix([[0.2, 0.3, 0.5], [0.6, 0.25, 0.15]]))
    stream.set = EvaluationSet(rows: rows, knownExperience: nil, candidates: 0..<3)
    #expect(isNear(try #require(evaluate(stream).expectedAccuracy), 0.45))
    stream.set = EvaluationSet(rows: rows, knownExperience: nil, candidates: 1..<3)
    #expect(isNear(try #require(evaluate(stream).expectedAccuracy), 0.275))
  }

  /// Output 2 is largest in both rows and may not be answered: 0 and 1 are left, with p(label) = 1/(1 + 1/e) in both rows:
  /// loss ln(1 + 1/e) = 0.3132617.
  @Test func `a task-incremental answer is one of the task's own outputs`() {
    let result = evaluate(StubStream([[1, 0, 9], [0, 1, 9]], labels: [0, 1], candidates: 0..<2))
    #expect(result.accuracy == 1)
    #expect(isNear(result.logLoss, 0.3132617))
  }

  @Test func `labels beyond what can be predicted are not measured`() {
    let stream = StubStream([[0, 1, 2, 3], [3, 2, 1, 0]], labels: [2, 3], truth: nil)
    let masked = evaluate(stream, StubLearner(predictable: 0..<2))
    #expect(masked.accuracy.isNaN)
    #expect(masked.logLoss.isNaN)
    #expect(masked.expectedAccuracy == nil)
    let half = StubStream([[0, 1, 2, 3], [3, 2, 1, 0]], labels: [1, 2])
    #expect(evaluate(half, StubLearner(predictable: 0..<2)).accuracy.isNaN)
    #expect(evaluate(half, StubLearner(predictable: 0..<3)).accuracy == 0)
  }

  @Test func `a task is told where the set says so, and only there`() {
    let learner = StubLearner(shift: 2)
    #expect(evaluate(StubStream([[-1]], labels: [1]), learner).accuracy == 0)
    #expect(evaluate(StubStream([[-1]], labels: [1], known: 0), learner).accuracy == 1)
  }

  /// The loss of a logit that is far off is its size, not infinity.
  @Test func `far-off logits keep a finite loss`() {
    let binary = evaluate(StubStream([[1e4], [-1e4], [1e4]], labels: [0, 1, 1]))
    #expect(isNear(binary.logLoss, 2e4 / 3))
    let several = evaluate(StubStream([[1e4, 0]], labels: [1]))
    #expect(isNear(several.logLoss, 1e4))
  }

  /// A set that is a whole table goes in one piece, one in another order is gathered block by block.
  @Test func `a whole table and rows that are gathered are worth the same`() throws {
    let logits = (0..<1100).map { [Float(($0 * 37) % 100) / 10 - 5] }
    let labels = (0..<1100).map { Int32($0 % 3 == 0 ? 1 : 0) }
    let truth = (0..<1100).map { Float($0) / 1100 }
    let whole = StubStream(logits, labels: labels, truth: truth)
    var gathered = StubStream(logits.reversed(), labels: labels, truth: truth)
    gathered.set = EvaluationSet(
      rows: Rows(
        table: gathered.set.rows.table, experience: 0, places: (0..<1100).reversed(), labels: labels, truth: truth),
      knownExperience: nil, candidates: 0..<1)
    #expect(evaluate(whole) == evaluate(gathered))
  }

  /// 1,100 rows are three blocks of at most 512; every fifth answer is right, and p* of row i is i / 1,100.
  @Test func `every row of every block counts once`() throws {
    let n = 1100
    let logits = (0..<n).map { [$0 % 5 == 0 ? Float(1) : -1] }
    let truth = (0..<n).map { Float($0) / Float(n) }
    var stream = StubStream(logits.reversed(), labels: [Int32](repeating: 1, count: n), truth: truth)
    stream.set = EvaluationSet(
      rows: Rows(
        table: stream.set.rows.table, experience: 0, places: (0..<Int32(n)).reversed(), labels: stream.set.rows.labels,
        truth: truth),
      knownExperience: nil, candidates: 0..<1)
    let result = evaluate(stream)
    #expect(result.accuracy == 220.0 / 1100)
    let expected = (0..<n).reduce(0.0) { $0 + Double($1 % 5 == 0 ? truth[$1] : 1 - truth[$1]) } / Double(n)
    #expect(isNear(try #require(result.expectedAccuracy), expected))
  }

  /// Numbers rounded to two decimals would be off by up to 0.01 once one is taken from another.
  @Test func `an accuracy is not rounded`() {
    #expect(evaluate(StubStream([[1], [-1], [-1]], labels: [1, 1, 1])).accuracy == 1.0 / 3)
  }

  @Test func `a set without rows is not measured`() {
    #expect(evaluate(StubStream([], labels: [])).accuracy.isNaN)
  }
}

@Suite struct MaskedOutputTests {
  /// Four classes at the corners of a square, five training rows and two test rows each.
  struct Corners: DatasetLibrary {
    func dataset(named name: String) throws -> Dataset {
      let labels = (0..<28).map { Int32($0 % 4) }
      let rows = labels.indices.map { i in
        let label = labels[i]
        return [Float(label & 1) + 0.01 * Float(i), Float(label >> 1) - 0.01 * Float(i)]
      }
      return Dataset(
        name: name, inputs: Table(Matrix(rows)), labels: labels, classes: ["a", "b", "c", "d"], training: 0..<20,
        test: 20..<28)
    }
  }

  /// Two tasks of two classes each.
  func record(setting: String, outputs: String) throws -> RunRecord {
    let text = """
      { "name": "x", "scenarios": { "s": { "name": "split", "dataset": "corners", "setting": "\(setting)" } },
        "strategies": { "naive": [] }, "training": { "epochs": 5, "batch": 4, "outputs": "\(outputs)" } }
      """
    let plan = try Plan(Fixture.experiment(text))
    let configuration = plan.configurations[0].resolved
    var run = try Run(configuration, configuration.scenario.prepare(from: Corners()), seed: 0)
    return run.execute()
  }

  @Test func `classes not yet seen are NaN, with the reason, where their outputs are masked`() throws {
    let record = try record(setting: "class", outputs: "seen")
    #expect(record.accuracy[0, 1].isNaN)
    #expect(record.logLoss[0, 1].isNaN)
    for (i, j) in [(0, 0), (1, 0), (1, 1)] { #expect(record.accuracy[i, j].isFinite, "\(i), \(j)") }
    #expect(record.zeroShotUnmeasured == "outputs of tasks not yet learned are masked")
    #expect(
      JournalEntry.read(entry("a", record).line.dropLast())?.record.zeroShotUnmeasured == record.zeroShotUnmeasured)
  }

  @Test(arguments: ["class", "task"])
  func `every entry is measured where all outputs take part`(setting: String) throws {
    let record = try record(setting: setting, outputs: "all")
    #expect(record.accuracy.rows.joined().allSatisfy { $0.isFinite })
    #expect(record.zeroShotUnmeasured == nil)
    #expect(record.truth == nil && record.expectedAccuracy == nil)
  }

  /// After task 2 a class-incremental answer to task 1's rows is one of task 2's classes, a task-incremental one never is.
  @Test func `a task that is told limits the answers to its own classes`() throws {
    let open = try record(setting: "class", outputs: "all")
    let told = try record(setting: "task", outputs: "all")
    #expect(told.accuracy[1, 0] > open.accuracy[1, 0])
    #expect(told.cost.steps == open.cost.steps)
  }
}
