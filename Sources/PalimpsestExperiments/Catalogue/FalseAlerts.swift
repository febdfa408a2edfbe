import PalimpsestCore
import PalimpsestMetrics
import PalimpsestScenarios

/// What a camera's detector costs its owner: alerts for nothing, where it finds 95 of 100 persons.
extension Probe {
  static let falseAlerts = Probe(.falseAlerts, of: CameraAlerts.self) { run in
    Reading(AlertScores.falseAlerts(run))
  }

  static let falseAlertsMean = Probe(.falseAlertsMean, of: CameraAlerts.self) { run in
    let alerts = AlertScores.falseAlerts(run)
    return Reading(alerts.reduce(0, +) / Double(alerts.count))
  }
}

extension Measure {
  static let falseAlerts = Measure(
    "false_alerts", "False alerts a day where 95 % of persons are found", unit: "day-1",
    definition:
      "140 nuisances a day times the share of task j's whose logit is above the 5 % quantile of its persons', after task i",
    direction: .lower, along: [.afterTask, .task])

  static let falseAlertsMean = Measure(
    "false_alerts_mean", "False alerts a day where 95 % of persons are found, all tasks learned", unit: "day-1",
    definition: "mean over tasks of the last row of false_alerts", direction: .lower)
}

/// Logits of a task's test rows, persons' apart from nuisances'.
package struct AlertScores {
  /// Of 200 blobs a day.
  private static let nuisancesADay = 140.0
  private static let missed = 0.05

  package var persons: [Float] = []
  package var nuisances: [Float] = []

  package init() {}

  /// One a task.
  static func falseAlerts(_ run: RunView) -> [Double] {
    run.tasks.map { AlertScores(run, task: $0.index).falseAlerts }
  }

  private init(_ run: RunView, task: Int) {
    let set = run.evaluationSet(for: task)
    let block = 4096
    var batch = Batch(columns: set.rows.columns)
    for first in stride(from: 0, to: set.rows.count, by: block) {
      let range = first..<min(first + block, set.rows.count)
      batch.fill(set.rows, range: range)
      let logits = run.learner.predict(batch.inputs, knowing: set.knownExperience)
      for row in range {
        let logit = logits[row - first, 0]
        if set.rows.labels[row] == 1 { persons.append(logit) } else { nuisances.append(logit) }
      }
    }
  }

  /// Not a number without persons or nuisances, or with a logit that is none.
  package var falseAlerts: Double {
    guard !persons.isEmpty && !nuisances.isEmpty && (persons + nuisances).allSatisfy(\.isFinite) else { return .nan }
    let threshold = quantile(persons.sorted().map(Double.init), AlertScores.missed) ?? .nan
    let above = nuisances.count { Double($0) > threshold }
    return AlertScores.nuisancesADay * Double(above) / Double(nuisances.count)
  }
}
