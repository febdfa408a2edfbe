import Foundation
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults

/// One page that needs nothing else: no network, no server, no script. Same results, same bytes: it holds no clock.
package struct HTMLReport {
  let data: ReportData
  let figures: ReportFigures
  /// Of the program that makes the page.
  let version: String
  /// The table in figures and numbers: at most this many runs stand in the page one by one.
  static let mostRuns = 20_000

  package init(_ data: ReportData, _ figures: ReportFigures, version: String) {
    (self.data, self.figures, self.version) = (data, figures, version)
  }

  private var report: Report { data.report }
  private var isPartial: Bool { report.missing > 0 }

  package var text: String {
    let sections = self.sections.filter { !$0.isEmpty }
    let links = sections.map { "<a href=\"#\($0.name)\">\(escaped($0.title))</a>" }.joined(separator: "\n")
    return """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(escaped(report.name))\(isPartial ? " (partial)" : "")</title>
      <style>
      \(PageStyle.text)
      </style></head><body>
      \(head)
      <nav aria-label="Sections">\(links)</nav>
      <main>
      \(sections.map(html).joined(separator: "\n"))
      </main>
      <script type="application/json" id="data">\(scriptSafe(table.compactText))</script>
      <script>\(PageScript.text)</script>
      </body></html>

      """
  }

  private var sections: [ReportSection] {
    [
      ReportSection(name: "words", title: "In words", text: PageWords(data: data).html),
      ReportSection(name: "summary", title: "Summary", text: summary),
      ReportSection(name: "files", title: "File against file", text: preformatted(data.filesText)),
      ReportSection(
        name: "tuning", title: "How settings were chosen", text: preformatted(report.selection?.text ?? "")),
    ] + figures.sections + [
      ReportSection(
        name: "provenance", title: "Provenance",
        text: PageProvenance(data: data, leftOut: figures.leftOut, version: version).html)
    ]
  }

  private func preformatted(_ text: String) -> String {
    text.isEmpty ? "" : "<pre tabindex=\"0\">\(escaped(text))</pre>"
  }

  // MARK: Head

  private var head: String {
    let seeds = Set(data.runs.runs.map(\.seed)).count
    let counts = [
      "\(report.completed) of \(report.planned) runs completed", counted(data.scenarios.count, "scenario", "scenarios"),
      counted(data.strategies.count, "strategy", "strategies"), counted(seeds, "seed", "seeds"),
      data.runs.origin.newest.map { "newest run of " + dateText($0) } ?? "", "page by Palimpsest \(version)",
    ]
    return """
      <header><h1>\(escaped(report.name))\(isPartial ? " <span class=\"soft\">(partial)</span>" : "")</h1>
      \(report.question.isEmpty ? "" : "<p>\(escaped(report.question))</p>")
      <p class="soft">\(escaped(counts.filter { !$0.isEmpty }.joined(separator: " · ")))</p>
      \(warning)</header>
      """
  }

  private var warning: String {
    var parts: [String] = []
    if report.missing > 0 { parts.append("\(report.missing) of \(report.planned) runs have not ended yet") }
    if report.failed > 0 { parts.append("\(report.failed) failed") }
    if report.diverged > 0 { parts.append("\(report.diverged) diverged") }
    if parts.isEmpty { return "" }
    let link = report.failed + report.diverged > 0 ? " <a href=\"#failures\">Which and why</a>." : ""
    return "<p class=\"warn\">\(escaped(parts.joined(separator: ", "))); none of them is in the means.\(link)</p>"
  }

  // MARK: Table

  private var summary: String {
    if data.scenarios.isEmpty { return "<p>No run has completed.</p>" }
    let marks = data.scenarios.flatMap(\.all).map(\.row.marks).legend.map { "<p class=\"soft\">\($0)</p>" }.joined()
    let tools =
      "<div class=\"tools js\"><label>find <input class=\"find\" type=\"search\"></label><span class=\"soft\">a click on a heading sorts; on a strategy, shows it alone</span></div>"
    let standings = PageStandings(data)
    return tools
      + data.scenarios.map { scenario in
        SummaryTable(data: data, scenario: scenario) { standings.standing($0, $1) }.html
      }.joined(separator: "\n") + standings.note + marks
  }

  // MARK: Sections

  private func html(_ section: ReportSection) -> String {
    """
    <section id="\(section.name)"><h2>\(escaped(section.title))</h2>
    \(section.text)
    \(grid(section.figures.filter { !$0.isAside }))
    \(aside(section))
    </section>
    """
  }

  private func grid(_ figures: [Figure]) -> String {
    figures.isEmpty ? "" : "<div class=\"figs\">\(figures.map(html).joined(separator: "\n"))</div>"
  }

  private func aside(_ section: ReportSection) -> String {
    let figures = section.figures.filter(\.isAside)
    if figures.isEmpty { return "" }
    return
      "<details><summary>\(counted(figures.count, "more figure", "more figures")): \(escaped(section.title.lowercased())) by task</summary>\(grid(figures))</details>"
  }

  private func html(_ figure: Figure) -> String {
    let scroll =
      figure.isWide
      ? ("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"\(escaped(figure.title))\">", "</div>")
      : ("", "")
    return """
      <figure id="\(figure.name)"\(figure.isWide ? " class=\"wide\"" : "")><figcaption><b>\(escaped(figure.title))</b> <span>\(escaped(figure.note))</span></figcaption>
      \(scroll.0)\(figure.inline)\(scroll.1)
      \(figure.isAside ? "" : specification(of: figure))</figure>
      """
  }

  /// Of the figures that are shown at once; `--figures` has all.
  private func specification(of figure: Figure) -> String {
    """
    <button type="button" class="js copy" data-for="v-\(figure.name)">copy Vega-Lite</button>
    <script type="application/json" id="v-\(figure.name)">\(scriptSafe(figure.specification.compactText))</script>
    """
  }

  // MARK: Data

  /// The runs behind the table, column by column with four digits, and the configurations that they name by their place; of very many
  /// runs the means of configurations.
  private var table: JSONValue {
    let rows = data.scenarios.flatMap(\.all)
    let isWhole = report.completed <= HTMLReport.mostRuns
    let places = rows.indices.flatMap { row in
      isWhole ? rows[row].row.cells[0].values.indices.map { (row: row, run: $0) } : [(row: row, run: 0)]
    }
    var columns: JSONObject = ["configuration": JSONValue(places.map { JSONValue($0.row) })]
    for metric in data.table {
      guard let index = data.index(metric) else { continue }
      columns[metric.name] = JSONValue(
        places.map { place in
          let cell = rows[place.row].row.cells[index]
          return fourDigits(isWhole ? cell.values[place.run] : cell.interval?.mean ?? .nan)
        })
    }
    let configurations = rows.map {
      ["scenario": JSONValue($0.row.scenario), "strategy": JSONValue($0.label)] as JSONValue
    }
    return [
      "of": JSONValue(isWhole ? "runs" : "configurations"), "configurations": JSONValue(configurations),
      "columns": JSONValue(columns),
    ]
  }
}

/// `1 seed`, `10 seeds`.
func counted(_ count: Int, _ one: String, _ several: String) -> String { "\(count) \(count == 1 ? one : several)" }

/// JSON between script tags: nothing in it ends them.
func scriptSafe(_ json: String) -> String {
  json.contains("<") ? json.split(separator: "<", omittingEmptySubsequences: false).joined(separator: "\\u003c") : json
}

/// `2026-11-24 21:25 UTC` of seconds since 1970.
func dateText(_ seconds: Double) -> String {
  let text = Date(timeIntervalSince1970: seconds).ISO8601Format()
  return String(text.prefix(10)) + " " + String(text.dropFirst(11).prefix(5)) + " UTC"
}
