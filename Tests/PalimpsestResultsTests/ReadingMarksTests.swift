import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults
import PalimpsestRuns
import Testing

/// What a table says of a configuration beside its metrics.
@Suite struct ReadingMarksTests {
  private func report(_ training: String = "{}", _ metrics: [Metric]?) throws -> Report {
    let text = """
      {
        "name": "hand", "seeds": 1, "scenarios": { "letters": { "name": "habit-phases" } }, "training": \(training),
        "strategies": {
          "ewc": [{ "name": "ewc" }], "adapters": [{ "name": "adapters" }],
          "gated": [{ "name": "adapters" }, { "name": "gate" }], "joint": [{ "name": "joint" }]
        }
      }
      """
    let plan = StoredPlan(try Plan(Experiment.read(text, file: "hand.json")))
    let entries = plan.runs.map { run in
      var record = RunRecord(status: .completed, tasks: ["a", "b"])
      record.accuracy = AccuracyMatrix([[0.9, 0.5], [0.6, 0.8]])
      record.cost.learner.bytesModel = 100
      record.cost.learner.bytesOptimizer = 800
      record.cost.learner.bytesImportance = run.configuration == 0 ? 50 : 0
      record.cost.learner.bytesMemory = run.configuration == 3 ? 1000 : 0
      record.cost.learner.multiplyAdds = 7
      return JournalEntry(
        runID: run.id, record: record, started: 0, host: "", worker: "", instructionSet: "", toolkitVersion: "",
        gitCommit: "")
    }
    return Report(try Results(plan: plan, journal: Journal(entries: entries)), metrics: metrics)
  }

  private static let legend = """
    † has a way of its own for each task and takes it by the task that a test row is told to be of.
    ‡ keeps all rows, or learns nothing: a bound, and no candidate.
    """

  /// 100 + 50; 100; 100; 100 + 1000. With the optimiser's 800 where its state lives on.
  @Test(arguments: [
    ("{}", ["150", "100", "100", "1100"]), (#"{ "resetOptimizer": false }"#, ["950", "900", "900", "1900"]),
  ])
  func `bytes kept are what lives from one update to the next`(training: String, bytes: [String]) throws {
    let report = try report(training, [.bytesKept])
    #expect(report.rows.map { $0.cells[0].interval?.mean } == bytes.map { Double($0) })
    #expect(
      report.text == """
        letters: cost, mean ± half-width of the 95 % interval over seeds (Student's t)
        strategy    bytes kept  n
        ewc         \(String(repeating: " ", count: 10 - bytes[0].count))\(bytes[0])  1
        adapters †  \(String(repeating: " ", count: 10 - bytes[1].count))\(bytes[1])  1
        gated       \(String(repeating: " ", count: 10 - bytes[2].count))\(bytes[2])  1
        joint ‡     \(String(repeating: " ", count: 10 - bytes[3].count))\(bytes[3])  1

        \(ReadingMarksTests.legend)
        """)
  }

  @Test func `programs are told of bounds and of the task`() throws {
    let rows = try #require(report("{}", [.bytesKept]).json["rows"]?.array)
    #expect(rows.map { $0["bound"]?.bool } == [false, false, false, true])
    #expect(rows.map { $0["told_task"]?.bool } == [false, true, false, false])
  }

  @Test func `costs stand in the table that nobody chose, in every form`() throws {
    let report = try report("{}", nil)
    #expect(report.metrics.suffix(2).map(\.name) == ["bytes_kept", "multiply_adds"])
    #expect(report.csv.split(separator: "\n")[4].hasSuffix(",1100.0,,1,7.0,,1"))
    #expect(report.markdown().contains("| joint ‡ | 0.700 | 0.300 |") && report.markdown().contains("| 1100 | 7 | 1 |"))
    #expect(
      report.latex().contains(#"joint \ddag{} & $0.700$"#) && report.latex().contains(#"\noindent \ddag{} keeps"#))
    #expect(report.json["rows"]?[3]?["metrics"]?["bytes_kept"]?["mean"]?.double == 1100)
  }

  /// One seed and no half-widths: 134 columns with headings in one line, 92 in two.
  @Test func `headings are folded where a table is wider than a screen, and only there`() throws {
    let lines = try report("{}", nil).text.split(separator: "\n")
    #expect(
      lines[1].contains("  backward   forward  ") && lines[2].contains("  transfer  transfer  NR   kept  "), "\(lines)")
    let narrow = try report("{}", [.averageAccuracy, .bytesKept]).text.split(separator: "\n")
    #expect(narrow[1].hasSuffix("  average accuracy  bytes kept  n"), "\(narrow)")
  }
}
