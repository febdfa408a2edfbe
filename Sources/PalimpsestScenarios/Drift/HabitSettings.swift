/// Settings that contradict each other.
extension HabitPhases {
  /// Rows of one set at most: what fits in the memory of a laptop.
  private static let mostRows = 20_000_000

  /// - Throws: ``ScenarioError`` that names the parameter to change.
  public func check() throws(ScenarioError) {
    try checkSize("users", users)
    try checkSize("testUsers", testUsers)
    try checkSize("calibrationUsers", calibrationUsers)
    try checkTargets()
    try checkDose()
    if calibration == .table { try checkTable() }
  }

  private func checkSize(_ name: String, _ count: Int) throws(ScenarioError) {
    guard count * (burnIn + days) > HabitPhases.mostRows else { return }
    throw ScenarioError(
      parameter: name,
      "\(count) users × \(burnIn + days) days are more than \(HabitPhases.mostRows) days. Take fewer users or days.")
  }

  /// Together the two bounds keep the base rate away from the noise as well.
  private func checkTargets() throws(ScenarioError) {
    if bayesAccuracy >= 1 - noise {
      throw ScenarioError(
        parameter: "bayesAccuracy",
        "\(bayesAccuracy) cannot be reached with noise \(noise). It must be below 1 − noise = \(rounded(1 - noise)).")
    }
    let majority = max(baseRate, 1 - baseRate)
    if bayesAccuracy <= majority {
      throw ScenarioError(
        parameter: "bayesAccuracy",
        "\(bayesAccuracy) is no more than always answering alike gives at base rate \(baseRate). "
          + "It must be above \(rounded(majority)).")
    }
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

  /// A probability without the digits that subtraction leaves behind.
  private func rounded(_ x: Double) -> Double { (x * 1e6).rounded() / 1e6 }
}
