import PalimpsestCore

/// The laws of a scenario's tasks: dosed, and calibrated.
struct HabitLawSolver {
  private let settings: HabitPhases
  private let targets: HabitTargets
  /// The different phases of the tasks.
  private let phases: [Int]

  /// A distance counts as reached within this.
  private static let distanceSlack = 0.0005
  /// Doses between which and 0 an asked distance is looked for.
  private static let upperDoses = [1.0, 4.0]

  init(_ settings: HabitPhases) {
    self.settings = settings
    targets = HabitTargets(baseRate: settings.baseRate, bayesAccuracy: settings.bayesAccuracy)
    phases = Set(settings.phases).sorted()
  }

  /// One law a task.
  /// - Throws: ``ScenarioError`` where a target is out of reach.
  func laws() throws -> [HabitLaw] {
    let byPhase: [Int: HabitLaw]
    if settings.calibration == .table {
      byPhase = start(dose: 1)
    } else if let distance = settings.driftTV {
      byPhase = try solve(distance)
    } else {
      byPhase = try calibrated(start(dose: settings.dose))
    }
    return settings.phases.compactMap { byPhase[$0] }
  }

  /// The phases' laws at a dose, with b0 and γ of other laws or of the table.
  private func start(dose: Double, near: [Int: HabitLaw] = [:]) -> [Int: HabitLaw] {
    let mean = HabitWeights.mean(HabitPhase.all.map(\.weights))
    return byPhase { phase in
      let own = HabitPhase.all[phase]
      var weights = own.weights.at(dose: dose, around: mean)
      if settings.features == .five {
        weights.weekend = 0
        weights.gap = 0
      }
      let table = settings.context == .visible ? own.visibleTable : own.hiddenTable
      return HabitLaw(
        weights, intercept: near[phase]?.intercept ?? table.intercept,
        steepness: near[phase]?.steepness ?? table.steepness, noise: settings.noise)
    }
  }

  private func calibrated(_ laws: [Int: HabitLaw]) throws -> [Int: HabitLaw] {
    try byPhase { phase in
      guard let law = laws[phase] else { return nil }
      let calibration = HabitCalibration(
        law, settings.conduct(phase), users: settings.calibrationUsers, burnIn: settings.burnIn, days: settings.days)
      let solved = calibration.solve(for: targets, from: law)
      try targets.check(calibration.means(solved), " in phase \"\(HabitPhase.all[phase].name)\"")
      return solved
    }
  }

  /// The calibrated laws at the dose whose mean distance is the one asked for: by false position, where an end that stays
  /// counts half the next time (the Illinois rule). At dose 0 the distance is 0.
  private func solve(_ distance: Double) throws -> [Int: HabitLaw] {
    var (low, high) = ((dose: 0.0, excess: -distance), try upperEnd(distance))
    var laws = high.laws
    var wasBelow: Bool?
    for _ in 0..<40 {
      let share = -low.excess / (high.excess - low.excess)
      let dose = low.dose + share * (high.dose - low.dose)
      laws = try calibrated(start(dose: dose, near: laws))
      let excess = meanDistance(laws) - distance
      if abs(excess) < HabitLawSolver.distanceSlack { break }
      let isBelow = excess < 0
      if isBelow { low = (dose, excess) } else { high = (dose, excess, laws) }
      if isBelow == wasBelow { if isBelow { high.excess /= 2 } else { low.excess /= 2 } }
      wasBelow = isBelow
    }
    try check(laws, reach: distance)
    return laws
  }

  /// Where the context is visible each phase is calibrated over people of its own, so that laws with equal weights differ in b0
  /// and γ: less than their distance cannot be had.
  private func check(_ laws: [Int: HabitLaw], reach distance: Double) throws {
    guard abs(meanDistance(laws) - distance) > HabitTargets.slack else { return }
    let least = meanDistance(try calibrated(start(dose: 0, near: laws)))
    throw ScenarioError(
      parameter: "driftTV",
      "\(distance) is out of reach: the phases' laws lie at least \((least * 1000).rounded() / 1000) apart on average.")
  }

  /// A dose at which the laws lie further apart than asked: the table's own, else the largest one looked at.
  private func upperEnd(_ distance: Double) throws -> (dose: Double, excess: Double, laws: [Int: HabitLaw]) {
    var laws: [Int: HabitLaw] = [:]
    var most = 0.0
    for dose in HabitLawSolver.upperDoses {
      laws = try calibrated(start(dose: dose))
      most = meanDistance(laws)
      if most > distance { return (dose, most - distance, laws) }
    }
    let digits = (most * 1000).rounded() / 1000
    throw ScenarioError(
      parameter: "driftTV", "\(distance) is out of reach: the phases' laws lie at most \(digits) apart on average.")
  }

  /// Mean total variation over all ordered pairs of different phases.
  private func meanDistance(_ laws: [Int: HabitLaw]) -> Double {
    let course = HabitCourse(settings.naming(phases), phases.compactMap { laws[$0] })
    let oracles = HabitOracles(course.laws, course.calibrationRows(users: 200, "habit-distance"))
    return oracles.meanTotalVariation
  }

  private func byPhase(_ make: (Int) throws -> HabitLaw?) rethrows -> [Int: HabitLaw] {
    var result: [Int: HabitLaw] = [:]
    for phase in phases { result[phase] = try make(phase) }
    return result
  }
}

extension HabitPhases {
  /// The same scenario with other tasks.
  func naming(_ phases: [Int]) -> HabitPhases {
    var copy = self
    copy.phases = phases
    return copy
  }
}
