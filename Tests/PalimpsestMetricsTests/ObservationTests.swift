import PalimpsestCore
import PalimpsestMetrics
import Testing

@Suite struct ObservationTests {
  /// Something of everything that a run through tasks measures.
  private var full: TaskRecord {
    var record = TaskRecord(status: .completed, tasks: ["a", "b"])
    record.accuracy = AccuracyMatrix([[0.5, .nan], [0.25, 0.75]])
    record.expectedAccuracy = record.accuracy
    record.logLoss = AccuracyMatrix([[1.5, .nan], [0.25, 0.75]])
    record.accuracyBefore = [0.125, .nan]
    record.expectedAccuracyBefore = [.nan, 0.5]
    record.curve = [
      CurvePoint(task: 0, examples: 32, accuracy: [0.5, .nan], expectedAccuracy: nil, logLoss: [0.75, .nan]),
      CurvePoint(task: 1, examples: 64, accuracy: [0.5, .nan], expectedAccuracy: [.nan, 0.5], logLoss: [0.5, .nan]),
    ]
    record.errors = ErrorMatrices(tasks: 2)
    record.truth = truth([[0.9, 0.5], [0.5, 0.9]], ceiling: 0.7)
    record.cost.steps = 12
    record.cost.startCounting()
    for total in [30, 70] { record.cost.endTask(multiplyAdds: total) }
    record.cost.timeTask = [0.5, 0.25]
    record.cost.learner.parts = [PartCost("network", multiplyAdds: 7, bytes: 40), PartCost("ewc", multiplyAdds: 5)]
    return record
  }

  @Test func `what a run through tasks measures is observed, and can be asked for again`() {
    let (given, record) = (full, RunRecord(full))
    #expect(record.accuracy == given.accuracy && record.expectedAccuracy == given.expectedAccuracy)
    #expect(record.logLoss == given.logLoss && record.cost == given.cost && record.curve == given.curve)
    #expect(record.accuracyBefore[0] == 0.125 && record.accuracyBefore[1].isNaN)
    #expect(record.expectedAccuracyBefore?[1] == 0.5 && record.truth == given.truth)
    // C[T-1] is 0.5 and 0.9; the mean of C[k, k] is 0.9.
    #expect(record.number("tracker_accuracy") == 0.7)
    #expect(abs(record.number("ambiguity_gap") - 0.2) < 1e-12)
    var without = record
    without.curve = []
    without.truth = nil
    without.expectedAccuracy = nil
    #expect(without["curve_task"] == nil && without["ambiguity_gap"] == nil && without["expected_accuracy"] == nil)
  }

  /// Something of everything that can be probed.
  private func probed() throws -> ProbedRecord {
    var record = ProbedRecord()
    var calibration = CalibrationRecord(tasks: 2)
    for task in 0..<2 {
      calibration.take(try #require(Calibration([0.25, 0.75], [0, 1])), trueError: 0.125, after: 1, of: task)
    }
    (record.calibration, record.flips) = (calibration, FlipRecord(tasks: 2))
    var slice = Slice()
    (slice.rows, slice.right, slice.best) = (40, 30, 32)
    var slices = SliceRecord()
    (slices.classes, slices.users) = ([slice], [slice])
    record.slices = slices
    let activity = try #require(LayerActivity([1, 2, 0.5, 3], units: 2))
    var (layers, fresh) = (LayerRecord(), FreshRecord())
    layers.tasks = [0.5, 1].map { [LayerRecord.Reading(activity, weightNorm: 2, gradientNorm: 0.25, similarity: $0)] }
    (fresh.lossBefore, fresh.loss, fresh.accuracy) = (0.5, [0.5, 0.75], [0.75, 0.5])
    (record.layers, record.fresh) = (layers, fresh)
    return record
  }

  @Test func `everything that a run through tasks observes is declared, along the axes it has`() throws {
    var record = RunRecord(full)
    record.observe(dataDigest: .max)
    record.observe(try probed())
    #expect(record["data_digest"]?.integers == [-1])
    let declared = Dictionary(uniqueKeysWithValues: standardMeasures.map { ($0.name, $0) })
    for observation in record.observations {
      #expect(declared[observation.name]?.axes.map(\.name) == observation.axes.map(\.name), "\(observation.name)")
      #expect(declared[observation.name]?.storage.isInteger == (observation.integers != nil), "\(observation.name)")
    }
    #expect(
      Set(record.observations.map(\.name))
        == Set(declared.keys).subtracting((streamMeasures + personalMeasures).map(\.name)))
  }

  @Test func `two records with the same observations in another order are equal`() {
    var (a, b) = (RunRecord(status: .completed, tasks: ["a"]), RunRecord(status: .completed, tasks: ["a"]))
    let norms = [Observation("norm", 2.5), Observation("layer_norm", along: [Axis("layer", 2)], .numbers([1, .nan]))]
    for norm in norms { a.observe(norm) }
    for norm in norms.reversed() { b.observe(norm) }
    #expect(a == b && a.hasSameResults(as: b))
    b.observe(Observation("norm", 2.25))
    #expect(a != b && !a.hasSameResults(as: b))
    #expect(b.number("norm") == 2.25 && b.number("layer_norm").isNaN && b.number("nothing").isNaN)
  }

  @Test func `what is not repeatable does not count among results, what is counted otherwise neither`() {
    let a = RunRecord(full)
    var b = a
    b.observe(Observation("time_total", 99))
    #expect(a != b && a.hasSameResults(as: b))
    b.observe(Observation("bytes_memory", 7))
    #expect(!a.hasSameResults(as: b))
    b.observe(Observation("cost_revision", 1))
    #expect(a.hasSameResults(as: b))
    b.observe(Observation("steps", 13))
    #expect(!a.hasSameResults(as: b))
    var c = a
    let noise = Measure("noise", "Noise", definition: "whatever", isRepeatable: false)
    c.observe(Observation("noise", 1), as: noise)
    #expect(a.hasSameResults(as: c) && c.hasSameResults(as: a))
  }

  @Test func `costs by part stand along the parts' names, and count only where both records have them`() {
    let a = RunRecord(full)
    #expect(a.ticks == ["part": .labels(["network", "ewc"])])
    #expect(a["multiply_adds_part"] == Observation("multiply_adds_part", along: [Axis("part", 2)], .integers([7, 5])))
    #expect(a["bytes_part"]?.integers == [40, 0])
    var earlier = a
    earlier.cost.learner.parts = []
    #expect(earlier["bytes_part"] == nil && earlier.ticks.isEmpty)
    #expect(a.hasSameResults(as: earlier) && earlier.hasSameResults(as: a))
    var other = a
    other.cost.learner.parts[1].multiplyAdds = 4
    #expect(!a.hasSameResults(as: other))
    other = a
    other.cost.learner.parts[1].name = "mas"
    #expect(!a.hasSameResults(as: other))
  }

  @Test func `one number that runs observe is a metric`() {
    let metric = Metric(Measure("norm", "Norm", unit: "m", definition: "√Σ θ²", direction: .lower))
    var record = RunRecord(status: .completed, tasks: [])
    #expect(metric.value(of: record, kind: .expected) == .undefined("norm was not observed"))
    record.observe(Observation("norm", 3))
    #expect(metric.value(of: record, kind: .sampled) == .number(3))
    record.status = .diverged
    #expect(metric.value(of: record, kind: .sampled) == .undefined("the run diverged"))
    #expect(metric.column(.expected) == "norm" && metric.unit == "m" && metric.direction == .lower)
  }

  @Test func `a name stands for one measure, and no measure for a metric of accuracies`() {
    let names = standardMeasures.map(\.name)
    #expect(Set(names).count == names.count)
    let columns = Set(AccuracyKind.allCases.flatMap { kind in standardMetrics.map { $0.column(kind) } })
    #expect(columns.isDisjoint(with: names.map(\.text)))
    for measure in standardMeasures { #expect(!measure.definition.isEmpty && !measure.longName.isEmpty) }
  }
}
