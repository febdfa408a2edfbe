import PalimpsestCore
import PalimpsestScenarios

/// Scenarios that several tests look at, made once.
enum Habit {
  /// 5,000 test users a phase: the base rate of such a sample varies by about .003.
  static let visible = large { $0.testUsers = 5000 }
  static let hidden = large {
    $0.testUsers = 5000
    $0.context = .hidden
  }
  static let visibleTable = large { $0.calibration = .table }
  static let hiddenTable = large {
    $0.context = .hidden
    $0.calibration = .table
  }

  static func large(_ change: (inout HabitPhases) -> Void) -> HabitStream? {
    try? course {
      $0.testUsers = 1500
      $0.users = 1
      change(&$0)
    }.makeHabitStream(seed: Seed(2026))
  }

  /// A calibrated scenario without the estimate of J*.
  static func course(_ change: (inout HabitPhases) -> Void = { _ in }) throws -> HabitCourse {
    var settings = HabitPhases()
    settings.jointCeiling = .none
    change(&settings)
    return try settings.calibrated()
  }

  /// A small course whose laws need no solving.
  static func small(_ change: (inout HabitPhases) -> Void = { _ in }) throws -> HabitCourse {
    try course {
      $0.calibration = .table
      $0.users = 3
      $0.testUsers = 4
      change(&$0)
    }
  }
}

extension Rows {
  /// One column of all rows.
  func column(_ c: Int) -> [Float] {
    let inputs = batch.inputs
    return (0..<count).map { inputs[$0, c] }
  }
}

extension ScenarioTruth {
  /// mean_{k<T} (C_kk − C_Tk): what a perfect tracker forgets.
  var trackerForgetting: Double {
    let last = crossAccuracy.count - 1
    return (0..<last).reduce(0) { $0 + crossAccuracy[$1][$1] - crossAccuracy[last][$1] } / Double(last)
  }

  /// Mean of a matrix over all ordered pairs of different tasks.
  func mean(_ matrix: [[Double]]) -> Double {
    var sum = 0.0
    for j in matrix.indices { for k in matrix.indices where j != k { sum += matrix[j][k] } }
    return sum / Double(matrix.count * (matrix.count - 1))
  }
}

func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
