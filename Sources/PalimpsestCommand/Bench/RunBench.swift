import Foundation
import Palimpsest
import Synchronization

/// Whole runs: data, training, evaluation.
extension Bench {
  private static let habitExperiment = """
    { "name": "bench", "scenarios": { "habit": { "name": "habit-phases", "calibration": "table", "jointCeiling": "none" } },
      "training": { "epochs": 20, "optimizer": { "name": "adam" } },
      "strategies": {
        "naive": [], "replay": [{ "name": "reservoir" }], "ewc": [{ "name": "ewc" }], "si": [{ "name": "si" }],
        "adapters": [{ "name": "adapters" }], "scratch": [{ "name": "scratch" }], "joint": [{ "name": "joint" }],
        "ewc+replay": [{ "name": "ewc" }, { "name": "reservoir" }] } }
    """

  private static let imagesExperiment = """
    { "name": "bench", "scenarios": { "images": { "name": "permuted", "dataset": "mnist", "tasks": 10 } },
      "model": { "hidden": [256, 256] }, "training": { "batch": 128, "optimizer": { "name": "adam" } },
      "strategies": {
        "naive": [], "replay": [{ "name": "reservoir" }], "ewc": [{ "name": "ewc" }], "si": [{ "name": "si" }] } }
    """

  func habit(_ report: (BenchLine) -> Void) throws {
    let runs = try BenchRuns(Bench.habitExperiment)
    time(.habit, unit: "runs/s", runs.works, report)
    time(.habit, unit: "runs/s", [("data of a run", StreamWork(runs.plan[0].scenario))], report)
  }

  /// A run takes long, so each method has one.
  func images(_ report: (BenchLine) -> Void) throws {
    guard let runs = try? BenchRuns(Bench.imagesExperiment) else { return }
    for (variant, work) in runs.works {
      let rates = Rates([60 / work.seconds(for: 1)])
      report(BenchLine(section: "images", variant: variant, unit: "runs/min", rates: rates))
    }
  }

  /// The habit runs, so many at a time, by the clock on the wall.
  func jobs(_ report: (BenchLine) -> Void) async throws {
    let runs = try BenchRuns(Bench.habitExperiment)
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let counts = (0...).lazy.map { 1 << $0 }.prefix { $0 < cores } + [cores]
    var rates = counts.map { _ in [Double]() }
    for _ in 0..<repeats {
      for (i, jobs) in counts.enumerated() { rates[i].append(await runs.rate(jobs: jobs)) }
    }
    for (i, jobs) in counts.enumerated() {
      report(
        BenchLine(
          section: "jobs", variant: "\(jobs) at a time", unit: "runs/s", rates: Rates(rates[i]), clock: "wall"))
    }
  }
}

/// The runs of a small experiment without a sweep, one a strategy.
private struct BenchRuns {
  let plan: [(configuration: ResolvedConfiguration, scenario: any PreparedScenario)]

  /// - Throws: where the data are not there.
  init(_ text: String) throws {
    let plan = try Plan(Experiment.read(text, file: "bench"))
    let library = DatasetFolder.standard()
    self.plan = try plan.configurations.map { ($0.resolved, try $0.resolved.scenario.prepare(from: library)) }
  }

  var works: [(variant: String, work: RunWork)] {
    plan.map { ($0.configuration.strategyLabel, RunWork(configuration: $0.configuration, scenario: $0.scenario)) }
  }

  /// Runs a second, each strategy with eight seeds; those of a seed share their data, as in a sweep.
  func rate(jobs: Int) async -> Double {
    let next = Atomic(0)
    let works = works
    let streams = SharedStreams(workers: jobs)
    let start = ContinuousClock.now
    await Workers.run(jobs) { _ in
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < 8 * works.count else { return }
        let (seed, work) = (index / works.count, works[index % works.count].work)
        work.run(seed: seed, streams.stream(scenario: 0, seed: seed) { Run.data(of: work.scenario, seed: seed) })
      }
    }
    return Double(8 * works.count) / ((ContinuousClock.now - start) / .seconds(1))
  }
}

private struct RunWork: TimedWork, Sendable {
  let configuration: ResolvedConfiguration
  let scenario: any PreparedScenario

  func run(seed: Int, _ data: any DriftStream) {
    var run = try? Run(configuration, data: data, seed: seed)
    _ = run?.execute()
  }

  func seconds(for count: Int) -> Double {
    let start = ThreadClock.seconds
    for seed in 0..<count { run(seed: seed, Run.data(of: scenario, seed: seed)) }
    return ThreadClock.seconds - start
  }
}

/// The data of a run alone.
private struct StreamWork: TimedWork {
  let scenario: any PreparedScenario

  init(_ scenario: any PreparedScenario) { self.scenario = scenario }

  func seconds(for count: Int) -> Double {
    let start = ThreadClock.seconds
    for seed in 0..<count { _ = scenario.makeStream(seed: Seed(UInt64(seed))) }
    return ThreadClock.seconds - start
  }
}
