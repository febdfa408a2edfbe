import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults

/// Worth against one setting: a dot a configuration, and the best that the others allow at each value; a line through these where values are
/// numbers.
struct SliceFigure {
  let sweep: Sweep
  let setting: Sweep.Setting

  /// Of one sweep, the most important.
  static let most = 6

  /// Values on a logarithmic axis: positive ones that span two decades.
  private func scale(_ frame: Frame) -> (place: (Int) -> Double, scale: Scale?) {
    if let numbers = setting.numbers {
      let isLog = (numbers.first ?? 0) > 0 && (numbers.last ?? 0) >= 99 * (numbers.first ?? 1)
      if let scale = Scale(holding: numbers, from: frame.left + 8, to: frame.right - 8, kind: isLog ? .log : .linear) {
        return ({ scale.place(numbers[$0]) }, scale)
      }
    }
    let step = frame.width / Double(setting.values.count)
    return ({ frame.left + step * (Double($0) + 0.5) }, nil)
  }

  private var best: [Double] {
    setting.values.indices.map { place in
      let worths = zip(sweep.worths, setting.places).filter { $0.1 == place }.map(\.0)
      return worths.dropFirst().reduce(worths.first ?? .nan) { sweep.better($0, $1) }
    }
  }

  var figure: Figure? {
    let frame = Frame(left: 58, top: 12, right: 506, bottom: 212)
    guard let y = Scale(holding: sweep.worths, from: frame.bottom, to: frame.top) else { return nil }
    let (place, scale) = scale(frame)
    var drawing = Drawing(width: 520, height: frame.bottom + 42)
    drawing.leftAxis(y, frame, sweep.yTitle)
    if let scale {
      drawing.lowerAxis(scale, frame, setting.name + (scale.kind == .log ? " (log)" : ""), hasGrid: false)
    } else {
      names(place, frame, &drawing)
    }
    let best = best
    drawing.group(sweep.style) { drawing in
      drawing.dots(
        zip(sweep.worths, setting.places).compactMap { worth, value in value.map { (place($0), y.place(worth)) } })
      let points = best.indices.map { (x: place($0), y: y.place(best[$0])) }
      if scale != nil { drawing.path(points, "k") }
      for (index, point) in points.enumerated() where point.y.isFinite {
        drawing.mark(
          sweep.style, at: point, radius: 4, title: "\(setting.texts[index]): best \(sweep.metric.text(best[index]))")
      }
    }
    let share = setting.importance.map { decimalText(100 * $0, places: 0) }
    return Figure(
      "slice-\(sweep.slug)-\(slug(setting.name))",
      title: "\(sweep.scenario.name), \(sweep.strategy): \(sweep.yTitle) by \(setting.name)",
      note:
        "A dot a configuration (mean over seeds); \(scale == nil ? "large marks are" : "the line goes through") the best of each value."
        + (share.map { " The means of its values explain \($0) % of the variance." }
          ?? " Each value has one configuration: what it explains cannot be told."),
      summary: (share.map { "importance \($0) %; " } ?? "") + "best at each value: "
        + zip(setting.texts, best).map { "\($0) \(sweep.metric.text($1))" }.joined(separator: "; "),
      drawing, specification: specification)
  }

  private func names(_ place: (Int) -> Double, _ frame: Frame, _ drawing: inout Drawing) {
    drawing.line((frame.left, frame.bottom), (frame.right, frame.bottom), "axis")
    let room = frame.width / Double(setting.values.count) - 6
    for (index, text) in setting.texts.enumerated() {
      let short = TextWidth.fitted(text, within: room, size: Drawing.textSize)
      drawing.text(short, at: (place(index), frame.bottom + 17), .middle, "soft")
    }
    drawing.text(setting.name, at: ((frame.left + frame.right) / 2, frame.bottom + 34), .middle, "soft")
  }

  private var specification: JSONValue {
    let values = zip(sweep.worths, setting.places).compactMap { worth, place -> JSONObject? in
      place.map { ["value": setting.values[$0], "worth": fourDigits(worth)] }
    }
    let type = setting.numbers == nil ? "nominal" : "quantitative"
    let x = VegaLite.field("value", type, title: setting.name)
    return VegaLite.chart(
      values,
      [
        "encoding": ["x": x],
        "layer": [
          ["mark": ["type": "point", "opacity": 0.4], "encoding": ["y": VegaLite.quantity("worth", sweep.yTitle)]],
          [
            "mark": setting.numbers == nil
              ? ["type": "point", "filled": true, "size": 80] : ["type": "line", "point": true],
            "encoding": [
              "y": [
                "field": "worth", "aggregate": sweep.metric.direction == .lower ? "min" : "max", "type": "quantitative",
              ]
            ],
          ],
        ],
      ])
  }
}
