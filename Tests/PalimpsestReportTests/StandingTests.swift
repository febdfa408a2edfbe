import PalimpsestMetrics
import PalimpsestReport
import PalimpsestResults
import Testing

/// What may be called best, and what the words of the page claim.
@Suite struct StandingTests {
  /// Strategies with so many seeds; `sure` is better than the others by more than its seeds differ.
  private func report(seeds: Int, sure: Double, bound: Double = 0.9) -> MadeUp {
    func runs(_ learned: Double, turned: Bool = false) -> [RunRecord] {
      (0..<seeds).map { .madeUp(seed: turned ? 50 + $0 : $0, learned: learned, lost: 0) }
    }
    return MadeUp(
      what: "standings",
      configurations: [
        .init(strategy: "sure", runs: runs(sure)), .init(strategy: "one", runs: runs(0.8)),
        .init(strategy: "other", runs: runs(0.8, turned: true)),
        .init(strategy: "joint", isBound: true, runs: runs(bound)),
      ])
  }

  /// The class of each configuration's first cell.
  private func looks(_ report: MadeUp) throws -> [String?] {
    let tags = HTMLTags(try report.page()).tags
    let rows = tags.indices.filter {
      tags[$0].name == "th" && tags[$0].attributes["scope"] == "row"
    }
    return try rows.map { row in
      try #require(tags[row...].first { $0.name == "td" && $0.attributes["data-v"] != nil })
        .attributes["class"]
    }
  }

  @Test func `the best is bold where all tests set it apart, and no bound is`() throws {
    #expect(try looks(report(seeds: 10, sure: 0.85)) == ["best", nil, nil, nil])
  }

  @Test func `what is not told apart from the best is bold and grey with it`() throws {
    let looks = try looks(report(seeds: 10, sure: 0.7))
    #expect(looks == [nil, "tied", "tied", nil])
  }

  @Test func `with few seeds nothing is called the best, and the page says why`() throws {
    let few = report(seeds: 4, sure: 0.85)
    #expect(try looks(few) == [nil, nil, nil, nil])
    let text = try few.page()
    #expect(
      text.contains(
        "Fewer than 6 seeds: no sign-flip test can reach .05, so none is called the best."))
    #expect(!text.contains("Bold: the best candidate"))
  }

  @Test func `words name the best candidate with its interval, and bounds as what is possible`()
    throws
  {
    let report = report(seeds: 10, sure: 0.85)
    let text = HTMLTags.plain(try report.page())
    let best = try #require(report.report.rows[0].cells[0].interval)
    let metric = Metric.averageAccuracy
    #expect(
      text.contains(
        "the best mean expected average accuracy is \(metric.text(best.mean)) ± \(metric.text(try #require(best.halfWidth))), of sure."
      ))
    let bound = try #require(report.report.rows[3].cells[0].interval)
    #expect(
      text.contains(
        "What is possible: J*, the best that one rule of the inputs can have, has 0.840; a perfect tracker has 0.800; joint has \(metric.text(bound.mean))."
      ))
  }

  @Test func `a metric of which less is better has its least as the best`() throws {
    var report = report(seeds: 10, sure: 0.85)
    report.table = [.forgetting, .averageAccuracy]
    report.configurations[1].runs = (0..<10).map { .madeUp(seed: $0, learned: 0.8, lost: 0.1) }
    report.configurations[2].runs = (0..<10).map { .madeUp(seed: $0, learned: 0.8, lost: 0.1) }
    #expect(try looks(report).first == "best")
    #expect(try report.page().contains("the best mean expected forgetting is "))
  }
}

/// Numbers that figures say in words.
@Suite struct FigureNumberTests {
  private static let report = MadeUp.ordinary

  private func figure(_ name: String) throws -> Figure {
    try #require(Self.report.figures().all.first { $0.name == name })
  }

  private func mean(_ row: Int, _ metric: Metric) throws -> Double {
    let report = Self.report.report
    return try #require(report.rows[row].mean(of: metric, report.metrics))
  }

  @Test func `costs and worths are those of the report, and the front is that of report --pareto`()
    throws
  {
    let words = try figure("cost-bytes-visible").summary
    let names = ["naive", "ewc", "replay", "adapters"]
    let texts = try names.indices.map { row in
      "\(names[row]) \(shareText(try mean(row, .averageAccuracy))) at \(["4k", "12k", "90k", "30k"][row])"
        + ([0, 1, 3].contains(row) ? " (front)" : "")
    }
    let bound = "bound joint \(shareText(try mean(4, .averageAccuracy)))"
    #expect(words == (texts + [bound]).joined(separator: "; "))
  }

  @Test func `parts of forgetting are those of the report, and their sum is what was lost`() throws {
    let words = try figure("forgetting-split-visible").summary
    let parts = try [Metric.driftImpliedForgetting, .interference, .underfit].map {
      try mean(0, $0)
    }
    let sum = parts[0] + parts[1] - parts[2]
    #expect(
      words.hasPrefix(
        "naive: drift-implied \(shareText(parts[0])), interference \(shareText(parts[1])), underfit (less) \(shareText(parts[2])), together \(shareText(sum)); ewc: "
      ))
  }

  @Test func `matrices' last rows are means over seeds`() throws {
    let words = try figure("matrices-visible").summary
    let runs = Self.report.configurations[0].runs
    let row = (0..<5).map { task in
      runs.reduce(0) { $0 + $1.accuracy[4, task] } / Double(runs.count)
    }
    #expect(
      words.hasPrefix(
        "naive, last row \(row.map(shareText).joined(separator: " ")); ewc, last row "))
  }

  @Test func `accuracies on a task after each later one are means over seeds`() throws {
    let words = try figure("after-each-task-0-hidden").summary
    let runs = Self.report.configurations[5].runs
    let column = (0..<5).map { after in
      runs.reduce(0) { $0 + $1.accuracy[after, 0] } / Double(runs.count)
    }
    #expect(
      words.hasPrefix(
        "accuracy on task 0 by after learning task: naive \(column.map(shareText).joined(separator: ", "));"
      ))
  }
}
