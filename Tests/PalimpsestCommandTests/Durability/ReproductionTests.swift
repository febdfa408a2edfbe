import Foundation
import Palimpsest
import PalimpsestTesting
import Testing

/// Numbers that others have published, from the experiment files a user would run. Cells and tolerances: their papers.
@Suite(.enabled(if: Tier.slow, "slow: PALIMPSEST_TIER=slow runs it"), .serialized)
struct ReproductionTests {
  private static let folders =
    ProcessInfo.processInfo.environment["PALIMPSEST_DATASETS"] ?? "\(Tool.root)/datasets:\(Tool.root)/../shared/data"
  private static let library = DatasetFolder.standard(environment: ["PALIMPSEST_DATASETS": folders])
  private static let hasMNIST = (try? library.dataset(named: "mnist")) != nil
  private static let hasLetters = (try? library.dataset(named: "letter-recognition")) != nil
  private static let hasDigits = (try? library.dataset(named: "digits8x8")) != nil
  /// Without a `dataset.json`: its last column is called "class".
  private static let elec2 = folders.split(separator: ":").map { "\($0)/elec2/elec.csv.gz" }.first(where: Files.exists)

  /// All completed runs of an experiment file, by strategy label.
  private func run(_ name: String) async throws -> [String: [RunRecord]] {
    try await run(Experiment.read(try Files.read(Tool.experiment(name + ".json")), file: name))
  }

  private func run(
    _ experiment: Experiment, _ library: DatasetFolder = ReproductionTests.library
  ) async throws -> [String: [RunRecord]] {
    let tool = try Tool()
    let output = ResultsFolder(tool.folder + "/r")
    let runner = Runner(
      try Plan(experiment), output: output, library: library, jobs: ProcessInfo.processInfo.activeProcessorCount)
    _ = try await runner.run { _ in }
    let results = try Results(output)
    return Dictionary(
      grouping: results.rows, by: { results.plan.configurations[$0.run.configuration].strategy }
    ).mapValues { rows in rows.map(\.entry.record) }
  }

  private func mean(
    _ records: [RunRecord]?, _ metric: String = "average_accuracy", _ kind: AccuracyKind = .sampled
  ) throws -> Double {
    let metric = try #require(standardMetrics.first { $0.name == metric })
    let values = try #require(records).map { metric.value(of: $0, kind: kind).number }
    return values.reduce(0, +) / Double(values.count)
  }

  /// Buzzega et al. 2020: 19.6 ± 0.4 without a method.
  @Test(.enabled(if: hasMNIST, "MNIST is not there"))
  func `class-incremental split MNIST without a method`() async throws {
    let accuracy = try mean(try await run("split-mnist-class-sgd")["sgd"])
    #expect(abs(accuracy - 0.196) <= 0.004)
  }

  /// Buzzega et al. 2020: 86.1 ± 3.0 with a reservoir of 500.
  @Test(.enabled(if: hasMNIST, "MNIST is not there"))
  func `class-incremental split MNIST with replay`() async throws {
    let accuracy = try mean(try await run("split-mnist-class-replay")["replay-500"])
    #expect(abs(accuracy - 0.861) <= 0.03)
  }

  /// Buzzega et al. 2020: 90.5 ± 2.5 with DER and 500 rows, 85.6 ± 4 with DER++ and 200.
  @Test(.enabled(if: hasMNIST, "MNIST is not there"))
  func `class-incremental split MNIST with dark experience replay`() async throws {
    let runs = try await run("split-mnist-class-dark-replay")
    #expect(abs(try mean(runs["der-500"]) - 0.905) <= 0.025)
    #expect(abs(try mean(runs["der++-200"]) - 0.856) <= 0.04)
  }

  /// Buzzega et al. 2020: 40.7 ± 6 without a method, 80.6 ± 2.0 with a reservoir of 500.
  @Test(.enabled(if: hasMNIST, "MNIST is not there"))
  func `permuted MNIST without a method and with replay`() async throws {
    #expect(abs(try mean(try await run("permuted-mnist-sgd")["sgd"]) - 0.407) <= 0.06)
    #expect(abs(try mean(try await run("permuted-mnist-replay")["replay-500"]) - 0.806) <= 0.02)
  }

  /// Buzzega et al. 2020: 87.3 ± 1.5 with DER and 500 rows.
  @Test(.enabled(if: hasMNIST, "MNIST is not there"))
  func `permuted MNIST with dark experience replay`() async throws {
    #expect(abs(try mean(try await run("permuted-mnist-dark-replay")["der-500"]) - 0.873) <= 0.015)
  }

  /// van de Ven et al. 2022: 99.6 ± 0.4.
  @Test(.enabled(if: hasMNIST, "MNIST is not there"))
  func `task-incremental split MNIST with learning without forgetting`() async throws {
    #expect(abs(try mean(try await run("split-mnist-task-distillation")["lwf"]) - 0.996) <= 0.004)
  }

  /// Hsu et al. 2018: 99.2 ± 0.8 on images padded with black.
  @Test(.enabled(if: hasMNIST, "MNIST is not there"))
  func `task-incremental split MNIST with memory aware synapses`() async throws {
    let runs = try await run("split-mnist-task-mas")
    #expect(abs(try mean(runs["mas"]) - 0.992) <= 0.008)
    #expect(try mean(runs["mas"]) - mean(runs["nothing"]) >= 0.01)
  }

  /// Nearest class mean, everybody's: 82.03 % of all test rows. That is 8,203; the mean over the five tasks is 81.84 %.
  @Test(.enabled(if: hasMNIST, "MNIST is not there"))
  func `class-incremental split MNIST with class means`() async throws {
    let runs = try await run("split-mnist-class-nearest-mean")
    let record = try #require(runs["ncm"]?.first)
    let last = try #require(record["accuracy"]).numbers.suffix(5)
    let right = zip(last, [2115, 2042, 1874, 1986, 1983]).reduce(0) { $0 + ($1.0 * Double($1.1)).rounded() }
    #expect(right == 8203)
    #expect(abs(try mean(runs["ncm"]) - 0.8184) <= 0.0001)
  }

  /// scikit-learn's NearestCentroid on its own digits, the first 1,400 rows to learn and the last 397 to judge: 340 are right.
  @Test(.enabled(if: hasDigits, "digits8x8 is not there"))
  func `small digits with class means`() async throws {
    let text = """
      {"name": "digits", "scenarios": {"digits": {"name": "split", "dataset": "digits8x8", "classesPerTask": 10}},
       "strategies": {"ncm": [{"name": "ncm"}]}, "seeds": 1}
      """
    #expect(try mean(try await run(Experiment.read(text, file: "digits.json"))["ncm"]) == 340.0 / 397)
  }

  /// Elec2 row by row, each predicted before it is learned: 59.38 % with means of all rows, 63.04 % with means that fade, over all
  /// 45,312 rows. Without the last 20, which a set must have to test on, an independent computation gives these.
  @Test(.enabled(if: elec2 != nil, "elec2 is not there"))
  func `a stream of electricity prices with class means that stay and that fade`() async throws {
    let tool = try Tool()
    let folder = tool.folder + "/sets/elec2"
    try Files.makeFolder(folder)
    try Files.replace(folder + "/elec.csv.gz", with: try Files.read(try #require(ReproductionTests.elec2)))
    try Files.replace(folder + "/dataset.json", with: #"{ "label": "class", "test": 20 }"#)
    let text = """
      {"name": "elec2", "stream": {}, "seeds": 1,
       "scenarios": {"elec2": {"name": "split", "dataset": "elec2", "classesPerTask": 2, "scale": "none"}},
       "strategies": {"stay": [{"name": "ncm"}], "fade": [{"name": "ncm", "decay": 0.01}]}}
      """
    let runs = try await run(
      Experiment.read(text, file: "elec2.json"),
      DatasetFolder.standard(environment: ["PALIMPSEST_DATASETS": tool.folder + "/sets"]))
    for (label, share) in [("stay", 0.59399), ("fade", 0.63024)] {
      let record = try #require(runs[label]?.first)
      let windows = try #require(record["prequential_accuracy"]).numbers
      let rows = try #require(record["prequential_rows"]?.integers)
      #expect(rows.reduce(0, +) == 45_292)
      let right = zip(windows, rows).reduce(0) { $0 + $1.0 * Double($1.1) }
      #expect(abs(right / 45_292 - share) < 0.000_01, "\(label)")
    }
  }

  /// The authors' code, five seeds: er-ace 54.6 ± 4, replay 47.8 ± 3.5, stored logits without labels 22.5, nothing 7.3.
  @Test(.enabled(if: hasLetters, "letter-recognition is not there"))
  func `class-incremental letters with er-ace, replay, and stored logits alone`() async throws {
    let runs = try await run("split-letters-class-er-ace")
    let (ace, replay) = (try mean(runs["er-ace"]), try mean(runs["replay"]))
    #expect(abs(ace - 0.546) <= 0.04)
    #expect(abs(replay - 0.478) <= 0.035)
    #expect(try mean(runs["nothing"]) < mean(runs["der"]) && mean(runs["der"]) < replay - 0.1 && replay < ace)
  }

  /// van de Ven et al. 2022: EWC 99.1 ± 0.8, at least 5 points above nothing.
  @Test(.enabled(if: hasMNIST, "MNIST is not there"))
  func `task-incremental split MNIST with EWC`() async throws {
    let runs = try await run("split-mnist-task-ewc")
    let (ewc, nothing) = (try mean(runs["ewc"]), try mean(runs["nothing"]))
    #expect(abs(ewc - 0.991) <= 0.008)
    #expect(ewc - nothing >= 0.05)
  }

  /// De Lange et al. 2023's gap under joint training: task 1 at 91–93 before a switch, 4–10 points down, back within 1.5.
  @Test(.enabled(if: hasMNIST, "MNIST is not there"))
  func `the stability gap of joint training on rotated MNIST`() async throws {
    for record in try #require(try await run("stability-gap-rotated-mnist")["joint"]) {
      for later in 1...2 {
        let before = try #require(record.curve.last { $0.task == later - 1 }).accuracy[0]
        let after = record.curve.filter { $0.task == later }.map { $0.accuracy[0] }
        let lowest = try #require(after.prefix(15).min())
        #expect((0.91...0.93).contains(before))
        #expect((0.04...0.10).contains(before - lowest))
        #expect(try #require(after.last) >= before - 0.015)
      }
    }
  }

  /// The bounds that the scenario's prototype set for its visible twin, on seeds of our own.
  @Test func `habit-phases orders the methods as its prototype does`() async throws {
    let tool = try Tool()
    let text = String(decoding: try Files.read(Tool.experiment("quickstart.json")), as: UTF8.self)
      .replacingOccurrences(of: "\"seeds\": 10", with: "\"seeds\": { \"from\": 200, \"count\": 10 }")
    let output = ResultsFolder(tool.folder + "/q")
    let plan = try Plan(Experiment.read(text, file: "quickstart.json"))
    _ = try await Runner(plan, output: output, library: EmptyLibrary(), jobs: 2).run { _ in }
    let results = try Results(output)
    func accuracy(_ scenario: String, _ strategy: String, _ metric: String = "average_accuracy") throws -> Double {
      let rows = results.rows.filter {
        let configuration = results.plan.configurations[$0.run.configuration]
        return configuration.scenario == scenario && configuration.strategy == strategy
      }
      return try mean(rows.map(\.entry.record), metric, .expected)
    }
    #expect(try accuracy("visible", "naive", "forgetting") >= 0.27)
    #expect(try accuracy("visible", "replay-200") - accuracy("visible", "naive") >= 0.12)
    #expect(try accuracy("visible", "ewc") - accuracy("visible", "naive") >= 0.06)
    #expect(try accuracy("visible", "ewc") < accuracy("visible", "replay-200"))
    #expect(try accuracy("visible", "replay-200") < accuracy("visible", "joint"))
    #expect(try accuracy("visible", "joint") >= 0.78)
    #expect(try accuracy("visible", "joint") < accuracy("visible", "adapters"))
    let ceiling = try #require(
      results.rows.first { $0.entry.record.truth != nil && $0.run.configuration >= 8 }?.entry.record.truth)
    #expect(try accuracy("hidden", "joint") <= ceiling.jointCeiling + 0.01)
    #expect(try accuracy("hidden", "adapters") - accuracy("hidden", "joint") >= 0.08)
  }
}
