import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults

/// Lines of strategies over something that goes on: tasks learned, rows seen, thresholds; with bands where there are several runs.
struct LinesFigure {
  struct Line {
    let style: Int
    let name: String
    let x: [Double]
    let mean: [Double]
    /// Half-widths of the 95 % interval; empty: no band.
    var half: [Double] = []
  }

  let name: String
  let title: String
  let note: String
  let lines: [Line]
  let xTitle: String
  let yTitle: String
  /// Whole places 0, 1, … below; else a scale.
  var isOfTasks = false
  /// Where something begins: lines from top to bottom.
  var switches: [Double] = []
  /// What is neither gain nor loss: a dashed line across.
  var level: Double?
  var isWide = false
  /// What is given and what came are in one unit: a dashed line where they are equal.
  var hasDiagonal = false
  /// Marks at the points of lines that have few.
  var hasMarks = true

  /// Runs from which on a band says anything: of two, Student's t is 12.7 standard errors.
  static let leastOfBand = 3
  /// Lines up to which bands are drawn.
  static let mostBands = 8

  private var hasBands: Bool { lines.count <= LinesFigure.mostBands }
  private var width: Double { isWide ? 1060 : 520 }

  /// Nil where there is nothing to draw.
  var figure: Figure? {
    let frame = Frame(left: 58, top: 12, right: width - 128, bottom: 12 + max(210, 13 * Double(lines.count)))
    let heights = lines.flatMap { line in
      line.mean.indices.flatMap { place in
        let half = hasBands && line.half.indices.contains(place) && line.half[place].isFinite ? line.half[place] : 0
        return [line.mean[place] - half, line.mean[place] + half]
      }
    }
    let ends = hasDiagonal ? [0.0, 1] : []
    let places = lines.flatMap(\.x) + ends
    guard let y = Scale(holding: heights + ends + [level].compactMap(\.self), from: frame.bottom, to: frame.top),
      let x = Scale(holding: places, from: frame.left, to: frame.right)
    else { return nil }
    var drawing = Drawing(width: width, height: frame.bottom + 42)
    drawing.leftAxis(y, frame, yTitle)
    if isOfTasks {
      drawing.lowerPlaces(Int(places.max() ?? 0) + 1, { x.place(Double($0)) }, frame, xTitle)
    } else {
      drawing.lowerAxis(x, frame, xTitle, hasGrid: false)
    }
    for place in switches { drawing.line((x.place(place), frame.top), (x.place(place), frame.bottom), "ref") }
    if let level { drawing.line((frame.left, y.place(level)), (frame.right, y.place(level)), "ref") }
    if hasDiagonal { drawing.line((x.place(0), y.place(0)), (x.place(1), y.place(1)), "ref") }
    for line in lines { draw(line, x, y, &drawing) }
    drawing.endLabels(endLabels(y), at: frame.right + 2, within: frame)
    return Figure(
      name, title: title, note: note, summary: summary, drawing, isWide: isWide, specification: specification)
  }

  private func draw(_ line: Line, _ x: Scale, _ y: Scale, _ drawing: inout Drawing) {
    let points = zip(line.x, line.mean).map { (x: x.place($0), y: y.place($1)) }
    drawing.group(line.style) { drawing in
      if hasBands && line.half.count == line.mean.count {
        let known = line.mean.indices.filter { line.mean[$0].isFinite && line.half[$0].isFinite }
        drawing.area(
          known.map { (points[$0].x, y.place(line.mean[$0] + line.half[$0])) },
          known.map { (points[$0].x, y.place(line.mean[$0] - line.half[$0])) }, "b")
      }
      drawing.path(points, "k")
      if points.count <= 20 && hasMarks { drawing.marks(line.style, at: points, radius: 3.2) }
    }
  }

  private func endLabels(_ y: Scale) -> [(style: Int, name: String, y: Double)] {
    lines.compactMap { line in
      line.mean.last(where: \.isFinite).map { (line.style, line.name, y.place($0)) }
    }
  }

  private var summary: String {
    let texts = lines.map { line in
      let known = line.mean.filter(\.isFinite)
      if known.count <= 12 { return "\(line.name) " + line.mean.map(shareText).joined(separator: ", ") }
      let (first, last) = (known.first ?? .nan, known.last ?? .nan)
      return
        "\(line.name) from \(shareText(first)) to \(shareText(last)), least \(shareText(known.min() ?? .nan)), most \(shareText(known.max() ?? .nan))"
    }
    return "\(yTitle) by \(xTitle): " + texts.joined(separator: "; ")
  }

  private var specification: JSONValue {
    let values = lines.flatMap { line in
      line.x.indices.filter { line.mean[$0].isFinite }.map { place -> JSONObject in
        var value: JSONObject = [
          "strategy": JSONValue(line.name), "x": fourDigits(line.x[place]), "mean": fourDigits(line.mean[place]),
        ]
        if line.half.indices.contains(place), line.half[place].isFinite {
          value["lower"] = fourDigits(line.mean[place] - line.half[place])
          value["upper"] = fourDigits(line.mean[place] + line.half[place])
        }
        return value
      }
    }
    let colour = VegaLite.strategies(lines.map(\.name))
    let x = VegaLite.quantity("x", xTitle)
    let band: JSONValue = [
      "mark": ["type": "area", "opacity": 0.15],
      "encoding": ["y": VegaLite.quantity("lower", yTitle), "y2": ["field": "upper"]],
    ]
    let line: JSONValue = [
      "mark": ["type": "line", "point": true], "encoding": ["y": VegaLite.quantity("mean", yTitle)],
    ]
    let hasBand = lines.contains { $0.half.contains(where: \.isFinite) }
    let diagonal: JSONValue = [
      "data": ["values": [["x": 0, "mean": 0], ["x": 1, "mean": 1]]], "mark": ["type": "line", "strokeDash": [5, 4]],
      "encoding": ["y": VegaLite.quantity("mean", yTitle), "color": ["value": "#6b7280"]],
    ]
    let layers = (hasDiagonal ? [diagonal] : []) + (hasBand ? [band, line] : [line])
    return VegaLite.chart(values, ["encoding": ["x": x, "color": colour], "layer": JSONValue(layers)])
  }
}

extension LinesFigure.Line {
  /// Mean and interval at each place over the runs of a row.
  /// - Parameter runs: one list a run, of the same length.
  init?(_ row: ReportData.Row, x: [Double], runs: [[Double]]) {
    guard !runs.isEmpty, runs.allSatisfy({ $0.count == x.count }), !x.isEmpty else { return nil }
    let intervals = x.indices.map { place in Interval(runs.map { $0[place] }.filter(\.isFinite)) }
    guard intervals.contains(where: { $0 != nil }) else { return nil }
    self.init(
      style: row.style, name: row.short, x: x, mean: intervals.map { $0?.mean ?? .nan },
      half: runs.count >= LinesFigure.leastOfBand ? intervals.map { $0?.halfWidth ?? .nan } : [])
  }
}
