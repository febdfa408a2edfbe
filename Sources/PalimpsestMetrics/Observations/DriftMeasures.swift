import PalimpsestCore

/// What a stream's record says of its changes, and of the alarms where there is a drift detector.
let driftMeasures: [Measure] =
  [.eventCount, .eventExample, .eventEnd, .eventKind, .eventMagnitude, .eventRate, .pathLength] + detectionMeasures

private let detectionMeasures: [Measure] = [
  .detectionDelay, .missedChanges, .falseAlarmsPer1000, .blipAlarms, .meanTimeRatio, .detectionF1, .dummyF1,
]

extension MeasureAxis {
  /// What happened to the world, in the order of time.
  public static let event = MeasureAxis("event", "Index of what happened to the world")
}

/// Rows are counted from 0 through the whole stream.
extension Measure {
  static let eventCount = Measure(
    .eventCount, "What happened to the world in the stream", definition: "how many event_example there are",
    subject: .truth, storage: .i64)

  static let eventExample = Measure(
    .eventExample, "First row of what happened to the world; -1: padding",
    definition:
      "of a change from one task to the next: the first row of the task that begins; else as the scenario says",
    subject: .truth, storage: .i64, along: [.event])

  static let eventEnd = Measure(
    .eventEnd, "Last row of what happened to the world; -1: padding",
    definition: "of a change from one row to the next: event_example", subject: .truth, storage: .i64, along: [.event])

  static let eventKind = Measure(
    .eventKind, "1 a change, 2 a blip; -1: padding",
    definition: "what happened: 1 a change of the law, 2 another law for some rows and then the one before",
    subject: .truth, storage: .i8, along: [.event]
  ).with(flags: [Flag(1, "change"), Flag(2, "blip")])

  static let eventMagnitude = Measure(
    .eventMagnitude, "Total variation between the laws before and behind a change, outside and within a blip",
    definition: "drift_tv of the two tasks whose laws they are; NaN where they are no tasks' laws", subject: .truth,
    along: [.event])

  static let eventRate = Measure(
    .eventRate, "How fast the law changes: total variation a row",
    definition: "event_magnitude over the rows in which it happens", subject: .truth, along: [.event])

  static let pathLength = Measure(
    .pathLength, "How far the law travels in the stream, in total variation",
    definition: "sum of event_magnitude over changes, and twice over blips: there and back", subject: .truth)
}

/// The window of a change reaches from its first row to `stream.maxDelay` rows behind its last one, but not into the next
/// change: ``DriftScore``.
extension Measure {
  static let detectionDelay = Measure(
    .detectionDelay, "Mean delay of detected changes, in rows (MTD)",
    definition: "mean over detected changes of the first alarm in its window minus the change's first row",
    direction: .lower)

  static let missedChanges = Measure(
    .missedChanges, "Share of changes that were missed (MDR)",
    definition: "share of changes without an alarm in their window",
    direction: .lower)

  static let falseAlarmsPer1000 = Measure(
    .falseAlarmsPer1000, "False alarms per 1,000 rows without a change",
    definition: "1000 times alarms outside all windows, over rows outside all windows; 1000 / MTFA", direction: .lower)

  static let blipAlarms = Measure(
    .blipAlarms, "Alarms in blips or soon behind them",
    definition:
      "false alarms from a blip's first row to stream.maxDelay rows behind its last; only of streams with blips",
    direction: .lower, storage: .i64)

  static let meanTimeRatio = Measure(
    .meanTimeRatio, "Mean time ratio (MTR)",
    definition: "MTFA / max(MTD, 1) (1 - MDR), MTFA = rows outside all windows / alarms outside all windows",
    direction: .higher)

  static let detectionF1 = Measure(
    .detectionF1, "F1 of the detector's alarms",
    definition:
      "2 D / (2 D + false alarms + missed changes), D detected changes; later alarms in a window do not count",
    direction: .higher)

  static let dummyF1 = Measure(
    .dummyF1, "F1 of alarms every n rows, about as many as the detector's",
    definition: "mean over all n phases of the F1 of alarms every n = floor(rows / alarms) rows")
}

extension ObservationName {
  static let eventCount: Self = "event_count"
  static let eventExample: Self = "event_example"
  static let eventEnd: Self = "event_end"
  static let eventKind: Self = "event_kind"
  static let eventMagnitude: Self = "event_magnitude"
  static let eventRate: Self = "event_rate"
  static let pathLength: Self = "path_length"
  static let detectionDelay: Self = "detection_delay"
  static let missedChanges: Self = "missed_changes"
  static let falseAlarmsPer1000: Self = "false_alarms_per_1000"
  static let blipAlarms: Self = "blip_alarms"
  static let meanTimeRatio: Self = "mean_time_ratio"
  static let detectionF1: Self = "detection_f1"
  static let dummyF1: Self = "dummy_f1"
}

// MARK: - Observing

extension RunRecord {
  mutating func observe(eventsOf stream: StreamRecord) {
    let events = stream.events
    observe(Observation(.eventCount, events.count))
    observe(.eventExample, .event, events.map(\.rows.lowerBound))
    observe(.eventEnd, .event, events.map(\.rows.upperBound))
    observe(.eventKind, .event, events.map(\.kind.rawValue))
    let magnitudes = events.map { stream.truth?.distance($0.before, $0.behind) ?? .nan }
    if magnitudes.allSatisfy(\.isNaN) { return }
    let axis = [Axis(MeasureAxis.event.name, events.count)]
    observe(Observation(.eventMagnitude, along: axis, .numbers(magnitudes)))
    observe(Observation(.eventRate, along: axis, .numbers(zip(magnitudes, events).map { $0 / Double($1.rows.count) })))
    let path = zip(magnitudes, events).reduce(0) { $0 + ($1.1.kind == .blip ? 2 : 1) * $1.0 }
    if !path.isNaN { observe(Observation(.pathLength, path)) }
  }

  /// What the alarms were worth; nothing where there is no detector, or the stream was not gone through.
  mutating func observe(detectionsOf stream: StreamRecord) {
    guard stream.hasDetector, stream.status == .completed else { return }
    let (changes, blips) = (stream.events.filter { $0.kind == .change }, stream.events.filter { $0.kind == .blip })
    let score = DriftScore(
      alarms: stream.alarms, changes: changes.map(\.rows),
      blips: blips.map { $0.rows.lowerBound...$0.rows.upperBound + stream.maxDelay },
      rows: stream.rightEdges.last ?? 0, maxDelay: stream.maxDelay)
    if !blips.isEmpty { observe(Observation(.blipAlarms, score.blipAlarms)) }
    let delays = zip(changes, score.delays).filter { $0.0.rows.lowerBound > 0 }.map { $0.1.map(Double.init) ?? .nan }
    if !delays.isEmpty {
      observe(Observation(.changeDelay, along: [Axis(MeasureAxis.change.name, delays.count)], .numbers(delays)))
    }
    observe(Observation(.detectionDelay, score.meanDelay))
    observe(Observation(.missedChanges, score.missedShare))
    observe(Observation(.falseAlarmsPer1000, score.falseAlarmsPerThousand))
    observe(Observation(.meanTimeRatio, score.meanTimeRatio.isFinite ? score.meanTimeRatio : .nan))
    observe(Observation(.detectionF1, score.f1))
    observe(Observation(.dummyF1, score.dummyF1))
  }

  /// Why a number of a drift detector is not there; nil for any other name, and for runs of versions that did not observe it.
  package func whyUndefined(_ name: ObservationName) -> String? {
    guard detectionMeasures.contains(where: { $0.name == name }), let events = self[.eventCount]?.integers?.first else {
      return nil
    }
    if name == .blipAlarms && self[.detectionF1] != nil { return "the stream has no blips" }
    if self[name] == nil { return "there is no drift detector" }
    let changes = self[.eventKind]?.integers?.count { $0 == DriftEvent.Kind.change.rawValue } ?? events
    switch name {
    case .falseAlarmsPer1000: return "every row lies in the window of a change"
    case .detectionDelay where changes > 0: return "no change was detected"
    case .meanTimeRatio where changes > 0: return "no alarm was false"
    default:
      return events > 0 ? "the stream has blips and no change" : "nothing changes in the stream: it has one task"
    }
  }
}

extension ScenarioTruth {
  /// Total variation between the laws of two tasks, over the inputs of the second; nil where one of them is none.
  fileprivate func distance(_ before: Int?, _ behind: Int?) -> Double? {
    guard let before, let behind, totalVariation.indices.contains(before),
      totalVariation[before].indices.contains(behind)
    else { return nil }
    return totalVariation[before][behind]
  }
}
