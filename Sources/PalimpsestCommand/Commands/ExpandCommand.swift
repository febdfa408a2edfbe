import ArgumentParser
import Foundation
import Palimpsest

/// `palimpsest expand FILE`.
struct ExpandCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "expand",
    abstract: "Count or list the runs of an experiment file, and tell what is done and what it takes.",
    discussion: """
      Time and memory are estimated for this machine: by finished runs where the results hold some, else by the first \
      steps of one run of each scenario and strategy. Of an experiment with a "select" block the trials and the runs \
      after them are counted and estimated one after the other; what is chosen is known only once the trials are done.
      """)

  /// More are not expanded without being asked twice.
  static let manyRuns = 100_000

  @Argument(help: "Experiment file; or the name of one in Experiments.") var file: String
  @OptionGroup var changes: ExperimentOptions
  @OptionGroup var selection: SelectionOptions
  @Flag(help: "List every run.") var list = false
  @Flag(help: "Expand more than 100,000 runs too.") var yes = false
  @Flag(inversion: .prefixedNo, help: "Estimate time and memory.") var estimate = true
  @Option(help: "Runs at a time, for the estimate.") var jobs = ProcessInfo.processInfo.activeProcessorCount
  @Option(help: "Results to look for finished runs in (default: results/NAME.h5).") var output: String?
  @OptionGroup var json: JSONOption

  func validate() throws {
    try OptionChecks.jobs(jobs)
  }

  func run() throws {
    let source = try ExperimentFile(file)
    let experiment = try changes.experiment(source)
    if experiment.runCount > ExpandCommand.manyRuns && !yes {
      throw UsageError(
        "\(file): these are \(experiment.runCount) runs. Pass --yes to expand more than \(ExpandCommand.manyRuns).")
    }
    let chosen = try selection.selection(experiment)
    let folder = try experiment.output(output)
    experiment.warnings(file: source.path, library: .standard()).show()
    if let stage = try TuningStage(experiment, beside: folder) {
      let expansion = try SelectExpansion(experiment, stage, folder, jobs: estimate ? jobs : nil)
      return json.print(expansion.text, or: expansion.json)
    }
    let finished = try folder.finishedSeconds()
    let summary = try PlanSummary(experiment, chosen, finished: finished)
    let expansion = Expansion(
      experiment: experiment, summary: summary, estimate: estimate ? try EstimateResult(summary, jobs: jobs) : nil,
      list: list ? try RunList(Plan(experiment), chosen, finished: finished) : nil)
    json.print(expansion.text, or: expansion.json)
  }
}

/// What `expand` shows.
private struct Expansion {
  let experiment: Experiment
  let summary: PlanSummary
  /// Nil where none was asked for.
  let estimate: EstimateResult?
  let list: RunList?

  // MARK: - Text

  var text: String {
    let last = estimate.map { summaryLine + "\n" + $0.text } ?? summaryLine
    return [list?.text ?? table, last].joined(separator: "\n\n")
  }

  private var table: String {
    let header = ["scenario", "strategy", "configurations", "seeds", "runs", "done", "to run"]
    let rows = summary.pairs.map { pair in
      [pair.scenario, pair.strategy]
        + [pair.configurations, pair.runs / max(pair.configurations, 1), pair.runs, pair.done, pair.runs - pair.done]
        .map(String.init)
    }
    return aligned([header] + rows, leftColumns: 2)
  }

  private var summaryLine: String {
    let whole = planLine(configurations: summary.configurations, seeds: experiment.seeds.count)
    let chosen = summary.chosen < summary.runs ? "; chosen: \(counted(summary.chosen, "run"))" : ""
    return "\(whole)\(chosen), \(summary.done) done, \(summary.toRun) to run"
  }

  // MARK: - JSON

  var json: JSONValue {
    var object: JSONObject = [
      "experiment": JSONValue(experiment.name), "configurations": JSONValue(summary.configurations),
      "seeds": JSONValue(experiment.seeds.count), "runs": JSONValue(summary.runs),
      "chosen": JSONValue(summary.chosen), "done": JSONValue(summary.done), "toRun": JSONValue(summary.toRun),
      "pairs": JSONValue(summary.pairs.map(json)),
    ]
    if let estimate { object["estimate"] = estimate.json }
    if let list { object["list"] = list.json }
    return JSONValue(object)
  }

  private func json(_ pair: PlanSummary.Pair) -> JSONValue {
    [
      "scenario": JSONValue(pair.scenario), "strategy": JSONValue(pair.strategy),
      "configurations": JSONValue(pair.configurations), "runs": JSONValue(pair.runs), "done": JSONValue(pair.done),
    ]
  }
}

/// `1 run`, `2 runs`.
func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }

/// `16 configurations × 10 seeds = 160 runs`.
func planLine(configurations: Int, seeds: Int) -> String {
  "\(counted(configurations, "configuration")) × \(counted(seeds, "seed")) = \(counted(configurations * seeds, "run"))"
}
