import Palimpsest
import PalimpsestCube
import PalimpsestReport

/// What a page takes of one file: a results folder, or a bare cube.
struct PageSource {
  let table: [Metric]
  let report: Report
  let runs: ReportedRuns
  let measured: MeasuredRuns

  /// - Parameter table: metrics of the table; nil: those that suit the runs.
  init(_ file: String, _ table: [Metric]?) throws {
    let opened = try OpenedResults(file)
    switch opened {
    case .journal(let results): (self.table, runs) = (table ?? results.suitedMetrics, ReportedRuns(results))
    case .cube(let cube): (self.table, runs) = (table ?? cube.suitedMetrics, try ReportedRuns(cube))
    }
    report = try opened.report(ReportData.metrics(self.table))
    measured = try opened.measured(source: file, self.table[0])
  }

  var data: ReportData { ReportData(report, table: table, runs, measured) }
}

extension ReportData {
  /// - Parameter parts: each file's name and what it holds, of the same metrics.
  init(joining parts: [(file: String, source: PageSource)]) {
    self.init(
      JoinedRuns.report(parts.map { ($0.file, $0.source.report) }), table: parts[0].source.table,
      JoinedRuns.runs(parts.map { ($0.file, $0.source.report, $0.source.runs) }),
      JoinedRuns.measured(parts.map { ($0.file, $0.source.measured) }))
    guard parts.count == 2 else { return }
    let (old, new) = (parts[0].source.measured, parts[1].source.measured)
    filesText = (try? Comparison(old: old, new: new, metric: parts[0].source.table[0]))?.text ?? ""
  }
}
