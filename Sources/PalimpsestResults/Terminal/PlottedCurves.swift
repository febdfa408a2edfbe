import PalimpsestMetrics

/// What the sparklines of a plot are of: one list a configuration, means over its completed runs.
public struct PlottedCurves: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    /// Mean accuracy on the tasks learned so far, after each task.
    case tasks
    /// Accuracy in each window of a stream, before learning from it.
    case windows
    /// How many people gained so much, from the least to the most gain of all.
    case people(PlotScale)
  }

  let kind: Kind
  /// One a configuration; empty where none of its runs has any.
  package let curves: [[Double]]

  static let peopleBins = 12

  public init(_ results: Results) {
    let records = Dictionary(
      grouping: results.rows.filter { $0.entry.record.status == .completed }, by: \.run.configuration
    ).mapValues { $0.map(\.entry.record) }
    let lists = results.plan.configurations.indices.map { records[$0] ?? [] }
    if lists.joined().contains(where: \.isPersonal) {
      self.init(people: lists.map { $0.flatMap { $0["user_life_gain"]?.numbers ?? [] } })
    } else if lists.joined().contains(where: \.isStream) {
      self.init(kind: .windows, curves: lists.map { meanOfEach($0.map(\.windowAccuracies)) })
    } else {
      self.init(kind: .tasks, curves: lists.map { meanOfEach($0.map(\.accuraciesSoFar)) })
    }
  }

  /// - Parameter gains: of all people of a configuration's runs.
  package init(people gains: [[Double]]) {
    guard let scale = PlotScale(Array(gains.joined())) else {
      self.init(kind: .people(PlotScale(low: 0, high: 1)), curves: gains.map { _ in [] })
      return
    }
    let curves = gains.map { gains -> [Double] in
      let finite = gains.filter(\.isFinite)
      if finite.isEmpty { return [] }
      return finite.reduce(into: [Double](repeating: 0, count: PlottedCurves.peopleBins)) { counts, gain in
        counts[scale.place(gain, of: counts.count)] += 1
      }
    }
    self.init(kind: .people(scale), curves: curves)
  }

  init(kind: Kind, curves: [[Double]]) { (self.kind, self.curves) = (kind, curves) }
}

/// As long as the shortest list: runs of unequal streams have their common windows.
private func meanOfEach(_ lists: [[Double]]) -> [Double] {
  guard let length = lists.map(\.count).min() else { return [] }
  return (0..<length).map { place in lists.reduce(0) { $0 + $1[place] } / Double(lists.count) }
}

extension RunRecord {
  /// Noise-free where p* is known.
  fileprivate var accuraciesSoFar: [Double] {
    let matrix = expectedAccuracy ?? accuracy
    guard matrix.isSquare else { return [] }
    return (0..<matrix.tasks).map { after in
      (0...after).reduce(0) { $0 + matrix[after, $1] } / Double(after + 1)
    }
  }

  fileprivate var windowAccuracies: [Double] {
    (self["expected_prequential_accuracy"] ?? self["prequential_accuracy"])?.numbers ?? []
  }
}
