import Foundation
import PalimpsestCore
import PalimpsestScenarios

/// What several tests of the domain scenarios ask for.
enum Domain {
  /// The same scenario with so many rows.
  static func sized<S: GeneratorScenario>(_ scenario: S, training: Int = 200, test: Int = 20_000) -> S {
    scenario.with { ($0.rowsPerTask, $0.testRows) = (training, test) }
  }

  /// Φ by the system's function: the scenarios have one of their own.
  static func normalArea(_ x: Double) -> Double { erfc(-x / 2.0.squareRoot()) / 2 }

  static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

  static func deviation(_ values: [Double]) -> Double {
    let middle = mean(values)
    return mean(values.map { ($0 - middle) * ($0 - middle) }).squareRoot()
  }

  /// What a perfect tracker forgets: mean over the tasks but the last of C_kk − C_Tk.
  static func trackerForgets(_ truth: ScenarioTruth) -> Double {
    let last = truth.bayesAccuracy.count - 1
    return mean((0..<last).map { truth.bayesAccuracy[$0] - truth.crossAccuracy[last][$0] })
  }

  static func trackerAccuracy(_ truth: ScenarioTruth) -> Double {
    mean(truth.crossAccuracy[truth.bayesAccuracy.count - 1])
  }

  static func bayes(_ truth: ScenarioTruth) -> Double { mean(truth.bayesAccuracy) }
}

extension Rows {
  /// p*(1 | x).
  var chances: [Double] { (truth ?? []).map(Double.init) }

  /// A column over all rows.
  func values(ofColumn place: Int) -> [Double] { inputRows.map { $0[place] } }

  /// Labels beside p* in ten groups of p*: Σ (Σ (y − p))² / Σ p (1 − p) over the groups has ten degrees of freedom; 35.6 is passed
  /// once in 10,000.
  var labelsExcess: Double {
    var groups = [(excess: Double, variance: Double)](repeating: (0, 0), count: 10)
    for (y, p) in zip(labels, chances) {
      let group = min(9, Int(p * 10))
      groups[group].excess += Double(y) - p
      groups[group].variance += p * (1 - p)
    }
    return groups.reduce(0) { $0 + ($1.variance > 0 ? $1.excess * $1.excess / $1.variance : 0) }
  }
}
