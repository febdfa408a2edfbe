import PalimpsestCore
import PalimpsestMetrics
import PalimpsestScenarios

/// The runs from which a `select` block chooses, and what follows from them.
///
/// A cell is one configuration that the experiment would have without the block (scenario × strategy × sweep). Each cell
/// chooses for itself, among the configurations that ``Select/over`` makes of it.
public struct Tuning: Sendable {
  fileprivate struct Cell: Sendable {
    let base: Configuration
    let candidates: [Configuration]
    /// One a candidate, in the plan of the trials; none where there is nothing to choose.
    let trials: Range<Int>
  }

  public let experiment: Experiment
  public let select: Select
  /// The trials of all cells, on the tuning seeds.
  public let plan: Plan
  fileprivate let cells: [Cell]

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

  /// Chooses for each cell the candidate with the best mean of the criterion over the tuning seeds; of equals the first.
  ///
  /// A candidate takes part where every one of its runs completed and has the criterion.
  public func choose(from results: Results) -> Selection {
    let trials = TrialResults(results)
    return Selection(
      criterion: select.criterion.name, direction: select.criterion.direction, seeds: select.seeds,
      tasks: select.settings.tasks,
      cells: cells.filter { !$0.trials.isEmpty }.map { choose($0, trials) })
  }

  private func choose(_ cell: Cell, _ results: TrialResults) -> SelectionCell {
    let planned = plan.configurations[cell.trials]
    let ids = planned.map { trial in select.seeds.map { trial.identity.runID(seed: $0) } }
    let kind = results.kind(of: ids.joined())
    let values = results.differingValues(of: ids.map { $0[0] })
    let trials = zip(values, ids).map { values, ids in
      SelectionTrial(
        values: values, scores: ids.map { results.score(of: $0, select.criterion, kind) }, runIDs: ids)
    }
    var result = SelectionCell(
      scenario: cell.base.scenarioLabel, strategy: cell.base.strategyLabel, kind: kind,
      heldOut: planned.first?.resolved.evaluation.heldOut, trials: trials)
    result.chosen = SelectionCell.best(trials.map(\.mean), select.criterion.direction)
    if let index = result.chosen {
      result.unhelpful = planned[planned.startIndex + index].resolved.partsWithoutStrength
    }
    return result
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

/// What the runs of the trials measured, by run id.
private struct TrialResults {
  private let plan: StoredPlan
  private let records: [String: RunRecord]
  private let configurations: [String: StoredConfiguration]

  init(_ results: Results) {
    plan = results.plan
    records = Dictionary(
      results.rows.map { ($0.run.id, $0.entry.record) }, uniquingKeysWith: { first, _ in first })
    configurations = Dictionary(
      plan.configurations.map { ($0.runIDs.first ?? "", $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Noise-free where every completed run knows p*: all candidates of a cell are judged alike.
  func kind(of ids: some Sequence<String>) -> AccuracyKind {
    let completed = ids.compactMap { records[$0] }.filter { $0.status == .completed }
    return !completed.isEmpty && completed.allSatisfy { $0.expectedAccuracy != nil } ? .expected : .sampled
  }

  /// NaN where the run did not complete or does not have the metric.
  func score(of id: String, _ criterion: Metric, _ kind: AccuracyKind) -> Double {
    guard let record = records[id], record.status == .completed else { return .nan }
    return criterion.value(of: record, kind: kind).number
  }

  /// For each candidate, given by its run on the first seed, the hyper-parameters in which the candidates differ.
  func differingValues(of ids: [String]) -> [JSONObject] {
    let values = ids.map { configurations[$0]?.values }
    let differing = plan.columns.map(\.name).filter { name in
      values.contains { $0?[name] != values.first??[name] }
    }
    return values.map { values in
      JSONObject(differing.compactMap { name in values?[name].map { (name, $0) } })
    }
  }
}

extension ResolvedConfiguration {
  /// Penalties whose strength is 0: they do nothing.
  fileprivate var partsWithoutStrength: [String] {
    strategy.filter { part in
      part is any Penalty && part.parameters.contains { $0.name == "strength" && $0.value == .number("0") }
    }.map { type(of: $0).name }
  }
}

extension ResultsFolder {
  /// The results of the trials that go before these: `NAME.tuning.h5` and its folder.
  public var tuning: ResultsFolder { ResultsFolder(cube.dropLast(".h5".count) + ".tuning.h5") }
}
