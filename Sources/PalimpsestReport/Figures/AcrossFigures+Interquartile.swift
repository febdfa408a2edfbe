import PalimpsestCore
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults

extension AcrossFigures {
  /// Runs of one label: the mean of the middle half, and between which ends it lies.
  private struct Pooled {
    let row: ReportData.Row
    let name: String
    let mean: Double
    let ends: ClosedRange<Double>
    let runs: Int
  }

  /// Interquartile means of all runs of all scenarios, with intervals by a stratified bootstrap.
  ///
  /// - Source: Agarwal et al. 2021, "Deep reinforcement learning at the edge of the statistical precipice".
  static func interquartileMeans(_ data: ReportData) -> Figure? {
    let metric = pooled(data)
    let entries = common(data).map { entry in
      (entry: entry, strata: entry.rows.map { data.cell($0, metric)?.values.filter(\.isFinite) ?? [] })
    }.filter { !$0.strata.contains { $0.count < 2 } }
    guard entries.count > 1, entries.count <= mostOfLabels else { return nil }
    let bootstraps = Bootstrap.interquartileMeans(of: entries.map(\.strata), seed: Seed(0))
    let rows = zip(entries, bootstraps).compactMap { entry, bootstrap in
      bootstrap.flatMap { bootstrap in
        bootstrap.percentile().map {
          Pooled(
            row: entry.entry.rows[0], name: entry.entry.label, mean: bootstrap.estimate, ends: $0,
            runs: entry.strata.reduce(0) { $0 + $1.count })
        }
      }
    }
    return figure(rows, metric, scenarios: data.scenarios.count)
  }

  private static func figure(_ rows: [Pooled], _ metric: Metric, scenarios: Int) -> Figure? {
    let frame = Frame(left: 132, top: 10, right: 410, bottom: 10 + 20 * Double(rows.count))
    let drawn = rows.flatMap { [$0.mean, $0.ends.lowerBound, $0.ends.upperBound] }
    guard let x = Scale(holding: drawn, from: frame.left, to: frame.right) else { return nil }
    let heading = "interquartile mean of \(spaced(metric.name))"
    var drawing = Drawing(width: 520, height: frame.bottom + 42)
    drawing.lowerAxis(x, frame, heading, about: 5)
    for (place, row) in rows.enumerated() {
      draw(row, metric, y: frame.top + 20 * (Double(place) + 0.5), x, frame, &drawing)
    }
    let counts = Set(rows.map(\.runs)).sorted()
    let n = counts.count == 1 ? "n \(counts[0])" : "n \(counts[0]) to \(counts[counts.count - 1])"
    return Figure(
      "interquartile-means", title: "all scenarios: \(heading)",
      note:
        "Mean of the middle half of all runs of \(scenarios) scenarios together, \(n); 95 % interval by \(grouped(Bootstrap.draws)) resamples of the seeds within each scenario."
        + warning(metric),
      summary: "\(heading): " + rows.map { "\($0.name) \(text($0, metric))" }.joined(separator: "; "), drawing,
      specification: specification(rows, heading))
  }

  private static func draw(
    _ row: Pooled, _ metric: Metric, y: Double, _ x: Scale, _ frame: Frame, _ drawing: inout Drawing
  ) {
    drawing.group(row.row.style) { drawing in
      drawing.text(TextWidth.fitted(row.name, within: 116, size: Drawing.textSize), at: (frame.left - 8, y + 4), .end)
      drawing.interval((x.place(row.ends.lowerBound), x.place(row.ends.upperBound)), y: y)
      drawing.mark(row.row.style, at: (x.place(row.mean), y), radius: 4.5, title: "\(row.name): \(text(row, metric))")
      drawing.text(metric.text(row.mean), at: (frame.right + 8, y + 4), .start)
    }
  }

  private static func text(_ row: Pooled, _ metric: Metric) -> String {
    "\(metric.text(row.mean)) (\(metric.text(row.ends.lowerBound)) to \(metric.text(row.ends.upperBound)))"
  }

  private static func specification(_ rows: [Pooled], _ heading: String) -> JSONValue {
    VegaLite.chart(
      rows.map {
        [
          "strategy": JSONValue($0.name), "mean": fourDigits($0.mean), "low": fourDigits($0.ends.lowerBound),
          "high": fourDigits($0.ends.upperBound),
        ]
      },
      [
        "layer": [
          [
            "mark": "rule",
            "encoding": [
              "y": VegaLite.field("strategy", "nominal", ["sort": .null]), "x": VegaLite.quantity("low", heading),
              "x2": ["field": "high"],
            ],
          ],
          [
            "mark": ["type": "point", "filled": true],
            "encoding": [
              "y": VegaLite.field("strategy", "nominal", ["sort": .null]), "x": VegaLite.quantity("mean", heading),
            ],
          ],
        ]
      ])
  }
}
