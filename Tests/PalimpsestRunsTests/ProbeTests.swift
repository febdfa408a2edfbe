import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestRuns
import PalimpsestScenarios
import Synchronization
import TestFixtures
import Testing

/// What looks at runs beside the evaluation.
@Suite struct ProbeTests {
  static let norm = Probe(Measure("norm", "Norm", definition: "√Σ θ²")) { run in
    Reading(run.network.map { Double($0.parameterCount) } ?? .nan)
  }
  static let answers = Probe(
    Measure("first_logit", "First logit", definition: "of each test set", along: [.afterTask, .task])
  ) { run in
    Reading(
      run.tasks.map { task in
        var batch = Batch(columns: run.network?.shape.inputs ?? 0)
        batch.fill(run.evaluationSet(for: task.index).rows, range: 0..<1)
        return Double(run.learner.predict(batch.inputs, knowing: nil)[0, 0])
      })
  }
  static let rows = Probe(
    Measure("rows_seen", "Rows", definition: "so far", storage: .i64, along: [.evaluation])
  ) { Reading(Double($0.examples)) }

  func plan(_ parts: String) throws -> Plan {
    try Plan(
      Fixture.small(
        strategies: "\"s\": [\(parts)]", training: #""epochs": 2, "batch": 16"#,
        #""evaluation": { "everySteps": 7 }, "seeds": 1"#))
  }

  func run(_ plan: Plan, _ probes: [Probe]) throws -> Run {
    let configuration = plan.configurations[0].resolved
    let data = Run.data(of: try configuration.scenario.prepare(from: EmptyLibrary()), seed: 1)
    return try Run(configuration, data: data, seed: 1, probes: probes)
  }

  @Test func `a probe looks when its measure says`() throws {
    var run = try run(plan(""), [ProbeTests.norm, ProbeTests.answers, ProbeTests.rows])
    let record = run.execute()
    let curve = record.curve.map(\.examples)
    #expect(record["rows_seen"]?.integers == curve && !curve.isEmpty)
    #expect(record["rows_seen"]?.axes == [Axis("evaluation", curve.count)])
    #expect(record["first_logit"]?.axes == [Axis("after_task", 5), Axis("task", 5)])
    #expect(record["first_logit"]?.numbers.allSatisfy(\.isFinite) == true)
    #expect(record.number("norm") > 0 && record["norm"]?.axes == [])
    #expect(record.declared.map(\.name) == ["norm", "first_logit", "rows_seen"])
  }

  /// The hoarder keeps every learner it sees: what is trained may not be the same memory.
  @Test(arguments: ["", #"{ "name": "ewc" }, { "name": "reservoir", "capacity": 30 }"#, #"{ "name": "adapters" }"#])
  func `a run has the same bits with and without probes`(parts: String) throws {
    let plan = try plan(parts)
    let hoard = Mutex<[RunView]>([])
    let hoarder = Probe(Measure("seen", "Seen", definition: "so far", along: [.evaluation])) { run in
      hoard.withLock { seen in
        seen.append(run)
        return Reading(Double(seen.count))
      }
    }
    var (alone, watched) = (try run(plan, []), try run(plan, [ProbeTests.answers, hoarder]))
    let (expected, record) = (alone.execute(), watched.execute())
    for observation in expected.observations where !observation.name.text.hasPrefix("time_") {
      #expect(record[observation.name] == observation, "\(observation.name)")
    }
    #expect(record.cost.timeEvaluate > 0)
    #expect(hoard.withLock { $0.count } == record.curve.count)
  }

  @Test func `a run that goes on from a checkpoint has what was read before`() throws {
    let (plan, probes) = (try plan(""), [ProbeTests.norm, ProbeTests.answers, ProbeTests.rows])
    var whole = try run(plan, probes)
    let expected = whole.execute()
    var checkpoints: [[UInt8]] = []
    var watched = try run(plan, probes)
    watched.saving(each: 9, into: &checkpoints)
    for checkpoint in checkpoints {
      var resumed = try run(plan, probes)
      try resumed.restore(checkpoint, "id")
      #expect(resumed.execute().hasSameResults(as: expected))
      var other = try run(plan, [ProbeTests.norm])
      #expect(throws: (any Error).self) { try other.restore(checkpoint, "id") }
    }
    #expect(checkpoints.count > 1)
  }
}
