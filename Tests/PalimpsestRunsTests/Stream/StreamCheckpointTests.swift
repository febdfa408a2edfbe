import PalimpsestCore
import PalimpsestExperiments
import PalimpsestRuns
import PalimpsestScenarios
import PalimpsestStrategies
import Testing

/// Streams of real learners.
@Suite struct StreamCheckpointTests {
  static let strategies: [[any StrategyPart]] = [
    [], [NearestMean()], [sensitive, EWC(), small], [SynapticIntelligence(), small], [Adapters(), sensitive],
    [Heads(), GradientClip()], [herding, sensitive], [joint],
  ]

  private static var joint: Joint {
    var bound = Joint()
    (bound.restart, bound.draw) = (false, 4)
    return bound
  }

  /// Alarms soon, so that a short stream has some.
  private static var sensitive: PageHinkley {
    var detector = PageHinkley()
    (detector.least, detector.threshold, detector.delta) = (5, 3, 0.01)
    return detector
  }

  private static var small: Reservoir {
    var memory = Reservoir()
    memory.limits.capacity = 12
    return memory
  }

  private static var herding: Herding {
    var memory = Herding()
    memory.limits.capacity = 12
    return memory
  }

  private func make(_ strategy: Int, _ settings: StreamSettings) throws -> StreamRun {
    var optimizer = Adam()
    (optimizer.rate, optimizer.schedule.schedule, optimizer.schedule.scheduleOver) = (0.05, .cosine, .run)
    let setup = LearnerSetup(
      shape: TaskShape(inputs: 2, outputs: 1), hidden: [6, 4], optimizer: optimizer, seed: Seed(3))
    let learner = try setup.makeLearner(StreamCheckpointTests.strategies[strategy])
    return StreamRun(settings, TurningStream(), learner: learner, seed: Seed(3))
  }

  @Test(arguments: strategies.indices, StreamSettings.Boundaries.allCases)
  func `a stream saved after any block goes on with the same bits`(
    strategy: Int, boundaries: StreamSettings.Boundaries
  ) throws {
    let settings = StreamSettings(block: 3, steps: 2, boundaries, every: 20, window: 8)
    var whole = try make(strategy, settings)
    var saved: [[UInt8]] = [try whole.bytes()]
    while whole.advance() { saved.append(try whole.bytes()) }
    let end = try whole.bytes()
    #expect(saved.count >= 25)
    for bytes in saved {
      var resumed = try make(strategy, settings)
      try StateDecoder.read(bytes, limits: StateLimits(TaskShape(inputs: 2, outputs: 1))) {
        try resumed.restoreState(from: $0)
      }
      resumed.finish()
      #expect(try resumed.bytes() == end)
    }
    let detects = StreamCheckpointTests.strategies[strategy].contains { $0 is any DriftDetector }
    #expect(whole.alarms.isEmpty != detects)
    if boundaries == .detected { #expect(whole.boundaries.isEmpty != detects) }
  }

  /// Alarms in every 13 rows, in blocks of 3; what they do is not the end of an experience.
  @Test(arguments: AlarmResponse.Action.allCases)
  func `a stream whose alarms act saved after any block goes on with the same bits`(action: AlarmResponse.Action) throws
  {
    var detector = AlarmEvery()
    detector.every = 13
    (detector.response.action, detector.response.minimumGap, detector.response.boostRows) = (action, 20, 7)
    func make() throws -> StreamRun {
      var optimizer = Adam()
      optimizer.rate = 0.05
      let setup = LearnerSetup(
        shape: TaskShape(inputs: 2, outputs: 1), hidden: [6, 4], optimizer: optimizer, seed: Seed(3))
      let learner = try setup.makeLearner([detector, StreamCheckpointTests.small])
      return StreamRun(
        StreamSettings(block: 3, steps: 2, .detected, window: 8), TurningStream(), learner: learner, seed: Seed(3))
    }
    var whole = try make()
    var saved: [[UInt8]] = [try whole.bytes()]
    while whole.advance() { saved.append(try whole.bytes()) }
    let end = try whole.bytes()
    for bytes in saved {
      var resumed = try make()
      try StateDecoder.read(bytes, limits: StateLimits(TaskShape(inputs: 2, outputs: 1))) {
        try resumed.restoreState(from: $0)
      }
      resumed.finish()
      #expect(try resumed.bytes() == end)
    }
    #expect(whole.alarms == [12, 25, 38, 51, 64])
    // Rows 12 and 38 act, and 64; their blocks begin with 12, 36 and 63.
    #expect(whole.boundaries == (action == .consolidate ? [12, 36, 63] : []))
  }

  @Test func `what an alarm does changes what is learned from its block on, and nothing before`() throws {
    func loss(_ action: AlarmResponse.Action) throws -> [Double] {
      var detector = AlarmEvery()
      (detector.every, detector.response.action) = (41, action)
      let setup = LearnerSetup(shape: TaskShape(inputs: 2, outputs: 1), hidden: [6], seed: Seed(3))
      let learner = try setup.makeLearner([detector, StreamCheckpointTests.small])
      var run = StreamRun(
        StreamSettings(block: 1, .detected, window: 41), TurningStream(), learner: learner, seed: Seed(3))
      run.finish()
      return run.windows.windows.map(\.logLoss)
    }
    let none = try loss(.none)
    for action in AlarmResponse.Action.allCases where action != .none {
      let other = try loss(action)
      #expect(other[0] == none[0])
      // Plain descent without penalties keeps nothing that an end, or a fresh optimiser, could change.
      let isIdle = action == .consolidate || action == .resetOptimizer
      #expect((other[1] == none[1]) == isIdle, "\(action)")
    }
  }

  @Test func `a state of another stream is refused`() throws {
    var run = try make(0, StreamSettings(window: 8))
    for _ in 0..<20 { _ = run.advance() }
    let bytes = try run.bytes()
    var other = try make(0, StreamSettings(window: 9))
    #expect(throws: StateError.self) {
      try StateDecoder.read(bytes, limits: StateLimits()) { try other.restoreState(from: $0) }
    }
  }

  @Test func `an alarm lets EWC consolidate, and learners of one seed see the same rows`() throws {
    func penalties(_ boundaries: StreamSettings.Boundaries) throws -> Int {
      var run = try make(2, StreamSettings(boundaries, window: 8))
      run.finish()
      return run.learner.cost.bytesImportance
    }
    #expect(try penalties(.none) == PageHinkley().bytes)
    #expect(try penalties(.detected) > PageHinkley().bytes)
  }
}
