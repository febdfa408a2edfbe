import ArgumentParser
import Palimpsest

/// `palimpsest expand FILE`.
struct ExpandCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "expand", abstract: "Count or list the runs of an experiment file, and those done already.")

  /// More are not listed without being asked twice.
  static let manyRuns = 100_000

  @Argument(help: "Experiment file; or the name of one in Experiments.") var file: String
  @Flag(help: "List every run.") var list = false
  @Flag(help: "Expand more than 100,000 runs too.") var yes = false
  @Option(help: "Results to look for finished runs in (default: results/NAME.h5).") var output: String?
  @OptionGroup var json: JSONOption

  func run() throws {
    let experiment = try ExperimentFile(file).experiment()
    let count = experiment.configurations.count * experiment.seeds.count
    if count > ExpandCommand.manyRuns && !yes {
      throw UsageError("\(file): these are \(count) runs. Pass --yes to expand more than \(ExpandCommand.manyRuns).")
    }
    let plan = try Plan(experiment)
    let finished = try Set(experiment.output(output).journal().entries.map(\.runID))
    let sweep = list ? DifferingSettings(StoredPlan(plan)).settings : []
    let expansion = Expansion(plan: plan, isListed: list, finished: finished, sweep: sweep)
    json.print(expansion.text, or: expansion.json)
  }
}

/// A plan as `expand` shows it.
private struct Expansion {
  let plan: Plan
  let isListed: Bool
  /// Ids of runs that the journal holds.
  let finished: Set<String>
  /// What the grid sets in each configuration; empty where runs are not listed.
  let sweep: [[(name: String, value: JSONValue)]]

  private var done: Int { plan.runs.count { finished.contains($0.id) } }

  var text: String {
    let summary = "\(plan.summary), \(done) done, \(plan.runs.count - done) to run"
    return isListed ? aligned([header] + plan.runs.map(cells), leftColumns: 7) + "\n\n" + summary : summary
  }

  private var header: [String] { ["run", "id", "scenario", "strategy", "sweep", "seed", "state"] }

  private func cells(_ run: PlannedRun) -> [String] {
    let configuration = plan.configurations[run.configuration].resolved
    return [
      String(run.index), run.id, configuration.scenarioLabel, configuration.strategyLabel,
      sweep[run.configuration].map { "\($0.name) = \($0.value.plainText)" }.joined(separator: ", "), String(run.seed),
      finished.contains(run.id) ? "done" : "to run",
    ]
  }

  var json: JSONValue {
    var object: JSONObject = [
      "experiment": JSONValue(plan.experiment.name), "configurations": JSONValue(plan.configurations.count),
      "seeds": JSONValue(plan.experiment.seeds.count), "runs": JSONValue(plan.runs.count), "done": JSONValue(done),
    ]
    if isListed { object["list"] = JSONValue(plan.runs.map(json)) }
    return JSONValue(object)
  }

  private func json(_ run: PlannedRun) -> JSONValue {
    let configuration = plan.configurations[run.configuration].resolved
    return [
      "index": JSONValue(run.index), "id": JSONValue(run.id), "scenario": JSONValue(configuration.scenarioLabel),
      "strategy": JSONValue(configuration.strategyLabel),
      "sweep": JSONValue(JSONObject(sweep[run.configuration].map { ($0.name, $0.value) })),
      "seed": JSONValue(run.seed), "done": JSONValue(finished.contains(run.id)),
    ]
  }
}
