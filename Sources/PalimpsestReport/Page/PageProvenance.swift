import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults

/// Where the numbers come from and how to get at them.
struct PageProvenance {
  let data: ReportData
  let leftOut: [String]
  let version: String

  private static let mostFailures = 200

  var html: String {
    [facts, failures, definitions, experiment, opening, missing].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private var facts: String {
    let origin = data.runs.origin
    let inputs = origin.inputs.map { (name: "SHA-256 of \($0.name)", text: $0.digest) }
    let overrides = origin.overrides.map { (name: "changed on the command line", text: $0) }
    let all = origin.facts + inputs + overrides
    if all.isEmpty { return "" }
    return "<dl>" + all.map { "<dt>\(escaped($0.name))</dt><dd>\(escaped($0.text))</dd>" }.joined() + "</dl>"
  }

  private var failures: String {
    let failed = data.runs.runs.filter { $0.status != .completed }
    if failed.isEmpty { return "" }
    let lines = failed.prefix(PageProvenance.mostFailures).map { run -> String in
      let row = data.report.rows[run.row]
      let cells = [row.scenario, row.label, String(run.seed), run.status.rawValue, run.error]
      return "<tr>" + cells.map { "<td class=\"l\">\(escaped($0))</td>" }.joined() + "</tr>"
    }
    let more =
      failed.count > lines.count ? "<p class=\"soft\">\(failed.count - lines.count) more are in the results.</p>" : ""
    return """
      <h3 id="failures">Runs that did not complete</h3><div class="scroll" tabindex="0" role="region" aria-label="runs that did not complete"><table>
      <thead><tr><th scope="col">scenario</th><th scope="col" class="l">strategy</th><th scope="col" class="l">seed</th><th scope="col" class="l">end</th><th scope="col" class="l">why</th></tr></thead>
      <tbody>\(lines.joined(separator: "\n"))</tbody></table></div>\(more)
      """
  }

  private var definitions: String {
    let items = data.tableWithCosts.map { metric in
      "<dt>\(escaped(metric.name))</dt><dd>\(escaped(metric.longName)): \(escaped(metric.definition))\(metric.direction == .neither ? "" : " (\(metric.direction.rawValue) is better)")</dd>"
    }
    return "<details><summary>Definitions of the metrics shown</summary><dl>\(items.joined())</dl></details>"
  }

  private var experiment: String {
    let text = data.runs.origin.experimentText
    if text.isEmpty { return "" }
    return "<details><summary>The experiment file</summary><pre tabindex=\"0\">\(escaped(text))</pre></details>"
  }

  /// That of the first metric of the table.
  private var column: String {
    data.table[0].column(data.scenarios.allSatisfy { $0.kind == .expected } ? .expected : .sampled)
  }

  private var opening: String {
    let python = """
      import xarray as xr
      d = xr.open_dataset("\(data.report.name).h5", engine="h5netcdf")
      name = "\(column)"
      table = d[[name, "scenario", "strategy", "seed"]].to_dataframe()
      print(table.groupby(["scenario", "strategy"])[name].agg(["mean", "std", "count"]))
      """
    return """
      <details><summary>Open the results in five lines of Python; how to cite</summary><pre tabindex="0">\(escaped(python))</pre>
      <p>Cite the experiment with its file, the commit above and the toolkit: Palimpsest \(escaped(version)), a continual-learning research toolkit in Swift.</p></details>
      """
  }

  private var missing: String {
    leftOut.isEmpty ? "" : "<p class=\"soft\">Not drawn: \(escaped(leftOut.joined(separator: "; "))).</p>"
  }
}
