import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults

/// All configurations of a sweep across its settings, the best dark; of very many the middle halves of five classes of worth.
struct ParallelFigure {
  let sweep: Sweep

  static let mostAxes = 12
  static let mostLines = 2_000
  private static let classes = 5

  private var axes: [Sweep.Setting] { Array(sweep.settings.prefix(ParallelFigure.mostAxes)) }

  /// Place of a value up its axis, 0 to 1.
  private func height(_ setting: Sweep.Setting, _ configuration: Int) -> Double {
    setting.places[configuration].map { (Double($0) + 0.5) / Double(setting.values.count) } ?? .nan
  }

  var figure: Figure? {
    guard axes.count > 1, let low = sweep.worths.min(), let high = sweep.worths.max(), high > low else { return nil }
    let frame = Frame(left: 70, top: 34, right: 980, bottom: 284)
    var drawing = Drawing(width: 1060, height: frame.bottom + 24)
    let step = frame.width / Double(axes.count)
    let x = { (axis: Int) in frame.left + step * Double(axis) }
    let y = { (share: Double) in frame.bottom - share * frame.height }
    let worth = { (index: Int) in (sweep.worths[index] - low) / (high - low) }
    let lists = sweep.worths.indices.map { index in axes.map { height($0, index) } + [worth(index)] }
    if lists.count <= ParallelFigure.mostLines {
      draw(lists, x, y, &drawing)
    } else {
      drawBands(lists, x, y, &drawing)
    }
    for (place, axis) in axes.enumerated() { label(axis, x(place), frame, step, &drawing) }
    drawing.line((x(axes.count), frame.top), (x(axes.count), frame.bottom), "axis")
    drawing.text(
      TextWidth.fitted(sweep.yTitle, within: step, size: 11), at: (x(axes.count), frame.top - 10), .middle, "ink",
      size: 11)
    drawing.text(shareText(high), at: (x(axes.count) + 6, frame.top + 4), .start, "soft", size: 11)
    drawing.text(shareText(low), at: (x(axes.count) + 6, frame.bottom + 4), .start, "soft", size: 11)
    let isBanded = lists.count > ParallelFigure.mostLines
    return Figure(
      "parallel-\(sweep.slug)",
      title: "\(sweep.scenario.name), \(sweep.strategy): configurations across their settings",
      note: (isBanded ? "The middle halves of five classes of worth, of" : "A line a configuration, of")
        + " \(lists.count); darker is better. Importance of each setting in the axes' order: "
        + axes.map(\.importanceText).joined(separator: ", ") + ".",
      summary: "best configuration \(bestLabel); importance "
        + axes.map { "\($0.name) \($0.importanceText)" }.joined(separator: ", "),
      drawing, isWide: true, specification: specification)
  }

  private var bestLabel: String {
    let best = sweep.worths.indices.dropFirst().reduce(0) { a, b in
      sweep.better(sweep.worths[a], sweep.worths[b]) == sweep.worths[a] ? a : b
    }
    return "\(sweep.labels[best]) with \(sweep.metric.text(sweep.worths[best]))"
  }

  /// 0 for the worst.
  private func goodness(_ share: Double) -> Double { sweep.metric.direction == .lower ? 1 - share : share }

  private func draw(_ lists: [[Double]], _ x: (Int) -> Double, _ y: (Double) -> Double, _ drawing: inout Drawing) {
    let order = lists.indices.sorted { goodness(lists[$0].last ?? 0) < goodness(lists[$1].last ?? 0) }
    for index in order {
      let list = lists[index]
      let colour = Palette.sequential(0.25 + 0.75 * goodness(list.last ?? 0))
      drawing.ink(list.indices.map { (x($0), y(list[$0])) }, colour)
    }
  }

  private func drawBands(_ lists: [[Double]], _ x: (Int) -> Double, _ y: (Double) -> Double, _ drawing: inout Drawing) {
    let order = lists.indices.sorted { goodness(lists[$0].last ?? 0) < goodness(lists[$1].last ?? 0) }
    for group in 0..<ParallelFigure.classes {
      let members = order[
        order.count * group / ParallelFigure.classes..<order.count * (group + 1) / ParallelFigure.classes]
      let ends = (0..<(lists.first?.count ?? 0)).map { axis in
        let sorted = members.map { lists[$0][axis] }.filter(\.isFinite).sorted()
        return (quantile(sorted, 0.25) ?? .nan, quantile(sorted, 0.75) ?? .nan)
      }
      let colour = Palette.sequential(0.25 + 0.75 * Double(group) / Double(ParallelFigure.classes - 1))
      let upper = ends.enumerated().map { (x: x($0.offset), y: y($0.element.1)) }
      let lower = ends.enumerated().map { (x: x($0.offset), y: y($0.element.0)) }
      drawing.ink(upper + lower.reversed() + upper.prefix(1), colour)
    }
  }

  private func label(_ axis: Sweep.Setting, _ x: Double, _ frame: Frame, _ step: Double, _ drawing: inout Drawing) {
    drawing.line((x, frame.top), (x, frame.bottom), "axis")
    drawing.text(
      TextWidth.fitted(axis.name, within: min(step, 132) - 6, size: 11), at: (x, frame.top - 10), .middle, "ink",
      size: 11)
    let every = max(1, (axis.values.count + 9) / 10)
    for place in stride(from: 0, to: axis.values.count, by: every) {
      let height = frame.bottom - (Double(place) + 0.5) / Double(axis.values.count) * frame.height
      drawing.text(
        TextWidth.fitted(axis.texts[place], within: min(step, 120) - 12, size: 11), at: (x + 5, height + 4), .start,
        "soft", size: 11)
    }
  }

  private var specification: JSONValue {
    let values = sweep.worths.indices.prefix(ParallelFigure.mostLines).flatMap { index in
      (axes.map { ($0.name, height($0, index)) }).map { name, height -> JSONObject in
        [
          "configuration": JSONValue(index), "setting": JSONValue(name), "height": fourDigits(height),
          "worth": fourDigits(sweep.worths[index]),
        ]
      }
    }
    return VegaLite.chart(
      values,
      [
        "mark": ["type": "line", "opacity": 0.4],
        "encoding": [
          "x": VegaLite.field("setting", "nominal", ["sort": .null]),
          "y": VegaLite.field("height", "quantitative", title: "place of the value"),
          "detail": ["field": "configuration"],
          "color": VegaLite.field("worth", "quantitative", ["scale": ["range": ["#d6dbe8", "#143c78"]]]),
        ],
      ])
  }
}
