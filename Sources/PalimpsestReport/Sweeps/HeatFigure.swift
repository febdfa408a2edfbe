import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults

/// The best worth at each pair of values of two settings.
struct HeatFigure {
  let sweep: Sweep
  let rows: Sweep.Setting
  let columns: Sweep.Setting

  /// Values of a setting up to which a map is drawn.
  private static let mostValues = 40

  private var best: [[Double]] {
    var best = rows.values.map { _ in columns.values.map { _ in Double.nan } }
    for (index, worth) in sweep.worths.enumerated() {
      guard let row = rows.places[index], let column = columns.places[index] else { continue }
      best[row][column] = best[row][column].isNaN ? worth : sweep.better(best[row][column], worth)
    }
    return best
  }

  var figure: Figure? {
    guard rows.values.count <= HeatFigure.mostValues, columns.values.count <= HeatFigure.mostValues else { return nil }
    let best = best
    let known = best.joined().filter(\.isFinite)
    guard let low = known.min(), let high = known.max() else { return nil }
    let left = min(150, 14 + (rows.texts.map { TextWidth.of($0, size: 11) }.max() ?? 0) + 16)
    let cell = (
      x: min(64, (510 - left) / Double(columns.values.count)), y: min(26, max(10, 320 / Double(rows.values.count)))
    )
    let bottom = 10 + cell.y * Double(rows.values.count)
    var drawing = Drawing(width: 520, height: bottom + 66)
    for (row, line) in best.enumerated() {
      for (column, worth) in line.enumerated() where worth.isFinite {
        let colour = Palette.sequential(high > low ? (worth - low) / (high - low) : 0.5)
        let at = (x: left + cell.x * Double(column), y: 10 + cell.y * Double(row))
        drawing.rectangle(
          at, cell.x - 1, cell.y - 1, "", fill: colour,
          title:
            "\(rows.name) \(rows.texts[row]), \(columns.name) \(columns.texts[column]): \(sweep.metric.text(worth))")
        if cell.x >= 30 && cell.y >= 15 {
          drawing.cellText(shareText(worth), at: (at.x + cell.x / 2, at.y + cell.y / 2 + 3.5), on: colour)
        }
      }
    }
    names(left, bottom, cell, &drawing)
    return Figure(
      "heat-\(sweep.slug)-\(slug(rows.name))-\(slug(columns.name))",
      title: "\(sweep.scenario.name), \(sweep.strategy): best \(sweep.yTitle) by \(rows.name) and \(columns.name)",
      note:
        "The best that the other settings allow, means over seeds; \(shareText(low)) pale to \(shareText(high)) dark.",
      summary: zip(rows.texts, best).map { text, line in
        "\(rows.name) \(text): " + zip(columns.texts, line).map { "\($0) \(shareText($1))" }.joined(separator: ", ")
      }.joined(separator: "; "),
      drawing, specification: specification)
  }

  private func names(_ left: Double, _ bottom: Double, _ cell: (x: Double, y: Double), _ drawing: inout Drawing) {
    let every = max(1, Int((14 / cell.y).rounded(.up)))
    for row in stride(from: 0, to: rows.values.count, by: every) {
      let text = TextWidth.fitted(rows.texts[row], within: left - 24, size: 11)
      drawing.text(text, at: (left - 6, 10 + cell.y * (Double(row) + 0.5) + 4), .end, "soft", size: 11)
    }
    var edge = -Double.infinity
    for column in columns.values.indices {
      let text = TextWidth.fitted(columns.texts[column], within: max(cell.x - 4, 26), size: 11)
      let at = (x: left + cell.x * (Double(column) + 0.5), y: bottom + 15)
      let box = Drawing.box(text, at: at, .middle, size: 11)
      guard box.left > edge + 3, box.right < 520 else { continue }
      drawing.text(text, at: at, .middle, "soft", size: 11)
      edge = box.right
    }
    drawing.text(
      TextWidth.fitted(columns.name, within: 500 - left, size: Drawing.textSize), at: (left, bottom + 34), .start,
      "soft")
    drawing.text(
      TextWidth.fitted("up: \(rows.name)", within: 500 - left, size: Drawing.textSize), at: (left, bottom + 52), .start,
      "soft")
  }

  private var specification: JSONValue {
    let values = best.enumerated().flatMap { row, line in
      line.enumerated().filter { $0.element.isFinite }.map { column, worth -> JSONObject in
        [
          "row": JSONValue(rows.texts[row]), "column": JSONValue(columns.texts[column]), "worth": fourDigits(worth),
        ]
      }
    }
    return VegaLite.chart(
      values,
      [
        "mark": "rect",
        "encoding": [
          "x": VegaLite.field("column", "ordinal", title: columns.name, ["sort": .null]),
          "y": VegaLite.field("row", "ordinal", title: rows.name, ["sort": .null]),
          "color": VegaLite.field("worth", "quantitative", ["scale": ["range": ["#f7f4f9", "#143c78"]]]),
        ],
      ])
  }
}
