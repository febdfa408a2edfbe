import PalimpsestCore

/// J*: the best mean accuracy that one function of the features reaches over all tasks, estimated from below.
///
/// A 10-64-32-1 network learns fresh rows of all tasks in equal parts and is scored on other fresh rows by p*. A training row
/// carries the likelier label and counts |2p* − 1|: what a wrong decision costs there. The best decision for such rows is the best
/// decision for accuracy, and no label is drawn. The weights are averaged over the last third of the steps. The best
/// single law's rule is a second bound from below; the larger of the two counts.
///
/// Reported is the accuracy that the laws are calibrated to, less what the function loses against the tasks' own rules on
/// the same rows: the loss varies far less from sample to sample than the accuracy does.
struct JointCeiling {
  private let training: HabitRows
  private let test: [HabitRows]
  private let laws: [HabitLaw]
  private let columns: Int
  private let bayesAccuracy: Double

  static let examples = 45_000
  private static let batch = 256
  private static let epochs = 32
  private static let seed = Seed(0x68616269).derived("habit-ceiling")

  init(_ course: HabitCourse) {
    let perUser = course.laws.count * course.settings.days
    let users = max(1, (JointCeiling.examples + perUser / 2) / perUser)
    self.init(
      course.laws, training: course.calibrationRows(users: users, "habit-ceiling-training"),
      test: course.calibrationRows(users: users, "habit-ceiling-test"), bayesAccuracy: course.settings.bayesAccuracy)
  }

  /// - Parameters:
  ///   - training, test: rows under each of the laws.
  ///   - bayesAccuracy: what the laws are calibrated to.
  init(_ laws: [HabitLaw], training: [HabitRows], test: [HabitRows], bayesAccuracy: Double) {
    self.laws = laws
    self.test = test
    self.bayesAccuracy = bayesAccuracy
    columns = test[0].columns
    self.training = HabitRows(joining: training)
  }

  /// - Cost: 32 passes over 45,000 rows, below a second on one core.
  func estimate() -> Double {
    let oracles = HabitOracles(laws, test)
    let own = laws.indices.reduce(0) { $0 + oracles.accuracy[$1][$1] } / Double(laws.count)
    return bayesAccuracy - (own - max(oracles.bestRule, networkAccuracy()))
  }

  private func networkAccuracy() -> Double {
    guard let network = trained() else { return -.infinity }
    let accuracies = test.map { rows in accuracy(network, rows) }
    return accuracies.reduce(0, +) / Double(accuracies.count)
  }

  private func accuracy(_ network: MLP, _ rows: HabitRows) -> Double {
    let logits = network.logits(rows.rows(experience: 0).batch.inputs, network.plainProgram)
    var sum = 0.0
    logits.values.withSpan { span in
      for row in 0..<rows.count { sum += Double(span[row] >= 0 ? rows.truth[row] : 1 - rows.truth[row]) }
    }
    return sum / Double(rows.count)
  }

  /// The averaged network; nil where no learner can be made, which the settings above rule out.
  private func trained() -> MLP? {
    var adam = Adam()
    adam.rate = 0.01
    let setup = LearnerSetup(
      shape: TaskShape(inputs: columns, outputs: 1), hidden: [64, 32], optimizer: adam, seed: JointCeiling.seed)
    guard var learner = try? ComposedLearner(setup, []) else { return nil }
    let info = ExperienceInfo(index: 0, name: "all", outputs: 0..<1, seenOutputs: 0..<1, rows: training.count)
    learner.begin(info)
    var average = NetworkAverage()
    var feed = DecisionFeed(training, batch: JointCeiling.batch, using: JointCeiling.seed.stream("order"))
    let steps = JointCeiling.epochs * feed.stepsPerEpoch
    for step in 0..<steps {
      _ = learner.learn(feed.next(), StepContext(experience: info, epoch: 0, step: step))
      if 3 * (step + 1) > 2 * steps { average.add(learner.model.parameters) }
    }
    var network = learner.model
    average.write(to: &network.parameters)
    return network
  }
}

/// Shuffled batches of rows that are labelled by what is likelier and weighted by how much it is.
private struct DecisionFeed {
  private let rows: Rows
  private let weights: [Float]
  private let size: Int
  private var order: [Int32]
  private var position = 0
  private var rng: Random
  private var batch: Batch

  init(_ tasks: HabitRows, batch size: Int, using rng: Random) {
    rows = tasks.likelierRows
    weights = tasks.truth.map { abs(2 * $0 - 1) }
    self.size = size
    self.rng = rng
    order = (0..<Int32(tasks.count)).map { $0 }
    batch = Batch(columns: tasks.columns, capacity: size)
  }

  var stepsPerEpoch: Int { max(1, order.count / size) }

  /// The next batch; a pass's last rows that fill none are left out of it.
  mutating func next() -> Batch {
    if position == 0 { rng.shuffle(&order) }
    let picked = order[(position * size)..<min((position + 1) * size, order.count)]
    position = (position + 1) % stepsPerEpoch
    batch.removeAll()
    batch.append(rows, at: picked)
    for (row, place) in picked.enumerated() { batch.setWeight(weights[Int(place)], ofRow: row) }
    return batch
  }
}

/// The mean of parameter vectors, in double precision.
private struct NetworkAverage {
  private var sums: [Double] = []
  private var count = 0.0

  mutating func add(_ parameters: FloatBuffer) {
    if sums.isEmpty { sums = [Double](repeating: 0, count: parameters.count) }
    count += 1
    parameters.withSpan { span in
      var sums = self.sums.mutableSpan
      for i in span.indices { sums[i] += Double(span[i]) }
    }
  }

  func write(to parameters: inout FloatBuffer) {
    parameters.withMutableSpan { span in for i in sums.indices { span[i] = Float(sums[i] / count) } }
  }
}
