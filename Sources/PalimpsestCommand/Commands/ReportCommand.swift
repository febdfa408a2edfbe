import ArgumentParser
import Palimpsest
import PalimpsestCube
import PalimpsestReport

/// `palimpsest report RESULTS`.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Tables of results: mean ± half-width of the 95 % interval per scenario and strategy.",
    discussion: """
      Reads plan and journals where they are there, so that it can be asked while a sweep runs; else the .h5 file alone, \
      which may be a merged one.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table, markdown, latex, csv, json
  }

  @Argument(help: "Results: the .h5 file, the .palimpsest folder, or either without its ending.") var results: String
  @Argument(help: "More results, for a page of all side by side.") var others: [String] = []
  @Option(help: "Form of the output: table, markdown, latex (with booktabs), csv or json.") var format = Format.table
  @Flag(help: "The same as --format json.") var json = false
  @Flag(help: "Mark the best mean of each metric in each scenario (table, markdown, latex).") var best = false
  @Option(help: "Metrics and costs to show, by name, with commas between them (\"palimpsest list metrics\" has all).")
  var metrics: String?
  @OptionGroup var spreadsheet: SpreadsheetOption
  @OptionGroup var views: ReportViews
  @OptionGroup var page: ReportPage

  func run() throws {
    if try writesPage() || showsView() { return }
    if spreadsheet.spreadsheetSafe, json || format != .csv {
      throw UsageError("--spreadsheet-safe: only CSV goes to spreadsheets; add --format csv")
    }
    let report = try self.report(chosenMetrics())
    switch json ? .json : format {
    case .table: print(visibleLines(report.text(markingBest: best)))
    case .markdown: print(visibleLines(report.markdown(markingBest: best)))
    case .latex: print(visibleLines(report.latex(markingBest: best)))
    case .csv: print(report.csv(isSpreadsheetSafe: spreadsheet.spreadsheetSafe))
    case .json: print(report.json.prettyText)
    }
  }

  /// Prints a plot or fronts instead of the table, where they are asked for.
  private func showsView() throws -> Bool {
    guard try views.isAsked(json: json, besides: metrics != nil || format != .table || best) else { return false }
    let (worth, folder) = try (report(nil), ResultsFolder(results))
    if views.pareto {
      try views.showPareto(worth, json: json) { try report($0) }
    } else {
      let curves = try folder.hasPlan ? PlottedCurves(Results(folder)) : nil
      views.showPlot(try report(TerminalPlot.metrics(of: worth)), curves)
    }
    return true
  }

  /// Writes a page or figures instead of printing the table, where they are asked for.
  private func writesPage() throws -> Bool {
    let besides = json || format != .table || best || spreadsheet.spreadsheetSafe || views.isGiven
    guard try page.isAsked(besides: besides) else {
      if !others.isEmpty { throw UsageError("several results are shown on one page; add --html FILE or --figures DIR") }
      return false
    }
    try page.write(pageData())
    return true
  }

  /// Of one file, or of several side by side.
  private func pageData() throws -> ReportData {
    let files = [results] + others
    let table = try chosenMetrics()
    if others.isEmpty { return try PageSource(results, table).data }
    let first = try PageSource(results, table)
    let parts = try [first] + others.map { try PageSource($0, first.table) }
    return ReportData(joining: zip(JoinedRuns.names(files), parts).map { ($0, $1) })
  }

  private func report(_ metrics: [Metric]?) throws -> Report {
    try OpenedResults(results).report(metrics)
  }

  private func chosenMetrics() throws -> [Metric]? {
    guard let metrics else { return nil }
    return try metrics.split(separator: ",").map { try PalimpsestTool.metric(String($0), option: "--metrics") }
  }
}

extension PalimpsestTool {
  /// A metric or cost by its name.
  static func metric(_ name: String, option: String) throws -> Metric {
    let known = catalog.metrics
    if let metric = known.first(where: { $0.name == name }) { return metric }
    let near = suggestion(for: name, among: known.map(\.name))
    throw UsageError("\(option): no metric or cost is called \"\(name)\"\(near)")
  }
}

extension ResultsFolder {
  /// The HDF5 file that an argument means, whatever its ending; nil where there is none.
  func bareCube(_ argument: String) -> String? {
    [argument, cube].first { Files.exists($0) && !$0.hasSuffix("/") && !$0.hasSuffix(".palimpsest") }
  }
}
