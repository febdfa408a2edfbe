/// Settings that contradict each other.
extension HabitPhases {
  /// - Throws: ``ScenarioError`` that names the parameter to change.
  public func check() throws(ScenarioError) {
    try HabitSize.check("users", users, days: burnIn + days)
    try HabitSize.check("testUsers", testUsers, days: burnIn + days)
    try HabitSize.check("calibrationUsers", calibrationUsers, days: burnIn + days)
    try HabitTargets(baseRate: baseRate, bayesAccuracy: bayesAccuracy).check(noise: noise)
    try checkDose()
    if calibration == .table { try checkTable() }
    try operators.check(columnNames, taskCount: phases.count)
    try composition.check(
      [Int](repeating: users * days, count: phases.count), toldIdentity, obstacle: HabitPhases.obstacle)
  }

  private func checkDose() throws(ScenarioError) {
    guard driftTV != nil else { return }
    if dose != 1 {
      throw ScenarioError(
        parameter: "dose", "\(dose) is given beside driftTV, which solves the dose. Keep one of them.")
    }
    if Set(phases).count < 2 {
      throw ScenarioError(
        parameter: "driftTV", "it is the mean distance between different phases, and phases names only one.")
    }
  }

  /// The table holds for the laws and targets it was solved for.
  private func checkTable() throws(ScenarioError) {
    let others: [(name: String, isChanged: Bool, value: String)] = [
      ("dose", dose != 1, "1"), ("driftTV", driftTV != nil, "null"), ("baseRate", baseRate != 0.5, "0.5"),
      ("bayesAccuracy", bayesAccuracy != 0.86, "0.86"), ("noise", noise != 0.02, "0.02"),
      ("features", features != .ten, "\"ten\""),
    ]
    for other in others where other.isChanged {
      throw ScenarioError(
        parameter: "calibration",
        "\"table\" holds for \(other.name) \(other.value) only. Take \"bisection\", or leave \(other.name) out.")
    }
  }
}
