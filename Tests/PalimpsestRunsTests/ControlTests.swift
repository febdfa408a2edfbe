import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestRuns
import PalimpsestScenarios
import TestFixtures
import Testing

/// Where there is nothing to be learned or forgotten, methods show nothing.
@Suite struct ControlTests {
  private static let methods = [
    "", #"{ "name": "reservoir", "capacity": 200 }"#, #"{ "name": "ewc", "strength": 10, "mode": "online" }"#,
    #"{ "name": "joint" }"#,
  ]

  /// The labels of each task's rows change places: no input tells anything of them.
  private struct Shuffled: DriftStream {
    let stream: any DriftStream
    let seed: Seed

    var shape: TaskShape { stream.shape }
    var experiences: [ExperienceInfo] { stream.experiences }
    func trainingRows(for experience: Int) -> Rows { shuffled(stream.trainingRows(for: experience), "training") }

    func evaluationSet(for experience: Int) -> EvaluationSet {
      let set = stream.evaluationSet(for: experience)
      return EvaluationSet(
        rows: shuffled(set.rows, "tests"), knownExperience: set.knownExperience, candidates: set.candidates)
    }

    private func shuffled(_ rows: Rows, _ part: String) -> Rows {
      var (batch, labels) = (Batch(columns: rows.columns), rows.labels)
      batch.fill(rows, range: 0..<rows.count)
      var rng = seed.stream(part, rows.experience)
      rng.shuffle(&labels)
      return Rows(batch.inputs, labels: labels, experience: rows.experience)
    }
  }

  private func configuration(_ scenario: String, _ method: String) throws -> ResolvedConfiguration {
    let text = """
      { "name": "x", "scenarios": { "s": { "name": "habit-phases", \(scenario) } }, "strategies": { "s": [\(method)] },
        "training": { "epochs": 10 } }
      """
    return try Plan(Fixture.experiment(text)).configurations[0].resolved
  }

  /// Half the labels are 1: 3 000 or so test rows a task give ± .01, five tasks over two seeds ± .004.
  @Test(arguments: methods) func `nothing is learned of labels that change places`(method: String) throws {
    let configuration = try configuration(#""jointCeiling": "none""#, method)
    let prepared = try configuration.scenario.prepare(from: EmptyLibrary())
    let records = try (0..<2).map { seed in
      let data = Shuffled(stream: Run.data(of: prepared, seed: seed), seed: Seed(UInt64(seed)))
      var run = try Run(configuration, data: data, seed: seed)
      return run.execute()
    }
    for metric in ["average_accuracy", "learning_accuracy"] {
      let value = try #require(standardMetrics.first { $0.name == metric })
      let mean = records.reduce(0) { $0 + value.value(of: $1, kind: .sampled).number } / 2
      #expect(abs(mean - 0.5) < 0.02, "\(metric) \(mean)")
    }
  }

  /// One law for all five phases, and one phase five times; as published: within .01 of refitting on all rows, forgetting at most .01.
  @Test(arguments: [#""context": "hidden", "dose": 0"#, #""context": "hidden", "phases": [0, 0, 0, 0, 0]"#])
  func `without drift methods are alike and forget nothing`(scenario: String) throws {
    let values = try ControlTests.methods.map { method in
      let configuration = try configuration(scenario + #", "jointCeiling": "none""#, method)
      let prepared = try configuration.scenario.prepare(from: EmptyLibrary())
      let records = try (0..<4).map { seed in
        var run = try Run(configuration, data: Run.data(of: prepared, seed: seed), seed: seed)
        return run.execute()
      }
      return try ["average_accuracy", "forgetting"].map { name in
        let metric = try #require(standardMetrics.first { $0.name == name })
        return records.reduce(0) { $0 + metric.value(of: $1, kind: .expected).number } / 4
      }
    }
    for (method, value) in zip(ControlTests.methods, values) {
      #expect(abs(value[0] - values[3][0]) < 0.012 && value[1] < 0.01, "\(method) \(value)")
    }
  }
}
