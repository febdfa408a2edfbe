import Palimpsest

/// What `expand` shows of an experiment that selects hyper-parameters: the trials, then the runs that are reported.
struct SelectExpansion {
  private struct Stage {
    let summary: PlanSummary
    let seeds: [Int]
    /// Nil where none was asked for.
    let estimate: EstimateResult?

    init(_ summary: PlanSummary, seeds: [Int], jobs: Int?) throws {
      self.summary = summary
      self.seeds = seeds
      estimate = try jobs.map { try EstimateResult(summary, jobs: $0) }
    }

    var text: String {
      let line = planLine(configurations: summary.configurations, seeds: seeds.count)
      let count = "\(line) (\(seedWords(seeds))), \(summary.done) done"
      return estimate.map { count + "; " + $0.text } ?? count
    }

    var json: JSONValue {
      var object: JSONObject = [
        "configurations": JSONValue(summary.configurations), "seeds": JSONValue(seeds.count),
        "runs": JSONValue(summary.runs), "done": JSONValue(summary.done),
      ]
      if let estimate { object["estimate"] = estimate.json }
      return JSONValue(object)
    }
  }

  private let experiment: Experiment
  private let trials: Stage
  private let reported: Stage

  /// - Parameters:
  ///   - folder: where the results of the experiment itself lie.
  ///   - jobs: runs at a time, for an estimate; nil for none.
  init(_ experiment: Experiment, _ stage: TuningStage, _ folder: ResultsFolder, jobs: Int?) throws {
    self.experiment = experiment
    let plan = stage.tuning.plan
    let tried = PlanSummary(plan, finished: try stage.folder.finishedSeconds())
    trials = try Stage(tried, seeds: plan.experiment.seeds, jobs: jobs)
    let finished = try folder.finishedSeconds()
    let summary =
      try tried.toRun == 0 && stage.folder.hasPlan
      ? PlanSummary(try stage.chosenPlan(from: Results(stage.folder)), finished: finished)
      : try PlanSummary(experiment, finished: finished)
    reported = try Stage(summary, seeds: experiment.seeds, jobs: jobs)
  }

  var text: String { "trials: \(trials.text)\nthen: \(reported.text)" }

  var json: JSONValue {
    ["experiment": JSONValue(experiment.name), "trials": trials.json, "reported": reported.json]
  }
}
