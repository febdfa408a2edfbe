import Palimpsest

/// What `expand` shows of an experiment with a `select` block: its trials, and the runs that follow.
struct SelectExpansion {
  private struct Count {
    let configurations: Int
    let seeds: Int
    let done: Int

    var runs: Int { configurations * seeds }
  }

  private let experiment: Experiment
  private let trials: Count
  private let reported: Count

  /// - Parameter folder: where the results of the experiment itself lie.
  init(_ experiment: Experiment, _ stage: TuningStage, _ folder: ResultsFolder) throws {
    self.experiment = experiment
    let tried = Set(try JournalIndex(folder: stage.folder.journalFolder).entries.map(\.runID))
    let plan = stage.tuning.plan
    trials = Count(
      configurations: plan.configurations.count, seeds: plan.experiment.seeds.count,
      done: plan.runs.count { tried.contains($0.id) })
    let finished = Set(try JournalIndex(folder: folder.journalFolder).entries.map(\.runID))
    let planned = Files.exists(folder.planFile) ? try folder.plan().runs : []
    reported = Count(
      configurations: experiment.configurations.count, seeds: experiment.seeds.count,
      done: planned.count { finished.contains($0.id) })
  }

  var text: String {
    """
    trials: \(planLine(configurations: trials.configurations, seeds: trials.seeds)), \(trials.done) done
    then: \(planLine(configurations: reported.configurations, seeds: reported.seeds)), \(reported.done) done
    """
  }

  var json: JSONValue {
    func value(_ count: Count) -> JSONValue {
      [
        "configurations": JSONValue(count.configurations), "seeds": JSONValue(count.seeds),
        "runs": JSONValue(count.runs), "done": JSONValue(count.done),
      ]
    }
    return ["experiment": JSONValue(experiment.name), "trials": value(trials), "reported": value(reported)]
  }
}
