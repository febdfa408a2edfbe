import Palimpsest

/// What goes before the runs of an experiment with a `select` block: its trials, run in results of their own, and the
/// choice among them.
struct TuningStage {
  let tuning: Tuning
  /// Where the trials' results lie.
  let folder: ResultsFolder

  /// - Parameter results: where the results of the experiment itself lie.
  /// - Returns: nil where the experiment selects nothing.
  init?(_ experiment: Experiment, beside results: ResultsFolder) throws {
    guard let select = experiment.select else { return nil }
    tuning = try Tuning(experiment, select)
    folder = results.tuning
  }

  /// The runs that are reported, once every trial has ended.
  func chosenPlan(from trials: Results) throws -> Plan {
    let missing = trials.plan.runCount - trials.rows.count
    guard missing == 0 else {
      StandardError.write(
        "tuning: \(missing) of \(trials.plan.runCount) trials have not run; run again without --only")
      throw End(.unfinished)
    }
    return try tuning.plan(for: tuning.choose(from: trials))
  }
}

extension Selection {
  /// True where nothing could be chosen for some strategy.
  var hasGaps: Bool { cells.contains { $0.chosen == nil } }
}
