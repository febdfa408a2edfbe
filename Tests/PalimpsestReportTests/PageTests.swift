import Foundation
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestReport
import PalimpsestResults
import Testing

/// The page as a whole.
@Suite struct PageTests {
  @Test(arguments: MadeUp.all)
  func `a page has no stray tag, and each id once`(report: MadeUp) throws {
    let tags = HTMLTags(try report.made().page)
    #expect(tags.stray == [])
    let twice = Dictionary(grouping: tags.ids) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
    #expect(twice == [])
  }

  @Test(arguments: MadeUp.all)
  func `labels are text and nothing else`(report: MadeUp) throws {
    let tags = HTMLTags(try report.made().page)
    #expect(tags.tags.filter { !$0.closes && $0.name == "script" }.count == tags.blocks.count + 1)
    #expect(!tags.tags.contains { ["img", "i"].contains($0.name) })
    #expect(tags.tags.filter { $0.name == "h1" && !$0.closes }.count == 1)
    let handlers = tags.tags.flatMap { tag in tag.attributes.keys.filter { $0.lowercased().hasPrefix("on") } }
    #expect(handlers == [])
  }

  @Test(arguments: MadeUp.all)
  func `blocks of JSON are JSON and end no script`(report: MadeUp) throws {
    let blocks = HTMLTags(try report.made().page).blocks
    let names = try report.made().figures.all.map { "v-" + $0.name }
    #expect(Set(blocks.map(\.id)).isSubset(of: names + ["data"]) && blocks.last?.id == "data")
    for block in blocks {
      #expect(!block.text.contains("<"), "\(block.id)")
      _ = try JSONReader.read(block.text, file: block.id).value()
    }
  }

  @Test(arguments: MadeUp.all)
  func `nothing names a place to load from but the schemas`(report: MadeUp) throws {
    let page = try report.made().page
    // A label, cut where there is no room, is no place to load from.
    let names = ["https://vega.github.io/schema/vega-lite/v5.json", "http://exa"]
    let rest = names.reduce(page) { $0.replacingOccurrences(of: $1, with: "") }
    let context = rest.range(of: "https?://", options: .regularExpression).map { rest[$0.lowerBound...].prefix(60) }
    #expect(context == nil)
    let tags = HTMLTags(page).tags
    #expect(!tags.contains { $0.attributes["src"] != nil || $0.name == "link" })
    #expect(tags.compactMap { $0.attributes["href"] }.allSatisfy { $0.hasPrefix("#") })
    #expect(
      page.contains(
        "content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\""))
  }

  @Test(arguments: MadeUp.all)
  func `every link on the page leads somewhere on it`(report: MadeUp) throws {
    let tags = HTMLTags(try report.made().page)
    let ids = Set(tags.ids)
    #expect(tags.tags.compactMap { $0.attributes["href"] }.filter { !ids.contains(String($0.dropFirst())) } == [])
    let named = tags.tags.flatMap { ($0.attributes["aria-labelledby"] ?? "").split(separator: " ") + [] }
    #expect(named.filter { !ids.contains(String($0)) } == [])
    #expect(tags.tags.compactMap { $0.attributes["data-for"] }.filter { !ids.contains($0) } == [])
  }

  @Test(arguments: MadeUp.all)
  func `the same runs give the same bytes`(report: MadeUp) throws { #expect(try report.page() == report.made().page) }

  /// Rows and columns as the table has them: metrics, bytes kept, multiply-adds, completed runs.
  @Test(arguments: MadeUp.all)
  func `numbers of the table are those of the report`(report: MadeUp) throws {
    let tags = HTMLTags(try report.made().page).tags
    let cells = tags.filter { $0.name == "td" && !$0.closes && $0.attributes["class"]?.contains("l") != true }
    let shown = cells.map { $0.attributes["data-v"].flatMap(Double.init) }
    let data = report.report
    let scenarios = data.rows.map(\.scenario).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let rows = scenarios.flatMap { name in data.rows.filter { $0.scenario == name && $0.completed > 0 } }
    let wanted = rows.flatMap { row -> [Double?] in
      let shown = report.table + Report.costs.filter { cost in !report.table.contains { $0.name == cost.name } }
      return shown.map { row.mean(of: $0, data.metrics) } + [Double(row.completed)]
    }
    #expect(shown == wanted)
  }

  /// Each number is printed as `report` prints it: mean ± half-width.
  @Test func `texts of the table are those of the report`() throws {
    let tags = HTMLTags(try MadeUp.ordinary.page()).tags
    let row = MadeUp.ordinary.report.rows[1]
    let mean = try #require(row.cells[0].interval)
    let cell = try #require(tags.first { $0.attributes["data-v"].flatMap(Double.init) == mean.mean })
    let half = try #require(mean.halfWidth)
    #expect(cell.text == Metric.averageAccuracy.text(mean.mean) + " ± " + Metric.averageAccuracy.text(half))
  }

  @Test(arguments: MadeUp.all)
  func `what a figure says in words stands on the page`(report: MadeUp) throws {
    let words = Set(HTMLTags(try report.made().page).tags.filter { $0.name == "desc" }.map(\.text))
    #expect(try report.made().figures.all.allSatisfy { words.contains(escaped($0.summary)) })
  }

  @Test func `intervals in words are those of the report`() throws {
    let figure = try #require(MadeUp.ordinary.figures().all.first { $0.name == "intervals-average-accuracy-visible" })
    let texts = try MadeUp.ordinary.report.rows.prefix(5).map { row in
      let interval = try #require(row.cells[0].interval)
      return try "\(row.strategy) \(shareText(interval.mean)) ± \(shareText(#require(interval.halfWidth))) (n 5)"
    }
    #expect(
      figure.summary == "expected average accuracy: " + texts.joined(separator: "; ") + "; J* 0.840; tracker 0.800")
  }

  // MARK: What went wrong

  @Test func `runs that did not complete are counted above and listed below with their reasons`() throws {
    let tags = HTMLTags(try MadeUp.failures.page())
    let warning = try #require(tags.tags.firstIndex { $0.attributes["class"] == "warn" })
    #expect(tags.text(from: warning) == "2 failed, 1 diverged; none of them is in the means. Which and why.")
    let start = try #require(tags.tags.firstIndex { $0.attributes["id"] == "failures" })
    let cells = tags.tags[start...].filter { $0.name == "td" && !$0.closes }.map { HTMLTags.plain($0.text) }
    #expect(
      cells == [
        "visible", "naive", "1", "diverged", "the loss is nan in step 3 of task 1", "visible", "replay", "0", "failed",
        "the file <b>x</b> is gone", "visible", "replay", "1", "cancelled", "stopped",
      ])
  }

  @Test func `an unfinished sweep is called partial in the title and above`() throws {
    let page = try MadeUp.unfinished.page()
    let tags = HTMLTags(page)
    #expect(tags.tags.first { $0.name == "title" }?.text == "made-up (partial)")
    let warning = try #require(tags.tags.firstIndex { $0.attributes["class"] == "warn" })
    #expect(tags.text(from: warning) == "6 of 8 runs have not ended yet; none of them is in the means.")
    #expect(!page.contains("id=\"failures\""))
  }

  @Test func `without a completed run the page says that`() throws {
    var report = MadeUp.unfinished
    report.configurations = report.configurations.map { configuration in
      var configuration = configuration
      (configuration.missing, configuration.runs) = (4, [])
      return configuration
    }
    let page = try report.page()
    #expect(page.contains("<p>No run has completed.</p>"))
    #expect(HTMLTags(page).stray == [])
    #expect(page.contains("Not drawn: Accuracy: no run has completed; Matrices: "))
  }

  @Test func `of one seed words and table say that there is no interval`() throws {
    let page = try MadeUp.oneRun.page()
    #expect(page.contains(" (one seed, so no interval), of naive."))
    let cells = HTMLTags(page).tags.filter { $0.attributes["data-v"] != nil }.map(\.text)
    #expect(!cells.contains { $0.contains("±") } && cells.last == "1")
  }

  @Test(arguments: MadeUp.all)
  func `no difference is called significant`(report: MadeUp) throws {
    #expect(!(try report.made().page).lowercased().contains("significant"))
  }

  // MARK: Where it comes from

  @Test func `origin, overrides, digests and the experiment file stand in the provenance`() throws {
    var report = MadeUp.ordinary
    report.origin.experimentText = "{ \"name\": \"<x>\" } // é"
    report.origin.overrides = ["--set training.epochs=2"]
    report.origin.inputs = [("mnist", "0123abcd")]
    report.origin.facts = [("machines", "ada, <eva>")]
    report.origin.newest = 1_700_000_000
    let tags = HTMLTags(try report.page())
    let start = try #require(tags.tags.firstIndex { $0.name == "section" && $0.attributes["id"] == "provenance" })
    let text = tags.text(from: start)
    for part in [
      "machinesada, <eva>", "SHA-256 of mnist0123abcd", "changed on the command line--set training.epochs=2",
      "{ \"name\": \"<x>\" } // é", "Palimpsest 1.2.3",
    ] {
      #expect(text.contains(part))
    }
    let head = try #require(tags.tags.firstIndex { $0.name == "header" })
    #expect(tags.text(from: head).contains("newest run of 2023-11-14 22:13 UTC · page by Palimpsest 1.2.3"))
  }

  @Test func `the lines of Python take the column of the table's first metric`() throws {
    for (made, prefix) in [(MadeUp.ordinary, "expected_"), (.unknownTruth, "")] {
      let column = prefix + (try #require(made.report.metrics.first).name)
      #expect(try made.page().contains("\nname = &quot;\(column)&quot;\n"), "\(column)")
    }
  }

  @Test func `every metric that the table shows is defined`() throws {
    let page = try MadeUp.ordinary.page()
    for metric in MadeUp.ordinary.table { #expect(page.contains("<dt>\(metric.name)</dt><dd>\(metric.longName): ")) }
  }

  @Test func `the block of data has one entry a completed run, with four digits`() throws {
    let block = try #require(HTMLTags(MadeUp.failures.page()).blocks.first { $0.id == "data" })
    let data = try JSONReader.read(block.text, file: "data").value()
    #expect(data["of"]?.string == "runs")
    #expect(data["configurations"]?.compactText == #"[{"scenario":"visible","strategy":"naive"}]"#)
    #expect(data["columns"]?["configuration"]?.compactText == "[0]")
    let value = try #require(data["columns"]?["average_accuracy"]?[0]?.double)
    let mean = try #require(MadeUp.failures.report.rows[0].cells[0].interval?.mean)
    #expect(value != mean && abs(value - mean) <= 5e-5)
  }
}
