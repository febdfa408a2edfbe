import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults

/// A stream from its first row to its last: what each strategy loses in every window, what happened to the world as lines and
/// shades, and each detector's alarms in rows of their own below.
struct TimelineFigure {
  let name: String
  let scenario: ReportData.Scenario
  let lines: [LinesFigure.Line]
  let yTitle: String
  let levels: [LinesFigure.Line]
  let events: [Event]
  let alarms: [AlarmRow]
  let seeds: Int

  struct Event: Equatable {
    let first: Double
    let last: Double
    let isBlip: Bool
  }

  /// Alarms of one strategy's detector in the first seed.
  struct AlarmRow {
    let style: Int
    let name: String
    let alarms: [Double]
  }

  private static let alarmHeight = 18.0

  var figure: Figure? {
    let frame = Frame(left: 58, top: 12, right: 920, bottom: 12 + max(230, 13 * Double(lines.count + levels.count)))
    let heights = (lines + levels).flatMap(\.mean)
    let places = lines.flatMap(\.x)
    guard let y = Scale(holding: heights, from: frame.bottom, to: frame.top), let most = places.max(), most > 0
    else { return nil }
    let x = Scale(low: 0, high: most, from: frame.left, to: frame.right)
    let below = frame.bottom + 46
    var drawing = Drawing(
      width: 1060, height: below + TimelineFigure.alarmHeight * Double(alarms.count) + (alarms.isEmpty ? 0 : 8))
    for event in events where event.isBlip {
      drawing.rectangle(
        (x.place(event.first), frame.top), max(1, x.place(event.last) - x.place(event.first)), frame.height, "shade")
    }
    drawing.leftAxis(y, frame, yTitle)
    drawing.lowerAxis(x, frame, "rows seen", about: 8, hasGrid: false)
    let end = below + TimelineFigure.alarmHeight * Double(alarms.count)
    for event in events where !event.isBlip {
      drawing.line((x.place(event.first), frame.top), (x.place(event.first), frame.bottom), "ref change")
      if !alarms.isEmpty { drawing.line((x.place(event.first), below), (x.place(event.first), end), "ref change") }
    }
    for level in levels { drawing.path(zip(level.x, level.mean).map { (x.place($0), y.place($1)) }, "ref") }
    for line in lines {
      drawing.group(line.style) { $0.path(zip(line.x, line.mean).map { (x.place($0), y.place($1)) }, "k") }
    }
    drawing.endLabels(ends(y), at: frame.right + 2, within: frame)
    for (place, row) in alarms.enumerated() {
      draw(row, below + TimelineFigure.alarmHeight * Double(place), x, frame, &drawing)
    }
    return Figure(
      "\(name)-\(scenario.slug)", title: "\(scenario.name): \(yTitle) along the stream",
      note: note, summary: summary, drawing, isWide: true, specification: specification)
  }

  private func ends(_ y: Scale) -> [(style: Int, name: String, y: Double)] {
    (lines + levels).compactMap { line in line.mean.last(where: \.isFinite).map { (line.style, line.name, y.place($0)) }
    }
  }

  private func draw(_ row: AlarmRow, _ top: Double, _ x: Scale, _ frame: Frame, _ drawing: inout Drawing) {
    let middle = top + TimelineFigure.alarmHeight / 2
    drawing.line((frame.left, middle), (frame.right, middle), "grid")
    for alarm in row.alarms { drawing.line((x.place(alarm), middle - 6), (x.place(alarm), middle + 6), "axis alarm") }
    drawing.group(row.style) { drawing in
      drawing.mark(row.style, at: (frame.right + 8, middle), radius: 3.5)
      drawing.text(TextWidth.fitted(row.name, within: 120, size: Drawing.textSize), at: (frame.right + 16, middle + 4))
    }
    if row.alarms.isEmpty { drawing.text("no alarm", at: (frame.left + 4, middle + 4), .start, "soft", size: 11) }
  }

  private var note: String {
    var parts = ["Means over seeds (n \(seeds)) of each window"]
    if events.contains(where: { !$0.isBlip }) { parts.append("dashed lines: true changes") }
    if events.contains(where: \.isBlip) { parts.append("shades: blips") }
    if !alarms.isEmpty { parts.append("below: alarms of each detector in the first seed") }
    return parts.joined(separator: "; ") + "."
  }

  private var summary: String {
    let means = lines.map { line in
      let known = line.mean.filter(\.isFinite)
      return "\(line.name) \(shareText(known.reduce(0, +) / Double(max(1, known.count)))) on average"
    }
    let changes = events.filter { !$0.isBlip }.map { tickText($0.first) }
    let told = changes.isEmpty ? [] : ["changes at rows \(changes.prefix(20).joined(separator: ", "))"]
    return (means + told + alarms.map { "\($0.name): \($0.alarms.count) alarms" }).joined(separator: "; ")
  }

  private var specification: JSONValue {
    let values = lines.flatMap { line in
      line.x.indices.filter { line.mean[$0].isFinite }.map { place -> JSONObject in
        ["strategy": JSONValue(line.name), "rows": fourDigits(line.x[place]), "value": fourDigits(line.mean[place])]
      }
    }
    let changes = events.filter { !$0.isBlip }.map { ["rows": fourDigits($0.first)] as JSONValue }
    return VegaLite.chart(
      values,
      [
        "width": 900,
        "layer": [
          [
            "mark": "line",
            "encoding": [
              "x": VegaLite.quantity("rows", "rows seen"), "y": VegaLite.quantity("value", yTitle),
              "color": VegaLite.strategies(lines.map(\.name)),
            ],
          ],
          [
            "data": ["values": JSONValue(changes)], "mark": ["type": "rule", "strokeDash": [5, 4]],
            "encoding": ["x": VegaLite.quantity("rows", "rows seen")],
          ],
        ],
      ])
  }
}

extension TimelineFigure {
  /// Of each scenario with a stream: regret where p* is known, accuracy with what repeating the last label has.
  static func figures(_ data: ReportData) throws -> [Figure] {
    let rows = try data.arrays("prequential_rows")
    if rows.isEmpty { return [] }
    let regrets = try data.arrays("prequential_regret")
    let accuracies = try data.arrays("expected_prequential_accuracy", "prequential_accuracy")
    let (repeats, mixtures) = (try data.arrays("repeat_last_accuracy"), try data.arrays("mixture_accuracy"))
    let signals = try StreamSignals(data)
    return data.scenarios.flatMap { scenario in
      let shown = scenario.few.filter { rows[$0.place] != nil }
      let lines = { (arrays: [Int: [Observation]]) in shown.compactMap { line($0, $0.short, arrays, rows) } }
      let reference = { (name: String, arrays: [Int: [Observation]]) in
        shown.lazy.compactMap { row in
          line(row, name, arrays, rows).map { LinesFigure.Line(style: 0, name: name, x: $0.x, mean: $0.mean) }
        }.first
      }
      let levels = [reference("repeat last", repeats), reference("best without seeing it", mixtures)].compactMap(\.self)
      let seeds = shown.map(\.row.completed).max() ?? 0
      let (events, alarms) = (signals.events(shown), signals.alarms(shown))
      let figures = [
        TimelineFigure(
          name: "timeline", scenario: scenario, lines: lines(regrets), yTitle: "regret", levels: [], events: events,
          alarms: alarms, seeds: seeds),
        TimelineFigure(
          name: "prequential", scenario: scenario, lines: lines(accuracies), yTitle: "prequential accuracy",
          levels: levels, events: events, alarms: regrets.isEmpty ? alarms : [], seeds: seeds),
      ]
      return figures.compactMap(\.figure)
    }
  }

  /// The windows that all runs of a row have.
  private static func line(
    _ row: ReportData.Row, _ name: String, _ arrays: [Int: [Observation]], _ rows: [Int: [Observation]]
  ) -> LinesFigure.Line? {
    guard let runs = arrays[row.place]?.map(\.numbers), let sizes = rows[row.place]?.first?.numbers,
      let count = (runs.map(\.count) + [sizes.count]).min(), count > 0
    else { return nil }
    var edge = 0.0
    let edges = sizes.prefix(count).map { size in
      edge += size
      return edge
    }
    let line = LinesFigure.Line(row, x: edges, runs: runs.map { Array($0.prefix(count)) })
    return line.map { LinesFigure.Line(style: $0.style, name: name, x: $0.x, mean: $0.mean) }
  }
}

/// What happened to the world and what detectors said, in the first completed seed of each configuration.
struct StreamSignals {
  private let first: [Int: [Observation]]
  private let last: [Int: [Observation]]
  private let kinds: [Int: [Observation]]
  private let alarms: [Int: [Observation]]
  private let alarmKinds: [Int: [Observation]]
  private let counts: [Int: [Observation]]

  init(_ data: ReportData) throws {
    (first, last, kinds) = (
      try data.arrays("event_example"), try data.arrays("event_end"), try data.arrays("event_kind")
    )
    (alarms, alarmKinds) = (try data.arrays("alarm_example"), try data.arrays("alarm_kind"))
    counts = try data.arrays("detection_f1")
  }

  func events(_ rows: [ReportData.Row]) -> [TimelineFigure.Event] {
    guard let row = rows.first(where: { first[$0.place] != nil }), let starts = first[row.place]?.first?.numbers else {
      return []
    }
    let (ends, kinds) = (last[row.place]?.first?.numbers ?? [], self.kinds[row.place]?.first?.integers ?? [])
    return starts.indices.filter { starts[$0].isFinite }.map { place in
      TimelineFigure.Event(
        first: starts[place], last: ends.indices.contains(place) ? ends[place] : starts[place],
        isBlip: kinds.indices.contains(place) && kinds[place] == 2)
    }
  }

  /// Of the strategies whose detector was judged.
  func alarms(_ rows: [ReportData.Row]) -> [TimelineFigure.AlarmRow] {
    rows.filter { counts[$0.place] != nil || alarms[$0.place] != nil }.map { row in
      let (places, kinds) = (alarms[row.place]?.first?.numbers ?? [], alarmKinds[row.place]?.first?.integers ?? [])
      let loud = places.indices.filter { !kinds.indices.contains($0) || kinds[$0] == 1 }
      return TimelineFigure.AlarmRow(style: row.style, name: row.short, alarms: loud.map { places[$0] })
    }
  }
}
