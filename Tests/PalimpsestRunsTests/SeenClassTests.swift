import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestRuns
import PalimpsestScenarios
import TestFixtures
import Testing

/// The accuracy on the classes shown so far, of streams in which classes arrive one by one.
@Suite struct SeenClassTests {
  /// Four classes; twelve rows of each to train on, 1, 2, 3 and 4 to judge it on.
  private struct Shelf: DatasetLibrary {
    func dataset(named name: String) throws -> Dataset {
      let labels = (0..<48).map { Int32($0 % 4) } + (0..<4).flatMap { [Int32](repeating: $0, count: 1 + Int($0)) }
      let rows = labels.enumerated().map { [Float($1), Float($0 % 3)] }
      return Dataset(
        name: name, inputs: Table(Matrix(rows)), labels: labels, classes: (0..<4).map { "c\($0)" }, training: 0..<48,
        test: 48..<labels.count)
    }
  }

  /// Answers one output to everything.
  private struct Constant: Learner {
    let output: Int
    mutating func learn(_ batch: Batch, _ context: StepContext) -> StepReport {
      StepReport(loss: 0, penalty: 0, rows: batch.count)
    }
    func predict(_ inputs: Matrix, knowing experience: Int?) -> Matrix {
      Matrix((0..<inputs.rows).map { _ in (0..<4).map { $0 == output ? 1 : 0 } })
    }
    func predictableOutputs(knowing experience: Int?) -> Range<Int> { 0..<4 }
    var cost: LearnerCost { LearnerCost() }
    var isFinite: Bool { true }
  }

  private func configuration(_ name: String, _ more: String = "", stream: String = "{}") throws -> ResolvedConfiguration
  {
    let scenario = #"{ "name": "\#(name)", "dataset": "d", "scale": "none", "tasks": 2 \#(more) }"#
    let text = """
      { "name": "x", "scenarios": { "s": \(scenario) }, "stream": \(stream), "evaluation": { "everyRows": 6 },
        "strategies": { "s": [] } }
      """
    return try Plan(Fixture.experiment(text)).configurations[0].resolved
  }

  private func probe(_ scenario: any Scenario) throws -> Probe {
    try #require(Catalog.standard.probes.first { $0.measure.name == "seen_class_curve" && $0.looks(at: scenario) })
  }

  /// Two tasks of two classes, each with a row of its own kind: outputs are numbered by the task that shows them first, so of the outputs
  /// {a, b} and {c, d} the test rows are 1 + class. Who answers output o has right what is o's of the rows of what was shown.
  @Test func `it is the share of right answers on the test rows of what was shown`() throws {
    let settings = try configuration("i-blurry", #", "disjoint": 100"#)
    let stream = Run.data(of: try settings.scenario.prepare(from: Shelf()), seed: 4)
    let probe = try probe(settings.scenario)
    func reading(_ output: Int, shown: Set<Int32>, task: Int) -> Double {
      let view = RunView(
        learner: Constant(output: output), stream: stream, task: task, examples: 0, steps: 0, shown: shown)
      return probe.reading(view).values[0]
    }
    let counts = (0..<4).map { output in
      (0..<2).reduce(0) { sum, task in
        sum + stream.evaluationSet(for: task).rows.labels.count { Int($0) == output }
      }
    }
    #expect(counts.sorted() == [1, 2, 3, 4])
    let rows = counts.map(Double.init)
    #expect(reading(0, shown: [0], task: 0) == 1 && reading(1, shown: [0], task: 0) == 0)
    #expect(reading(0, shown: [0, 1], task: 0) == rows[0] / (rows[0] + rows[1]))
    // One row of a class of the other task was shown.
    #expect(reading(3, shown: [0, 3], task: 0) == rows[3] / (rows[0] + rows[3]))
    #expect(reading(2, shown: [0, 1, 2, 3], task: 1) == rows[2] / 10)
  }

  /// 48 rows, looked at every 6: eight evaluations. By hand from the stream's own rows: the labels of the first 6, 12, …, and the
  /// answers of a learner that was trained on them.
  @Test(arguments: ["i-blurry", "si-blurry"]) func `a stream has its mean for anytime accuracy`(name: String) throws {
    let settings = try configuration(name, #", "blur": 40"#)
    let data = Run.data(of: try settings.scenario.prepare(from: Shelf()), seed: 4)
    var run = try Run(
      settings, data: data, seed: 4, probes: Catalog.standard.probes.filter { $0.looks(at: settings.scenario) })
    let record = run.execute()
    let curve = try #require(record["seen_class_curve"]).numbers
    #expect(curve.count == 8)
    let setup = LearnerSetup(
      shape: data.shape, hidden: settings.model.hidden, activation: settings.model.activation,
      initializer: settings.model.initializer, optimizer: settings.optimizer,
      resetsOptimizer: settings.training.resetOptimizer, outputRule: settings.training.outputs,
      seed: Seed(4).derived("learner"))
    var whole = StreamRun(
      try #require(settings.stream), data, learner: try setup.makeLearner([]), keepsTests: true, seed: Seed(4))
    let labels = (0..<2).flatMap { data.trainingRows(for: $0).labels }
    let tests = (0..<2).map { data.evaluationSet(for: $0).rows }
    var (row, worth) = (0, [Double]())
    while row < 48 {
      _ = whole.advance()
      row = whole.position.row
      if row % 6 != 0 { continue }
      let shown = Set(labels.prefix(row))
      var (right, all) = (0.0, 0.0)
      for test in tests {
        let answers = whole.learner.predict(test.batch.inputs, knowing: nil)
        for (i, label) in test.labels.enumerated() where shown.contains(label) {
          all += 1
          right += answers.largestColumn(inRow: i, of: 0..<4) == Int(label) ? 1 : 0
        }
      }
      worth.append(right / all)
    }
    #expect(curve == worth)
    let mean = worth.reduce(0, +) / 8
    #expect(abs((Metric.anytimeAccuracy.value(of: record, kind: .sampled).number) - mean) < 1e-12)
    #expect(Set(labels.prefix(6)).count < 4 && Set(worth).count > 1)
  }

  @Test func `a run over tasks counts the classes of its tasks so far`() throws {
    let settings = try configuration("cir", #", "rowsPerTask": 12, "recurrence": 0"#)
    let stream = Run.data(of: try settings.scenario.prepare(from: Shelf()), seed: 4)
    let view = RunView(learner: Constant(output: 0), stream: stream, task: 0, examples: 0, steps: 0)
    #expect(view.seenLabels == Set(stream.trainingRows(for: 0).labels))
  }

  @Test func `other scenarios have no such curve`() {
    let names = Catalog.standard.probes.filter { $0.looks(at: SEA()) }.map(\.measure.name)
    #expect(!names.contains("seen_class_curve"))
  }
}
