import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults

/// Mean and interval of each strategy on one line, every seed a dot, what is possible as dashed lines.
struct IntervalFigure {
  let data: ReportData
  let scenario: ReportData.Scenario
  let metric: Metric

  private static let rowHeight = 22.0
  private static let numberRoom = 104.0

  /// What is possible: name, accuracy, and the rows that it is possible for, nil for all.
  private struct Reference {
    let name: String
    let x: Double
    let rows: Set<Int>?
  }

  private var references: [Reference] {
    guard metric.name == Metric.averageAccuracy.name || metric.name == Metric.anytimeAccuracy.name else { return [] }
    return [("J*", "joint_ceiling"), ("tracker", "tracker_accuracy")].flatMap { name, column in
      let truths = data.truths(column, scenario)
      return truths.map { variant, x in
        Reference(
          name: name, x: x, rows: truths.count == 1 && variant.label.isEmpty ? nil : Set(variant.rows.map(\.place)))
      }
    }
  }

  /// Those that are the same for all rows.
  private var common: [Reference] { references.filter { $0.rows == nil } }

  /// As wide as the names, within limits.
  private var labelRoom: Double {
    let widest = scenario.rows.map { TextWidth.of($0.short + $0.marks, size: Drawing.textSize) }.max() ?? 0
    return min(212, max(100, widest + 18))
  }

  private var rows: [(row: ReportData.Row, cell: Report.Cell, interval: Interval)] {
    scenario.rows.compactMap { row in
      data.cell(row, metric).flatMap { cell in cell.interval.map { (row, cell, $0) } }
    }
  }

  /// Nil where no run has the metric.
  var figure: Figure? {
    let (rows, references) = (rows, references)
    let showsSeeds = rows.allSatisfy { $0.interval.count <= ReportData.mostSeeds }
    let drawn = rows.flatMap { row in
      [row.interval.mean, row.interval.lower ?? row.interval.mean, row.interval.upper ?? row.interval.mean]
        + (showsSeeds ? row.cell.values : [])
    }
    let frame = Frame(
      left: labelRoom, top: common.isEmpty ? 10 : 28, right: 520 - IntervalFigure.numberRoom,
      bottom: (common.isEmpty ? 10 : 28) + IntervalFigure.rowHeight * Double(rows.count))
    guard let scale = Scale(holding: drawn + references.map(\.x), from: frame.left, to: frame.right) else { return nil }
    var drawing = Drawing(width: 520, height: frame.bottom + 42)
    drawing.lowerAxis(scale, frame, heading, about: 5)
    draw(common, scale, frame, &drawing)
    for (line, row) in rows.enumerated() {
      let y = frame.top + IntervalFigure.rowHeight * (Double(line) + 0.5)
      for reference in references where reference.rows?.contains(row.row.place) == true {
        let (x, half) = (scale.place(reference.x), IntervalFigure.rowHeight / 2)
        drawing.line((x, y - half), (x, y + half), "ref")
      }
      draw(row, y: y, scale, frame, showsSeeds, &drawing)
    }
    return Figure(
      "intervals-\(slug(metric.name))-\(scenario.slug)", title: "\(scenario.name): \(heading)",
      note: note(rows.map(\.interval.count), showsSeeds), summary: summary, drawing, specification: specification)
  }

  private var heading: String { spaced(metric.column(scenario.kind)) + (metric.unit == "1" ? "" : " (\(metric.unit))") }

  private func draw(
    _ references: [Reference], _ scale: Scale, _ frame: Frame, _ drawing: inout Drawing
  ) {
    let order = references.sorted { $0.x < $1.x }
    for (place, reference) in order.enumerated() {
      let x = scale.place(reference.x)
      drawing.line((x, frame.top - 4), (x, frame.bottom), "ref")
      // Away from each other: the lower one to the left.
      let anchor: Drawing.Anchor = order.count == 1 ? .middle : place == 0 ? .end : .start
      drawing.text(
        "\(reference.name) \(shareText(reference.x))",
        at: (x + (anchor == .end ? -3 : anchor == .start ? 3 : 0), frame.top - 9), anchor, "soft")
    }
  }

  private func draw(
    _ row: (row: ReportData.Row, cell: Report.Cell, interval: Interval), y: Double, _ scale: Scale, _ frame: Frame,
    _ showsSeeds: Bool, _ drawing: inout Drawing
  ) {
    let (style, interval) = (row.row.style, row.interval)
    let name = row.row.short + row.row.marks
    let text = metric.text(interval.mean) + (interval.halfWidth.map { " ± " + metric.text($0) } ?? "")
    drawing.group(style) { drawing in
      drawing.text(
        TextWidth.fitted(name, within: labelRoom - 16, size: Drawing.textSize),
        at: (frame.left - 8, y + 4), .end)
      if showsSeeds {
        drawing.dots(row.cell.values.map { (scale.place($0), y + 6) })
      }
      if let lower = interval.lower, let upper = interval.upper {
        drawing.interval((scale.place(lower), scale.place(upper)), y: y)
      }
      drawing.mark(
        style, at: (scale.place(interval.mean), y), radius: 4.5, title: "\(row.row.label): \(text), n \(interval.count)"
      )
      drawing.text(text, at: (frame.right + 8, y + 4), .start)
    }
  }

  private func note(_ counts: [Int], _ showsSeeds: Bool) -> String {
    let n = Set(counts).count == 1 ? "n \(counts[0])" : "n \(counts.min() ?? 0) to \(counts.max() ?? 0)"
    let what =
      counts.contains { $0 > 1 }
      ? "Mean and 95 % interval (Student's t) over seeds, \(n)" : "One seed: no interval, n 1"
    let names = references.map(\.name).distinct.joined(separator: " and ")
    let lines =
      !common.isEmpty
      ? "; dashed: what is possible"
      : names.isEmpty ? "" : "; dashed: what is possible with the row's settings, \(names)"
    return what + (showsSeeds ? "; small dots: seeds" : "") + lines + "."
      + scenario.leavesOut(scenario.rows.count)
  }

  private var summary: String {
    let numbers = rows.map { row in
      "\(row.row.label) \(metric.text(row.interval.mean))"
        + (row.interval.halfWidth.map { " ± \(metric.text($0))" } ?? "") + " (n \(row.interval.count))"
    }
    return "\(heading): " + (numbers + possible).joined(separator: "; ")
  }

  private var possible: [String] {
    if !common.isEmpty { return common.map { "\($0.name) \(shareText($0.x))" } }
    return references.map(\.name).distinct.map { name in
      "\(name) " + references.filter { $0.name == name }.map { shareText($0.x) }.joined(separator: ", ")
    }
  }

  private var specification: JSONValue {
    let values = rows.map { row -> JSONObject in
      [
        "strategy": JSONValue(row.row.label), "mean": fourDigits(row.interval.mean),
        "lower": fourDigits(row.interval.lower ?? row.interval.mean),
        "upper": fourDigits(row.interval.upper ?? row.interval.mean), "n": JSONValue(row.interval.count),
      ]
    }
    let x = VegaLite.quantity("lower", heading)
    let y = VegaLite.field("strategy", "nominal", ["sort": .null])
    let colour = VegaLite.strategies(rows.map(\.row.label))
    return VegaLite.chart(
      values,
      [
        "encoding": ["y": y],
        "layer": [
          ["mark": "rule", "encoding": ["x": x, "x2": ["field": "upper"], "color": colour]],
          [
            "mark": ["type": "point", "filled": true, "size": 70],
            "encoding": ["x": VegaLite.quantity("mean", heading), "color": colour],
          ],
        ],
      ])
  }
}
