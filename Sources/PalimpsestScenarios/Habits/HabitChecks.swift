/// How many days of users may be asked for.
enum HabitSize {
  /// Days of one set of users at most: what fits in the memory of a laptop.
  private static let mostDays = 20_000_000

  /// - Throws: ``ScenarioError`` that names the parameter.
  static func check(_ parameter: String, _ users: Int, days: Int) throws(ScenarioError) {
    guard users * days > mostDays else { return }
    throw ScenarioError(
      parameter: parameter,
      "\(users) users × \(days) days are more than \(mostDays) days. Take fewer users or days.")
  }
}

extension HabitTargets {
  /// Targets count as met within this.
  static let slack = 0.01

  /// Judges targets before they are looked for. Together the two bounds keep the base rate away from the noise as well.
  /// - Throws: ``ScenarioError`` that names the parameter.
  func check(noise: Double) throws(ScenarioError) {
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

  /// Judges what calibration reached.
  /// - Parameter place: where, such as ` in phase "travel"`; may be empty.
  /// - Throws: ``ScenarioError`` for a target that is out of reach.
  func check(_ reached: HabitTargets, _ place: String = "") throws(ScenarioError) {
    if abs(reached.baseRate - baseRate) > HabitTargets.slack {
      throw ScenarioError(
        parameter: "baseRate", "\(baseRate) is out of reach\(place): \(reached.baseRate) at best.")
    }
    if abs(reached.bayesAccuracy - bayesAccuracy) > HabitTargets.slack {
      throw ScenarioError(
        parameter: "bayesAccuracy", "\(bayesAccuracy) is out of reach\(place): \(reached.bayesAccuracy) at best.")
    }
  }

  /// A probability without the digits that subtraction leaves behind.
  private func rounded(_ x: Double) -> Double { (x * 1e6).rounded() / 1e6 }
}
