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
    let folder = ResultsFolder(file)
    if try !folder.hasPlan, let path = folder.bareCube(file) {
      let cube = try CubeTable(telling: path)
      self.table = try table ?? Report(cube).metrics
      report = try Report(cube, metrics: ReportData.metrics(self.table))
      runs = try ReportedRuns(cube)
      measured = try MeasuredRuns(cube, source: file, metrics: [self.table[0]])
    } else {
      let results = try Results(folder)
      warn(ofDamaged: results.damaged, outside: results.outside)
      self.table = table ?? Report(results).metrics
      report = Report(results, metrics: ReportData.metrics(self.table))
      runs = ReportedRuns(results)
      measured = MeasuredRuns(results, source: file, metrics: [self.table[0]])
    }
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
