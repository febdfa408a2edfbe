import ArgumentParser
import Palimpsest

/// Changes to an experiment from the command line.
struct ExperimentOptions: ParsableArguments {
  @Option(
    name: .customLong("set"),
    help: "Give a parameter another value: training.epochs=5. The value is JSON or a bare word; name=… renames.")
  var sets: [String] = []
  @Option(help: "One more axis of the sweep: strategies.ewc.ewc.strength=1,10,100.") var over: [String] = []
  @Option(help: "Seeds in place of the file's: a count, 100..109, or 1,2,7.") var seeds: String?

  /// The experiment of a file, changed.
  /// - Throws: ``Problems`` with everything that is wrong, in the file or in the changes.
  func experiment(_ file: ExperimentFile) throws -> Experiment {
    try file.experiment().overridden(by: Overrides(set: sets, over: over, seeds: seeds))
  }
}

/// Which of a plan's runs a call is about.
struct SelectionOptions: ParsableArguments {
  @Option(help: "Only these runs, this time: strategy=ewc,si or scenario=… or seed=100..104.") var only: [String] = []
  @Option(help: "Begin no more runs than that.") var limit: Int?

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit: \(limit) runs are too few; at least 1.") }
  }

  /// - Throws: ``Problems`` for labels and seeds that the experiment does not have.
  func selection(_ experiment: Experiment) throws -> RunSelection {
    try RunSelection(only: only, limit: limit, in: experiment)
  }
}
