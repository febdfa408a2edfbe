#if canImport(Glibc)
  import PalimpsestCore
  import PalimpsestPersonal
  import TestFixtures
  import Testing

  /// A prediction allocates nothing, whatever stands between the models and the person.
  @Suite(.serialized, .enabled(if: AllocationCounter.isAvailable, "there is no C compiler"))
  struct PredictionAllocationTests {
    @Test func `no prediction allocates`() async throws {
      try await AllocationCounter.preloaded {
        await #expect(processExitsWith: .success) { try AllocationCounter.checkPredictions() }
      }
    }
  }

  extension AllocationCounter {
    /// Before the first outcome, between outcomes, and after an update: the first prediction of each may, a hundred more may not.
    static func checkPredictions() throws {
      try #require(count != nil)
      let row = PersonalModelTests.row(3)
      for safeguard in standardSafeguards.map({ $0.init() }) {
        var model = try PersonalModelTests.model(safeguard: safeguard)
        for day in 0..<20 {
          _ = model.predict(row)
          let before = count ?? 0
          for _ in 0..<100 { _ = model.predict(row) }
          let allocations = (count ?? 0) - before
          #expect(allocations == 0, "\(type(of: safeguard).name), day \(day): \(allocations) in 100 predictions")
          let observed = model.observe(
            PersonalModelTests.row(day), label: Int(PersonalModelTests.own.labels[day]), at: 86_400 * Int64(day))
          if let order = observed?.order { _ = model.learn(order, on: PersonalModelTests.own) }
        }
      }
    }
  }
#endif
