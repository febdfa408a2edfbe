import PalimpsestMetrics

/// What some runs that follow each other observed of a measure.
struct MeasureColumn: Sendable {
  private let measure: Measure
  private let isInteger: Bool
  /// Of a measure that is stored as numbers.
  private(set) var numbers: PaddedRuns<Double>
  /// Of one that is stored as integers.
  private(set) var integers: PaddedRuns<Int>
  /// Why completed runs do not have the measure's number, where they say so.
  private(set) var reasons = Reasons()
  /// Where the run before has it among its observations.
  private var place = 0

  /// - Parameter lengths: of the axes, in the dataset.
  init(_ measure: Measure, _ lengths: [Int]) {
    self.measure = measure
    isInteger = measure.storage.isInteger
    numbers = PaddedRuns(fill: .nan, lengths)
    integers = PaddedRuns(fill: -1, lengths)
  }

  /// Whether some run's values are fewer than the longest run's, or none.
  var isPadded: Bool { numbers.isPadded || integers.isPadded }

  /// Takes the next run.
  mutating func add(_ record: RunRecord) {
    let found = place(in: record.observations)
    let observation = found.map { record.observations[$0] }
    if measure.isScalar && observation?.isNumber != true { noteReason(record) }
    guard let observation, isAlongAxes(observation) else { return addNone() }
    switch (isInteger, observation.values) {
    case (false, .numbers(let values)): numbers.add(observation.axes, values)
    case (false, .integers): numbers.add(observation.axes, observation.numbers)
    case (true, .integers(let values)): integers.add(observation.axes, values)
    case (true, .numbers): addNone()
    }
  }

  private mutating func addNone() {
    if isInteger { integers.addNone() } else { numbers.addNone() }
  }

  /// Mostly that in the run before.
  private mutating func place(in observations: [Observation]) -> Int? {
    if place < observations.count, observations[place].name == measure.name { return place }
    guard let found = observations.firstIndex(where: { $0.name == measure.name }) else { return nil }
    place = found
    return found
  }

  private func isAlongAxes(_ observation: Observation) -> Bool {
    observation.axes.count == measure.axes.count
      && observation.axes.indices.allSatisfy { observation.axes[$0].name == measure.axes[$0].name }
  }

  private mutating func noteReason(_ record: RunRecord) {
    guard record.status == .completed, let reason = record.whyUndefined(measure.name) else { return }
    reasons.add(reason)
  }
}

extension Observation {
  /// One number, and it was measured.
  fileprivate var isNumber: Bool {
    guard axes.isEmpty else { return false }
    return switch values {
    case .numbers(let values): !values[0].isNaN
    case .integers(let values): values[0] != -1
    }
  }
}
