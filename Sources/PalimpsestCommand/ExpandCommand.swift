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
      after them are counted; what will run is known only once the trials are done.
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
    if jobs < 1 { throw ValidationError("--jobs: \(jobs) runs at a time are too few; at least 1.") }
  }

  func run() throws {
    let experiment = try changes.experiment(ExperimentFile(file))
    if experiment.runCount > ExpandCommand.manyRuns && !yes {
      throw UsageError(
        "\(file): these are \(experiment.runCount) runs. Pass --yes to expand more than \(ExpandCommand.manyRuns).")
    }
    let chosen = try selection.selection(experiment)
    let folder = experiment.output(output)
    if let stage = try TuningStage(experiment, beside: folder) {
      let expansion = try SelectExpansion(experiment, stage, folder)
      return json.print(expansion.text, or: expansion.json)
    }
    let finished = try folder.finishedSeconds()
    let summary = try PlanSummary(experiment, chosen, finished: finished)
    let expansion = Expansion(
      experiment: experiment, summary: summary, estimate: estimate ? EstimateResult(summary, jobs: jobs) : nil,
      list: list ? try RunList(Plan(experiment), chosen, finished: finished) : nil)
    json.print(expansion.text, or: expansion.json)
  }
}

extension ResultsFolder {
  /// Seconds of the runs the journal holds, by id; NaN where a run did not complete.
  fileprivate func finishedSeconds() throws -> [String: Double] {
    Dictionary(
      try journal().entries.map { ($0.runID, $0.record.status == .completed ? $0.record.cost.timeTotal : .nan) }
    ) { first, _ in first }
  }
}

/// An estimate, or why there is none.
private enum EstimateResult {
  case estimate(Estimate)
  case none(String)

  init(_ summary: PlanSummary, jobs: Int) {
    do {
      self = .estimate(
        try Estimate(summary, PalimpsestTool.catalog, library: DatasetFolder.standard(), jobs: jobs))
    } catch {
      self = .none(String(describing: error))
    }
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
    let last = estimate.map { summaryLine + "\n" + line($0) } ?? summaryLine
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

  private func line(_ result: EstimateResult) -> String {
    switch result {
    case .none(let reason): "no estimate: " + reason
    case .estimate(let estimate) where estimate.runsLeft == 0: "nothing is left to run"
    case .estimate(let estimate):
      "about \(duration(estimate.seconds)) and \(estimate.bytes >> 20) MiB with --jobs \(estimate.jobs), "
        + estimate.basisText
    }
  }

  // MARK: - JSON

  var json: JSONValue {
    var object: JSONObject = [
      "experiment": JSONValue(experiment.name), "configurations": JSONValue(summary.configurations),
      "seeds": JSONValue(experiment.seeds.count), "runs": JSONValue(summary.runs),
      "chosen": JSONValue(summary.chosen), "done": JSONValue(summary.done), "toRun": JSONValue(summary.toRun),
      "pairs": JSONValue(summary.pairs.map(json)),
    ]
    switch estimate {
    case .estimate(let estimate)?: object["estimate"] = estimate.json
    case .none(let reason)?: object["estimate"] = ["problem": JSONValue(reason)]
    case nil: break
    }
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
private func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }

/// `16 configurations × 10 seeds = 160 runs`.
func planLine(configurations: Int, seeds: Int) -> String {
  "\(counted(configurations, "configuration")) × \(counted(seeds, "seed")) = \(counted(configurations * seeds, "run"))"
}

extension Estimate {
  /// What the numbers rest on.
  fileprivate var basisText: String {
    let finished = pairs.count { if case .finished = $0.basis { true } else { false } }
    let probed = pairs.count { if case .probe = $0.basis { true } else { false } }
    let others = pairs.count - finished - probed
    var words: [String] = []
    if finished > 0 { words.append("\(finished) by finished runs") }
    if probed > 0 { words.append("\(probed) by the first steps of a run") }
    if others > 0 { words.append("\(others) taken to be like those") }
    return "judged from " + counted(pairs.count, "pair") + " of scenario and strategy: " + words.joined(separator: ", ")
  }

  fileprivate var json: JSONValue {
    [
      "seconds": JSONValue(seconds), "bytes": JSONValue(bytes), "jobs": JSONValue(jobs),
      "pairs": JSONValue(
        pairs.map { pair in
          [
            "scenario": JSONValue(pair.scenario), "strategy": JSONValue(pair.strategy),
            "secondsPerRun": JSONValue(pair.secondsPerRun), "basis": JSONValue(pair.basis.word),
          ]
        }),
    ]
  }
}

extension Estimate.Basis {
  fileprivate var word: String {
    switch self {
    case .finished: "finished"
    case .probe: "probe"
    case .others: "others"
    }
  }
}
