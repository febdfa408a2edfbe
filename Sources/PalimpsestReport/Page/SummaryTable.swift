import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults

/// The table of one scenario: a row a configuration, each number in full beside what is printed.
struct SummaryTable {
  let data: ReportData
  let scenario: ReportData.Scenario
  /// For a metric and a row: whether its mean is the best and set apart, or not told from the best; nil: neither.
  let standing: (Metric, ReportData.Row) -> Standing?

  enum Standing: String {
    case best, tied
  }

  var html: String {
    let settings = scenario.all.map(\.row).settingNames
    let accuracy =
      !data.table.contains { $0.subject == .accuracy }
      ? "measures" : scenario.kind == .expected ? "noise-free accuracy" : "accuracy on sampled labels"
    let heads = ["strategy"] + settings + data.tableWithCosts.map(\.heading) + ["n"]
    let head = heads.map { "<th scope=\"col\">\(escaped($0))</th>" }.joined()
    let rows = scenario.all.map { row($0, settings) }.joined(separator: "\n")
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="\(escaped("table of " + scenario.name))"><table class="sort" id="table-\(scenario.slug)">
      <caption>\(escaped(isolated(scenario.name))): \(accuracy), mean ± half-width of the 95 % interval over seeds (Student's t)</caption>
      <thead><tr>\(head)</tr></thead><tbody>
      \(rows)
      </tbody></table></div>
      """
  }

  private func row(_ row: ReportData.Row, _ settings: [String]) -> String {
    let texts = settings.map { name in row.row.settings.first { $0.name == name }?.value.plainText ?? "" }
    let cells = data.tableWithCosts.map { cell(row, $0) }
    let n = row.row.completed == row.row.planned ? String(row.row.completed) : "\(row.row.completed)/\(row.row.planned)"
    return
      "<tr data-s=\"\(row.style)\"><th scope=\"row\" class=\"l\">\(key(row.style))\(escaped(isolated(row.row.strategy)))\(row.marks)</th>"
      + texts.map { "<td class=\"l\">\(escaped($0))</td>" }.joined() + cells.joined()
      + "<td data-v=\"\(row.row.completed)\">\(n)</td></tr>"
  }

  /// The strategy's mark in its colour.
  private func key(_ style: Int) -> String {
    "<svg class=\"fig key \(Palette.name(style))\" viewBox=\"-7 -6 14 12\" aria-hidden=\"true\"><g class=\"\(Palette.name(style))\"><path class=\"c\" d=\"M0 0\(Palette.shape(style, radius: 4.5))\"/></g></svg>"
  }

  private func cell(_ row: ReportData.Row, _ metric: Metric) -> String {
    guard let cell = data.cell(row, metric), let interval = cell.interval else {
      let why = data.cell(row, metric)?.undefinedBecause.map { " title=\"\(escaped($0))\"" } ?? ""
      return "<td\(why)>–</td>"
    }
    let half = metric.halfWidthText(interval).map { " ± " + $0 } ?? ""
    let part = interval.count == row.row.completed ? "" : " (n \(interval.count))"
    let look = standing(metric, row).map { " class=\"\($0.rawValue)\"" } ?? ""
    return "<td\(look) data-v=\"\(interval.mean)\">\(escaped(signed(metric.text(interval.mean)) + half + part))</td>"
  }

  /// With a true minus sign.
  private func signed(_ text: String) -> String { text.hasPrefix("-") ? "\u{2212}" + text.dropFirst() : text }
}
