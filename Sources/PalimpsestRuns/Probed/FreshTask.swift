import PalimpsestCore
import PalimpsestMetrics
import PalimpsestScenarios

/// A task that is never in the stream, learned by a copy of the network: how well new things are still learned.
///
/// Its inputs are task 0's, its labels the answers of a network of fixed weights, the same in all runs. The copy has the network's own
/// layers without what parts added, the run's optimiser without memory, and no parts.
/// - Cost: ``steps`` steps and a prediction of task 0's test rows, each time.
/// - Source: the design of Lyle et al. 2023, who probe plasticity by tasks of random labels.
struct FreshTask {
  static let steps = 200
  private static let seed = Seed(0x6672_6573_68)

  private var setup: LearnerSetup
  private let experience: ExperienceInfo
  private var feed: FeedSettings
  private let rows: Rows
  private var evaluator: Evaluator

  /// - Returns: nil where task 0 has no training or no test rows.
  init?(_ setup: LearnerSetup, _ stream: any DriftStream, _ feed: FeedSettings) {
    let (training, test) = (stream.trainingRows(for: 0), stream.evaluationSet(for: 0).rows)
    guard training.count > 0, test.count > 0 else { return nil }
    self.setup = setup
    self.setup.outputRule = .all
    self.setup.seed = FreshTask.seed
    self.feed = feed
    self.feed.steps = FreshTask.steps
    let outputs = 0..<setup.shape.outputs
    experience = ExperienceInfo(index: 0, name: "fresh", outputs: outputs, seenOutputs: outputs, rows: training.count)
    let teacher = Teacher(setup.shape, training, seed: FreshTask.seed)
    rows = teacher.labelled(training)
    let set = EvaluationSet(rows: teacher.labelled(test), knownExperience: nil, candidates: outputs)
    evaluator = Evaluator([set], setup.shape)
  }

  /// - Parameter model: the network whose weights are learned from; nil: the run's initial ones.
  mutating func learn(from model: MLP?) -> Evaluation {
    guard var learner = try? ComposedLearner(setup, []) else { return Evaluation() }
    if let model { learner.start(from: FloatBuffer(model.parameters.array.prefix(learner.model.parameters.count))) }
    var feed = BatchFeed([rows], self.feed, using: FreshTask.seed.stream("order"))
    learner.begin(experience)
    var isOver = false
    while !isOver {
      let report = feed.withNext { batch, place, epoch in
        let context = StepContext(
          experience: experience, epoch: epoch, step: place.step, steps: place.steps, run: place)
        return learner.learn(batch, context)
      }
      isOver = report == nil
    }
    return evaluator.evaluate(learner, task: 0)
  }
}

/// A network of fixed weights whose answers are labels, about as many of each as its outputs allow.
private struct Teacher {
  private let model: MLP
  /// Each output's mean over some rows: it is taken from the output, or one label would be all there is.
  private let means: [Float]

  init(_ shape: TaskShape, _ rows: Rows, seed: Seed) {
    var rng = seed.stream("teacher")
    model = MLP(shape: shape, hidden: [32], using: &rng)
    let logits = model.logits(rows.batch.inputs, model.plainProgram)
    means = (0..<logits.columns).map { column in
      Float((0..<logits.rows).reduce(0.0) { $0 + Double(logits[$1, column]) } / Double(logits.rows))
    }
  }

  func labelled(_ rows: Rows) -> Rows {
    let logits = model.logits(rows.batch.inputs, model.plainProgram)
    let labels = (0..<logits.rows).map { row -> Int32 in
      let scores = means.indices.map { logits[row, $0] - means[$0] }
      if scores.count == 1 { return scores[0] > 0 ? 1 : 0 }
      return Int32(scores.indices.max { (scores[$0], -$0) < (scores[$1], -$1) } ?? 0)
    }
    return Rows(
      table: rows.table, experience: 0, places: rows.places, labels: labels, columnOrder: rows.columnOrder)
  }
}
