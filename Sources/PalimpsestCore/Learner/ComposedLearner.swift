/// The learner of every composition of parts. Its step, for all of them:
///
/// draw rows → forward → output losses → backward → penalties → transforms → optimiser → mask → θ += u → penalties observe
/// (data gradient, update) → memory inserts.
///
/// - Cost: after the first step of a task nothing is allocated in a step.
public struct ComposedLearner: Learner {
  let setup: LearnerSetup
  private let pristine: Roles
  /// Whether the one fused pass is taken where it can be; it trains the same bits as the passes one by one.
  private let fusesUpdate: Bool
  /// How stored rows come back; nil where none are kept.
  private let replay: ReplayOptions?
  /// Tasks take different routes or outputs, so a batch goes through the network task by task.
  private let needsSegments: Bool

  // State: what `saveState` writes.
  var roles: Roles
  var model: MLP
  var optimizer: any Optimizer
  package internal(set) var experiences: [ExperienceInfo] = []
  var mask: ParameterMask
  /// The number of the task's first pass: callers may go on counting from task to task. Nil before its first step.
  var firstEpoch: Int?
  var restarts = 0
  var multiplyAdds = 0
  var memoryRandom: Random
  var isolationRandom: Random
  var consolidationRandom: Random

  // Room to work in, filled anew in every step.
  /// One for every route in use; the last one serves a task's own rows.
  private var passes: [RoutedPass] = []
  private var gradient: FloatBuffer
  private var dataGradient = FloatBuffer(count: 0)
  /// The mask for the fused pass; empty where the passes are taken one by one.
  private var trained = TrainedRanges()
  private var pull: QuadraticPull?
  /// The path that a step's update writes, held while it may.
  private var lentPath: FloatBuffer?
  /// The latest batch with stored rows, kept for its memory.
  private var joined: Batch?
  private var drawn: Batch
  private var target = LossTarget(labels: [], weights: [], rows: 0..<0, outputs: 0..<1)

  /// - Throws: ``CompositionError`` where two parts claim the same single place.
  public init(_ setup: LearnerSetup, _ parts: [any StrategyPart]) throws {
    try self.init(setup, parts, fusesUpdate: true)
  }

  package init(_ setup: LearnerSetup, _ parts: [any StrategyPart], fusesUpdate: Bool) throws {
    self.setup = setup
    self.fusesUpdate = fusesUpdate
    pristine = try Roles(parts, setup.shape.target)
    roles = pristine
    replay = pristine.memory?.replay
    needsSegments = pristine.isolation != nil || setup.outputRule == .current
    model = setup.makeModel()
    optimizer = setup.optimizer
    mask = .all(model.parameters.count)
    gradient = FloatBuffer(count: model.parameters.count)
    drawn = Batch(columns: setup.shape.inputs)
    memoryRandom = setup.seed.stream("memory")
    isolationRandom = setup.seed.stream("isolation")
    consolidationRandom = setup.seed.stream("consolidation")
  }

  /// The network as it is.
  public var network: MLP { model }

  /// The parts as they are, with their state: losses, penalties, transforms, memory, isolation, bound.
  public var parts: [any StrategyPart] { roles.parts }

  /// Puts other values in the parts' places: what a checkpoint holds, in the order of ``parts``.
  package mutating func restore(_ parts: [any StrategyPart]) throws {
    roles = try Roles(parts, setup.shape.target)
    pull = roles.pull
  }

  /// Puts other weights in their places: what a comparison with other programs starts from.
  package mutating func start(from parameters: FloatBuffer) { model.parameters.copy(from: parameters) }

  public func plan(for experience: Int) -> TrainingPlan { roles.bound?.plan(for: experience) ?? TrainingPlan() }

  public var isFinite: Bool { model.parameters.withSpan { span in span.indices.allSatisfy { span[$0].isFinite } } }

  public var cost: LearnerCost {
    var cost = LearnerCost()
    cost.bytesModel = model.parameterCount * 4
    cost.bytesOptimizer = optimizer.bytes(in: model.layout)
    cost.bytesImportance = roles.penalties.reduce(0) { $0 + $1.bytes(in: model.layout) }
    cost.bytesMemory = (roles.memory?.bytes(in: model.layout) ?? 0) + bytesOfAllRows
    cost.multiplyAdds = multiplyAdds
    return cost
  }

  /// What a bound keeps that trains on the rows of all tasks so far.
  private var bytesOfAllRows: Int {
    guard let task = experiences.last?.index, plan(for: task).rows == .all else { return 0 }
    return experiences.reduce(0) { $0 + $1.rows } * setup.shape.rowBytes
  }

  // MARK: - A task

  public mutating func begin(_ experience: ExperienceInfo) {
    experiences.append(experience)
    firstEpoch = nil
    pull = nil
    if plan(for: experience.index).restarts && experience.index > 0 {
      restart()
    } else {
      prepare(experience)
      if setup.resetsOptimizer { optimizer.reset() }
    }
    makeRoom()
    roles.begin(experience, model)
    pull = roles.pull
  }

  /// Buffers as long as the parameter vector, and no passes yet.
  mutating func makeRoom() {
    gradient.resize(to: model.parameters.count)
    gradient.fill(0)
    trained = TrainedRanges()
    if roles.isQuadratic && fusesUpdate, let ranges = TrainedRanges(mask, model.layout) { trained = ranges }
    passes = []
  }

  public mutating func finish(_ experience: ExperienceInfo, revisiting data: Rows) {
    let route = route(for: experience.index)
    let ended = EndedExperience(
      info: experience, data: data, model: model, route: route, outputs: lossOutputs(experience.index, route))
    pull = nil
    roles.consolidate(ended, using: &consolidationRandom)
    multiplyAdds += ended.chargedMultiplyAdds
    pull = roles.pull
  }

  /// Fresh weights, fresh parts, fresh optimiser; the modules of all tasks so far are made again. Nothing is learned yet
  /// that a mask could hold, so all of it is trained: layers that an isolation keeps frozen would stay random.
  private mutating func restart() {
    restarts += 1
    model = setup.makeModel(restart: restarts)
    optimizer = setup.optimizer
    roles = pristine
    for experience in experiences { prepare(experience) }
    mask = .all(model.parameters.count)
  }

  private mutating func prepare(_ experience: ExperienceInfo) {
    mask =
      roles.isolation?.prepare(&model, for: experience, using: &isolationRandom) ?? .all(model.parameters.count)
  }

  // MARK: - A step

  public mutating func learn(_ batch: Batch, _ context: StepContext) -> StepReport {
    let context = counted(context)
    let update = fusedUpdate(context)
    let (slope, rows) = differentiate(batch, context, update)
    let penalty = if let update { finish(update, slope) } else { self.update(context) }
    roles.memory?.insert(batch, context, using: &memoryRandom)
    return StepReport(loss: slope.loss, penalty: penalty, rows: rows)
  }

  /// With the passes of the task counted from 0: in the first one memories take rows.
  private mutating func counted(_ context: StepContext) -> StepContext {
    let first = firstEpoch ?? context.epoch
    firstEpoch = first
    var context = context
    context.epoch -= first
    return context
  }

  /// Leaves the data gradient of the batch and of the rows replayed with it in `gradient`, but for what is updated at once.
  private mutating func differentiate(
    _ batch: Batch, _ context: StepContext, _ update: FusedUpdate?
  ) -> (slope: Slope, rows: Int) {
    guard let joined = join(batch, context) else {
      return (addGradient(of: batch, scale: 1 / Float(max(1, batch.count)), update), batch.count)
    }
    let (slope, rows) = (addGradient(of: joined, scale: 1, update), joined.count)
    self.joined = joined
    return (slope, rows)
  }

  /// What follows the derivatives, made before them: nothing may copy or resize the parameters until it has run.
  /// - Returns: nil where the parts do not allow one pass over the parameters.
  private mutating func fusedUpdate(_ context: StepContext) -> FusedUpdate? {
    guard !trained.isEmpty, let rule = optimizer.fusedRule(count: gradient.count, context) else { return nil }
    var update = FusedUpdate(rule, gradient: &gradient, parameters: &model.parameters, pull)
    lentPath = roles.lendPath(to: &update)
    return update
  }

  /// Updates what the backward pass has left. Mutating, for else a step would copy the learner.
  /// - Returns: the penalty.
  private mutating func finish(_ update: FusedUpdate, _ slope: Slope) -> Float {
    let sum = if let left = slope.left { slope.sum + update.run(only: left) } else { update.run(trained) }
    lentPath = nil
    return pull?.value(sum) ?? 0
  }

  /// The same one by one, for any parts.
  private mutating func update(_ context: StepContext) -> Float {
    let observes = roles.observesPath
    if observes { dataGradient.copy(from: gradient) }
    let penalty = roles.addPenalties(at: model.parameters, to: &gradient)
    roles.transform(&gradient, context)
    optimizer.update(&gradient, at: model.parameters, context)
    apply()
    if observes { roles.observe(gradient: dataGradient, update: gradient) }
    return penalty
  }

  /// θ += u inside the mask; the update outside becomes 0, so what observers see is what happened.
  private mutating func apply() {
    if mask.ranges.count == 1 && mask.ranges[0].count == gradient.count {
      model.parameters.add(gradient)
    } else {
      gradient.clear(outside: mask.ranges)
      model.parameters.add(gradient, in: mask.ranges)
    }
  }

  /// Appends stored rows to a copy of the batch and sets every row's weight.
  /// - Returns: nil where nothing is replayed.
  private mutating func join(_ batch: Batch, _ context: StepContext) -> Batch? {
    guard let replay, replay.start == .firstStep || context.experience.index > 0 else { return nil }
    var joined = self.joined.take() ?? Batch(columns: setup.shape.inputs)
    joined.become(batch)
    draw(replay.draw ?? batch.count, into: &joined)
    guard joined.count > batch.count else {
      self.joined = joined
      return nil
    }
    replay.weigh(&joined, new: batch.count, task: context.experience.index + 1)
    return joined
  }

  /// Stored rows go straight into the step's batch; where tasks take different routes or outputs, task by task.
  private mutating func draw(_ count: Int, into joined: inout Batch) {
    guard needsSegments else {
      roles.memory?.draw(count, into: &joined, using: &memoryRandom)
      return
    }
    drawn.removeAll()
    roles.memory?.draw(count, into: &drawn, using: &memoryRandom)
    for experience in experiences.indices {
      for row in 0..<drawn.count where drawn.experiences[row] == Int32(experience) {
        joined.append(row: row, of: drawn)
      }
    }
  }

  /// Leaves the data gradient of weighted rows in `gradient`, but for what is updated at once.
  /// - Parameter scale: factor on every row's weight.
  private mutating func addGradient(of batch: Batch, scale: Float, _ update: FusedUpdate?) -> Slope {
    guard needsSegments else {
      let update = trained.areAll(of: gradient.count) ? update : nil
      return addGradient(
        batch, rows: 0..<batch.count, of: experiences.count - 1, scale: scale, overwriting: true, update)
    }
    gradient.fill(0)
    var loss = 0.0
    var first = 0
    while first < batch.count {
      let experience = batch.experiences[first]
      var last = first + 1
      while last < batch.count && batch.experiences[last] == experience { last += 1 }
      loss += addGradient(batch, rows: first..<last, of: Int(experience), scale: scale, overwriting: false, nil).loss
      first = last
    }
    return Slope(loss: loss)
  }

  /// Forward, losses and backward of rows that take the same route and outputs.
  /// - Parameter update: of all parameters; wide layers take it at once.
  private mutating func addGradient(
    _ batch: Batch, rows: Range<Int>, of experience: Int, scale: Float, overwriting: Bool, _ update: FusedUpdate?
  ) -> Slope {
    let index = pass(for: experience)
    multiplyAdds += rows.count * passes[index].multiplyAdds
    passes[index].pass.forward(batch.inputs, rows: rows, at: model.parameters)
    target.take(
      batch.tags, rows, outputs: passes[index].outputs, firstOutput: passes[index].firstOutput, scale: scale)
    if !batch.valueRows.isEmpty { target.takeValues(of: batch, rows, passes[index]) }
    let loss = passes[index].pass.withLogits { logits, derivative in
      roles.differentiateLosses(logits, target, to: &derivative)
    }
    guard let update, let left = passes[index].narrow else {
      passes[index].pass.backward(
        batch.inputs, rows: rows, at: model.parameters, to: &gradient, overwriting: overwriting)
      return Slope(loss: loss)
    }
    let sum = passes[index].pass.learn(batch.inputs, rows: rows, at: model.parameters, to: &gradient, update)
    return Slope(loss: loss, sum: sum, left: left)
  }

  // MARK: - Routes

  private func route(for experience: Int?) -> Route {
    roles.isolation?.route(for: experience, in: model) ?? model.plainRoute
  }

  /// The columns of a route's logits that take part in the loss of a task's rows.
  private func lossOutputs(_ experience: Int, _ route: Route) -> Range<Int> {
    let taking: Range<Int> =
      switch setup.outputRule {
      case .all: 0..<setup.shape.outputs
      case .seen: 0..<(experiences.last?.seenOutputs.upperBound ?? setup.shape.outputs)
      case .current: experiences[experience].outputs
      }
    let first = route.outputs.lowerBound
    let columns = taking.clamped(to: route.outputs)
    return (columns.lowerBound - first)..<(columns.upperBound - first)
  }

  /// The place in `passes` for rows of a task, made on first use.
  private mutating func pass(for experience: Int) -> Int {
    if let index = passes.indices.first(where: { passes[$0].experience == experience }) { return index }
    let route = route(for: experience)
    let program = Program(route, activation: model.activation).training(mask)
    let wide = program.wideWeights
    passes.append(
      RoutedPass(
        experience: experience, pass: Pass(program), outputs: lossOutputs(experience, route),
        firstOutput: Int32(route.outputs.lowerBound), multiplyAdds: program.trainingMultiplyAdds,
        narrow: wide.isEmpty ? nil : TrainedRanges(count: gradient.count, without: wide)))
    return passes.count - 1
  }

  // MARK: - Prediction

  public func predictableOutputs(knowing experience: Int?) -> Range<Int> {
    let outputs = route(for: experience).outputs
    guard setup.outputRule != .all, let seen = experiences.last?.seenOutputs else { return outputs }
    return outputs.clamped(to: seen)
  }

  public func predict(_ inputs: Matrix, knowing experience: Int?) -> Matrix {
    let route = route(for: experience)
    let logits = model.logits(inputs, route)
    let predictable = predictableOutputs(knowing: experience)
    if route.outputs == predictable && logits.columns == setup.shape.outputs { return logits }
    return logits.spread(route.outputs, keeping: predictable, over: setup.shape.outputs)
  }
}

/// A pass with what its rows need to know.
private struct RoutedPass: Sendable {
  let experience: Int
  var pass: Pass
  let outputs: Range<Int>
  let firstOutput: Int32
  let multiplyAdds: Int
  /// All parameters but the weights of wide layers; nil where there are none of those.
  let narrow: TrainedRanges?
}

/// What the backward pass of a step has done.
private struct Slope {
  let loss: Double
  /// Σ importance ∘ (θ − anchor)² of the weights that are updated already.
  var sum = 0.0
  /// The parameters that are not; nil: none is.
  var left: TrainedRanges?
}

extension LossTarget {
  /// Labels counted within the route's outputs, and scaled weights.
  fileprivate mutating func take(
    _ tags: RowTags, _ rows: Range<Int>, outputs: Range<Int>, firstOutput: Int32, scale: Float
  ) {
    labels.setCount(rows.count)
    weights.setCount(rows.count)
    let (own, shares) = (tags.labels.span.extracting(rows), tags.weights.span.extracting(rows))
    var counted = labels.mutableSpan
    for i in own.indices { counted[i] = own[i] &- firstOutput }
    var scaled = weights.mutableSpan
    for i in shares.indices { scaled[i] = shares[i] * scale }
    self.rows = 0..<rows.count
    self.outputs = outputs
  }

  /// The values of some rows for the columns of a route's logits.
  fileprivate mutating func takeValues(of batch: Batch, _ rows: Range<Int>, _ pass: RoutedPass) {
    let (all, columns) = (batch.valueRows.matrix, pass.pass.logits.columns)
    var values = self.values.take() ?? Matrix(rows: 0, columns: columns)
    if values.columns != columns { values = Matrix(rows: 0, columns: columns) }
    values.setRows(rows.count)
    for row in 0..<rows.count {
      for column in 0..<columns { values[row, column] = all[rows.lowerBound + row, Int(pass.firstOutput) + column] }
    }
    self.values = values
  }
}
