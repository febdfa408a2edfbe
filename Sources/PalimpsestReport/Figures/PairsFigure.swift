import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults

/// All pairs of strategies: each row's minus each column's, in colour where the tests set the two apart.
struct PairsFigure {
  let name: String
  let title: String
  let note: String
  let rows: [ReportData.Row]
  /// Row against column: what stands in the cell, how far it is from equal (−1 to 1, more is better for the row), whether it is set apart, and
  /// what the pointer is told. Nil: no comparison.
  let cell: (ReportData.Row, ReportData.Row) -> Cell?

  struct Cell {
    let text: String
    let value: Double
    let goodness: Double
    let isSetApart: Bool
    let title: String
  }

  /// Strategies up to which all pairs are drawn.
  static let most = 20

  var figure: Figure? {
    guard (2...PairsFigure.most).contains(rows.count) else { return nil }
    let left = min(150, 30 + (rows.map { TextWidth.of($0.short, size: Drawing.textSize) }.max() ?? 0))
    let side = min(44, (516 - left) / Double(rows.count))
    let (top, bottom) = (30.0, 30 + 24 * Double(rows.count))
    var drawing = Drawing(width: 520, height: bottom + 10)
    for (place, row) in rows.enumerated() {
      drawing.group(row.style) { drawing in
        let y = top + 24 * (Double(place) + 0.5)
        drawing.mark(row.style, at: (8, y), radius: 4)
        drawing.text(TextWidth.fitted(row.short, within: left - 22, size: Drawing.textSize), at: (17, y + 4))
        drawing.mark(row.style, at: (left + side * (Double(place) + 0.5), top - 12), radius: 4.5, title: row.label)
      }
    }
    var known: [(ReportData.Row, ReportData.Row, Cell)] = []
    for (i, a) in rows.enumerated() {
      for (j, b) in rows.enumerated() where i != j {
        guard let cell = cell(a, b) else { continue }
        if i < j { known.append((a, b, cell)) }
        // Below the diagonal stands the same the other way around.
        let title = i < j ? cell.title : nil
        draw(cell, title, (left + side * Double(j), top + 24 * Double(i)), side, &drawing)
      }
    }
    if known.isEmpty { return nil }
    return Figure(
      name, title: title, note: note,
      summary: known.map { "\($0.0.label) and \($0.1.label): \($0.2.title)" }.joined(separator: "; "), drawing,
      specification: specification(known))
  }

  private func draw(_ cell: Cell, _ title: String?, _ corner: Drawing.Point, _ side: Double, _ drawing: inout Drawing) {
    let colour = cell.isSetApart ? Palette.diverging(cell.goodness) : nil
    drawing.rectangle(corner, side - 1, 23, colour == nil ? "shade" : "", fill: colour, title: title)
    let room = TextWidth.of(cell.text, size: 10) <= side - 3
    guard room else { return }
    let middle = (x: corner.x + side / 2, y: corner.y + 15.5)
    if let colour {
      drawing.cellText(cell.text, at: middle, on: colour)
    } else {
      drawing.text(cell.text, at: middle, .middle, "soft", size: 10)
    }
  }

  private func specification(_ known: [(ReportData.Row, ReportData.Row, Cell)]) -> JSONValue {
    let values = known.map { a, b, cell -> JSONObject in
      [
        "a": JSONValue(a.label), "b": JSONValue(b.label), "value": fourDigits(cell.value),
        "apart": JSONValue(cell.isSetApart),
      ]
    }
    return VegaLite.chart(
      values,
      [
        "mark": "rect",
        "encoding": [
          "x": VegaLite.field("b", "nominal", ["sort": .null]), "y": VegaLite.field("a", "nominal", ["sort": .null]),
          "color": VegaLite.field(
            "value", "quantitative", ["scale": ["domainMid": 0, "range": ["#b05414", "#f7f7f7", "#16785a"]]]),
          "opacity": [
            "condition": ["test": "datum.apart == 'true' || datum.apart === true", "value": 1], "value": 0.25,
          ],
        ],
      ])
  }
}

extension PairsFigure {
  static func figures(_ data: ReportData) -> [Figure] {
    guard let comparison = data.comparison, comparison.tested > 0, data.compared.count == data.report.rows.count else {
      return []
    }
    let pairs = data.scenarios.flatMap { scenario in
      comparison.scenarios.compactMap { tested -> Figure? in
        let rows = scenario.few.filter { data.compared[$0.place].scenario == tested.name }
        return PairsFigure(data, scenario, tested, rows).figure
      }
    }
    return pairs + [improvement(data, comparison)].compactMap(\.self)
  }

  private init(
    _ data: ReportData, _ scenario: ReportData.Scenario, _ tested: Comparison.Scenario, _ rows: [ReportData.Row]
  ) {
    let metric = data.worth
    let isAccuracy = metric.subject == .accuracy
    let most = tested.pairs.compactMap { $0.difference.map { abs($0.interval.mean) } }.max() ?? 1
    self.init(
      name: "pairs-\(slug(tested.name))",
      title: "\(tested.name): difference in \(spaced(metric.column(scenario.kind)))\(isAccuracy ? ", in points" : "")",
      note:
        "Row minus column, mean over the seeds that both have. Coloured where the exact sign-flip test, adjusted by max-T over all pairs of the page, has p ≤ .05; grey: not told apart."
        + scenario.leavesOut(scenario.few.count),
      rows: rows
    ) { a, b in
      guard let pair = tested.pair(data.compared[a.place].strategy, data.compared[b.place].strategy),
        let difference = pair.difference
      else { return nil }
      let turned: Double = pair.a.label == data.compared[a.place].strategy ? 1 : -1
      let mean = turned * difference.interval.mean
      let text = isAccuracy ? pointsText(mean) : metric.text(mean)
      let wins = turned > 0 ? difference.wins : difference.differences.count - difference.wins - difference.ties
      let numbers = [
        text + (isAccuracy ? " points" : ""),
        difference.interval.halfWidth.map { "± " + (isAccuracy ? decimalText(100 * $0, places: 1) : metric.text($0)) },
        "\(wins) of \(difference.differences.count) seeds", pair.adjusted.map { "adjusted p \(sentenceP($0))" },
        difference.effect.map { "d_z \(decimalText(turned * $0, places: 2))" },
      ]
      return Cell(
        text: text, value: mean, goodness: most > 0 ? metric.sign * mean / most : 0,
        isSetApart: (pair.adjusted ?? 1) <= Comparison.level,
        title: numbers.compactMap(\.self).joined(separator: ", "))
    }
  }

  /// Over several scenarios: the chance that a run of the row's strategy is better than one of the column's.
  private static func improvement(_ data: ReportData, _ comparison: Comparison) -> Figure? {
    let pooled = comparison.pooled.filter { $0.scenarios == comparison.scenarios.count }
    guard !pooled.isEmpty, let first = data.scenarios.first else { return nil }
    return PairsFigure(
      name: "improvement", title: "all scenarios: probability of improvement",
      note:
        "The chance that a run of the row is better than one of the column, mean over \(comparison.scenarios.count) scenarios of all pairs of runs; .5: neither. Coloured beyond .25 and .75.",
      rows: first.few
    ) { a, b in
      let (x, y) = (data.compared[a.place].strategy, data.compared[b.place].strategy)
      guard let entry = pooled.first(where: { $0.a == x && $0.b == y || $0.a == y && $0.b == x }) else { return nil }
      let chance = entry.a == x ? entry.probability : 1 - entry.probability
      return Cell(
        text: shareText(chance).replacingZero, value: chance - 0.5, goodness: 2 * chance - 1,
        isSetApart: abs(chance - 0.5) > 0.25,
        title: "\(shareText(chance)) over \(entry.scenarios) scenarios")
    }.figure
  }
}

extension String {
  /// `.663` of `0.663`.
  fileprivate var replacingZero: String { hasPrefix("0.") ? String(dropFirst()) : self }
}
