import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults

/// Where forgetting comes from: what the drift itself demands, what the learner inflicts beyond it, less what it had never learned.
/// Together they are the difference between the accuracy when a task was learned and at the end.
struct ForgettingSplitFigure {
  let data: ReportData
  let scenario: ReportData.Scenario

  private struct Bar {
    let row: ReportData.Row
    /// Drift-implied, interference, underfit; the last counts against the others.
    let parts: [Double]
    var sum: Double { parts[0] + parts[1] - parts[2] }
    /// Signed lengths.
    var lengths: [Double] { [parts[0], parts[1], -parts[2]] }
  }

  private static let names = ["drift-implied", "interference", "underfit (less)"]

  private var bars: [Bar] {
    scenario.rows.compactMap { row in
      let parts = [Metric.driftImpliedForgetting, .interference, .underfit].compactMap {
        data.cell(row, $0)?.interval?.mean
      }
      return parts.count == 3 ? Bar(row: row, parts: parts) : nil
    }
  }

  var figure: Figure? {
    let bars = bars
    let frame = Frame(left: 132, top: 32, right: 448, bottom: 32 + 20 * Double(bars.count))
    let ends = bars.flatMap { bar in
      [bar.lengths.filter { $0 > 0 }.reduce(0, +), bar.lengths.filter { $0 < 0 }.reduce(0, +)]
    }
    guard !bars.isEmpty, let x = Scale(holding: ends + [0], from: frame.left, to: frame.right) else { return nil }
    var drawing = Drawing(width: 520, height: frame.bottom + 42)
    key(&drawing)
    drawing.lowerAxis(x, frame, "accuracy lost between learning a task and the end", about: 5)
    for (place, bar) in bars.enumerated() { draw(bar, frame.top + 20 * Double(place), x, frame, &drawing) }
    drawing.line((x.place(0), frame.top), (x.place(0), frame.bottom), "axis")
    return Figure(
      "forgetting-split-\(scenario.slug)", title: "\(scenario.name): where forgetting comes from",
      note:
        "Means over seeds. Right of 0: what the drift demands and what the learner inflicts; left of 0: what it had never learned, or kept beyond a perfect tracker. Tick: their sum.",
      summary: summary(bars), drawing, specification: specification(bars))
  }

  private func key(_ drawing: inout Drawing) {
    var x = 132.0
    for (place, name) in ForgettingSplitFigure.names.enumerated() {
      drawing.rectangle((x, 8), 10, 10, "i\(place)")
      x = drawing.text(name, at: (x + 14, 17)).right + 16
    }
  }

  private func draw(_ bar: Bar, _ top: Double, _ x: Scale, _ frame: Frame, _ drawing: inout Drawing) {
    var (right, left) = (0.0, 0.0)
    for (place, length) in bar.lengths.enumerated() {
      let start = length >= 0 ? right : left
      let ends = [x.place(start), x.place(start + length)].sorted()
      let title = "\(bar.row.label): \(ForgettingSplitFigure.names[place]) \(shareText(bar.parts[place]))"
      drawing.rectangle((ends[0], top + 3), ends[1] - ends[0], 14, "i\(place)", title: title)
      if length >= 0 { right += length } else { left += length }
    }
    drawing.line((x.place(bar.sum), top + 1), (x.place(bar.sum), top + 19), "axis change")
    drawing.group(bar.row.style) { drawing in
      drawing.text(
        TextWidth.fitted(bar.row.short, within: 112, size: Drawing.textSize), at: (frame.left - 8, top + 14), .end)
    }
    drawing.text(shareText(bar.sum), at: (frame.right + 8, top + 14), .start, "soft")
  }

  private func summary(_ bars: [Bar]) -> String {
    bars.map { bar in
      let parts = zip(ForgettingSplitFigure.names, bar.parts).map { "\($0) \(shareText($1))" }
      return "\(bar.row.label): \(parts.joined(separator: ", ")), together \(shareText(bar.sum))"
    }.joined(separator: "; ")
  }

  private func specification(_ bars: [Bar]) -> JSONValue {
    let values = bars.flatMap { bar in
      zip(ForgettingSplitFigure.names, bar.lengths).map { name, length -> JSONObject in
        ["strategy": JSONValue(bar.row.label), "part": JSONValue(name), "lost": fourDigits(length)]
      }
    }
    return VegaLite.chart(
      values,
      [
        "mark": "bar",
        "encoding": [
          "y": VegaLite.field("strategy", "nominal", ["sort": .null]),
          "x": VegaLite.field("lost", "quantitative", title: "accuracy lost"),
          "color": VegaLite.field("part", "nominal"),
        ],
      ])
  }
}
