import Foundation
import PalimpsestCore
import PalimpsestScenarios
import PalimpsestTesting
import Testing

@Suite struct ScenarioLawsTests {
  @Test(arguments: ["visible", "hidden"]) func `habit phases obey the laws`(context: String) throws {
    var habit = HabitPhases()
    habit.context = context == "hidden" ? .hidden : .visible
    (habit.users, habit.testUsers, habit.jointCeiling) = (5, 20, .none)
    #expect(try ScenarioLaws.violations(of: habit) == [])
  }

  @Test func `scenarios over a data set obey the laws`() throws {
    #expect(try ScenarioLaws.violations(of: Split(), library: TinyLibrary.table(classes: 6)) == [])
    let images = TinyLibrary.images(height: 3, width: 3)
    #expect(try ScenarioLaws.violations(of: Permuted(), library: images) == [])
    #expect(try ScenarioLaws.violations(of: Rotated(), library: images) == [])
  }

  @Test func `coins that keep the laws are passed`() throws {
    #expect(try ScenarioLaws.violations(of: Coins()) == [])
  }

  @Test(
    arguments: zip(
      Coins.Fault.allCases.dropFirst(),
      [
        "coins: the outline says 3 tasks, the stream has 2", "coins: task 0: the same seed gave other rows",
        "coins: two seeds have the same test rows", "coins: task 1: it announces 401 training rows and has 400",
        "coins: task 0: training rows have 2 columns for 1 inputs",
        "coins: task 0: training rows hold a number that is not finite",
        "coins: task 1: training rows are of task 0", "coins: task 0: test rows have other labels than 0 and 1",
        "coins: task 0: row 0 of the table is trained on and tested on",
        "coins: task 0: labels of training rows do not follow p*", "coins: truth of task 1: the best rule scores",
        "coins: truth of task 0: the rule of task 1 is better than the best one",
        "coins: the truth's hellinger is no table of 2 × 2 tasks",
      ]))
  func `a broken law is told in a sentence`(fault: Coins.Fault, start: String) throws {
    let violations = try ScenarioLaws.violations(of: Coins(fault))
    #expect(violations.contains { $0.hasPrefix(start) }, "\(violations)")
  }

  @Test func `the example of the documentation is the one that is built`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appendingPathComponent("docs/scenarios.md"), encoding: .utf8)
    for file in ["main.swift", "TurningClouds.swift"] {
      let path = root.appendingPathComponent("Examples/CustomScenario/Sources/CustomScenario/\(file)")
      #expect(page.contains("```swift\n" + (try String(contentsOf: path, encoding: .utf8)) + "```"), "\(file)")
    }
  }
}

/// Two coins: p* is x of the row in the first task, 1 − x in the second.
struct Coins: Scenario {
  enum Fault: String, CaseIterable, Codable {
    case none, outline, order, seeds, rows, columns, notFinite, experience, labels, tested, law, best, better, table
  }

  static let name = "coins"
  static let summary = "For tests."
  static let source = "For tests."

  var fault = Fault.none

  init() {}
  init(_ fault: Fault) { self.fault = fault }

  var outline: StreamOutline { StreamOutline(tasks: fault == .outline ? 3 : 2, trainingRows: 401) }

  func prepare(from library: any DatasetLibrary) throws -> any PreparedScenario { PreparedCoins(fault: fault) }
}

private struct PreparedCoins: PreparedScenario {
  let fault: Coins.Fault
  let salt = UInt64.random(in: 0...UInt64.max)

  func makeStream(seed: Seed) -> any DriftStream { CoinStream(fault, seed, salt) }
}

private struct CoinStream: DriftStream {
  let shape = TaskShape(inputs: 1, outputs: 1)
  let experiences: [ExperienceInfo]
  private(set) var truth: ScenarioTruth?
  private let fault: Coins.Fault
  private let tables: [Table]
  private let labels: [[Int32]]
  private let chances: [[Float]]

  init(_ fault: Coins.Fault, _ seed: Seed, _ salt: UInt64) {
    self.fault = fault
    experiences = (0..<2).map { task in
      ExperienceInfo(
        index: task, name: "coin", outputs: 0..<1, seenOutputs: 0..<1,
        rows: fault == .rows && task == 1 ? 401 : 400)
    }
    let number = fault == .order ? Int(truncatingIfNeeded: salt >> 8) : 0
    var rng = (fault == .seeds ? Seed(7) : seed).stream("coins", number)
    let drawn = (0..<2).map { _ in (0..<600).map { _ in Float(rng.uniform()) } }
    chances = drawn.enumerated().map { task, inputs in inputs.map { task == 0 ? $0 : 1 - $0 } }
    labels = chances.map { $0.map { rng.uniform() < Double($0) ? 1 : 0 } }
    let width = fault == .columns ? 2 : 1
    tables = drawn.map { inputs in
      var values = inputs.flatMap { Array(repeating: $0, count: width) }
      if fault == .notFinite { values[3] = .infinity }
      return Table(FloatBuffer(values), columns: width)
    }
    truth = makeTruth()
  }

  func trainingRows(for experience: Int) -> Rows { rows(0..<400, experience) }

  func evaluationSet(for experience: Int) -> EvaluationSet {
    let range: Range<Int32> = fault == .tested ? 0..<200 : 400..<600
    return EvaluationSet(rows: rows(range, experience), knownExperience: nil, candidates: 0..<1)
  }

  private func rows(_ range: Range<Int32>, _ task: Int) -> Rows {
    let places = range.map { $0 }
    let isTest = range.lowerBound >= 400
    let own = fault == .law && !isTest ? 1 - task : task
    return Rows(
      table: tables[task], experience: fault == .experience ? 0 : task, places: places,
      labels: places.map { fault == .labels && isTest ? 2 : labels[task][Int($0)] },
      truth: places.map { chances[own][Int($0)] })
  }

  private func makeTruth() -> ScenarioTruth {
    let test = (0..<2).map { evaluationSet(for: $0).rows.truth ?? [] }
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    let best = test.map { p in mean(p.map { Double(max($0, 1 - $0)) }) }
    let distance = test.map { p in mean(p.map { Double(abs(1 - 2 * $0)) }) }
    let apart = [[0, distance[1]], [distance[0], 0]]
    var truth = ScenarioTruth(
      bayesAccuracy: best, crossAccuracy: [[best[0], 1 - best[1]], [1 - best[0], best[1]]], totalVariation: apart,
      hellinger: apart, jointCeiling: .nan)
    if fault == .best { (truth.bayesAccuracy[1], truth.crossAccuracy[1][1]) = (0.9, 0.9) }
    if fault == .better { truth.crossAccuracy[1][0] = 0.95 }
    if fault == .table { truth.hellinger = [[0]] }
    return truth
  }
}
