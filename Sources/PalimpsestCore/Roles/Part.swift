import Synchronization

/// One labelled component of an experiment: a term of the learner's formula, or a scenario.
///
/// A part plays exactly one role (a protocol that refines this one). It is a plain value: its parameters are declared with
/// ``Parameter``, everything else it stores is state, and its `Codable` form is its checkpoint.
public protocol Part: Configurable {
  /// The name in experiment files: lower-case with dashes.
  static var name: String { get }
  /// One sentence: what it does.
  static var summary: String { get }
  /// The paper or code it follows, and any departure from it.
  static var source: String { get }
  /// Raised when a change of the algorithm changes results; it is hashed into every run's identity.
  static var revision: Int { get }
}

extension Part {
  public static var revision: Int { 1 }
}

/// A part of a composed learner. Both moments of a task's life default to nothing.
///
/// What it stores beside its parameters is saved with the run by its `Codable` form. State that could contradict itself says
/// so as ``CheckedState``: a damaged checkpoint is then refused with a ``StateError`` and stops nothing. The laws of its role
/// are functions of PalimpsestTesting that any test can call. A method that is no term of the formula is a ``WholeLearner``.
public protocol StrategyPart: Part {
  /// A task begins; the model already has the outputs and modules it needs.
  mutating func begin(_ experience: ExperienceInfo, _ model: MLP)
  /// A task has been learned: take importance, choose a core-set, move the anchor.
  mutating func consolidate(_ ended: EndedExperience, using rng: inout Random)
  /// Memory held by the part's state, in bytes: what a device would have to keep.
  var bytes: Int { get }
  /// The same where parts of the state run along the parameter vector: without the gaps between its tensors, which are no
  /// parameters (``ParameterLayout/bytes(of:)``). Costs take this one; it is ``bytes`` where the part does not say.
  func bytes(in layout: ParameterLayout) -> Int
}

extension StrategyPart {
  public mutating func begin(_ experience: ExperienceInfo, _ model: MLP) {}
  public mutating func consolidate(_ ended: EndedExperience, using rng: inout Random) {}
  public var bytes: Int { 0 }
  public func bytes(in layout: ParameterLayout) -> Int { bytes }
}

/// What a scenario's inputs and outputs look like, for the whole run.
public struct TaskShape: Sendable, Equatable, Codable {
  /// Columns of an input row.
  public let inputs: Int
  /// Outputs of a network that is to solve every task: 1 for a yes-or-no label, else the number of classes.
  public let outputs: Int

  public init(inputs: Int, outputs: Int) {
    precondition(inputs > 0 && outputs > 0, "\(inputs) inputs and \(outputs) outputs")
    self.inputs = inputs
    self.outputs = outputs
  }

  /// One output is a logit of label 1 (logistic loss); more are one logit a class (softmax).
  public var isBinary: Bool { outputs == 1 }
}

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

  public init(index: Int, name: String, outputs: Range<Int>, seenOutputs: Range<Int>, rows: Int) {
    precondition(!outputs.isEmpty && outputs.upperBound <= seenOutputs.upperBound)
    self.index = index
    self.name = name
    self.outputs = outputs
    self.seenOutputs = seenOutputs
    self.rows = rows
  }
}

/// A task that has been learned, with what the scenario allows to be looked at again.
public struct EndedExperience: Sendable {
  public let info: ExperienceInfo
  /// The task's training rows, as far as the scenario allows them to be revisited (possibly none).
  public let data: Rows
  /// The network as it is now.
  public let model: MLP
  /// The way through the network that rows of this task take.
  public let route: Route
  /// The outputs that took part in this task's loss.
  public let outputs: Range<Int>
  /// One for all copies.
  private let meter = WorkMeter()

  public init(info: ExperienceInfo, data: Rows, model: MLP, route: Route, outputs: Range<Int>) {
    self.info = info
    self.data = data
    self.model = model
    self.route = route
    self.outputs = outputs
  }
}

extension EndedExperience {
  /// Counts work that a part does now towards the run's ``LearnerCost/multiplyAdds``.
  public func charge(multiplyAdds: Int) { meter.multiplyAdds.add(multiplyAdds, ordering: .relaxed) }

  /// All that was charged.
  package var chargedMultiplyAdds: Int { meter.multiplyAdds.load(ordering: .relaxed) }

  /// What enters the output layer, rows × penultimate width: ``MLP/features(_:_:)``, charged.
  public func features(_ inputs: Matrix) -> Matrix {
    charge(multiplyAdds: inputs.rows * model.multiplyAdds(route))
    return model.features(inputs, route)
  }
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
