import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults

/// What each person gained over the population model, from the least to the most: who is made worse off stands left of where the
/// line crosses 0.
struct PeopleFigure {
  let scenario: ReportData.Scenario
  let title: String
  let yTitle: String
  let name: String
  let lines: [Line]
  /// A gain: 0 is what the population model has.
  let hasZero: Bool

  struct Line {
    let style: Int
    let name: String
    /// Ascending, of all people of all seeds.
    let values: [Double]

    var tenth: Double { quantile(values, 0.1) ?? .nan }
    var worse: Double { Double(values.count { $0 < 0 }) / Double(max(1, values.count)) }
  }

  /// Up to so many people each is a dot.
  private static let mostDots = 150
  private static let mostPoints = 200

  var figure: Figure? {
    let frame = Frame(left: 58, top: 12, right: 520 - 128, bottom: 12 + max(230, 13 * Double(lines.count)))
    guard !lines.isEmpty,
      let y = Scale(holding: lines.flatMap(\.values) + (hasZero ? [0] : []), from: frame.bottom, to: frame.top)
    else { return nil }
    let x = Scale(low: 0, high: 100, from: frame.left, to: frame.right)
    var drawing = Drawing(width: 520, height: frame.bottom + 42)
    drawing.leftAxis(y, frame, yTitle)
    drawing.lowerAxis(x, frame, "people from the least to the most, %", hasGrid: false)
    if hasZero { drawing.line((frame.left, y.place(0)), (frame.right, y.place(0)), "ref") }
    drawing.line((x.place(10), frame.top), (x.place(10), frame.bottom), "grid")
    for line in lines { draw(line, x, y, &drawing) }
    drawing.endLabels(
      lines.map { ($0.style, $0.name, y.place($0.values.last ?? .nan)) }, at: frame.right + 2, within: frame)
    return Figure(
      "\(name)-\(scenario.slug)", title: "\(scenario.name): \(title)",
      note: "All people of all seeds (\(counts)); large marks: the 10th percentile."
        + (hasZero ? " Below the dashed line they are worse off than with the population model." : "")
        + scenario.leavesOut(lines.count),
      summary: summary, drawing, specification: specification)
  }

  private var counts: String { Set(lines.map(\.values.count)).sorted().map { "n \($0)" }.joined(separator: ", ") }

  private func draw(_ line: Line, _ x: Scale, _ y: Scale, _ drawing: inout Drawing) {
    let share = { (place: Int) in 100 * (Double(place) + 0.5) / Double(line.values.count) }
    drawing.group(line.style) { drawing in
      if line.values.count <= PeopleFigure.mostDots {
        for (place, value) in line.values.enumerated() {
          let isHarmed = hasZero && value < 0
          drawing.dot((x.place(share(place)), y.place(value)), radius: isHarmed ? 2.6 : 1.8, isHarmed ? "c" : "c n")
        }
      }
      drawing.path(points(line).map { (x.place($0.x), y.place($0.y)) }, "k")
      drawing.mark(
        line.style, at: (x.place(10), y.place(line.tenth)), radius: 4.5,
        title: "\(line.name): 10th percentile \(shareText(line.tenth))")
    }
  }

  /// Quantiles of many people, else each person.
  private func points(_ line: Line) -> [Drawing.Point] {
    if line.values.count <= PeopleFigure.mostPoints {
      return line.values.enumerated().map { (100 * (Double($0.offset) + 0.5) / Double(line.values.count), $0.element) }
    }
    return (0...PeopleFigure.mostPoints).map { step in
      let p = Double(step) / Double(PeopleFigure.mostPoints)
      return (100 * p, quantile(line.values, p) ?? .nan)
    }
  }

  private var summary: String {
    lines.map { line in
      "\(line.name): least \(shareText(line.values.first ?? .nan)), 10th percentile \(shareText(line.tenth)), median \(shareText(quantile(line.values, 0.5) ?? .nan)), most \(shareText(line.values.last ?? .nan))"
        + (hasZero ? ", \(decimalText(100 * line.worse, places: 1)) % worse off" : "")
    }.joined(separator: "; ")
  }

  private var specification: JSONValue {
    let values = lines.flatMap { line in
      points(line).map {
        ["strategy": JSONValue(line.name), "people": fourDigits($0.x), "value": fourDigits($0.y)] as JSONObject
      }
    }
    return VegaLite.chart(
      values,
      [
        "mark": ["type": "line", "point": true],
        "encoding": [
          "x": VegaLite.quantity("people", "people from the least to the most, %"),
          "y": VegaLite.quantity("value", yTitle),
          "color": VegaLite.strategies(lines.map(\.name)),
        ],
      ])
  }
}

extension PeopleFigure {
  /// Lines of one figure; a scenario with more configurations shows as many of its first.
  private static let mostLines = 12

  static func figures(_ data: ReportData) throws -> [Figure] {
    let (gains, accuracies) = (try data.arrays("user_life_gain"), try data.arrays("user_test_accuracy"))
    if gains.isEmpty && accuracies.isEmpty { return [] }
    return data.scenarios.flatMap { scenario in
      [
        PeopleFigure(
          scenario: scenario, title: "gain of each person over the population model",
          yTitle: "gain in accuracy over the life",
          name: "people", lines: lines(scenario, gains), hasZero: true
        ).figure,
        PeopleFigure(
          scenario: scenario, title: "accuracy on each user's test rows", yTitle: "accuracy after the last task",
          name: "users", lines: lines(scenario, accuracies), hasZero: false
        ).figure,
      ].compactMap(\.self)
    }
  }

  /// What a fresh adaptation on the first days of each person gains, and whom it harms: whether it is too early.
  static func curves(_ data: ReportData) throws -> [Figure] {
    let days = try data.arrays("curve_day")
    let (gains, worse) = (try data.arrays("curve_gain"), try data.arrays("curve_share_worse"))
    if gains.isEmpty { return [] }
    return data.scenarios.flatMap { scenario in
      [
        curve(scenario, days, gains, "curve-gain", "gain after the first days", "mean gain in accuracy", level: 0),
        curve(
          scenario, days, worse, "curve-share-worse", "people made worse off after the first days", "share of people"),
      ].compactMap(\.self)
    }
  }

  private static func curve(
    _ scenario: ReportData.Scenario, _ days: [Int: [Observation]], _ arrays: [Int: [Observation]], _ name: String,
    _ title: String, _ yTitle: String, level: Double? = nil
  ) -> Figure? {
    let lines = scenario.few.compactMap { row -> LinesFigure.Line? in
      guard let x = days[row.place]?.first?.numbers else { return nil }
      let runs = (arrays[row.place] ?? []).map(\.numbers).filter { $0.count == x.count }
      return LinesFigure.Line(row, x: x, runs: runs)
    }
    return LinesFigure(
      name: "\(name)-\(scenario.slug)", title: "\(scenario.name): \(title)",
      note: TaskFigures.note(lines) + " One update on so many days of a person's own, judged on new days of hers."
        + (level == nil ? "" : " Dashed: as good as the population model.") + scenario.leavesOut(lines.count),
      lines: lines, xTitle: "days learned", yTitle: yTitle, level: level
    ).figure
  }

  private static func lines(_ scenario: ReportData.Scenario, _ arrays: [Int: [Observation]]) -> [Line] {
    scenario.few.compactMap { row -> Line? in
      let values = (arrays[row.place] ?? []).flatMap { $0.numbers.filter(\.isFinite) }.sorted()
      return values.isEmpty ? nil : Line(style: row.style, name: row.short, values: values)
    }.prefix(mostLines).map(\.self)
  }
}
