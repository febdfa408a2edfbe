import PalimpsestCore

/// A model that was trained on a population and lives on with one person: it predicts her days, learns from them when its policy says so,
/// and a safeguard stands between the two.
///
///     var model = PersonalModel(shipped: learner, configuration, seed: seed)
///     let p = model.predict(features)                             // what she gets
///     if let order = model.observe(features, label: 1, at: time).order, model.beginUpdate(order, on: rows) {
///       while model.advance(steps: 64, on: rows) {}
///     }
///
/// Rows are kept by whoever calls: all of the person's so far, in order of time, are given again to whatever learns from them. A value: a
/// copy is another person's model, and the same calls give the same bits.
///
/// - Cost of a prediction: a pass of one row through each expert of the safeguard.
public struct PersonalModel: Sendable {
  public let training: PersonalTraining
  let seed: Seed
  let shape: TaskShape
  /// Told to whatever takes a way of its own for the person.
  static let stage = 1

  // State: what `saveState` writes, but for the shipped model.
  var shipped: any Learner
  var personal: any Learner
  /// The personal model has begun to learn.
  var hasBegun = false
  var snapshot: (any Learner)?
  var candidate: (any Learner)?
  var window: (any Learner)?
  public internal(set) var policy: any UpdatePolicy
  public internal(set) var safeguard: any Safeguard { didSet { asked = AskedExperts(safeguard) } }
  public internal(set) var counts = UpdateCounts()
  var clock = PersonalClock()
  var update: RunningUpdate?

  // Room to work in.
  private var asked: AskedExperts
  private var logits = Matrix(rows: 0, columns: 0)
  /// What each expert says of each class, expert by expert.
  private var shares: [Double] = []
  private var deployed: [Double]
  var feeds: [BatchFeed] = []

  /// - Parameters:
  ///   - shipped: what was trained on the population, with its parts: an anchor, adapters, stored rows come with it.
  ///   - start: what the personal model begins as where that is not the shipped one.
  public init(
    shipped: any Learner, start: (any Learner)? = nil, shape: TaskShape, _ training: PersonalTraining,
    policy: any UpdatePolicy, safeguard: any Safeguard, seed: Seed
  ) {
    self.training = training
    self.seed = seed
    self.shape = shape
    self.shipped = shipped
    personal = start ?? shipped
    training.training.prepare(&personal)
    self.policy = policy
    self.safeguard = safeguard
    asked = AskedExperts(safeguard)
    deployed = [Double](repeating: 0, count: PersonalModel.classes(of: shape))
  }

  private static func classes(of shape: TaskShape) -> Int { shape.isBinary ? 2 : shape.outputs }

  /// Labels there are: 2 where the network has one output.
  public var classes: Int { deployed.count }

  /// An update has begun and has not ended.
  public var isUpdating: Bool { update != nil }

  // MARK: - Predicting

  /// The probability of label 1: what the person gets.
  /// - Parameter features: one row.
  /// - Returns: ½ where a feature, or an answer, is no finite number.
  /// - Precondition: the network has one output.
  /// - Cost: no allocation, but for the first prediction after anything else.
  public mutating func predict(_ features: Matrix) -> Double {
    precondition(shape.isBinary, "probabilities of \(classes) labels: take probabilities(of:)")
    ask(features)
    return deployed[1]
  }

  /// The probabilities of all labels.
  public mutating func probabilities(of features: Matrix) -> [Double] {
    ask(features)
    return deployed
  }

  /// Leaves what the experts say of a row in `shares`, and their mixture in `deployed`.
  private mutating func ask(_ features: Matrix) {
    precondition(features.rows == 1 && features.columns == shape.inputs, "one row of \(shape.inputs) features")
    guard PersonalModel.isFinite(features) else {
      for label in deployed.indices { deployed[label] = 1 / Double(classes) }
      return
    }
    let classes = classes
    let count = asked.experts.count * classes
    if shares.count != count { shares = [Double](repeating: 0, count: count) }
    for place in asked.experts.indices {
      answer(features, as: asked.experts[place])
      takeShares(at: place * classes)
    }
    mix()
  }

  private static func isFinite(_ features: Matrix) -> Bool {
    features.values.withSpan { span in span.indices.allSatisfy { span[$0].isFinite } }
  }

  /// An expert that is not there yet answers as the personal model does.
  private mutating func answer(_ features: Matrix, as expert: Expert) {
    let stage = hasBegun ? PersonalModel.stage : 0
    switch expert {
    case .population: shipped.answer(features, knowing: 0, into: &logits)
    case .snapshot where snapshot != nil: snapshot?.answer(features, knowing: stage, into: &logits)
    case .candidate where candidate != nil && update == nil:
      candidate?.answer(features, knowing: PersonalModel.stage, into: &logits)
    case .window where window != nil: window?.answer(features, knowing: PersonalModel.stage, into: &logits)
    case .personal, .snapshot, .candidate, .window: personal.answer(features, knowing: stage, into: &logits)
    }
  }

  private mutating func takeShares(at first: Int) {
    PersonalModel.shares(of: logits, row: 0, isBinary: shape.isBinary) { shares[first + $0] = $1 }
  }

  /// Gives the probabilities of a row of logits, class by class; the same for all where they say nothing.
  static func shares(of logits: Matrix, row: Int, isBinary: Bool, _ body: (Int, Double) -> Void) {
    if isBinary {
      let z = Double(logits[row, 0])
      let p = z.isNaN ? 0.5 : Elementary.logistic(z)
      body(0, 1 - p)
      return body(1, p)
    }
    let columns = 0..<logits.columns
    let largest = columns.reduce(-Double.infinity) { max($0, Double(logits[row, $1])) }
    let sum = columns.reduce(0) { $0 + Elementary.exp(Double(logits[row, $1]) - largest) }
    let isSaid = sum.isFinite && sum > 0
    for i in columns {
      body(i, isSaid ? Elementary.exp(Double(logits[row, i]) - largest) / sum : 1 / Double(logits.columns))
    }
  }

  private mutating func mix() {
    for label in deployed.indices {
      var sum = 0.0
      for place in asked.weights.indices { sum += asked.weights[place] * shares[place * classes + label] }
      deployed[label] = sum
    }
  }

  // MARK: - Observing

  /// What one row was worth, and what follows from it.
  public struct Observed: Sendable, Equatable {
    /// p of what happened, as it was foretold to the person.
    public let likelihood: Double
    /// The likelier answer, which she got.
    public let answer: Int
    /// The update that is due; nil: none.
    public let order: UpdateOrder?
    /// What became of a candidate in the dark or of the model in use.
    public let verdict: Verdict?
  }

  /// A row's label is known: weights and statistics follow it. The row itself is the caller's to keep.
  /// - Parameters:
  ///   - features: one row.
  ///   - time: seconds on the clock of the event log; earlier than the last one it counts as that.
  /// - Returns: nil where a feature is no finite number: such a row teaches nobody anything and is not to be kept.
  public mutating func observe(_ features: Matrix, label: Int, at time: Int64) -> Observed? {
    precondition((0..<classes).contains(label), "label \(label) of \(classes)")
    guard PersonalModel.isFinite(features) else { return nil }
    ask(features)
    let answer = deployed.likeliest
    let outcome = Outcome(
      row: clock.rows, error: answer == label ? 0 : 1,
      loss: -Elementary.log(max(deployed[label], .leastNormalMagnitude)))
    let likelihood = deployed[label]
    let verdict = safeguard.observe(answers(to: label))
    if let verdict { carryOut(verdict) }
    clock.observe(at: time)
    let order = policy.decide(clock.moment(outcome))
    if order != nil { counts.due += 1 }
    return Observed(likelihood: likelihood, answer: answer, order: order, verdict: verdict)
  }

  private func answers(to label: Int) -> [ExpertAnswer] {
    safeguard.experts.indices.map { place in
      let own = shares[(place * classes)..<((place + 1) * classes)]
      return ExpertAnswer(likelihood: own[own.startIndex + label], isRight: own.likeliest == label)
    }
  }

  /// What a safeguard says between updates.
  private mutating func carryOut(_ verdict: Verdict) {
    switch verdict.decision {
    case .deploy:
      guard let candidate, update == nil else { return }
      deploy(candidate)
    case .keep:
      guard candidate != nil, update == nil else { return }
      candidate = nil
      counts.rejected += 1
    case .rollBack:
      guard let snapshot else { return }
      personal = snapshot
      self.snapshot = nil
      counts.rolledBack += 1
    case .shadow: break
    }
  }

  mutating func deploy(_ learner: any Learner) {
    snapshot = personal
    personal = learner
    hasBegun = true
    candidate = nil
    counts.accepted += 1
  }
}

/// What a safeguard looks at, as it stands: a prediction asks nothing else of it.
private struct AskedExperts: Sendable {
  let experts: [Expert]
  let weights: [Double]

  init(_ safeguard: any Safeguard) { (experts, weights) = (safeguard.experts, safeguard.weights) }
}

/// How many updates came to what.
public struct UpdateCounts: Sendable, Equatable, Codable {
  /// Ordered by the policy.
  public internal(set) var due = 0
  public internal(set) var started = 0
  public internal(set) var finished = 0
  /// Of those finished: deployed, now or after a time in the dark.
  public internal(set) var accepted = 0
  public internal(set) var rejected = 0
  /// Taken back after they had been deployed.
  public internal(set) var rolledBack = 0
  /// Multiply-adds of all updates.
  public internal(set) var multiplyAdds = 0

  public init() {}
}

/// What a policy asks the clock.
struct PersonalClock: Sendable, Equatable, Codable {
  /// Seconds of the latest row.
  private(set) var time: Int64 = 0
  private(set) var rows = 0
  private(set) var rowsSinceUpdate = 0
  /// Seconds of the latest update's beginning, or of the first row.
  private var lastUpdate: Int64 = 0

  mutating func observe(at now: Int64) {
    time = rows == 0 ? now : max(time, now)
    if rows == 0 { lastUpdate = time }
    rows += 1
    rowsSinceUpdate += 1
  }

  mutating func beginUpdate() {
    lastUpdate = time
    rowsSinceUpdate = 0
  }

  func moment(_ outcome: Outcome) -> Moment {
    Moment(
      time: time, rows: rows, rowsSinceUpdate: rowsSinceUpdate,
      daysSinceUpdate: Double(time - lastUpdate) / 86_400, outcome: outcome)
  }
}

extension RandomAccessCollection where Element == Double, Index == Int {
  /// The place of the largest, counted from 0: the first one of equals.
  var likeliest: Int {
    var best = startIndex
    for place in indices where self[place] > self[best] { best = place }
    return best - startIndex
  }
}
