import Palimpsest

/// What evaluation adds to a run.
extension Bench {
  private static let probes: [(variant: String, probes: String)] = [
    ("no probes", ""), ("calibration", #""calibration""#), ("flips", #""flips""#), ("slices", #""slices""#),
    ("units", #""units""#), ("similarity", #""similarity""#), ("fresh", #""fresh""#),
    ("all probes", #""calibration", "flips", "slices", "units", "similarity", "fresh""#),
  ]

  /// A naive run of `Experiments/quickstart.json`, its data made beforehand, with what `evaluation.probes` may ask for.
  func evaluation(_ report: (BenchLine) -> Void) throws {
    let works = try Bench.probes.map { try EvaluationWork(probes: $0.probes) }
    let entries = zip(Bench.probes.map(\.variant), works).map { (variant: $0, work: $1) }
    time(.evaluation, "16-8", unit: "runs/s", entries, report)
    time(.evaluation, "16-8", unit: "runs/s", [("judging alone", try JudgingWork(works[0].finishedRun()))], report)
  }
}

/// Whole runs without the making of their data; a unit is a run.
private struct EvaluationWork: TimedWork {
  private let configuration: ResolvedConfiguration
  private let data: any DriftStream

  init(probes: String) throws {
    let text = """
      { "name": "bench", "scenarios": { "habit": { "name": "habit-phases", "calibration": "table", "jointCeiling": "none" } },
        "training": { "epochs": 20, "optimizer": { "name": "adam" } }, "strategies": { "naive": [] },
        "evaluation": { "probes": [\(probes)] } }
      """
    configuration = try Plan(Experiment.read(text, file: "bench")).configurations[0].resolved
    data = Run.data(of: try configuration.scenario.prepare(from: EmptyLibrary()), seed: 0)
  }

  func seconds(for count: Int) -> Double {
    let start = ThreadClock.seconds
    for seed in 0..<count {
      var run = try? Run(configuration, data: data, seed: seed)
      _ = run?.execute()
    }
    return ThreadClock.seconds - start
  }

  func finishedRun() throws -> Run {
    var run = try Run(configuration, data: data, seed: 0)
    _ = run.execute()
    return run
  }
}

/// All that a run without probes evaluates: every task before the first and after each; a unit is a run's.
private struct JudgingWork: TimedWork {
  private let learner: any Learner
  private let tasks: Int
  private var evaluator: Evaluator

  init(_ run: Run) {
    (learner, tasks) = (run.learner, run.stream.experiences.count)
    evaluator = Evaluator(run.stream)
  }

  mutating func seconds(for count: Int) -> Double {
    let start = ThreadClock.seconds
    for _ in 0..<count * (tasks + 1) { for task in 0..<tasks { _ = evaluator.evaluate(learner, task: task) } }
    return ThreadClock.seconds - start
  }
}
