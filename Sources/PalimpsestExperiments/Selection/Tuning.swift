import PalimpsestMetrics
import PalimpsestScenarios

/// The runs from which a `select` block chooses, and what follows from them.
///
/// A cell is one configuration that the experiment would have without the block (scenario × strategy × sweep). Each cell
/// chooses for itself, among the configurations that ``Select/over`` makes of it.
public struct Tuning: Sendable {
  package struct Cell: Sendable {
    package let base: Configuration
    package let candidates: [Configuration]
    /// One a candidate, in the plan of the trials; none where there is nothing to choose.
    package let trials: Range<Int>
  }

  public let experiment: Experiment
  public let select: Select
  /// The trials of all cells, on the tuning seeds.
  public let plan: Plan
  package let cells: [Cell]

  /// - Throws: ``SelectError`` where the choice would not be fair, and an error where settings that were fine one by one
  ///   do not make a part.
  public init(_ experiment: Experiment, _ select: Select) throws {
    try select.check(in: experiment)
    self.experiment = experiment
    self.select = select
    var trials: [Configuration] = []
    let blocks = SweepByStrategy(select.over)
    cells = experiment.configurations.map { base in
      let candidates = blocks[base.strategyLabel].applied(to: base)
      let first = trials.count
      if candidates.count > 1 { trials += candidates.map { Tuning.trial($0, select, experiment.catalog) } }
      return Cell(base: base, candidates: candidates, trials: first..<trials.count)
    }
    var trialsOnly = experiment
    trialsOnly.name += ".tuning"
    trialsOnly.seeds = select.seeds
    trialsOnly.select = nil
    plan = try Plan(trialsOnly, configurations: trials)
  }

  /// `36 trials × 5 seeds = 180 runs`.
  public var summary: String {
    let (trials, seeds) = (plan.configurations.count, select.seeds.count)
    return "\(trials) trials × \(seeds) \(seeds == 1 ? "seed" : "seeds") = \(plan.runs.count) runs"
  }

  /// A candidate as it is tried: on the tasks and rows that the block allows.
  private static func trial(_ candidate: Configuration, _ select: Select, _ catalog: Catalog) -> Configuration {
    var trial = candidate
    if let tasks = select.settings.tasks { trial.training.given["tasks"] = tasks.parameterValue }
    let scenario = catalog.scenarios[candidate.scenario.name]
    if let share = scenario.flatMap({ select.settings.heldOut(for: $0) }) {
      trial.evaluation.given["heldOut"] = share.parameterValue
    }
    return trial
  }

  /// The runs that are reported: every cell with what was chosen for it. A cell for which nothing could be chosen is
  /// left out.
  public func plan(for selection: Selection) throws -> Plan {
    var chosen = selection.cells.map(\.chosen)[...]
    let configurations = cells.compactMap { cell -> Configuration? in
      guard !cell.trials.isEmpty else { return cell.candidates.first ?? cell.base }
      return chosen.removeFirst().map { cell.candidates[$0] }
    }
    return try Plan(experiment, configurations: configurations, selection: selection)
  }
}
