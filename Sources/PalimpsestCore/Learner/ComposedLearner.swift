/// The learner of every composition of parts. Its step, for all of them:
///
/// draw rows → forward → output losses → backward → penalties → transforms → optimiser → mask → θ += u → penalties observe
/// (data gradient, update) → renewal → predictor observes → memory inserts.
///
/// - Cost: after the first step of a task nothing is allocated in a step.
public struct ComposedLearner: Learner {
  private(set) var setup: LearnerSetup
  private(set) var pristine: Roles
  /// Whether the one fused pass is taken where it can be; it trains the same bits as the passes one by one.
  private let fuses: Bool
  /// Tasks take different ways or outputs, so a batch goes through the network task by task.
  let isGrouped: Bool

  // State: what `saveState` writes.
  var roles: Roles
  var network: Network
  package internal(set) var experiences: [ExperienceInfo] = []
  var mask: ParameterMask
  /// The number of the task's first pass: callers may go on counting from task to task. Nil before its first step.
  var firstEpoch: Int?
  var restarts = 0
  var alarms = AlarmCount()
  var ledger: Ledger
  var memoryRandom: Random
  var isolationRandom: Random
  var consolidationRandom: Random
  var renewalRandom: Random

  /// The latest alarm's answer, which is asked for at once.
  public internal(set) var asksForEnd = false

  // Room to work in, filled anew in every step.
  var ways = TaskWays()
  /// The way of rows that were asked about one by one; nil: none were since ways changed.
  var asked: AskedWay?
  var replay: Replay?
  /// A memory's rows come back: there is ``replay``.
  let replays: Bool
  /// The latest batch with stored rows, kept for its memory.
  var joined: Batch?
  var gradient: FloatBuffer
  var dataGradient = FloatBuffer(count: 0)
  /// The mask for the fused pass; empty where the passes are taken one by one.
  var trained = TrainedRanges()
  /// The fused pass updates all parameters.
  var trainsAll = false
  var target = LossRows(labels: [], weights: [], rows: 0..<0, outputs: 0..<1)
  /// What the teachers of each loss say of the rows.
  var taught: [[Matrix]] = []
  /// The step's own rows; the others came back from memory.
  var newRows = 0
  /// Logits of the new rows, and the rows with them, where memories are to keep both.
  var answers = Matrix(rows: 0, columns: 0)
  var offered: Batch?
  /// What parts look through; nil where none does.
  var lender: Lender?
  var activity = UnitActivity()
  /// What a layer's units say of a step's rows, for ``activity``.
  var unitValues = Matrix(rows: 0, columns: 0)

  /// - Throws: ``CompositionError`` where two parts claim the same single place.
  public init(_ setup: LearnerSetup, _ parts: [any StrategyPart]) throws {
    try self.init(setup, parts, fusesUpdate: true)
  }

  package init(_ setup: LearnerSetup, _ parts: [any StrategyPart], fusesUpdate: Bool) throws {
    self.setup = setup
    fuses = fusesUpdate
    if let problem = setup.problem(with: parts) { throw CompositionError(problem) }
    pristine = try Roles(parts, setup.optimizer)
    roles = pristine
    let isGrouped = pristine.isolation != nil || setup.outputRule == .current
    self.isGrouped = isGrouped
    ledger = Ledger(parts: parts.count)
    network = Network(setup.makeModel())
    mask = .all(network.model.parameters.count)
    gradient = FloatBuffer(count: network.model.parameters.count)
    let (shares, looks) = (pristine.shares, pristine.looksBehindLogits)
    let replayed = pristine.takesMemory ? nil : pristine.memory
    replay = replayed.map {
      Replay($0.replay, shares, columns: setup.shape.inputs, isGrouped: isGrouped, keepsOwnWeights: looks)
    }
    replays = replay != nil
    target.target = setup.shape.target
    if pristine.views.contains(.answers) { answers = Matrix(rows: 0, columns: setup.shape.outputs) }
    memoryRandom = setup.seed.stream("memory")
    isolationRandom = setup.seed.stream("isolation")
    consolidationRandom = setup.seed.stream("consolidation")
    renewalRandom = setup.seed.stream("renewal")
  }

  /// The network as it is.
  public var model: MLP { network.model }

  /// The parts as they are, with their state: losses, penalties, transforms, memory, isolation, bound, detector.
  public var parts: [any StrategyPart] { roles.parts }

  /// The optimiser as it is, with its state.
  package var optimizer: any Optimizer { roles.optimizer }

  /// Puts other values in the parts' places: what a checkpoint holds, in the order of ``parts``.
  package mutating func restore(_ parts: [any StrategyPart]) throws { try roles.restore(parts) }

  /// Puts other weights in their places: what a comparison with other programs starts from.
  package mutating func start(from parameters: FloatBuffer) { network.model.parameters.copy(from: parameters) }

  public func plan(for experience: Int) -> TrainingPlan { roles.bound?.plan(for: experience) ?? TrainingPlan() }

  public mutating func train(with optimizer: any Optimizer) {
    setup.optimizer = optimizer
    pristine.take(optimizer)
    roles.take(optimizer)
    makeRoom()
  }

  public mutating func goOnTraining(with optimizer: any Optimizer) {
    setup.resetsOptimizer = false
    let isKnown =
      type(of: optimizer) == type(of: roles.optimizer)
      && optimizer.parameters.map(\.value) == roles.optimizer.parameters.map(\.value)
    if !isKnown { train(with: optimizer) }
  }

  public var isFinite: Bool { model.parameters.withSpan { span in span.indices.allSatisfy { span[$0].isFinite } } }

  // MARK: - A task

  public mutating func begin(_ experience: ExperienceInfo) {
    experiences.append(experience)
    firstEpoch = nil
    if plan(for: experience.index).restarts && experience.index > 0 {
      restart()
    } else {
      prepare(experience)
      if setup.resetsOptimizer { roles.resetOptimizer() }
    }
    if experience.index > 0 && roles.renews { renew(.task(experience)) }
    makeRoom()
    roles.begin(experience, model)
  }

  /// Buffers as long as the parameter vector, and no ways yet.
  mutating func makeRoom() {
    gradient.resize(to: model.parameters.count)
    gradient.fill(0)
    trained = TrainedRanges()
    if roles.canFuse && fuses, let ranges = TrainedRanges(mask, model.layout) { trained = ranges }
    trainsAll = trained.areAll(of: gradient.count)
    ways.removeAll()
    asked = nil
    network.leaveWays()
    activity = UnitActivity()
    lender = roles.borrows ? makeLender() : nil
  }

  private func makeLender() -> Lender {
    let tasks = experiences.isEmpty ? [0] : Array(experiences.indices)
    let ways = tasks.map { task in
      let program = way(for: experiences.isEmpty ? nil : task)
      let taking = experiences.isEmpty ? 0..<setup.shape.outputs : outputsOfLoss(task)
      return Lender.Way(program: program, outputs: program.columns(of: taking))
    }
    return Lender(network.shell, ways, nil, using: memoryRandom)
  }

  public mutating func finish(_ experience: ExperienceInfo, revisiting data: Rows) {
    let way = way(for: experience.index)
    let ended = EndedExperience(
      info: experience, data: data, network: network, way: way,
      outputs: way.columns(of: outputsOfLoss(experience.index)), keepsAnswers: roles.views.contains(.answers))
    roles.consolidate(ended, using: &consolidationRandom, &ledger)
    asked = nil
  }

  /// Fresh weights, fresh parts, fresh optimiser; the modules of all tasks so far are made again. Nothing is learned yet
  /// that a mask could hold, so all of it is trained: layers that an isolation keeps frozen would stay random.
  private mutating func restart() {
    restarts += 1
    network.model = setup.makeModel(restart: restarts)
    roles = pristine
    for experience in experiences { prepare(experience) }
    mask = .all(model.parameters.count)
  }

  private mutating func prepare(_ experience: ExperienceInfo) {
    mask =
      roles.isolation?.prepare(&network.model, for: experience, using: &isolationRandom)
      ?? .all(model.parameters.count)
  }

  // MARK: - Ways

  func way(for experience: Int?) -> Program {
    roles.isolation?.program(for: experience, in: model) ?? model.plainProgram
  }

  /// The scenario's outputs that take part in the loss of a task's rows.
  func outputsOfLoss(_ experience: Int) -> Range<Int> {
    switch setup.outputRule {
    case .all: 0..<setup.shape.outputs
    case .seen: 0..<(experiences.last?.seenOutputs.upperBound ?? setup.shape.outputs)
    case .current: experiences[experience].outputs
    }
  }

  /// The way of a task's rows as it is trained, made on first use.
  mutating func way(of experience: Int) -> TaskWays.Way {
    if let way = ways.way(of: experience) { return way }
    return ways.add(way(for: experience), of: experience, taking: outputsOfLoss(experience), mask, to: &network)
  }
}
