import PalimpsestMetrics
import PalimpsestResults

/// Which means may be called best: only what a test sets apart.
struct PageStandings {
  init(_ data: ReportData) {}

  func standing(_ metric: Metric, _ row: ReportData.Row) -> SummaryTable.Standing? { nil }

  var note: String { "" }
}
