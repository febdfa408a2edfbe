import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestRuns
import PalimpsestScenarios
import TestFixtures
import Testing

/// What `evaluation.probes` asks for.
@Suite struct TaskProbeTests {
  private static let all = #", "probes": ["calibration", "flips", "slices", "units", "similarity", "fresh"]"#

  private func run(_ parts: String, _ probes: String = TaskProbeTests.all) throws -> Run {
    let plan = try Plan(
      Fixture.small(strategies: "\"s\": [\(parts)]", #""evaluation": { "everySteps": 7\#(probes) }, "seeds": 1"#))
    let configuration = plan.configurations[0].resolved
    let data = Run.data(of: try configuration.scenario.prepare(from: EmptyLibrary()), seed: 1)
    return try Run(configuration, data: data, seed: 1)
  }

  /// The bits of all parameters.
  private func weights(_ run: Run) throws -> [UInt32] {
    let parameters = try #require(run.learner as? ComposedLearner).model.parameters
    return (0..<parameters.count).map { parameters[$0].bitPattern }
  }

  @Test(arguments: [
    "", #"{ "name": "ewc" }, { "name": "reservoir", "capacity": 30 }"#, #"{ "name": "adapters" }"#,
    #"{ "name": "weight-average" }"#, #"{ "name": "joint" }"#,
  ])
  func `a run has the same bits with and without them`(parts: String) throws {
    var (alone, probed) = (try run(parts, ""), try run(parts))
    let (expected, record) = (alone.execute(), probed.execute())
    for observation in expected.observations where !observation.name.text.hasPrefix("time_") {
      #expect(record[observation.name] == observation, "\(observation.name)")
    }
    #expect(try weights(probed) == weights(alone))
    #expect(expected["brier"] == nil && record["brier"] != nil && record["negative_flips"] != nil)
    #expect(record["fresh_loss"] != nil && record["effective_rank"] != nil)
    #expect(expected["gradient_norm"] == nil && record["gradient_norm"] != nil)
    // With adapters later tasks have layers that the first has not: nothing is like them.
    #expect((record["similarity"] != nil) != parts.contains("adapters"))
  }

  @Test(arguments: ["", #"{ "name": "ewc" }"#])
  func `a run that goes on from a checkpoint has what was probed before`(parts: String) throws {
    var (whole, watched) = (try run(parts), try run(parts))
    let expected = whole.execute()
    var checkpoints: [[UInt8]] = []
    watched.saving(each: 9, into: &checkpoints)
    for checkpoint in checkpoints {
      var resumed = try run(parts)
      try resumed.restore(checkpoint, "id")
      #expect(resumed.execute().hasSameResults(as: expected))
    }
    #expect(checkpoints.count > 1)
  }

  /// A change of right answers is what was gained less what was lost; classes and tasks divide the same rows.
  @Test func `probes agree with the accuracies`() throws {
    var run = try run("")
    let record = run.execute()
    let accuracy = record.accuracy
    let n = accuracy.tasks
    let (lost, gained) = (
      try #require(record["negative_flips"]).numbers, try #require(record["positive_flips"]).numbers
    )
    for j in 0..<n { #expect(lost[j].isNaN) }
    for i in 1..<n {
      for j in 0..<n {
        let place = i * n + j
        #expect(abs(accuracy[i, j] - accuracy[i - 1, j] - gained[place] + lost[place]) < 1e-12)
      }
    }
    let rows = try #require(record["class_rows"]?.integers)
    let right = zip(rows, try #require(record["class_accuracy"]).numbers).reduce(0.0) { $0 + Double($1.0) * $1.1 }
    let tests = (0..<n).map { Double(run.stream.evaluationSet(for: $0).rows.count) }
    let known = (0..<n).reduce(0.0) { $0 + tests[$1] * accuracy[n - 1, $1] }
    #expect(abs(right - known) < 1e-6 && Double(rows.reduce(0, +)) == tests.reduce(0, +))
    let counts = try #require(record["reliability_count"]?.integers)
    for j in 0..<n { #expect(counts[j * 15..<(j + 1) * 15].reduce(0, +) == Int(tests[j])) }
  }

  /// ln and p from the run's own answers, summed in another order than the probe does.
  @Test func `the Brier score and the true error are those of the learner's answers`() throws {
    var run = try run("")
    let record = run.execute()
    let (n, task) = (record.tasks.count, 1)
    let rows = run.stream.evaluationSet(for: task).rows
    var batch = Batch(columns: rows.columns)
    batch.fill(rows, range: 0..<rows.count)
    let logits = run.predict(batch.inputs, knowing: run.stream.evaluationSet(for: task).knownExperience)
    let q = (0..<rows.count).map { 1 / (1 + Elementary.exp(-Double(logits[$0, 0]))) }
    let brier = q.indices.reduce(0.0) { $0 + (q[$1] - Double(rows.labels[$1])) * (q[$1] - Double(rows.labels[$1])) }
    let truth = try #require(rows.truth)
    let distance = q.indices.reduce(0.0) { $0 + abs(q[$1] - Double(truth[$1])) }
    let place = (n - 1) * n + task
    #expect(abs(try #require(record["brier"]).numbers[place] - brier / Double(q.count)) < 1e-9)
    #expect(abs(try #require(record["true_calibration_error"]).numbers[place] - distance / Double(q.count)) < 1e-9)
  }

  /// The tests of the first tasks, and which of their rows layers are looked at on: at most 1,000, evenly taken.
  private func probed(_ run: Run, tasks: Int) -> (tests: [EvaluationSet], taken: [Int]) {
    let tests = (0..<tasks).map { run.stream.evaluationSet(for: $0) }
    let total = tests.reduce(0) { $0 + $1.rows.count }
    let count = min(1000, total)
    return (tests, (0..<count).map { $0 * total / count })
  }

  /// The last row of each dataset, from the learner's own activations; similarity needs the one before and is NaN for the first.
  @Test func `layers are those of the learner on the test rows`() throws {
    var run = try run("")
    let record = run.execute()
    let learner = try #require(run.learner as? ComposedLearner)
    let (tests, taken) = probed(run, tasks: record.tasks.count)
    let (places, count) = (Set(taken), taken.count)
    var (first, values) = (0, [Float]())
    for test in tests {
      let own = test.rows.labels.indices.filter { places.contains(first + $0) }.map { Int32($0) }
      let rows = test.rows.selecting(own)
      if let layer = learner.activations(rows.batch.inputs, knowing: test.knownExperience).first {
        for row in 0..<layer.rows { values += layer.row(row) }
      }
      first += test.rows.count
    }
    let width = values.count / count
    let activity = try #require(LayerActivity(values, units: width))
    let ranks = try #require(record["effective_rank"])
    let layers = ranks.axes[1].length
    let last = (record.tasks.count - 1) * layers
    #expect(ranks.numbers[last] == activity.effectiveRank)
    #expect(record["dormant_units"]?.numbers[last] == activity.dormantShare)
    let likeness = try #require(record["similarity"]).numbers
    #expect(likeness[..<layers].allSatisfy(\.isNaN) && likeness[layers...].allSatisfy { $0 > 0 && $0 <= 1 + 1e-9 })
    var norm = 0.0
    for place in learner.model.layers[0].weightRange {
      let weight = Double(learner.model.parameters[place])
      norm += weight * weight
    }
    #expect(try abs(#require(record["weight_norm"]).numbers[last] - norm.squareRoot()) < 1e-12)
  }

  /// ∂L/∂w of each weight of the first layer by central differences, L the mean of ln(1 + eᶻ) − y·z in doubles over at most 1,000 test rows,
  /// evenly taken. The step keeps rounding of the logits (2⁻²⁴) and curvature well below the tolerance.
  @Test func `the gradient is the slope of the loss on the probed rows`() throws {
    var run = try run("")
    let record = run.execute()
    var learner = try #require(run.learner as? ComposedLearner)
    let (tests, taken) = probed(run, tasks: record.tasks.count)
    var firsts = [0]
    for test in tests { firsts.append(firsts[firsts.count - 1] + test.rows.count) }
    let rows = tests.indices.map { task in
      let own = taken.filter { firsts[task]..<firsts[task + 1] ~= $0 }
      return tests[task].rows.selecting(own.map { Int32($0 - firsts[task]) })
    }
    let batches = rows.map(\.batch.inputs)
    func loss() -> Double {
      var sum = 0.0
      for (task, inputs) in batches.enumerated() {
        let logits = learner.predict(inputs, knowing: tests[task].knownExperience)
        for (row, label) in rows[task].labels.enumerated() {
          let z = Double(logits[row, 0])
          sum += Elementary.log(1 + Elementary.exp(z)) - Double(label) * z
        }
      }
      return sum / Double(taken.count)
    }
    let parameters = learner.model.parameters
    var squares = 0.0
    for place in learner.model.layers[0].weightRange {
      let slope = [Float(1.0 / 256), -1.0 / 256].map { step in
        var moved = parameters
        moved[place] += step
        learner.start(from: moved)
        return loss()
      }
      squares += ((slope[0] - slope[1]) * 128) * ((slope[0] - slope[1]) * 128)
    }
    let norms = try #require(record["gradient_norm"])
    let last = norms.numbers[(record.tasks.count - 1) * norms.axes[1].length]
    #expect(abs(last - squares.squareRoot()) < 0.01 * last && last > 1e-4, "\(last) \(squares.squareRoot())")
  }

  /// Frozen weights are like themselves, and learn what is fresh as initial ones do.
  @Test func `a network that does not change keeps its layers and its plasticity`() throws {
    var run = try run(#"{ "name": "frozen" }"#)
    let record = run.execute()
    let likeness = try #require(record["similarity"])
    #expect(likeness.numbers[likeness.axes[1].length...].allSatisfy { abs($0 - 1) < 1e-9 })
    #expect(record["plasticity_loss"]?.numbers.count == 1)
    let losses = try #require(record["fresh_loss"]).numbers
    #expect(losses.allSatisfy { $0 == losses[0] && $0 > 0 && $0 < 1 })
  }

  /// What a step's rows come to task by task, and a forward pass of every test row at every evaluation.
  @Test func `rows and work are counted task by task`() throws {
    var run = try run("", "")
    let record = run.execute()
    let learner = try #require(run.learner as? ComposedLearner)
    #expect(record["examples_task"]?.integers?.reduce(0, +) == record["examples"]?.integers?.first)
    #expect(record["multiply_adds_task"]?.integers?.reduce(0, +) == record["multiply_adds"]?.integers?.first)
    let rows = (0..<record.tasks.count).map { run.stream.evaluationSet(for: $0).rows.count }
    let ends = (record.tasks.count + 1) * rows.reduce(0, +)
    let within = record.curve.reduce(0) { $0 + rows[...$1.task].reduce(0, +) }
    #expect(
      record["multiply_adds_evaluation"]?.integers?.first == (ends + within) * learner.model.plainProgram.multiplyAdds)
  }

  /// Where an evaluation within a task is its last step, it is the evaluation after it.
  @Test func `log-losses within tasks are of the learner at that step`() throws {
    var run = try run("", "")
    let record = run.execute()
    #expect(record.curve.count > 3)
    for point in record.curve {
      let losses = try #require(point.logLoss)
      #expect(losses.indices.allSatisfy { losses[$0].isNaN == ($0 > point.task) })
    }
  }

  @Test func `a probe that is not there is named with what is`() throws {
    #expect(throws: (any Error).self) { try run("", #", "probes": ["flip"]"#) }
  }
}
