import PalimpsestCore
import PalimpsestExperiments
import PalimpsestScenarios

/// Makes the scenarios of configurations ready, and checks what reading the file could not know: that networks fit in memory,
/// that parts suit the shape of the data. Equal scenario settings share one scenario.
struct Preparation {
  private let plan: Plan
  private let maker: ScenarioMaker
  private(set) var scenarios = PreparedScenarios()
  private var networks: NetworkCheck
  private var compositions = CompositionCheck()
  private var streams = StreamCheck()

  init(
    _ plan: Plan, _ library: any DatasetLibrary, _ calibrations: CalibrationCache,
    note: @escaping @Sendable (String) -> Void
  ) {
    self.plan = plan
    maker = ScenarioMaker(library: RecordingLibrary(library), calibrations: calibrations, note: note)
    networks = NetworkCheck(plan)
  }

  /// Digests of the data sets that were read, by name.
  var digests: [String: String] { maker.library.digests }

  /// - Parameters:
  ///   - configurations: positions in the plan.
  ///   - jobs: different scenarios are calibrated beside each other, as many as runs are.
  /// - Throws: ``PreparationError``.
  mutating func add(_ configurations: [Int], jobs: Int = 1) throws {
    workOut(configurations, jobs: jobs)
    let maker = maker
    for index in configurations {
      let configuration = plan.configurations[index]
      let ready = try scenarios.scenario(for: configuration) {
        try maker.prepare(configuration.resolved, label: configuration.scenarioLabel)
      }
      try networks.check(configuration, ready.outlook.shape, ready.outlook.experiences)
      try streams.check(configuration, ready)
      try compositions.check(configuration, ready.outlook.shape)
    }
  }

  private func workOut(_ configurations: [Int], jobs: Int) {
    var met: Set<Int32> = []
    let first = configurations.filter { met.insert(plan.configurations[$0].places.scenario).inserted }
    maker.calibrations.workOut(first.map { plan.configurations[$0].resolved.scenario }, jobs: jobs)
  }

}

/// Makes single scenarios ready, and says in whose settings it is where that fails.
private struct ScenarioMaker {
  let library: RecordingLibrary
  let calibrations: CalibrationCache
  let note: @Sendable (String) -> Void

  func prepare(_ configuration: ResolvedConfiguration, label: String) throws -> any PreparedScenario {
    do {
      let prepared = try calibrations.prepare(
        configuration.scenario, from: library, forPeople: configuration.personal != nil)
      for remark in prepared.remarks { note("scenarios.\(label): \(remark)") }
      return prepared
    } catch let error as ScenarioError {
      guard let name = error.parameter else {
        throw PreparationError(kind: .settings, "scenarios.\(label): \(error.description)")
      }
      throw PreparationError(ScenarioParameter(label: label, name: name), error.description)
    } catch let error as DatasetError {
      if let name = error.parameter {
        throw PreparationError(ScenarioParameter(label: label, name: name), error.problem)
      }
      throw PreparationError(
        kind: error.kind == .missing ? .missing : .settings, "scenarios.\(label): \(error.description)")
    }
  }
}
