import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestRuns
import PalimpsestScenarios
import TestFixtures
import Testing

/// What is left of classes that a task of `cir` does not show.
@Suite struct MissingClassTests {
  /// Six classes on a line, as wide as the gaps between them; ten training rows and a number of test rows each.
  private struct Line: DatasetLibrary {
    func dataset(named name: String) throws -> Dataset {
      let labels = (0..<60).map { Int32($0 % 6) } + (0..<6).flatMap { [Int32](repeating: $0, count: 10 + Int($0)) }
      let rows = labels.enumerated().map { [Float($1) / 3 - 1 + Float($0 % 7) / 20, Float($0 % 3)] }
      return Dataset(
        name: name, inputs: Table(Matrix(rows)), labels: labels, classes: (0..<6).map { "c\($0)" }, training: 0..<60,
        test: 60..<labels.count)
    }
  }

  private func run(recurrence: Double, seed: Int, stream: Bool = false) throws -> (RunRecord, any DriftStream) {
    let scenario =
      #"{ "name": "cir", "dataset": "d", "scale": "none", "tasks": 3, "rowsPerTask": 40, "recurrence": \#(recurrence) }"#
    let text = """
      { "name": "x", "scenarios": { "s": \(scenario) }, \(stream ? #""stream": {},"# : "")
        "strategies": { "s": [{ "name": "reservoir", "capacity": 30 }] }, "training": { \(stream ? "" : #""epochs": 20"#) } }
      """
    let catalog = Catalog.standard
    let configuration = try Plan(Fixture.experiment(text)).configurations[0].resolved
    let data = Run.data(of: try configuration.scenario.prepare(from: Line()), seed: seed)
    let probes = catalog.probes.filter { $0.looks(at: configuration.scenario) }
    var run = try Run(configuration, data: data, seed: seed, probes: probes)
    return (run.execute(), data)
  }

  /// Without any return a class is in one task, but for tasks that would be empty: the accuracies of the tasks before tell.
  @Test func `it is the accuracy on the earlier tasks where no class comes back`() throws {
    var compared = 0
    for seed in 0..<12 {
      let (record, stream) = try run(recurrence: 0, seed: seed)
      let labels = (0..<3).map { Set(stream.evaluationSet(for: $0).rows.labels) }
      guard labels[0].isDisjoint(with: labels[1]), labels[0].union(labels[1]).isDisjoint(with: labels[2]) else {
        continue
      }
      let rows = (0..<3).map { Double(stream.evaluationSet(for: $0).rows.count) }
      let right = (0..<2).reduce(0.0) { $0 + record.accuracy[2, $1] * rows[$1] }
      let curve = try #require(record["missing_class_curve"]).numbers
      #expect(abs(record.number("missing_class_accuracy") - right / (rows[0] + rows[1])) < 1e-6)
      #expect(curve[0].isNaN && abs(curve[1] - record.accuracy[1, 0]) < 1e-6)
      #expect(curve[2] == record.number("missing_class_accuracy"))
      compared += 1
    }
    #expect(compared >= 3)
  }

  @Test func `where all classes come back none is missing`() throws {
    let (record, _) = try run(recurrence: 1, seed: 1)
    #expect(record.status == .completed && record.number("missing_class_accuracy").isNaN)
    #expect(record["missing_class_curve"]?.numbers.allSatisfy(\.isNaN) == true)
  }

  @Test func `a stream has it once all is learned`() throws {
    let (record, _) = try run(recurrence: 0, seed: 1, stream: true)
    #expect((0...1).contains(record.number("missing_class_accuracy")) && record["missing_class_curve"] == nil)
  }
}
