import PalimpsestMetrics
import PalimpsestResults

/// What one core makes of some runs that follow each other, while others make other runs'.
struct PackedPart: Sendable {
  private(set) var found = ObservationSurvey()
  private(set) var metrics: [MetricColumns]
  private(set) var measures: [MeasureColumn]
  private(set) var facts = RunFacts()
  /// By axis.
  private(set) var labels: [String: CubeLabels]
  /// Those that somebody else asked for.
  private(set) var rows: [ResultRow] = []

  /// Of no run yet.
  init(_ pack: CubePack) {
    metrics = pack.metrics.map(\.empty)
    measures = pack.measures.map(\.empty)
    labels = pack.labels.mapValues { _ in CubeLabels() }
  }

  /// Takes the next runs, but for what ``find(_:)`` finds.
  mutating func add(_ rows: [ResultRow], _ references: ReferenceRuns) {
    for row in rows {
      let record = row.entry.record
      let context = references.context(of: row)
      for kind in metrics.indices { metrics[kind].add(record, context) }
      for measure in measures.indices { measures[measure].add(record) }
      facts.add(row)
      for axis in labels.keys { labels[axis]?.add(record.labels(along: axis)) }
    }
  }

  /// Looks for what the next runs observed.
  mutating func find(_ rows: [ResultRow]) { found.add(rows) }

  /// Keeps the next runs for whoever asked for them.
  mutating func keep(_ rows: [ResultRow]) { self.rows += rows }
}
