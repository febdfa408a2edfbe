import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestStrategies

/// What a reader must know of a configuration beside its numbers, and how its bytes are counted: all follows from its settings.
package struct ReadingMarks: Sendable, Equatable {
  /// ‡: it keeps all rows, or forgets nothing because it learns nothing: what is possible, and no candidate.
  package var isBound = false
  /// †: it has a way of its own for each task and takes it by the task that a row is told to be of.
  package var isToldTask = false
  /// `training.resetOptimizer` is false: the optimiser's state is kept from task to task.
  package var keepsOptimizer = false

  package init() {}

  /// - Parameter record: the whole configuration, as plan and cube keep it.
  package init(record: JSONValue) {
    let parts = record["strategy"]?.array ?? []
    self.init(parts: parts.compactMap { $0["name"]?.string }, record["training"])
  }

  /// The same without making the whole record.
  package init(_ configuration: StoredConfiguration) {
    let components = configuration.components
    if components.contains(where: { $0.place == .whole }) {
      self.init(record: configuration.record)
    } else {
      self.init(
        parts: components.filter { $0.place == .strategy }.map(\.name),
        components.first { $0.place == .training }?.record)
    }
  }

  private init(parts: [String], _ training: JSONValue?) {
    func plays(_ role: Role) -> Bool { parts.contains { ReadingMarks.players[role]?.contains($0) ?? false } }
    isBound = plays(.bound)
    isToldTask = plays(.isolation) && !plays(.wayChooser)
    keepsOptimizer = training?["resetOptimizer"]?.bool == false
  }

  /// Names of the parts that play a role.
  private static let players: [Role: Set<String>] = Dictionary(
    uniqueKeysWithValues: [Role.bound, .isolation, .wayChooser].map { role in
      (role, Set(standardParts.filter { role.isPlayed(by: $0) }.map { $0.name }))
    })

  /// ` †`, ` ‡`, both or nothing: what stands behind a label.
  package var text: String { (isToldTask ? " †" : "") + (isBound ? " ‡" : "") }

  /// The metric as it is counted of such a configuration: bytes kept are with the optimiser's state, or without.
  package func counted(_ metric: Metric) -> Metric {
    keepsOptimizer && metric.name == Metric.bytesKept.name ? .bytesKeptWithOptimizer : metric
  }
}

extension Sequence<ReadingMarks> {
  /// What the marks of a table mean; nothing of marks that none of them has.
  package var legend: [String] {
    let marks = Array(self)
    let told = "† has a way of its own for each task and takes it by the task that a test row is told to be of."
    let bound = "‡ keeps all rows, or learns nothing: a bound, and no candidate."
    return (marks.contains(where: \.isToldTask) ? [told] : []) + (marks.contains(where: \.isBound) ? [bound] : [])
  }
}

extension Report.Row {
  /// The mean of one metric of the report; nil where it has none.
  package func mean(of metric: Metric, _ metrics: [Metric]) -> Double? {
    metrics.firstIndex { $0.name == metric.name }.flatMap { cells[$0].interval?.mean }
  }
}
