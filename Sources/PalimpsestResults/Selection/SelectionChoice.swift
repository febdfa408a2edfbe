import PalimpsestCore
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics

extension Tuning {
  /// Chooses for each cell the candidate with the best mean of the criterion over the tuning seeds; of equals the first.
  ///
  /// A candidate takes part where every one of its runs completed and has the criterion.
  public func choose(from results: Results) -> Selection {
    let trials = TrialResults(results)
    let chosen = cells.filter { !$0.trials.isEmpty }
    let sweeps = sweeps(chosen, trials)
    var selection = Selection(
      criterion: select.criterion.name, direction: select.criterion.direction, seeds: select.seeds,
      tasks: select.settings.tasks,
      cells: zip(chosen, sweeps).map { cell, sweep in
        var result = choose(cell, trials)
        result.sweep = sweep
        return result
      })
    selection.constraints = select.constraints
    return selection
  }

  /// For each cell what the experiment's own sweep set for it: columns that differ between cells of its scenario and strategy, and
  /// that no trial of it changes.
  private func sweeps(_ cells: [Cell], _ results: TrialResults) -> [JSONObject] {
    let ids = cells.map { plan.configurations[$0.trials].map { $0.identity.runID(seed: select.seeds[0]) } }
    let kin = Dictionary(grouping: cells.indices) { [cells[$0].base.scenarioLabel, cells[$0].base.strategyLabel] }
    var sweeps = Array(repeating: JSONObject(), count: cells.count)
    for places in kin.values {
      let tried = Set(places.flatMap { results.differingValues(of: ids[$0]).flatMap { $0.keys } })
      for (place, values) in zip(places, results.differingValues(of: places.map { ids[$0][0] })) {
        sweeps[place] = JSONObject(values.members.filter { !tried.contains($0.key) }.map { ($0.key, $0.value.value) })
      }
    }
    return sweeps
  }

  private func choose(_ cell: Cell, _ results: TrialResults) -> SelectionCell {
    let planned = plan.configurations[cell.trials]
    let ids = planned.map { trial in select.seeds.map { trial.identity.runID(seed: $0) } }
    let kind = results.kind(of: ids.joined())
    let values = results.differingValues(of: ids.map { $0[0] })
    let trials = zip(values, ids).map { values, ids in
      var trial = SelectionTrial(
        values: values, scores: ids.map { results.score(of: $0, select.criterion, kind) }, runIDs: ids)
      trial.breaks = select.constraints.compactMap { constraint in
        let mean = results.mean(of: constraint.name, ids, kind, plan.experiment.catalog)
        return constraint.holds(mean) ? nil : "\(constraint.name) \(mean.isFinite ? shortNumber(mean) : "not measured")"
      }
      return trial
    }
    var result = SelectionCell(
      scenario: cell.base.scenarioLabel, strategy: cell.base.strategyLabel, kind: kind,
      heldOut: planned.first?.resolved.evaluation.heldOut, trials: trials)
    result.chosen = SelectionCell.best(trials.map { $0.breaks.isEmpty ? $0.mean : .nan }, select.criterion.direction)
    if let index = result.chosen {
      result.unhelpful = planned[planned.startIndex + index].resolved.partsWithoutStrength
    }
    return result
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

  /// Mean over runs of a metric or cost; NaN where one of them has none.
  func mean(of name: String, _ ids: [String], _ kind: AccuracyKind, _ catalog: Catalog) -> Double {
    guard let metric = catalog.metrics.first(where: { $0.name == name }) else { return .nan }
    let marks = ids.first.flatMap { configurations[$0] }.map { ReadingMarks($0) } ?? ReadingMarks()
    return ids.reduce(0) { $0 + score(of: $1, marks.counted(metric), kind) } / Double(ids.count)
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
