import PalimpsestCore

/// What was probed of a network's hidden layers, a reading a task and layer. What was not asked for is NaN.
public struct LayerRecord: Sendable, Equatable, Codable {
  /// One layer after one task.
  public struct Reading: Sendable, Equatable, Codable {
    @Measured public var numbers: [Double]

    /// Dormant and dead share, effective and stable rank, norms of the weights and of their gradient, similarity to the layer after the
    /// task before.
    public init(_ activity: LayerActivity?, weightNorm: Double, gradientNorm: Double, similarity: Double) {
      numbers = [
        activity?.dormantShare ?? .nan, activity?.deadShare ?? .nan, activity?.effectiveRank ?? .nan,
        activity?.stableRank ?? .nan, weightNorm, gradientNorm, similarity,
      ]
    }
  }

  /// The names of a reading's numbers, in order.
  static let names: [ObservationName] = [
    .dormantUnits, .deadUnits, .effectiveRank, .stableRank, .weightNorm, .gradientNorm, .similarity,
  ]

  /// One list a task that was probed, from the first on; one reading a layer.
  public var tasks: [[Reading]] = []

  public init() {}

  func problem(tasks count: Int) -> String? {
    let fits = tasks.count <= count && tasks.joined().allSatisfy { $0.numbers.count == LayerRecord.names.count }
    return fits ? nil : "what was probed of layers is not of \(count) tasks"
  }
}

/// How a task that is never in the stream was learned.
public struct FreshRecord: Sendable, Equatable, Codable {
  /// Mean −ln p(label) after the steps from the initial weights.
  public var lossBefore = Double.nan
  /// One a task, from its weights.
  @Measured public var loss: [Double]
  @Measured public var accuracy: [Double]

  public init() { (loss, accuracy) = ([], []) }

  func fits(_ tasks: Int) -> Bool { loss.count == accuracy.count && loss.count <= tasks }

  /// What the loss has grown by from initial weights to the last.
  public var plasticityLoss: Double { (loss.last ?? .nan) - lossBefore }
}

extension RunRecord {
  /// - Parameter tasks: of the run.
  mutating func observe(_ record: LayerRecord, tasks count: Int) {
    let width = record.tasks.map(\.count).max() ?? 0
    if width == 0 { return }
    let axes = [Axis(MeasureAxis.afterTask.name, count), Axis(MeasureAxis.layer.name, width)]
    for (place, name) in LayerRecord.names.enumerated() {
      var values = [Double](repeating: .nan, count: count * width)
      for (task, readings) in record.tasks.enumerated() {
        for (layer, reading) in readings.enumerated() { values[task * width + layer] = reading.numbers[place] }
      }
      if values.contains(where: { !$0.isNaN }) { observe(Observation(name, along: axes, .numbers(values))) }
    }
  }

  mutating func observe(_ record: FreshRecord, tasks count: Int) {
    if record.loss.isEmpty { return }
    let axis = [Axis(MeasureAxis.afterTask.name, count)]
    let rest = [Double](repeating: .nan, count: count - record.loss.count)
    observe(Observation(.freshLoss, along: axis, .numbers(record.loss + rest)))
    observe(Observation(.freshAccuracy, along: axis, .numbers(record.accuracy + rest)))
    observe(Observation(.freshLossBefore, record.lossBefore))
    observe(Observation(.plasticityLoss, record.plasticityLoss))
  }
}
