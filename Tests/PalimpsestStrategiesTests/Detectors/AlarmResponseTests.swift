import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

/// What an alarm changes, and what it leaves bit for bit.
@Suite struct AlarmResponseTests {
  private static let info = ExperienceInfo(index: 0, name: "all", outputs: 0..<2, seenOutputs: 0..<2, rows: 1000)

  private func setup(_ optimizer: any Optimizer = Adam()) -> LearnerSetup {
    LearnerSetup(shape: TaskShape(inputs: 2, outputs: 2), hidden: [5], optimizer: optimizer, seed: Seed(4))
  }

  /// Alarms in every so many rows.
  private func alarming(_ every: Int, _ change: (inout AlarmResponse) -> Void = { _ in }) -> AlarmEvery {
    var detector = AlarmEvery()
    detector.every = every
    change(&detector.response)
    return detector
  }

  private func learner(
    _ detector: some DriftDetector, _ others: [any StrategyPart] = [], _ optimizer: any Optimizer = Adam()
  ) throws -> ComposedLearner {
    var memory = Reservoir()
    memory.limits.capacity = 7
    var learner = try ComposedLearner(setup(optimizer), others + [memory, detector])
    learner.begin(AlarmResponseTests.info)
    return learner
  }

  private func batch(_ row: Int) -> Batch {
    let x = Float(row % 7) / 7
    return Rows(Matrix([[x, 1 - x * x]]), labels: [Int32(row % 3 == 0 ? 1 : 0)], experience: 0).batch
  }

  private func observe(_ learner: inout ComposedLearner, _ row: Int) {
    _ = learner.observe(Outcome(row: row, error: 0, loss: 0))
  }

  private func learn(_ learner: inout ComposedLearner, _ rows: Range<Int>) {
    for row in rows {
      observe(&learner, row)
      step(&learner, row)
    }
  }

  private func step(_ learner: inout ComposedLearner, _ row: Int) {
    _ = learner.learn(batch(row), StepContext(experience: AlarmResponseTests.info, epoch: 0, step: row))
  }

  /// The bytes of what a learner has become, field by field: those of its detector aside.
  private func state(_ learner: ComposedLearner) throws -> [String: [UInt8]] {
    var state = ["optimizer": try StateEncoder.bytes(of: AnyPart(learner.optimizer))]
    state["model"] = try StateEncoder.bytes(of: learner.model)
    for part in learner.parts where !(part is any DriftDetector) {
      state[type(of: part).name] = try StateEncoder.bytes(of: AnyPart(part))
    }
    return state
  }

  private struct AnyPart: Encodable {
    let part: any StrategyPart
    init(_ part: any StrategyPart) { self.part = part }
    func encode(to encoder: any Encoder) throws { try part.encode(to: encoder) }
  }

  /// The bytes of an optimiser that has forgotten its state.
  private func reset(_ optimizer: any Optimizer) throws -> [UInt8] {
    var optimizer = optimizer
    optimizer.reset()
    return try StateEncoder.bytes(of: AnyPart(optimizer))
  }

  /// What of two states differs.
  private func differences(_ a: ComposedLearner, _ b: ComposedLearner) throws -> Set<String> {
    let (a, b) = (try state(a), try state(b))
    return Set(a.keys.filter { a[$0] != b[$0] })
  }

  /// A learner behind the alarm in row 40, before that row is learned, and its twin that heard of none.
  private func alarmed(
    _ action: AlarmResponse.Action, _ others: [any StrategyPart] = []
  ) throws -> (ComposedLearner, twin: ComposedLearner) {
    var learner = try learner(alarming(41) { $0.action = action }, others)
    var twin = try self.learner(AlarmNever(), others)
    for row in 0..<40 {
      learn(&learner, row..<(row + 1))
      learn(&twin, row..<(row + 1))
    }
    #expect(try differences(learner, twin) == [])
    observe(&learner, 40)
    observe(&twin, 40)
    return (learner, twin)
  }

  @Test(arguments: [AlarmResponse.Action.consolidate, .none, .boost])
  func `these actions change nothing at once`(action: AlarmResponse.Action) throws {
    let (learner, twin) = try alarmed(action)
    #expect(try differences(learner, twin) == [])
    #expect(learner.asksForEnd == (action == .consolidate))
  }

  @Test func `the optimiser forgets its state, all else stays`() throws {
    let (learner, twin) = try alarmed(.resetOptimizer)
    #expect(try differences(learner, twin) == ["optimizer"])
    #expect(try state(learner)["optimizer"] == reset(twin.optimizer))
    #expect(!learner.asksForEnd)
  }

  @Test func `the memory is emptied, all else stays`() throws {
    let (learner, twin) = try alarmed(.clearMemory)
    #expect(try differences(learner, twin) == ["reservoir"])
    #expect(learner.parts.compactMap { $0 as? Reservoir }.map(\.count) == [0])
    #expect(twin.parts.compactMap { $0 as? Reservoir }.map(\.count) == [7])
    var on = learner
    learn(&on, 41..<60)
    #expect(on.parts.compactMap { $0 as? Reservoir }.map(\.count) == [7])
  }

  @Test func `weights are drawn anew, what belongs to them is forgotten, all else stays`() throws {
    let (learner, twin) = try alarmed(.resetWeights, [WeightAverage(), EWC()])
    #expect(try differences(learner, twin) == ["model", "optimizer", "weight-average"])
    #expect(learner.model.parameters == setup().makeModel(restart: 1).parameters)
    #expect(learner.model.parameters != setup().makeModel().parameters)
    let fresh = try state(self.learner(AlarmNever(), [WeightAverage(), EWC()]))
    #expect(try state(learner)["optimizer"] == reset(twin.optimizer))
    #expect(try state(learner)["weight-average"] == fresh["weight-average"])
    var on = learner
    observe(&on, 41)
    for row in 42..<82 { observe(&on, row) }
    #expect(on.model.parameters == setup().makeModel(restart: 2).parameters)
  }

  /// A step of k times the rate, for as many rows as were asked for; a power of two, so nothing is rounded.
  @Test(arguments: standardOptimizers.indices)
  func `the step size is multiplied for so many rows`(index: Int) throws {
    func optimizer(_ rate: String, _ schedule: String) throws -> any Optimizer {
      try standardOptimizers[index].init(settings: ["rate": .number(rate), "schedule": .string(schedule)])
    }
    for schedule in ["constant", "cosine"] {
      let once = alarming(1) {
        ($0.action, $0.boostFactor, $0.boostRows, $0.minimumGap) = (.boost, 4, 5, 1000)
      }
      var boosted = try learner(once, [], optimizer("0.0625", schedule))
      var fast = try learner(AlarmNever(), [], optimizer("0.25", schedule))
      learn(&boosted, 0..<5)
      learn(&fast, 0..<5)
      #expect(boosted.model.parameters == fast.model.parameters)
      learn(&boosted, 5..<6)
      learn(&fast, 5..<6)
      #expect(boosted.model.parameters != fast.model.parameters)
    }
  }

  /// Plain descent has no state: behind the boost it goes on as one that never was boosted would from there.
  @Test func `behind the boost the step size is what it was`() throws {
    var sgd = SGD()
    sgd.rate = 0.0625
    let once = alarming(1) {
      ($0.action, $0.boostFactor, $0.boostRows, $0.minimumGap) = (.boost, 4, 5, 1000)
    }
    var (boosted, plain) = (try ComposedLearner(setup(sgd), [once]), try ComposedLearner(setup(sgd), []))
    boosted.begin(AlarmResponseTests.info)
    plain.begin(AlarmResponseTests.info)
    learn(&boosted, 0..<5)
    plain.start(from: boosted.model.parameters)
    learn(&boosted, 5..<9)
    learn(&plain, 5..<9)
    #expect(boosted.model.parameters == plain.model.parameters)
  }

  /// A block of four rows, two steps each: three rows to boost are one block, in both of its steps.
  @Test func `a block is boosted as a whole, in all of its steps`() throws {
    func run(_ detector: some DriftDetector, _ rate: Float) throws -> [FloatBuffer] {
      var sgd = SGD()
      sgd.rate = rate
      var learner = try ComposedLearner(setup(sgd), [detector])
      learner.begin(AlarmResponseTests.info)
      return (0..<2).map { block in
        let rows = Array((4 * block)..<(4 * block + 4))
        for row in rows { observe(&learner, row) }
        var joined = batch(rows[0])
        for row in rows.dropFirst() { joined.append(row: 0, of: batch(row)) }
        for pass in 0..<2 {
          _ = learner.learn(joined, StepContext(experience: AlarmResponseTests.info, epoch: pass, step: pass))
        }
        return learner.model.parameters
      }
    }
    let boost = alarming(2) {
      ($0.action, $0.boostFactor, $0.boostRows, $0.minimumGap) = (.boost, 2, 3, 1000)
    }
    let (boosted, fast) = (try run(boost, 0.125), try run(AlarmNever(), 0.25))
    #expect(boosted[0] == fast[0] && boosted[1] != fast[1])
  }

  /// Alarms in every row. The third acts, row 2; rows 3 to 6 are within 5 rows of it and don't count; the third of the others is row 9.
  @Test func `some alarms act, and none too soon`() throws {
    let detector = alarming(1) { ($0.after, $0.minimumGap) = (3, 5) }
    var learner = try learner(detector)
    var acted: [Int] = []
    for row in 0..<30 {
      observe(&learner, row)
      if learner.asksForEnd { acted.append(row) }
    }
    #expect(acted == [2, 9, 16, 23])
  }

  @Test(arguments: AlarmResponse.Action.allCases)
  func `a learner saved after any row goes on with the same bits`(action: AlarmResponse.Action) throws {
    let detector = alarming(3) {
      ($0.action, $0.after, $0.minimumGap, $0.boostRows) = (action, 2, 4, 5)
    }
    func bytes(_ learner: ComposedLearner) throws -> [UInt8] {
      try StateEncoder.bytes { try learner.saveState(to: $0) }
    }
    var whole = try learner(detector, [WeightAverage()])
    learn(&whole, 0..<40)
    for stop in 0..<40 {
      var first = try learner(detector, [WeightAverage()])
      learn(&first, 0..<stop)
      var resumed = try learner(detector, [WeightAverage()])
      try StateDecoder.read(bytes(first), limits: StateLimits(TaskShape(inputs: 2, outputs: 2))) {
        try resumed.restoreState(from: $0)
      }
      learn(&resumed, stop..<40)
      #expect(try bytes(resumed) == bytes(whole), "\(stop)")
    }
  }

  @Test func `actions that find nothing to act on are refused`() {
    let setup = setup()
    #expect(
      setup.problem(with: [alarming(5) { $0.action = .clearMemory }])
        == "\"alarm-every\": action: \"clear-memory\" empties a memory, and there is none; add one, or take another action."
    )
    #expect(setup.problem(with: [alarming(5) { $0.action = .clearMemory }, Ring()]) == nil)
    #expect(
      setup.problem(with: [Heads(), alarming(5) { $0.action = .resetWeights }])
        == "\"alarm-every\": action: \"reset-weights\" would leave random weights where an isolation holds them; take the "
        + "isolation away, or another action.")
  }

  @Test func `every detector has the group, and a default is no setting`() throws {
    for type in standardParts {
      guard let detector = type.init() as? any DriftDetector else { continue }
      #expect(detector.response.action == .consolidate, "\(type.name)")
      let names = type.declaredParameters.map(\.name)
      #expect(
        names.suffix(5) == ["action", "after", "minimumGap", "boostFactor", "boostRows"], "\(type.name): \(names)")
    }
  }
}
