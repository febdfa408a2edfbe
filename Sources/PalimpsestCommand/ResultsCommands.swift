import ArgumentParser
import Palimpsest
import PalimpsestHDF5

/// `palimpsest collect RESULTS`.
struct CollectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "collect", abstract: "Make the HDF5 file of results anew from their journals.",
    discussion: "Ends with 75 while runs of the plan are missing.")

  @Argument(help: "Results: the .h5 file, the .palimpsest folder, or either without its ending.") var results: String
  @OptionGroup var json: JSONOption

  func run() throws {
    let folder = ResultsFolder(results)
    let summary = try folder.collect()
    try Results(folder).warnOfDamage()
    json.print(
      "\(folder.cube): \(summary.completed) of \(summary.planned) runs completed, "
        + "\(summary.failed) failed or diverged, \(summary.missing) missing",
      or: [
        "cube": JSONValue(folder.cube), "planned": JSONValue(summary.planned),
        "completed": JSONValue(summary.completed), "failed": JSONValue(summary.failed),
        "missing": JSONValue(summary.missing), "bytes": JSONValue(summary.bytes),
      ])
    if summary.missing > 0 { throw End(.unfinished) }
  }
}

/// `palimpsest report RESULTS`.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Tables of results: mean ± half-width of the 95 % interval per scenario and strategy.")

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table, csv, json
  }

  @Argument(help: "Results: the .h5 file, the .palimpsest folder, or either without its ending.") var results: String
  @Option(help: "Form of the output: table, csv or json.") var format = Format.table
  @Flag(help: "The same as --format json.") var json = false
  @Option(help: "Metrics to show, by name, with commas between them (\"palimpsest list metrics\" has all).")
  var metrics: String?

  func run() throws {
    let metrics = try chosenMetrics()
    let results = try Results(ResultsFolder(results))
    results.warnOfDamage()
    let report = Report(results, metrics: metrics)
    switch json ? .json : format {
    case .table: print(report.text)
    case .csv: print(report.csv)
    case .json: print(report.json.prettyText)
    }
  }

  private func chosenMetrics() throws -> [Metric] {
    guard let metrics else { return Report.standardMetrics }
    return try metrics.split(separator: ",").map { name in
      guard let metric = standardMetrics.first(where: { $0.name == name }) else {
        let near = suggestion(for: String(name), among: standardMetrics.map(\.name))
        throw UsageError("--metrics: no metric is called \"\(name)\"\(near)")
      }
      return metric
    }
  }
}
