import PalimpsestMetrics
import PalimpsestResults

/// What the runs of some results observed: the union of names, and how long the axes are. It is the form of a cube: of equal surveys the
/// datasets have equal names, types and lengths.
struct ObservationSurvey: Sendable {
  /// Of what was observed, as long as in the longest run.
  private var observedLengths: [String: Int] = [:]
  /// Of the run with the most.
  private(set) var tasks = 0
  /// Axes along which runs say what places are called or where they lie.
  private(set) var tickedAxes: Set<String> = []
  /// Of the longest run that says where its places lie.
  private(set) var positions: [String: [Int]] = [:]
  private var observed: Set<ObservationName> = []
  private var declared: [Measure] = []
  /// Of the run before: most runs are like it.
  private var latest: [(name: ObservationName, axes: [Axis])] = []

  init(_ rows: [ResultRow] = []) { add(rows) }

  /// What has a dataset, by subject; of each the toolkit's first.
  var measures: [Measure] {
    let all = standardMeasures.filter { $0.isAlwaysThere || observed.contains($0.name) } + declared
    return Measure.Subject.allCases.flatMap { subject in all.filter { $0.subject == subject } }
  }

  /// How long each axis of the measures is.
  var lengths: [String: Int] {
    axes.reduce(into: observedLengths) { lengths, axis in lengths[axis.name] = lengths[axis.name] ?? 0 }
  }

  /// True where some run knows p*.
  var knowsExpected: Bool { has("expected_accuracy") }

  /// Whether some run observed it.
  func has(_ name: ObservationName) -> Bool { observed.contains(name) }

  mutating func add(_ rows: [ResultRow]) { for row in rows { add(row.entry.record) } }

  /// Takes what was found of the runs behind.
  mutating func add(_ others: ObservationSurvey) {
    tasks = max(tasks, others.tasks)
    observedLengths.merge(others.observedLengths) { max($0, $1) }
    tickedAxes.formUnion(others.tickedAxes)
    positions.merge(others.positions) { $1.count > $0.count ? $1 : $0 }
    declared += others.declared.filter { !observed.contains($0.name) }
    observed.formUnion(others.observed)
  }

  /// True where what was found of some runs changes nothing about it.
  func holds(_ found: ObservationSurvey) -> Bool {
    var grown = self
    grown.add(found)
    return grown == self
  }

  /// The axes of the measures, each once.
  var axes: [MeasureAxis] {
    measures.flatMap(\.axes).reduce(into: []) { axes, axis in
      if !axes.contains(where: { $0.name == axis.name }) { axes.append(axis) }
    }
  }

  private mutating func add(_ record: RunRecord) {
    tasks = max(tasks, record.tasks.count)
    for (place, observation) in record.observations.enumerated() {
      if place < latest.count, latest[place].name == observation.name, latest[place].axes == observation.axes {
        continue
      }
      latest.removeSubrange(min(place, latest.count)...)
      latest.append((observation.name, observation.axes))
      add(observation, record)
    }
    for (axis, ticks) in record.ticks {
      tickedAxes.insert(axis)
      guard case .positions(let places) = ticks, places.count > positions[axis]?.count ?? 0 else { continue }
      positions[axis] = places
    }
  }

  private mutating func add(_ observation: Observation, _ record: RunRecord) {
    for axis in observation.axes { observedLengths[axis.name] = max(observedLengths[axis.name] ?? 0, axis.length) }
    guard observed.insert(observation.name).inserted, Measure.standard[observation.name] == nil else { return }
    declared.append(record.declared.first { $0.name == observation.name } ?? Measure(undeclared: observation))
  }
}

extension ObservationSurvey: Equatable {
  /// The order in which declared measures came up counts, for it is theirs in the file.
  static func == (a: ObservationSurvey, b: ObservationSurvey) -> Bool {
    a.tasks == b.tasks && a.observed == b.observed && a.declared == b.declared
      && a.observedLengths == b.observedLengths && a.positions == b.positions && a.tickedAxes == b.tickedAxes
  }
}

extension Measure {
  /// Of an observation that nobody declared.
  fileprivate init(undeclared observation: Observation) {
    self.init(
      observation.name, observation.name.text, definition: "not declared",
      storage: observation.integers == nil ? nil : .i64, along: observation.axes.map { MeasureAxis($0.name, $0.name) })
  }
}
