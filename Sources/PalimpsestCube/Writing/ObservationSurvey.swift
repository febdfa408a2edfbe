import PalimpsestMetrics
import PalimpsestResults

/// What the runs of some results observed: the union of names, and how long the axes are.
struct ObservationSurvey {
  /// What has a dataset, by subject; of each the toolkit's first.
  private(set) var measures: [Measure] = []
  /// Of what was observed, as long as in the longest run.
  private(set) var lengths: [String: Int] = [:]
  /// Of the longest run that says where its places lie.
  private(set) var positions: [String: [Int]] = [:]
  private var observed: Set<ObservationName> = []
  private var declared: [Measure] = []
  /// Of the run before: most runs are like it.
  private var latest: [(name: ObservationName, axes: [Axis])] = []

  init(_ results: Results) {
    for row in results.rows { add(row.entry.record) }
    let all = standardMeasures.filter { $0.isAlwaysThere || observed.contains($0.name) } + declared
    measures = Measure.Subject.allCases.flatMap { subject in all.filter { $0.subject == subject } }
    for axis in axes where lengths[axis.name] == nil { lengths[axis.name] = 0 }
  }

  /// The axes of the measures, each once.
  var axes: [MeasureAxis] {
    measures.flatMap(\.axes).reduce(into: []) { axes, axis in
      if !axes.contains(where: { $0.name == axis.name }) { axes.append(axis) }
    }
  }

  private mutating func add(_ record: RunRecord) {
    for (place, observation) in record.observations.enumerated() {
      if place < latest.count, latest[place].name == observation.name, latest[place].axes == observation.axes {
        continue
      }
      latest.removeSubrange(min(place, latest.count)...)
      latest.append((observation.name, observation.axes))
      add(observation, record)
    }
    for (axis, ticks) in record.ticks {
      guard case .positions(let places) = ticks, places.count > positions[axis]?.count ?? 0 else { continue }
      positions[axis] = places
    }
  }

  private mutating func add(_ observation: Observation, _ record: RunRecord) {
    for axis in observation.axes { lengths[axis.name] = max(lengths[axis.name] ?? 0, axis.length) }
    guard observed.insert(observation.name).inserted, Measure.standard[observation.name] == nil else { return }
    declared.append(record.declared.first { $0.name == observation.name } ?? Measure(undeclared: observation))
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
