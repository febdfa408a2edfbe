/// Everything one run observed. A metric is a pure function of it, so metrics can be added later and computed on old results.
public struct RunRecord: Sendable {
  /// How the run ended.
  public enum Status: String, Sendable, Equatable, Codable, CaseIterable {
    case completed, failed, diverged, cancelled
  }

  public var status: Status
  /// Why, where it did not complete.
  public var error = ""
  /// Names of the tasks, in order.
  public var tasks: [String]
  /// Why the accuracies on tasks not yet learned are NaN, where the protocol leaves them out: `future classes are masked`.
  public var zeroShotUnmeasured: String?
  /// What was observed, each name once.
  public private(set) var observations: [Observation] = []
  /// Names or positions along axes other than the tasks.
  public var ticks: [String: AxisTicks] = [:]
  /// The declarations of what is not among ``standardMeasures``: results can be made from the record without its observer.
  public private(set) var declared: [Measure] = []

  /// A record with the costs of a run that has not begun, and of each task nothing measured.
  public init(status: Status, tasks: [String]) { self.init(TaskRecord(status: status, tasks: tasks)) }

  /// - Parameter observations: each name once.
  package init(status: Status, tasks: [String], observations: [Observation]) {
    self.status = status
    self.tasks = tasks
    self.observations = observations
  }

  public subscript(name: ObservationName) -> Observation? { observations.first { $0.name == name } }

  /// Its number, where it is one; NaN where it was not observed.
  public func number(_ name: ObservationName) -> Double {
    guard let observation = self[name], observation.axes.isEmpty else { return .nan }
    return observation.numbers[0]
  }

  /// Takes an observation instead of what the name had.
  public mutating func observe(_ observation: Observation) {
    if let place = observations.firstIndex(where: { $0.name == observation.name }) {
      observations[place] = observation
    } else {
      observations.append(observation)
    }
  }

  /// Takes an observation of a measure of one's own.
  /// - Precondition: the axes are those of the measure.
  public mutating func observe(_ observation: Observation, as measure: Measure) {
    precondition(
      observation.name == measure.name && observation.axes.map(\.name) == measure.axes.map(\.name),
      "\(observation.name) along \(observation.axes.map(\.name)) is not \(measure.name) along \(measure.axes.map(\.name))"
    )
    observe(observation)
    declare([measure])
  }

  /// Says what observations mean that are not among the standard ones.
  package mutating func declare(_ measures: [Measure]) {
    for measure in measures where !declared.contains(where: { $0.name == measure.name }) { declared.append(measure) }
  }

  /// Forgets an observation, if there is one.
  mutating func forget(_ name: ObservationName) { observations.removeAll { $0.name == name } }
}

extension RunRecord: Equatable {
  /// The order of observations does not count, and NaN equals NaN.
  public static func == (a: RunRecord, b: RunRecord) -> Bool {
    a.status == b.status && a.error == b.error && a.tasks == b.tasks && a.zeroShotUnmeasured == b.zeroShotUnmeasured
      && a.ticks == b.ticks && a.declared == b.declared && a.observations.count == b.observations.count
      && a.observations.allSatisfy { b[$0.name] == $0 }
  }

  /// Equal but for what is not repeatable, and for what the two did not count by the same rules.
  public func hasSameResults(as other: RunRecord) -> Bool {
    guard status == other.status, error == other.error, tasks == other.tasks,
      zeroShotUnmeasured == other.zeroShotUnmeasured, hasSameTicks(as: other)
    else { return false }
    let names = Set((observations + other.observations).lazy.map(\.name))
    return names.allSatisfy { name in
      self[name] == other[name] || !isCompared(measure(name) ?? other.measure(name), with: other)
    }
  }

  /// Costs that only one of the two has counted at all don't compare: the other is of an earlier version.
  private func isCompared(_ measure: Measure?, with other: RunRecord) -> Bool {
    guard let measure else { return true }
    guard measure.isRepeatable, let rules = measure.countedBy else { return measure.isRepeatable }
    return self[rules] == other[rules] && self[measure.name] != nil && other[measure.name] != nil
  }

  /// Of axes that only one of the two has the observations tell.
  private func hasSameTicks(as other: RunRecord) -> Bool {
    ticks.allSatisfy { axis, ticks in other.ticks[axis].map { $0 == ticks } ?? true }
  }

  private func measure(_ name: ObservationName) -> Measure? {
    Measure.standard[name] ?? declared.first { $0.name == name }
  }
}

extension Measure {
  /// The toolkit's own by name.
  package static let standard = Dictionary(uniqueKeysWithValues: standardMeasures.map { ($0.name, $0) })
}
