/// All a runner knows of a method.
public protocol Learner: Sendable {
  /// What the learner wants to train on in a task. Methods train on the task's own rows; bounds may differ.
  func plan(for experience: Int) -> TrainingPlan
  /// A task begins, where the run tells so. By default nothing happens.
  mutating func begin(_ experience: ExperienceInfo)
  /// One step on the rows of `batch`.
  mutating func learn(_ batch: Batch, _ context: StepContext) -> StepReport
  /// From now on steps are those of another optimiser, which has no memory of earlier ones. By default nothing happens.
  mutating func train(with optimizer: any Optimizer)
  /// From now on steps are those of an optimiser that keeps its memory when a task begins; it has that of earlier steps where they
  /// were taken by one of the same kind and settings. By default nothing happens.
  mutating func goOnTraining(with optimizer: any Optimizer)
  /// The task is over, where the run tells so. By default nothing happens.
  /// - Parameter data: its rows, as far as the scenario allows them to be revisited, without what only an evaluator may know.
  mutating func finish(_ experience: ExperienceInfo, revisiting data: Rows)
  /// A row's label was revealed, whose prediction was made before the row was learned.
  /// - Returns: what the strategy's drift detector says; nothing where there is none.
  mutating func observe(_ outcome: Outcome) -> DriftSignal
  /// Whether the alarm that was just raised asks for the end of the experience, where the run takes ends from alarms.
  var asksForEnd: Bool { get }
  /// Logits, rows × the scenario's outputs; −∞ for an output that cannot be predicted.
  /// - Parameter experience: the task the rows belong to; nil: unknown.
  func predict(_ inputs: Matrix, knowing experience: Int?) -> Matrix
  /// The same logits for rows that are about to be learned, into room that is there: where many rows come one by one. By default
  /// it is ``predict(_:knowing:)``.
  mutating func answer(_ inputs: Matrix, knowing experience: Int?, into logits: inout Matrix)
  /// Outputs that can be predicted now for rows of a task (nil: unknown).
  func predictableOutputs(knowing experience: Int?) -> Range<Int>
  /// What the method has cost so far.
  var cost: LearnerCost { get }
  /// False once a weight is no longer a finite number.
  var isFinite: Bool { get }
  /// Writes all that the learner has become since it was made: what a checkpoint holds. A learner that is `Codable` has
  /// this for nothing; any other says by the default that it cannot be kept.
  /// - Throws: ``PalimpsestSettings/StateError``.
  func saveState(to encoder: any Encoder) throws
  /// Becomes, from a learner freshly made with the same settings, the one that was saved: it goes on with the same bits.
  /// - Throws: ``PalimpsestSettings/StateError`` where the state is not one of such a learner; the learner is then not to be used.
  mutating func restoreState(from decoder: any Decoder) throws
}

extension Learner {
  public func plan(for experience: Int) -> TrainingPlan { TrainingPlan() }
  public mutating func begin(_ experience: ExperienceInfo) {}
  public mutating func train(with optimizer: any Optimizer) {}
  public mutating func goOnTraining(with optimizer: any Optimizer) {}
  public mutating func finish(_ experience: ExperienceInfo, revisiting data: Rows) {}
  public mutating func observe(_ outcome: Outcome) -> DriftSignal { .none }
  public var asksForEnd: Bool { true }
  public mutating func answer(_ inputs: Matrix, knowing experience: Int?, into logits: inout Matrix) {
    logits = predict(inputs, knowing: experience)
  }

  public func saveState(to encoder: any Encoder) throws { throw StateError("\(Self.self) is not Codable") }
  public mutating func restoreState(from decoder: any Decoder) throws {
    throw StateError("\(Self.self) is not Codable")
  }
}

extension Learner where Self: Codable {
  public func saveState(to encoder: any Encoder) throws { try encode(to: encoder) }

  public mutating func restoreState(from decoder: any Decoder) throws {
    let restored = try Self(from: decoder)
    let problem = (restored as? any CheckedState)?.problem(within: decoder.userInfo.stateLimits)
    if let problem { throw StateError(problem) }
    self = restored
  }
}

/// What one step did.
public struct StepReport: Sendable, Equatable {
  /// Weighted sum of the rows' losses (their mean, by default).
  public var loss: Double
  /// Sum of the penalties.
  public var penalty: Float
  /// Rows in the step, replayed ones included.
  public var rows: Int

  public init(loss: Double, penalty: Float, rows: Int) {
    self.loss = loss
    self.penalty = penalty
    self.rows = rows
  }

  public var isFinite: Bool { loss.isFinite && penalty.isFinite }
}

/// Memory in bytes and work in multiply-adds.
public struct LearnerCost: Sendable, Equatable, Codable {
  public var bytesModel = 0
  public var bytesOptimizer = 0
  /// What parts keep beside rows: importances, anchors, teachers, averaged weights.
  public var bytesImportance = 0
  /// Rows that are kept: by a memory, and by a bound that trains on those of all tasks so far.
  public var bytesMemory = 0
  /// Of the steps' passes forward and backward, and of what parts charge when a task ends: Fisher passes, the choice of
  /// core-sets. Neither evaluation nor work of one operation a parameter counts.
  public var multiplyAdds = 0
  /// The same by part: the network first, then the optimiser and the strategy's parts. Their multiply-adds are
  /// ``multiplyAdds`` in sum, their bytes those of model, optimiser, importances and memory. Empty: not known.
  public var parts: [PartCost] = []

  public init() {}
}

extension LearnerCost {
  /// All memory.
  public var bytes: Int { bytesModel + bytesOptimizer + bytesImportance + bytesMemory }
}

/// What a learner is made of, apart from the method.
public struct LearnerSetup: Sendable {
  public var shape: TaskShape
  public var hidden: [Int]
  public var activation: Activation
  public var initializer: Initializer
  public var optimizer: any Optimizer
  /// Optimiser state is forgotten when a task begins.
  public var resetsOptimizer: Bool
  /// Outputs that take part in the loss.
  public var outputRule: OutputRule
  public var seed: Seed

  public init(
    shape: TaskShape, hidden: [Int], activation: Activation = .relu, initializer: Initializer = .he,
    optimizer: any Optimizer = SGD(), resetsOptimizer: Bool = true, outputRule: OutputRule = .all, seed: Seed
  ) {
    self.shape = shape
    self.hidden = hidden
    self.activation = activation
    self.initializer = initializer
    self.optimizer = optimizer
    self.resetsOptimizer = resetsOptimizer
    self.outputRule = outputRule
    self.seed = seed
  }

  /// The network before any task: equal for all methods of a seed.
  /// - Parameter restart: how many times it has been made anew.
  public func makeModel(restart: Int = 0) -> MLP {
    var rng = seed.stream("init", restart)
    return MLP(shape: shape, hidden: hidden, activation: activation, initializer: initializer, using: &rng)
  }
}

/// Why parts do not make a learner.
public struct CompositionError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}

extension LearnerSetup {
  /// What a part says of why it cannot serve beside the others, with its name; nil: all can.
  public func problem(with parts: [any StrategyPart]) -> String? {
    for part in parts {
      let problem = part.problem(in: self, beside: parts)
      if let problem = problem ?? (part as? any DriftDetector)?.response.problem(beside: parts) {
        return "\"\(type(of: part).name)\": \(problem)"
      }
    }
    let replacing = parts.filter { ($0 as? any OutputLoss).map { type(of: $0).replacesBase } ?? false }
    let sharing = parts.filter { ($0 as? any OutputLoss)?.shares != nil }
    for (pair, why) in [(replacing, "the loss of rows is one"), (sharing, "rows are drawn by one")] where pair.count > 1
    {
      return "two losses, \"\(type(of: pair[0]).name)\" and \"\(type(of: pair[1]).name)\": \(why); keep one of them"
    }
    return nil
  }

  /// The learner of a strategy: its one whole learner, or the composition of its parts.
  /// - Throws: ``CompositionError`` where two parts claim the same single place, or a whole learner is not alone.
  public func makeLearner(_ parts: [any StrategyPart]) throws -> any Learner {
    guard let whole = parts.first(where: { $0 is any WholeLearner }) as? any WholeLearner else {
      return try ComposedLearner(self, parts)
    }
    guard parts.count == 1 else {
      throw CompositionError(
        "\"\(type(of: whole).name)\" is a whole learner and stands alone; take the other parts away")
    }
    return whole.makeLearner(self)
  }
}
