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
    let learning = try EvaluationWork(probes: "", leavesEvaluationOut: true)
    let entries = zip(Bench.probes.map(\.variant), works).map { (variant: $0, work: $1) }
    time(.evaluation, "16-8", unit: "runs/s", [("learning alone", learning)] + entries, report)
  }
}

/// Whole runs without the making of their data; a unit is a run.
private struct EvaluationWork: TimedWork {
  private let configuration: ResolvedConfiguration
  private let data: any DriftStream
  /// What a run itself says that evaluation took, by the clock on the wall, is taken off.
  private let leavesEvaluationOut: Bool

  init(probes: String, leavesEvaluationOut: Bool = false) throws {
    let text = """
      { "name": "bench", "scenarios": { "habit": { "name": "habit-phases", "calibration": "table", "jointCeiling": "none" } },
        "training": { "epochs": 20, "optimizer": { "name": "adam" } }, "strategies": { "naive": [] },
        "evaluation": { "probes": [\(probes)] } }
      """
    configuration = try Plan(Experiment.read(text, file: "bench")).configurations[0].resolved
    data = Run.data(of: try configuration.scenario.prepare(from: EmptyLibrary()), seed: 0)
    self.leavesEvaluationOut = leavesEvaluationOut
  }

  func seconds(for count: Int) -> Double {
    let start = ThreadClock.seconds
    var evaluation = 0.0
    for seed in 0..<count {
      var run = try? Run(configuration, data: data, seed: seed)
      evaluation += run?.execute().number("time_evaluate") ?? 0
    }
    return ThreadClock.seconds - start - (leavesEvaluationOut ? evaluation : 0)
  }
}
