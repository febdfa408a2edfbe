import Palimpsest

/// Every chosen run of a plan, as `expand --list` shows it.
struct RunList {
  private let plan: Plan
  private let runs: [PlannedRun]
  /// What the sweep sets in each configuration.
  private let sweep: [[(name: String, value: JSONValue)]]
  private let finished: [String: Double]

  init(_ plan: Plan, _ selection: RunSelection, finished: [String: Double]) {
    self.plan = plan
    runs = plan.runs.filter { selection.selects($0, in: plan) }
    sweep = DifferingSettings(StoredPlan(plan)).settings
    self.finished = finished
  }

  var text: String {
    let header = ["run", "id", "scenario", "strategy", "sweep", "seed", "state"]
    return aligned([header] + runs.map(cells), leftColumns: 7)
  }

  private func cells(_ run: PlannedRun) -> [String] {
    let configuration = plan.configurations[run.configuration]
    return [
      String(run.index), run.id, configuration.scenarioLabel, configuration.strategyLabel,
      sweep[run.configuration].map { "\($0.name) = \($0.value.plainText)" }.joined(separator: ", "), String(run.seed),
      finished[run.id] == nil ? "to run" : "done",
    ]
  }

  var json: JSONValue { JSONValue(runs.map(json)) }

  private func json(_ run: PlannedRun) -> JSONValue {
    let configuration = plan.configurations[run.configuration]
    return [
      "index": JSONValue(run.index), "id": JSONValue(run.id), "scenario": JSONValue(configuration.scenarioLabel),
      "strategy": JSONValue(configuration.strategyLabel),
      "sweep": JSONValue(JSONObject(sweep[run.configuration].map { ($0.name, $0.value) })),
      "seed": JSONValue(run.seed), "done": JSONValue(finished[run.id] != nil),
    ]
  }
}
