import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults

/// Worth against cost on a logarithmic axis, the front dotted; bounds are lines across and never candidates.
struct CostFigure {
  let data: ReportData
  let scenario: ReportData.Scenario
  let cost: ParetoReport.Cost

  /// Candidates up to which each has its name; of more the front alone.
  private static let mostNames = 12

  private struct Candidate {
    let row: ReportData.Row
    let cost: Double
    let worth: Interval
  }

  private func spent(_ row: ReportData.Row) -> Double? {
    row.row.mean(of: cost.metric, data.report.metrics)
  }

  private var candidates: [Candidate] {
    scenario.candidates.compactMap { row in
      guard let cost = spent(row), cost > 0, let worth = data.cell(row, data.worth)?.interval else { return nil }
      return Candidate(row: row, cost: cost, worth: worth)
    }
  }

  private var bounds: [(row: ReportData.Row, worth: Double)] {
    scenario.rows.filter(\.isBound).compactMap { row in data.cell(row, data.worth)?.interval.map { (row, $0.mean) } }
  }

  private var xTitle: String { cost == .bytes ? "bytes kept between updates (log)" : "multiply-adds of the run (log)" }
  private var yTitle: String { spaced(data.worth.column(scenario.kind)) }
  private var name: String { cost == .bytes ? "bytes" : "multiply-adds" }

  var figure: Figure? {
    let (candidates, bounds) = (candidates, bounds)
    let frame = Frame(left: 58, top: 12, right: 506, bottom: 262)
    let heights = candidates.flatMap { [$0.worth.lower ?? $0.worth.mean, $0.worth.upper ?? $0.worth.mean] }
    guard !candidates.isEmpty,
      let x = Scale(holding: candidates.map(\.cost), from: frame.left + 14, to: frame.right - 14, kind: .log),
      let y = Scale(holding: heights + bounds.map(\.worth), from: frame.bottom, to: frame.top)
    else { return nil }
    let front = ParetoFront(candidates.map { .init(cost: $0.cost, worth: data.worth.sign * $0.worth.mean) })
    var drawing = Drawing(width: 520, height: frame.bottom + 42)
    drawing.leftAxis(y, frame, yTitle)
    drawing.lowerAxis(x, frame, xTitle, about: 5)
    let points = candidates.map { (x: x.place($0.cost), y: y.place($0.worth.mean)) }
    let best = candidates.indices.filter { front.isOnFront[$0] }.sorted { points[$0].x < points[$1].x }
    drawing.path(best.map { points[$0] }, "front")
    var taken: [TextBox] = []
    for bound in bounds { draw(bound, y.place(bound.worth), frame, &taken, &drawing) }
    for (candidate, point) in zip(candidates, points) { draw(candidate, point, y, &drawing) }
    let named = candidates.count <= CostFigure.mostNames ? Array(candidates.indices) : best
    let unnamed =
      label(
        named.map { (candidates[$0].row.style, candidates[$0].row.short) }, named.map { points[$0] }, points, frame,
        &taken, &drawing) + candidates.count - named.count
    let onFront = Set(best.map { candidates[$0].row.label })
    return Figure(
      "cost-\(name)-\(scenario.slug)",
      title: "\(scenario.name): \(yTitle) against \(cost == .bytes ? "bytes kept" : "multiply-adds")",
      note:
        "Means over seeds with 95 % intervals; dotted: beaten by none in both. Dashed: bounds, which keep all rows or learn nothing, and are no candidates."
        + (unnamed > 0 ? " \(counted(unnamed, "point has", "points have")) no name here for want of room." : "")
        + scenario.leavesOut(scenario.rows.count),
      summary: summary(candidates, bounds, onFront), drawing, specification: specification(candidates, bounds, onFront))
  }

  private func draw(
    _ bound: (row: ReportData.Row, worth: Double), _ y: Double, _ frame: Frame, _ taken: inout [TextBox],
    _ drawing: inout Drawing
  ) {
    drawing.line((frame.left, y), (frame.right, y), "ref")
    let text = "\(bound.row.short) ‡ \(data.worth.text(bound.worth))"
    let choices = [y - 4, y + 13, y - 17, y + 26].map { Drawing.box(text, at: (frame.right - 2, $0), .end) }
    let place = choices.firstIndex { box in !taken.contains { $0.overlaps(box) } } ?? 0
    taken.append(drawing.text(text, at: (frame.right - 2, [y - 4, y + 13, y - 17, y + 26][place]), .end, "soft"))
  }

  private func draw(_ candidate: Candidate, _ point: Drawing.Point, _ y: Scale, _ drawing: inout Drawing) {
    drawing.group(candidate.row.style) { drawing in
      if let lower = candidate.worth.lower, let upper = candidate.worth.upper {
        drawing.line((point.x, y.place(lower)), (point.x, y.place(upper)), "k")
      }
      let title =
        "\(candidate.row.label): \(data.worth.text(candidate.worth.mean)), \(tickText(candidate.cost.rounded()))"
      drawing.mark(candidate.row.style, at: point, radius: 5, title: title)
    }
  }

  /// Names beside points: eight places are tried, then one farther away with a line to it.
  /// - Returns: how many names found no place.
  private func label(
    _ names: [(style: Int, name: String)], _ points: [Drawing.Point], _ all: [Drawing.Point], _ frame: Frame,
    _ taken: inout [TextBox],
    _ drawing: inout Drawing
  ) -> Int {
    var left = 0
    let marks = all.map { TextBox(text: "", left: $0.x - 6, top: $0.y - 6, right: $0.x + 6, bottom: $0.y + 6) }
    for (name, point) in zip(names, points) {
      var isPlaced = false
      let text = TextWidth.fitted(name.name, within: 150, size: Drawing.textSize)
      let near: [(Double, Double, Drawing.Anchor)] = [
        (9, 4, .start), (-9, 4, .end), (0, -9, .middle), (0, 18, .middle), (8, -6, .start), (-8, -6, .end),
        (8, 14, .start), (-8, 14, .end),
      ]
      let far = (1...8).flatMap { step in
        near.prefix(4).map { ($0.0 * Double(step) * 2.2, $0.1 + ($0.1 > 4 ? 14 : -14) * Double(step), $0.2) }
      }
      for (place, choice) in (near + far).enumerated() {
        let at = (x: point.x + choice.0, y: point.y + choice.1)
        let box = Drawing.box(text, at: at, choice.2)
        let fits =
          box.left >= frame.left + 2 && box.right <= frame.right && box.top >= frame.top - 8
          && box.bottom <= frame.bottom
        guard fits, !taken.contains(where: { $0.overlaps(box) }), !marks.contains(where: { $0.overlaps(box) }) else {
          continue
        }
        if place >= near.count {
          drawing.line(point, (min(max(point.x, box.left), box.right), min(max(point.y, box.top), box.bottom)), "front")
        }
        drawing.group(name.style) { taken.append($0.text(text, at: at, choice.2)) }
        isPlaced = true
        break
      }
      if !isPlaced { left += 1 }
    }
    return left
  }

  private func summary(
    _ candidates: [Candidate], _ bounds: [(row: ReportData.Row, worth: Double)], _ onFront: Set<String>
  ) -> String {
    let texts = candidates.map { candidate in
      "\(candidate.row.label) \(data.worth.text(candidate.worth.mean)) at \(tickText(candidate.cost.rounded()))"
        + (onFront.contains(candidate.row.label) ? " (front)" : "")
    }
    return (texts + bounds.map { "bound \($0.row.label) \(data.worth.text($0.worth))" }).joined(separator: "; ")
  }

  private func specification(
    _ candidates: [Candidate], _ bounds: [(row: ReportData.Row, worth: Double)], _ onFront: Set<String>
  ) -> JSONValue {
    let values = candidates.map { candidate -> JSONObject in
      [
        "strategy": JSONValue(candidate.row.label), "cost": fourDigits(candidate.cost),
        "worth": fourDigits(candidate.worth.mean), "front": JSONValue(onFront.contains(candidate.row.label)),
      ]
    }
    let lines = JSONValue(
      bounds.map { ["bound": JSONValue($0.row.label), "worth": fourDigits($0.worth)] as JSONValue })
    let x = VegaLite.field("cost", "quantitative", title: xTitle, ["scale": ["type": "log"]])
    return VegaLite.chart(
      values,
      [
        "layer": [
          [
            "mark": ["type": "point", "filled": true, "size": 80],
            "encoding": [
              "x": x, "y": VegaLite.quantity("worth", yTitle),
              "color": VegaLite.strategies(candidates.map(\.row.label)),
            ],
          ],
          [
            "data": ["values": lines], "mark": ["type": "rule", "strokeDash": [5, 4]],
            "encoding": ["y": VegaLite.quantity("worth", yTitle), "tooltip": ["field": "bound"]],
          ],
        ]
      ])
  }
}
