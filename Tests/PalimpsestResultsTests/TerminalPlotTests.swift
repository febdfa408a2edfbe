import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults
import PalimpsestRuns
import Testing

@Suite struct TerminalPlotTests {
  /// Three seeds of two tasks, so that everything can be worked out in the head.
  private func results() throws -> Results {
    let text = """
      {
        "name": "hand", "seeds": 3, "scenarios": { "letters": { "name": "habit-phases" } },
        "strategies": { "naive": [], "ewc": [{ "name": "ewc" }], "joint": [{ "name": "joint" }] }
      }
      """
    let plan = StoredPlan(try Plan(Experiment.read(text, file: "hand.json")))
    let entries = plan.runs.map { run in
      let step = 0.1 * Double(run.seed)
      let last = [[0.5 + step, 0.7 + step], [0.6, 0.7], [0.98, 0.98]][run.configuration]
      var record = RunRecord(status: .completed, tasks: ["a", "b"])
      record.accuracy = AccuracyMatrix([[run.configuration == 2 ? 0.98 : 0.9, 0.5], last])
      record.cost.learner.bytesModel = 100
      record.cost.learner.bytesOptimizer = 800
      record.cost.learner.bytesImportance = [0, 50, 0][run.configuration]
      record.cost.learner.bytesMemory = [0, 0, 1000][run.configuration]
      return JournalEntry(
        runID: run.id, record: record, started: 0, host: "", worker: "", instructionSet: "", toolkitVersion: "",
        gitCommit: "")
    }
    return try Results(plan: plan, journal: Journal(entries: entries))
  }

  private func plot(_ marks: TerminalMarks) throws -> String {
    let results = try results()
    let report = Report(results, metrics: TerminalPlot.metrics(of: Report(results)))
    return TerminalPlot(report, PlottedCurves(results), marks, width: 80).text
  }

  /// naive: .6, .7, .8, so .7 ± .248 from .452 to .948; the scale goes from .45 to .98, 54.7 cells a point: ends 0.09 and 27.3, mean 13.7.
  /// ewc .65: 10.9. Curves: naive .9 then .7, ewc .9 then .65, joint .98 twice; from .65 to .98 in 7 steps of .0471: .9 is step 5.3,
  /// .7 step 1.1; in the 6 steps of ASCII (.055) 4.5 and .9.
  @Test func `a plot has numbers, bar and sparkline of each strategy`() throws {
    #expect(
      try plot(.unicode) == """
        letters  average accuracy   0.45 ├────────────────────────────┤ 0.98   after task 0 to 1
        naive    0.700 ± 0.248     n 3   ├─────────────●────────────┤          ▆▂
        ewc      0.650 ± 0.000     n 3              ●                          ▆▁
        joint    0.980 ± 0.000     n 3                                ●        ██
        ● mean, ├─┤ 95 % interval over seeds
        ▁ to █ mean accuracy on the tasks so far, 0.65 to 0.98
        """)
    let ascii = try plot(.ascii)
    #expect(ascii.utf8.allSatisfy { $0 < 0x80 })
    #expect(ascii.contains("naive    0.700 +- 0.248    n 3   |-------------o------------|          *:"))
  }

  /// .5 of 8 levels is step 3.5, so the fifth; of 7 levels step 3.
  @Test func `sparklines and bars by hand`() {
    let scale = PlotScale(low: 0, high: 1)
    #expect(sparkline([0, 0.5, 1, .nan, 2], scale, .unicode) == "▁▅█ █")
    #expect(sparkline([0, 0.5, 1], scale, .ascii) == ".=#")
    #expect(
      intervalBar(mean: 0.5, halfWidth: 0.2, references: [1], scale, cells: 11, .unicode) == "   ├─●─┤  ┊")
    #expect(intervalBar(mean: 0.5, halfWidth: nil, references: [], scale, cells: 3, .ascii) == " o ")
    #expect(fitted([1, 3, 5, 7, 9], 2) == [2, 7])
    #expect(fitted([1, 2], 2) == [1, 2])
    #expect(PlotScale([0.29, 0.561]) == PlotScale(low: 0.29, high: 0.57))
    #expect(rateLine([0, 2, 4], .unicode) == "▁▅█  0 to 4.000 runs/s")
    #expect(rateLine([0, 0], .unicode) == nil)
  }

  /// Gains −.1, 0, .1 over 12 bins: the first, the middle one (5.5, rounded away from 0), the last.
  @Test func `people are counted by their gains`() {
    let curves = PlottedCurves(people: [[-0.1, 0, 0, 0.1], []]).curves
    #expect(curves == [[1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1], []])
  }

  @Test func `ASCII is what is asked for, a dumb terminal and another locale`() {
    func marks(_ isASCII: Bool, _ environment: [String: String]) -> TerminalMarks {
      TerminalMarks(isASCII: isASCII, environment: environment)
    }
    #expect(marks(false, ["LANG": "en_GB.UTF-8"]) == .unicode)
    #expect(marks(true, ["LANG": "en_GB.UTF-8"]) == .ascii)
    #expect(marks(false, ["LANG": "C.utf8", "TERM": "dumb"]) == .ascii)
    #expect(marks(false, ["LANG": "en_GB.UTF-8", "LC_ALL": "C"]) == .ascii)
    #expect(marks(false, [:]) == .ascii)
  }

  /// Kept: naive 100, ewc 150, joint 1100; the optimiser is reset. Area (165 - 100) · .7 = 45.5 of 165: .276.
  @Test func `bounds are never on the front, however good`() throws {
    let report = Report(try results(), metrics: ParetoReport.metrics(worth: .averageAccuracy))
    let pareto = ParetoReport(report, worth: .averageAccuracy, cost: .bytes)
    #expect(
      pareto.text == """
        letters: average accuracy against bytes kept, means over seeds; * none is cheaper and better
           strategy  bytes kept  average accuracy
        *  naive            100     0.700 ± 0.248            front
           ewc              150     0.650 ± 0.000  beaten by naive
           joint           1100     0.980 ± 0.000            bound
        hypervolume 0.276 of the area up to 165 bytes kept (1.1 times the largest cost) and average accuracy 0 to 1; \
        bounds take no part
        """)
    let rows = pareto.json["scenarios"]?[0]?["rows"]
    #expect(rows?[0]?["front"]?.bool == true)
    #expect(rows?[1]?["beaten_by"]?.string == "naive")
    #expect(rows?[2]?["bound"]?.bool == true)
    #expect(rows?[2]?["cost"]?.double == 1100)
  }

  @Test func `the optimiser's state counts where it is carried over`() {
    let record: JSONValue = ["strategy": [["name": "frozen"]], "training": ["resetOptimizer": false]]
    #expect(ReadingMarks(record: record).isBound)
    #expect(ReadingMarks(record: record).keepsOptimizer)
    #expect(ReadingMarks(record: ["strategy": [["name": "ewc"]]]) == ReadingMarks())
  }
}
