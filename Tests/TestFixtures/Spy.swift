import PalimpsestCore
import PalimpsestStrategies
import Synchronization

/// What happened to a learner.
package enum SpyEvent: Equatable, Sendable {
  /// A task began: its index, and the bits of the weights it begins with.
  case begin(Int, [UInt32])
  /// A step: task, labels, where the rows come from, and the bits of the inputs.
  case step(Int, labels: [Int32], experiences: [Int32], inputs: [UInt32])
  case end(Int, [UInt32])
  /// An evaluation: bits of the inputs and the task that was told.
  case predict([UInt32], knowing: Int?)
}

/// What a step was told of its place.
package struct SpyPlace: Equatable, Sendable {
  package let task: Int
  package let inTask: StepPlace
  package let inRun: StepPlace?
}

/// What a ``Spy`` saw, found by name.
package final class SpyLog: Sendable {
  private static let logs = Mutex<[String: SpyLog]>([:])
  private let stored = Mutex<[SpyEvent]>([])
  private let told = Mutex<[SpyPlace]>([])
  private let truths = Mutex(0)

  package static func named(_ name: String) -> SpyLog {
    logs.withLock { logs in
      if let known = logs[name] { return known }
      let fresh = SpyLog()
      logs[name] = fresh
      return fresh
    }
  }

  package func add(_ event: SpyEvent) { stored.withLock { $0.append(event) } }

  package func add(_ place: SpyPlace) { told.withLock { $0.append(place) } }

  package func addTruth() { truths.withLock { $0 += 1 } }

  /// How often rows were shown with p* of their labels, which nobody who learns may see.
  package var truthsSeen: Int { truths.withLock { $0 } }

  /// One a step.
  package var places: [SpyPlace] { told.withLock { $0 } }
  package var events: [SpyEvent] { stored.withLock { $0 } }
  package var steps: [SpyEvent] { events.filter { if case .step = $0 { true } else { false } } }
  package var evaluations: [SpyEvent] { events.filter { if case .predict = $0 { true } else { false } } }
  /// All but the evaluations.
  package var training: [SpyEvent] { events.filter { if case .predict = $0 { false } else { true } } }

  /// The weights each task began with.
  package var starts: [[UInt32]] {
    events.compactMap { event in
      guard case .begin(_, let weights) = event else { return nil }
      return weights
    }
  }

  /// The weights each task ended with.
  package var ends: [[UInt32]] {
    events.compactMap { event in
      guard case .end(_, let weights) = event else { return nil }
      return weights
    }
  }

  /// For each task, how many rows of each task were trained on.
  package var rowsTrained: [Int: [Int32: Int]] {
    var counts: [Int: [Int32: Int]] = [:]
    for case .step(let task, _, let experiences, _) in events {
      for experience in experiences { counts[task, default: [:]][experience, default: 0] += 1 }
    }
    return counts
  }
}

/// A strategy of the toolkit under watch: it learns exactly as the one it is made of.
package struct Spy: WholeLearner {
  package static let name = "spy"
  package static let summary = "Writes down what happens to another strategy."
  package static let source = "For tests."

  @Parameter("Names of parts, by commas.") var of: String = ""
  @Parameter("Name of the log.") var log: String = ""

  package init() {}

  package func makeLearner(_ setup: LearnerSetup) -> any Learner {
    let types = of.split(separator: ",").compactMap { name in standardParts.first { $0.name == name } }
    guard let inner = try? ComposedLearner(setup, types.map { $0.init() }) else { return StubLearner() }
    return SpyLearner(inner: inner, log: .named(log))
  }
}

private struct SpyLearner: Learner {
  var inner: ComposedLearner
  let log: SpyLog

  private var weights: [UInt32] { inner.model.parameters.array.map(\.bitPattern) }

  func plan(for experience: Int) -> TrainingPlan { inner.plan(for: experience) }

  mutating func begin(_ experience: ExperienceInfo) {
    inner.begin(experience)
    log.add(.begin(experience.index, weights))
  }

  mutating func learn(_ batch: Batch, _ context: StepContext) -> StepReport {
    log.add(
      .step(
        context.experience.index, labels: batch.labels, experiences: batch.experiences, inputs: batch.inputs.bitPatterns
      ))
    log.add(
      SpyPlace(
        task: context.experience.index, inTask: StepPlace(step: context.step, steps: context.steps), inRun: context.run)
    )
    return inner.learn(batch, context)
  }

  mutating func finish(_ experience: ExperienceInfo, revisiting data: Rows) {
    if data.truth != nil { log.addTruth() }
    inner.finish(experience, revisiting: data)
    log.add(.end(experience.index, weights))
  }

  func predict(_ inputs: Matrix, knowing experience: Int?) -> Matrix {
    log.add(.predict(inputs.bitPatterns, knowing: experience))
    return inner.predict(inputs, knowing: experience)
  }

  func predictableOutputs(knowing experience: Int?) -> Range<Int> { inner.predictableOutputs(knowing: experience) }
  var cost: LearnerCost { inner.cost }
  var isFinite: Bool { inner.isFinite }
}

extension Matrix {
  fileprivate var bitPatterns: [UInt32] { values.array.map(\.bitPattern) }
}
