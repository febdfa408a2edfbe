import PalimpsestCore
import PalimpsestPersonal

/// All that the app is between the log and the person, as a value: the same entries give the same bits, wherever it was saved and
/// restored.
///
///     loop.take(entry)                          // a day may have ended: its outcome is learned from, an update may begin
///     while loop.isUpdating { loop.advance(steps: 16) }
///     let day = loop.foretell()                 // what tomorrow is likely to be, and whether to remind
public struct HabitLoop: Sendable {
  public static let shape = TaskShape(inputs: 10, outputs: 1)

  /// The network that is shipped, 10-16-8-1, before its weights are read.
  public static func network() throws -> ComposedLearner {
    try ComposedLearner(LearnerSetup(shape: shape, hidden: [16, 8], optimizer: Adam(), seed: Seed(1)), [])
  }

  /// The network with the weights that were shipped.
  /// - Throws: `StateError` where the bytes are not of such a network.
  static func learner(_ shipped: [UInt8]) throws -> ComposedLearner {
    var learner = try network()
    try StateDecoder.read(shipped, limits: StateLimits(shape)) { try learner.restoreState(from: $0) }
    return learner
  }

  /// A day that has ended, and what it says of the next.
  public struct Evening: Sendable, Equatable, Codable {
    public let day: Int
    let features: [Float]
    /// That the habit is kept on the next day; nil before ``HabitLoop/foretell()``.
    public internal(set) var p: Double?
    public internal(set) var decision = Decision.nothing
  }

  public internal(set) var features = HabitFeatureBuilder()
  public internal(set) var model: PersonalModel
  public internal(set) var samples: SampleStore
  public internal(set) var rule: any DecisionRule
  public internal(set) var evening: Evening?
  public internal(set) var counts = LifeCounts()
  /// Bytes of the log that were taken in.
  public var cursor = 0
  /// The samples as an update takes them, while one runs.
  private var rows: Rows?
  private var row = Matrix(rows: 1, columns: 10)

  /// - Parameter shipped: the bytes of a learner's state.
  /// - Throws: `StateError` where they are not of such a network.
  public init(shipped: [UInt8], rule: any DecisionRule = ThompsonRule()) throws {
    model = PersonalModel(
      shipped: try HabitLoop.learner(shipped), shape: HabitLoop.shape, PersonalTraining(), policy: UpdateInterval(),
      safeguard: Mixture(),
      seed: HabitLoop.seed)
    samples = try SampleStore(.int8(columns: 10))
    self.rule = rule
  }

  private static let seed = Seed(1).derived("habit-app")

  // MARK: - A day

  /// Takes an entry in. Where it shows a day to have ended, the row of the day before has its label: weights and statistics follow it, it is
  /// kept as a sample, and an update begins where the policy says so.
  public mutating func take(_ entry: HabitEntry) throws {
    counts.entries += 1
    for day in features.take(entry) { try end(day) }
  }

  private mutating func end(_ day: HabitDay) throws {
    counts.days += 1
    if let isKept = day.isKept, let evening, evening.day == day.day - 1, let p = evening.p {
      try learn(evening, p, isKept)
    }
    evening = Evening(day: day.day, features: day.features, p: nil)
  }

  private mutating func learn(_ evening: Evening, _ p: Double, _ isKept: Bool) throws {
    let (time, label) = (86_400 * Int64(evening.day), isKept ? 1 : 0)
    set(evening.features)
    guard let observed = model.observe(row, label: label, at: time) else { return }
    try samples.append(Sample(time: time, features: evening.features, label: label))
    rule.observe(isKept, after: evening.decision, at: p)
    counts.observe(observed, label, shipped: model.shippedAnswers(to: row)[0])
    if let order = observed.order { _ = model.beginUpdate(order, on: samples.rows()) }
  }

  private mutating func set(_ features: [Float]) {
    for (column, feature) in features.enumerated() { row[0, column] = feature }
  }

  // MARK: - Updates

  public var isUpdating: Bool { model.isUpdating }

  /// Goes on with the update that has begun: stop wherever the system wants, save, and go on later with the same bits.
  public mutating func advance(steps: Int) {
    let samples = rows ?? samples.rows()
    rows = model.advance(steps: steps, on: samples) ? samples : nil
  }

  // MARK: - Predictions

  /// A day has ended, and nobody has said yet what the next will be.
  public var isToForetell: Bool { evening != nil && evening?.p == nil && !isUpdating }

  /// Foretells the day after the one that has ended, and decides about its reminder.
  /// - Returns: nil where no day has ended, or it was done before.
  @discardableResult
  public mutating func foretell() -> Evening? {
    guard isToForetell, var evening else { return nil }
    set(evening.features)
    let p = model.predict(row)
    // A stream of the day's own: nothing of it needs to be saved.
    var rng = HabitLoop.seed.stream("decision", evening.day)
    evening.decision = rule.decide(p, using: &rng)
    evening.p = p
    counts.foretell(p, evening.decision)
    self.evening = evening
    return evening
  }
}
