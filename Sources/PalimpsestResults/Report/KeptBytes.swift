import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestStrategies

/// What a configuration's record says of its costs: whether it is a bound, and whether the optimiser's state lives on.
package struct CostTraits: Sendable, Equatable {
  /// It keeps all rows, or forgets nothing because it learns nothing: what is possible, and no candidate.
  package var isBound = false
  /// `training.resetOptimizer` is false: the optimiser's state is kept from task to task.
  package var keepsOptimizer = false

  package init() {}

  /// - Parameter record: the whole configuration, as plan and cube keep it.
  package init(record: JSONValue) {
    let parts = record["strategy"]?.array ?? []
    isBound = parts.contains { part in part["name"]?.string.map(CostTraits.boundNames.contains) ?? false }
    keepsOptimizer = record["training"]?["resetOptimizer"]?.bool == false
  }

  private static let boundNames = Set(standardParts.filter { Role.bound.isPlayed(by: $0) }.map { $0.name })
}

extension Report {
  /// What ``Row/bytesKept(_:)`` adds up.
  package static let bytesKeptOf: [Metric] = [.bytesModel, .bytesImportance, .bytesMemory, .bytesOptimizer]
}

extension Report.Row {
  /// Bytes kept between updates, mean over seeds: the model with its adapters, importance, stored rows, and the optimiser's state
  /// where it is carried over; nil where no run has them.
  /// - Parameter metrics: of the report, with ``Report/bytesKeptOf`` among them.
  package func bytesKept(_ metrics: [Metric]) -> Double? {
    let counted = Report.bytesKeptOf.filter { costs.keepsOptimizer || $0.name != Metric.bytesOptimizer.name }
    return counted.reduce(Double?.some(0)) { sum, metric in
      sum.flatMap { sum in mean(of: metric, metrics).map { sum + $0 } }
    }
  }

  /// The mean of one metric of the report; nil where it has none.
  package func mean(of metric: Metric, _ metrics: [Metric]) -> Double? {
    metrics.firstIndex { $0.name == metric.name }.flatMap { cells[$0].interval?.mean }
  }
}
