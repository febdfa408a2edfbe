import Synchronization

/// A task, before its rows: what the learner may know when it begins.
public struct ExperienceInfo: Sendable, Equatable, Codable {
  /// Counted from 0.
  public let index: Int
  /// Such as `night shift` or `digits 2, 3`.
  public let name: String
  /// The outputs this task's labels use: all of them where tasks share their labels.
  public let outputs: Range<Int>
  /// The outputs used by this task and all before it.
  public let seenOutputs: Range<Int>
  /// Training rows.
  public let rows: Int
  /// A number for what is in force in it: tasks with the same one are visits of one concept. Nil: nobody says.
  public let concept: Int?

  public init(
    index: Int, name: String, outputs: Range<Int>, seenOutputs: Range<Int>, rows: Int, concept: Int? = nil
  ) {
    precondition(!outputs.isEmpty && outputs.upperBound <= seenOutputs.upperBound)
    self.index = index
    self.name = name
    self.outputs = outputs
    self.seenOutputs = seenOutputs
    self.rows = rows
    self.concept = concept
  }

  /// The same task with another number of training rows.
  package func with(rows: Int) -> ExperienceInfo {
    ExperienceInfo(
      index: index, name: name, outputs: outputs, seenOutputs: seenOutputs, rows: rows, concept: concept)
  }

  /// The same task as a visit of a concept.
  package func with(concept: Int) -> ExperienceInfo {
    ExperienceInfo(
      index: index, name: name, outputs: outputs, seenOutputs: seenOutputs, rows: rows, concept: concept)
  }
}

/// A task that has been learned, with what the scenario allows to be looked at again.
public struct EndedExperience: Sendable {
  public let info: ExperienceInfo
  /// The task's training rows, as far as the scenario allows them to be revisited (possibly none).
  public let data: Rows
  /// The network as it is now; work done with a copy of it is charged by ``charge(_:)``.
  public let network: Network
  /// The way through the network that rows of this task take.
  public let way: Program
  /// The columns of the way's logits that took part in this task's loss.
  public let outputs: Range<Int>
  /// Memories keep rows with their logits.
  public let keepsAnswers: Bool
  /// One for all copies.
  private let meter = WorkMeter()

  public init(
    info: ExperienceInfo, data: Rows, network: Network, way: Program, outputs: Range<Int>, keepsAnswers: Bool = false
  ) {
    self.info = info
    self.data = data
    self.network = network
    self.way = way
    self.outputs = outputs
    self.keepsAnswers = keepsAnswers
  }

  public var model: MLP { network.model }
}

extension EndedExperience {
  /// Counts work that a part does now towards the run's costs: the learner knows which part it is asking, and charges that one.
  public func charge(_ work: Work) { meter.multiplyAdds.add(work.multiplyAdds, ordering: .relaxed) }

  /// What was charged and not taken yet.
  package var chargedWork: Work { Work(multiplyAdds: meter.multiplyAdds.load(ordering: .relaxed)) }

  /// Takes what was charged since it was last taken.
  func takeCharges() -> Work { Work(multiplyAdds: meter.multiplyAdds.exchange(0, ordering: .relaxed)) }

  /// Lends a copy of the network to `body` and charges what it computes there.
  public func withNetwork<R>(_ body: (inout Network) -> R) -> R {
    var copy = network
    let result = body(&copy)
    charge(copy.work - network.work)
    return result
  }

  /// Memory of a stored row's logits, in bytes: 0 where memories keep none.
  public var answerBytes: Int { keepsAnswers ? 4 * model.shape.outputs : 0 }

  /// Lets rows of the task that are to be stored carry their logits as they are now, charged, where memories keep them: of rows that
  /// are chosen when the task has ended there are no others. Outputs that took no part are unknown.
  public func setAnswers(_ rows: inout Batch) {
    guard keepsAnswers && rows.count > 0 else { return }
    let logits = withNetwork { $0.logits(rows.inputs, way) }
    rows.setAnswers(logits.known(outputs, as: way.outputs.lowerBound, over: model.shape.outputs))
  }

  /// What enters the last layer, rows × its width, charged.
  public func features(_ inputs: Matrix) -> Matrix { withNetwork { $0.features(inputs, way) } }
}

/// Work done while a task ends. Atomic because a part may share it out among threads.
private final class WorkMeter: Sendable {
  let multiplyAdds = Atomic(0)
}

/// Where in its life a step stands.
public struct StepContext: Sendable, Equatable {
  public let experience: ExperienceInfo
  /// Pass over the task's rows. A learner's parts see it counted from 0 in each task, whatever number its caller begins with.
  public internal(set) var epoch: Int
  /// Step within the task, counted from 0.
  public let step: Int
  /// Steps of the task in all; nil: nobody knows beforehand.
  public let steps: Int?
  /// The step's place in the training of the weights at hand: in the whole run, or in the task where a bound starts afresh
  /// with it. Nil: not known.
  public let run: StepPlace?
  /// What the step size is multiplied by: 1, but for a while behind an alarm that boosts it. Optimisers with a ``RateSchedule`` heed it.
  public package(set) var rateFactor = 1.0
  /// The step's rows are offered to the memory, in the first pass. False where rows come again in task after task.
  public package(set) var offersRows = true

  public init(experience: ExperienceInfo, epoch: Int, step: Int, steps: Int? = nil, run: StepPlace? = nil) {
    self.experience = experience
    self.epoch = epoch
    self.step = step
    self.steps = steps
    self.run = run
  }
}

/// A step's place among others.
public struct StepPlace: Sendable, Equatable {
  /// Counted from 0.
  public let step: Int
  /// How many there will be; nil: nobody knows beforehand.
  public let steps: Int?

  public init(step: Int, steps: Int?) {
    self.step = step
    self.steps = steps
  }
}
