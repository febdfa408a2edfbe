#if canImport(Glibc)
  import PalimpsestCore
  import PalimpsestStrategies
  import PalimpsestTesting
  import TestFixtures
  import Testing

  /// A step allocates nothing once a task's first steps are over.
  ///
  /// A small library that counts the calling thread's allocations is compiled here and loaded before the C library in
  /// processes of their own, which do the counting.
  @Suite(.serialized, .enabled(if: AllocationCounter.isAvailable, "there is no C compiler"))
  struct StepAllocationTests {
    @Test func `the counter sees an array, a class and a buffer`() async throws {
      try await AllocationCounter.preloaded {
        await #expect(processExitsWith: .success) {
          let before = try #require(AllocationCounter.count)
          let array = (0..<100).map { $0 * 2 }
          let buffer = FloatBuffer(count: array.count)
          let after = try #require(AllocationCounter.count)
          #expect(after - before >= 3)
          #expect(buffer.count == 100)
        }
      }
    }

    @Test func `no strategy's step allocates`() async throws {
      try await AllocationCounter.preloaded {
        await #expect(processExitsWith: .success) { try AllocationCounter.checkStrategies() }
      }
    }

    @Test func `no detector's row allocates`() async throws {
      try await AllocationCounter.preloaded {
        await #expect(processExitsWith: .success) { try AllocationCounter.checkDetectors() }
      }
    }
  }

  extension AllocationCounter {
    /// Every part and every optimiser of the standard lists, the settings that let a step do something else, and some
    /// compositions, in two tasks: 200 steps to warm up, then 400 that may allocate nothing.
    static func checkStrategies() throws {
      try #require(count != nil)
      for optimizer in standardOptimizers { try check("naive, \(optimizer.name)", [], optimizer.init()) }
      for part in standardParts { try check(part.name, serving(small(part.init())).map(small)) }
      try check("ewc + reservoir", [EWC(), small(Reservoir())], Momentum())
      try check("ewc + si + clip", [EWC(), SynapticIntelligence(), GradientClip()], Adam())
      try check("heads + reservoir", [Heads(), small(Reservoir())])
      try check("low-rank + ring + si", [LowRankAdapters(), small(Ring()), SynapticIntelligence()])
      try check("joint + adapters", [Joint(), Adapters()])
      for target in [TaskTarget.values(3), .multiLabel(3)] {
        try check("reservoir + heads, \(target)", [small(Reservoir()), Heads()], Adam(), target)
        try check("dark replay, \(target)", [DarkReplay(), small(Ring())], Adam(), target)
      }
      try checkLosses()
    }

    /// Every detector in both of its forms, shown a stream once to warm up, then again.
    static func checkDetectors() throws {
      try #require(count != nil)
      for detector in DetectorStateTests.detectors {
        let setup = LearnerSetup(shape: TaskShape(inputs: 2, outputs: 2), hidden: [], seed: Seed(1))
        var learner = try setup.makeLearner([detector])
        let outcomes = (DetectorStream.steady + DetectorStream.changing).enumerated().map {
          Outcome(row: $0, error: $1, loss: $1)
        }
        for outcome in outcomes { _ = learner.observe(outcome) }
        let before = count ?? 0
        for outcome in outcomes { _ = learner.observe(outcome) }
        let allocations = (count ?? 0) - before
        #expect(allocations == 0, "\(type(of: detector).name): \(allocations) allocations in \(outcomes.count) rows")
      }
    }

    private static func checkLosses() throws {
      var (dark, masked) = (DarkReplay(), AsymmetricCrossEntropy())
      (dark.beta, dark.reduction, masked.incoming) = (0.5, .sum, .task)
      try check("dark replay, two draws", [dark, small(Reservoir())])
      try check("er-ace of the task, replayed", [masked, small(Reservoir())])
      try check("dark replay + heads", [DarkReplay(), Heads(), small(Ring())])
      for (form, weight) in zip(
        Distillation.Form.allCases, [Distillation.Weight.balanced, .tasks, .balanced, .constant])
      {
        var part = Distillation()
        (part.form, part.weight, part.on) = (form, weight, .both)
        try check("distillation, \(form)", [part, small(Reservoir())])
        try check("distillation + er-ace, \(form)", [part, masked])
      }
      try check("activity of hidden units", [Watcher(keeps: false), Heads(), small(Reservoir())])
      try check("a-gem + heads", [AveragedGradientMemory(), Heads(), small(ClassBalanced())])
    }

    /// Memories that are full before the steps that count, and are offered rows in every pass.
    private static func small(_ part: any StrategyPart) -> any StrategyPart {
      if var memory = part as? any StreamMemory {
        (memory.limits.capacity, memory.insertion.insert) = (99, .everyEpoch)
        return memory
      }
      guard var memory = part as? any SizedMemory else { return part }
      memory.limits.capacity = 99
      return memory
    }

    private static func check(
      _ name: String, _ parts: [any StrategyPart], _ optimizer: any Optimizer = SGD(),
      _ target: TaskTarget = .classes(3)
    ) throws {
      let setup = LearnerSetup(
        shape: TaskShape(inputs: 10, target: target), hidden: [16, 8], optimizer: optimizer, seed: Seed(1))
      var learner = try setup.makeLearner(parts)
      for task in 0..<2 {
        let info = ExperienceInfo(
          index: task, name: "task \(task)", outputs: 0..<3, seenOutputs: 0..<3, rows: 500)
        let rows = rows(task, target)
        // 500 rows in batches of 32: every pass ends in a short batch.
        var settings = FeedSettings()
        settings.steps = 600
        var feed = BatchFeed([rows], settings, using: Seed(2).stream("order", task))
        learner.begin(info)
        step(&learner, &feed, info, 200)
        let before = count ?? 0
        step(&learner, &feed, info, 400)
        let allocations = (count ?? 0) - before
        #expect(allocations == 0, "\(name), task \(task + 1): \(allocations) allocations in 400 steps")
        learner.finish(info, revisiting: rows)
      }
    }

    private static func step(
      _ learner: inout any Learner, _ feed: inout BatchFeed, _ info: ExperienceInfo, _ count: Int
    ) {
      for _ in 0..<count where feed.advance() {
        _ = learner.learn(feed.batch, StepContext(experience: info, epoch: feed.epoch, step: feed.step - 1))
      }
    }

    private static func rows(_ task: Int, _ target: TaskTarget) -> Rows {
      var rng = Seed(3).stream("rows", task)
      let inputs = Matrix((0..<500).map { _ in (0..<10).map { _ in Float(rng.normal()) } })
      if !target.hasLabels {
        let values = Matrix((0..<500).map { _ in (0..<3).map { _ in Float(rng.index(below: 2)) } })
        return Rows(inputs, .values(values), experience: task)
      }
      return Rows(inputs, labels: (0..<500).map { _ in Int32(rng.index(below: 3)) }, experience: task)
    }
  }
#endif
