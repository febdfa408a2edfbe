import PalimpsestCore
import PalimpsestScenarios
import Testing

@Suite struct HabitSettingsTests {
  private func error(_ change: (inout HabitPhases) -> Void) -> ScenarioError? {
    var settings = HabitPhases()
    settings.jointCeiling = .none
    change(&settings)
    do {
      _ = try settings.prepare(from: EmptyLibrary())
      return nil
    } catch { return error as? ScenarioError }
  }

  @Test func `a dose beside a distance is refused`() {
    let found = error {
      $0.dose = 0.5
      $0.driftTV = 0.3
    }
    #expect(
      found
        == ScenarioError(
          parameter: "dose", "0.5 is given beside driftTV, which solves the dose. Keep one of them."))
  }

  @Test func `a distance needs two phases`() {
    let found = error {
      $0.driftTV = 0.3
      $0.phases = [2, 2]
    }
    #expect(
      found
        == ScenarioError(
          parameter: "driftTV", "it is the mean distance between different phases, and phases names only one."))
  }

  @Test func `a distance out of reach is refused`() {
    let found = error {
      $0.driftTV = 0.95
      $0.calibrationUsers = 50
    }
    #expect(found?.parameter == "driftTV")
    #expect(found?.description.hasPrefix("0.95 is out of reach: the phases' laws lie at most 0.") == true)
  }

  /// Where the context shows, people of each phase differ too, and so do b0 and γ that make up for it.
  @Test func `a distance below that of equal weights is refused`() {
    let found = error {
      $0.driftTV = 0.03
      $0.calibrationUsers = 100
    }
    #expect(found?.parameter == "driftTV")
    #expect(found?.description.hasPrefix("0.03 is out of reach: the phases' laws lie at least 0.") == true)
  }

  @Test func `an accuracy beyond the noise is refused`() {
    #expect(
      error { $0.bayesAccuracy = 0.99 }
        == ScenarioError(
          parameter: "bayesAccuracy", "0.99 cannot be reached with noise 0.02. It must be below 1 − noise = 0.98."))
  }

  @Test func `an accuracy that needs no features is refused`() {
    #expect(
      error { $0.baseRate = 0.9 }
        == ScenarioError(
          parameter: "bayesAccuracy",
          "0.86 is no more than always answering alike gives at base rate 0.9. It must be above 0.9."))
  }

  @Test func `the table holds for its own settings only`() {
    let found = error {
      $0.calibration = .table
      $0.features = .five
    }
    #expect(
      found
        == ScenarioError(
          parameter: "calibration",
          "\"table\" holds for features \"ten\" only. Take \"bisection\", or leave features out."))
    #expect(
      error {
        $0.calibration = .table
        $0.dose = 0.5
      }?.parameter == "calibration")
  }

  @Test func `more days than memory are refused`() {
    #expect(
      error {
        $0.testUsers = 100_000; $0.days = 1000
      }
        == ScenarioError(
          parameter: "testUsers", "100000 users × 1030 days are more than 20000000 days. Take fewer users or days."))
  }

  @Test func `settings are read as an experiment file gives them`() throws {
    let settings = try HabitPhases(settings: [
      "context": .string("hidden"), "driftTV": .number("0.3"), "phases": .list([.number("4"), .number("0")]),
      "jointCeiling": .string("none"), "features": .string("five"),
    ])
    #expect(settings.context == .hidden && settings.driftTV == 0.3 && settings.phases == [4, 0])
    #expect(settings.users == 20 && settings.days == 60 && settings.testUsers == 60 && settings.burnIn == 30)
    #expect(throws: ParameterError.self) { try HabitPhases(settings: ["phases": .list([.number("5")])]) }
    #expect(throws: ParameterError.self) { try HabitPhases(settings: ["phases": .list([])]) }
    #expect(throws: ParameterError.self) { try HabitPhases(settings: ["context": .string("seen")]) }
  }
}
