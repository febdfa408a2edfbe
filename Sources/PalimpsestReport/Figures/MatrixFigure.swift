import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults

/// Matrices side by side in one scale of colour, with numbers where they are few.
struct MatrixFigure {
  struct Panel {
    let title: String
    let style: Int?
    let rows: Int
    let columns: Int
    /// Row by row; NaN: not measured.
    let values: [Double]
  }

  let name: String
  let title: String
  let note: String
  let panels: [Panel]
  let rowTitle: String
  let columnTitle: String
  /// Entries right of the diagonal are of tasks not learned yet.
  var hasZeroShot = false

  /// Columns up to which each cell has its number.
  private static let mostNumbers = 12

  var figure: Figure? {
    guard let most = panels.map(\.columns).max(), most > 0 else { return nil }
    let known = panels.flatMap(\.values).filter(\.isFinite)
    guard let low = known.min(), let high = known.max() else { return nil }
    let width = panels.count > 1 ? 1060.0 : 520
    let cell = max(5, min(34, 490 / Double(most)))
    let (panelWidth, panelHeight) = (cell * Double(most) + 44, cell * Double(panels.map(\.rows).max() ?? 1) + 46)
    let perLine = max(1, Int(width / panelWidth))
    var drawing = Drawing(width: width, height: 30)
    for (place, panel) in panels.enumerated() {
      let corner = (x: Double(place % perLine) * panelWidth + 26, y: Double(place / perLine) * panelHeight + 22)
      draw(panel, at: corner, cell, low, high, &drawing)
    }
    let lines = (panels.count + perLine - 1) / perLine
    let top = Double(lines) * panelHeight + 8
    legend(low, high, top: top, &drawing)
    drawing.height = top + 34
    return Figure(
      name, title: title, note: note, summary: summary, drawing, isWide: panels.count > 1, specification: specification)
  }

  private func draw(
    _ panel: Panel, at corner: Drawing.Point, _ cell: Double, _ low: Double, _ high: Double, _ drawing: inout Drawing
  ) {
    let room = cell * Double(panel.columns)
    let label = TextWidth.fitted(panel.title, within: max(room, 60), size: Drawing.textSize)
    if let style = panel.style {
      drawing.group(style) { drawing in
        drawing.mark(style, at: (corner.x + 5, corner.y - 10), radius: 4)
        drawing.text(
          TextWidth.fitted(panel.title, within: max(room, 60) - 14, size: Drawing.textSize),
          at: (corner.x + 14, corner.y - 6))
      }
    } else {
      drawing.text(label, at: (corner.x, corner.y - 6))
    }
    let isNumbered = panel.columns <= MatrixFigure.mostNumbers && cell >= 24
    for row in 0..<panel.rows {
      for column in 0..<panel.columns {
        let value = panel.values[row * panel.columns + column]
        guard value.isFinite else { continue }
        let colour = Palette.sequential(high > low ? (value - low) / (high - low) : 0.5)
        let at = (x: corner.x + cell * Double(column), y: corner.y + cell * Double(row))
        // Smaller rather than paler: a pale colour would tell another number.
        let inset = hasZeroShot && column > row ? max(1, (0.13 * cell).rounded()) : 0
        drawing.cell((at.x + inset, at.y + inset), cell - 1 - 2 * inset, fill: colour)
        if isNumbered {
          let text = String(shareText(value).drop { $0 == "0" }.prefix(3))
          drawing.cellText(text, at: (at.x + (cell / 2).rounded(), at.y + (cell / 2).rounded() + 3), on: colour)
        }
      }
    }
    let every = max(1, Int((16 / cell).rounded(.up)))
    for row in stride(from: 0, to: panel.rows, by: every) {
      drawing.text(String(row), at: (corner.x - 5, corner.y + cell * (Double(row) + 0.5) + 3.5), .end, "soft", size: 10)
    }
    let across = max(1, Int((20 / cell).rounded(.up)))
    for column in stride(from: 0, to: panel.columns, by: across) {
      let x = corner.x + cell * (Double(column) + 0.5)
      drawing.text(String(column), at: (x, corner.y + cell * Double(panel.rows) + 11), .middle, "soft", size: 10)
    }
  }

  private func legend(_ low: Double, _ high: Double, top: Double, _ drawing: inout Drawing) {
    let start = drawing.text(shareText(low), at: (26, top + 16), .start, "soft").right + 8
    for step in 0..<12 {
      let colour = Palette.sequential(Double(step) / 11)
      drawing.rectangle((start + 12 * Double(step), top + 6), 12, 12, "", fill: colour)
    }
    let end = drawing.text(shareText(high), at: (start + 152, top + 16), .start, "soft").right
    drawing.text("rows: \(rowTitle); columns: \(columnTitle)", at: (end + 24, top + 16), .start, "soft")
  }

  private var summary: String {
    let texts = panels.map { panel -> String in
      let last = panel.rows > 0 ? Array(panel.values.suffix(panel.columns)) : []
      return "\(panel.title), last row " + last.prefix(20).map(shareText).joined(separator: " ")
        + (last.count > 20 ? " …" : "")
    }
    return texts.joined(separator: "; ")
  }

  private var specification: JSONValue {
    let values = panels.flatMap { panel in
      panel.values.indices.filter { panel.values[$0].isFinite }.map { place -> JSONObject in
        [
          "strategy": JSONValue(panel.title), "row": JSONValue(place / panel.columns),
          "column": JSONValue(place % panel.columns), "value": fourDigits(panel.values[place]),
        ]
      }
    }
    return VegaLite.chart(
      values,
      [
        "mark": "rect", "width": 140,
        "encoding": [
          "facet": VegaLite.field(
            "strategy", "nominal", title: "", ["columns": 4, "sort": JSONValue(panels.map { JSONValue($0.title) })]),
          "x": VegaLite.field("column", "ordinal", title: columnTitle),
          "y": VegaLite.field("row", "ordinal", title: rowTitle),
          "color": VegaLite.field("value", "quantitative", ["scale": ["range": ["#f7f4f9", "#143c78"]]]),
        ],
      ])
  }
}

extension MatrixFigure {
  /// Tasks up to which a matrix is drawn.
  private static let mostTasks = 50
  /// Variants of a scenario up to which each has its matrices.
  private static let mostVariants = 12

  static func figures(_ data: ReportData) throws -> [Figure] {
    let accuracies = try data.arrays(.expectedAccuracy, .accuracy)
    let (cross, distances) = (try data.arrays(.crossAccuracy), try data.arrays(.driftTV))
    return data.scenarios.flatMap { scenario -> [Figure] in
      let panels = scenario.rows.compactMap { panel(accuracies[$0.place], $0.short, $0.style) }
      let accuracy = MatrixFigure(
        name: "matrices-\(scenario.slug)", title: "\(scenario.name): accuracy on each task after each task",
        note: "Means over seeds; one scale of colour for all."
          + (panels.contains { $0.values.contains(where: \.isNaN) } ? " Blank: not measured." : "")
          + " Smaller: tasks not learned yet (zero-shot).",
        panels: panels, rowTitle: "after learning task", columnTitle: "task", hasZeroShot: true)
      let variants = scenario.variants
      let truths = [
        (cross, "cross-accuracy", "accuracy on the column's task of the best rule for the row's task"),
        (distances, "drift TV", "total variation between the laws of two tasks"),
      ].map { arrays, name, what in
        let panels = variants.prefix(mostVariants).compactMap { variant in
          variant.rows.lazy.compactMap { panel(arrays[$0.place], variant.label.isEmpty ? name : variant.label, nil) }
            .first
        }
        return (panels, slug(name), what)
      }
      return [accuracy.figure].compactMap(\.self)
        + truths.compactMap { panels, name, what in
          MatrixFigure(
            name: "\(name)-\(scenario.slug)", title: "\(scenario.name): \(what)",
            note: "A property of the scenario; mean over seeds."
              + (variants.count > mostVariants ? " The first \(mostVariants) of \(variants.count)." : ""),
            panels: panels, rowTitle: "task",
            columnTitle: "other task"
          ).figure
        }
    }
  }

  /// Nil where runs have matrices of different sizes, too large ones or none.
  private static func panel(_ observations: [Observation]?, _ title: String, _ style: Int?) -> Panel? {
    guard let mean = observations?.mean, mean.lengths.count == 2, mean.lengths[1] <= mostTasks,
      mean.lengths[0] > 1, mean.values.contains(where: \.isFinite)
    else { return nil }
    return Panel(title: title, style: style, rows: mean.lengths[0], columns: mean.lengths[1], values: mean.values)
  }
}
