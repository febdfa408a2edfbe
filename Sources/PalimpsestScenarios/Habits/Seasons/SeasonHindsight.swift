import PalimpsestCore

/// What one function of a row reaches over all days, from below: a 10-32-16-1 network that learned 300 other people's days in
/// random order, ten passes in batches of 128 by Adam at .002, the last three at a quarter of it.
///
/// - Cost: some 17,000 steps by default, a second or two on one core.
package struct SeasonHindsight: Sendable {
  private let network: MLP

  private static let people = 300
  private static let batch = 128
  private static let (passes, slowPasses) = (10, 3)
  private static let seed = Seed(0x68616269).derived("seasons-hindsight")

  init?(_ settings: HabitSeasons) {
    guard var learner = SeasonHindsight.learner else { return nil }
    let rows = SeasonRows(settings, seed: SeasonHindsight.seed, users: SeasonHindsight.people).rows.rows(experience: 0)
    let info = ExperienceInfo(index: 0, name: "all", outputs: 0..<1, seenOutputs: 0..<1, rows: rows.count)
    learner.begin(info)
    var order = (0..<Int32(rows.count)).map { $0 }
    var rng = SeasonHindsight.seed.stream("order")
    var batch = Batch(columns: 10, capacity: SeasonHindsight.batch)
    var step = 0
    for pass in 0..<SeasonHindsight.passes {
      rng.shuffle(&order)
      let isSlow = pass >= SeasonHindsight.passes - SeasonHindsight.slowPasses
      for first in stride(from: 0, to: order.count, by: SeasonHindsight.batch) {
        batch.removeAll()
        batch.append(rows, at: order[first..<min(first + SeasonHindsight.batch, order.count)])
        var context = StepContext(experience: info, epoch: pass, step: step)
        context.rateFactor = isSlow ? 0.25 : 1
        _ = learner.learn(batch, context)
        step += 1
      }
    }
    network = learner.model
  }

  /// Untrained; nil where no learner can be made, which the settings rule out.
  private static var learner: ComposedLearner? {
    var adam = Adam()
    adam.rate = 0.002
    let setup = LearnerSetup(shape: TaskShape(inputs: 10, outputs: 1), hidden: [32, 16], optimizer: adam, seed: seed)
    return try? ComposedLearner(setup, [])
  }

  /// The network's parameters.
  var numbers: [Double] { network.parameters.withSpan { span in span.indices.map { Double(span[$0]) } } }

  /// - Parameter numbers: what ``numbers`` gave; others are refused.
  init?(numbers: [Double]) {
    guard var network = SeasonHindsight.learner?.model, numbers.count == network.parameters.count,
      numbers.allSatisfy(\.isFinite)
    else { return nil }
    network.parameters.withMutableSpan { span in for i in span.indices { span[i] = Float(numbers[i]) } }
    self.network = network
  }

  /// What its answers to the rows are worth by p*, row by row.
  package func worth(of rows: Rows) -> [Double] {
    let logits = network.logits(rows.batch.inputs, network.plainProgram)
    return (0..<rows.count).map { rows.worth(of: logits[$0, 0] > 0 ? 1 : 0, toRow: $0)?.answer ?? .nan }
  }

  /// The mean over tasks of what its answers are worth.
  func meanAccuracy(of tasks: [Rows]) -> Double {
    tasks.reduce(0) { $0 + worth(of: $1).reduce(0, +) / Double($1.count) } / Double(tasks.count)
  }
}
