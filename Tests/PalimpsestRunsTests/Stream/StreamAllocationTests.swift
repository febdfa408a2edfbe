#if canImport(Glibc)
  import PalimpsestCore
  import PalimpsestExperiments
  import PalimpsestRuns
  import PalimpsestScenarios
  import PalimpsestStrategies
  import TestFixtures
  import Testing

  /// A row of a stream allocates nothing, once the first window is full and until the next one begins.
  @Suite(.serialized, .enabled(if: AllocationCounter.isAvailable, "there is no C compiler"))
  struct StreamAllocationTests {
    @Test func `no row of a stream allocates`() async throws {
      try await AllocationCounter.preloaded {
        await #expect(processExitsWith: .success) { try StreamAllocationTests.check() }
      }
    }

    private static var strategies: [(name: String, parts: [any StrategyPart])] {
      var memory = Reservoir()
      memory.limits.capacity = 50
      return [
        ("naive", []), ("reservoir", [memory]), ("ewc, adwin", [EWC(), ADWIN()]),
        ("si, ddm", [SynapticIntelligence(), DDM()]), ("joint", [Joint()]),
      ]
    }

    /// Rows 250 to 490 of windows of 500, labels at once and 20 rows late.
    private static func check() throws {
      try #require(AllocationCounter.count != nil)
      var scenario = SEA()
      (scenario.thresholds, scenario.rows.rowsPerTask) = ([8], 500)
      let stream = try scenario.prepare(from: EmptyLibrary()).makeStream(seed: Seed(1))
      for (name, parts) in strategies {
        for delay in [0, 20] {
          var settings = StreamSettings()
          (settings.window, settings.labels.delay, settings.labels.missing) = (500, delay, delay > 0 ? 0.1 : 0)
          let setup = LearnerSetup(shape: stream.shape, hidden: [16, 8], seed: Seed(1))
          var run = StreamRun(settings, stream, learner: try setup.makeLearner(parts), seed: Seed(1))
          while run.position.row < 260 { _ = run.advance() }
          let before = AllocationCounter.count ?? 0
          while run.position.row < 490 { _ = run.advance() }
          let allocations = (AllocationCounter.count ?? 0) - before
          #expect(allocations < 10, "\(name), delay \(delay): \(allocations) allocations in 230 rows")
        }
      }
    }
  }
#endif
