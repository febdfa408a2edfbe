/// The step as the formula has it.
extension ComposedLearner {
  /// Passes of the task are counted from 0: in the first one memories take rows.
  public mutating func learn(_ batch: Batch, _ context: StepContext) -> StepReport {
    let first = firstEpoch ?? context.epoch
    firstEpoch = first
    if first == 0 && !alarms.isBoosting { return take(batch, context) }
    var context = context
    context.epoch -= first
    return alarms.isBoosting ? takeBoosted(batch, context) : take(batch, context)
  }

  mutating func take(_ batch: Batch, _ context: StepContext) -> StepReport {
    newRows = batch.count
    let report = replays ? replay(batch, context) : plainStep(on: batch, context)
    if roles.renews { renew(after: context) }
    if roles.predicts { roles.predictorObserves(network.model.parameters, context) }
    offer(batch, context)
    return report
  }

  private mutating func plainStep(on batch: Batch, _ context: StepContext) -> StepReport {
    step(on: batch, scale: 1 / Float(max(1, batch.count)), context)
  }

  /// A step on the batch with stored rows, where any come back.
  private mutating func replay(_ batch: Batch, _ context: StepContext) -> StepReport {
    var rows = joined.take() ?? Batch(columns: batch.columns)
    let report = join(batch, into: &rows, context) ? step(on: rows, scale: 1, context) : plainStep(on: batch, context)
    joined = consume rows
    return report
  }

  private mutating func join(_ batch: Batch, into joined: inout Batch, _ context: StepContext) -> Bool {
    let (task, tasks) = (context.experience.index, experiences.count)
    guard roles.memoryLooks else {
      return replay!.join(batch, into: &joined, task: task, tasks: tasks) { count, rows in
        roles.memory!.draw(count, into: &rows, using: &memoryRandom)
      }
    }
    let before = network.work
    lend()
    defer {
      takeBack()
      ledger.chargePasses(network.work - before, to: roles.placeOfMemory)
    }
    return replay!.join(batch, into: &joined, task: task, tasks: tasks) { count, rows in
      roles.memory!.draw(count, for: batch, into: &rows, &lender!, using: &memoryRandom)
    }
  }

  /// Offers the new rows to the memory, with their logits where it is to keep them.
  private mutating func offer(_ batch: Batch, _ context: StepContext) {
    guard roles.remembers && context.offersRows else { return }
    guard answers.columns > 0 || roles.memoryLooks else {
      roles.memory!.insert(batch, context, using: &memoryRandom)
      return
    }
    var rows = offered.take() ?? Batch(columns: batch.columns)
    rows.become(batch)
    if answers.columns > 0 { rows.setAnswers(answers) }
    if roles.memoryLooks {
      let before = network.work
      lend()
      roles.memory!.insert(rows, context, &lender!, using: &memoryRandom)
      takeBack()
      ledger.chargePasses(network.work - before, to: roles.placeOfMemory)
    } else {
      roles.memory!.insert(rows, context, using: &memoryRandom)
    }
    offered = rows
  }

  /// Hands the network to the lender; nothing else is done with it until ``takeBack()``.
  private mutating func lend() { if lender != nil { swap(&lender!.network, &network) } }

  private mutating func takeBack() {
    guard lender != nil else { return }
    lender!.moveBack()
    swap(&lender!.network, &network)
  }

  @inline(never)
  private mutating func renew(after context: StepContext) { renew(.step(context, activity)) }

  mutating func renew(_ moment: RenewalMoment) {
    roles.renew(&network.model, within: mask, moment, using: &renewalRandom)
  }

  /// The formula: the loss and its derivative, then the update.
  /// - Parameter scale: factor on every row's weight.
  private mutating func step(on batch: Batch, scale: Float, _ context: StepContext) -> StepReport {
    let rows = 0..<batch.count
    var report = StepReport(loss: 0, penalty: 0, rows: rows.count)
    if isGrouped {
      report.loss = differentiateByTask(batch, scale: scale)
    } else {
      let way = way(of: experiences.count - 1)
      report.loss = differentiateLoss(batch, rows, way, scale: scale)
      if way.isWide && trainsAll {
        report.penalty = takeWideStep(batch, way, context)
        return report
      }
      network.backward(batch.inputs, rows, way.place, into: &gradient, overwriting: true)
    }
    report.penalty = trained.isEmpty ? update(context) : takeStep(context)
    return report
  }

  /// What follows the data gradient, in one pass over the parameters.
  /// - Returns: the penalty.
  private mutating func takeStep(_ context: StepContext) -> Float {
    roles.lend(to: FusedStep(count: gradient.count), context) { network.take($0, along: &gradient, &trained) }
  }

  /// The backward pass and what follows it, where wide layers are updated on the way.
  private mutating func takeWideStep(_ batch: Batch, _ way: TaskWays.Way, _ context: StepContext) -> Float {
    roles.lend(to: FusedStep(count: gradient.count), context) { step in
      network.take(step, back: batch.inputs, 0..<batch.count, way.place, in: &gradient, ways.narrow(way))
    }
  }

  /// Leaves the data gradient of weighted rows in `gradient`, task after task.
  /// - Returns: the loss.
  private mutating func differentiateByTask(_ batch: Batch, scale: Float) -> Double {
    gradient.fill(0)
    var loss = 0.0
    var first = 0
    while first < batch.count {
      let rows = first..<batch.endOfTask(from: first)
      let way = way(of: Int(batch.experiences[first]))
      loss += differentiateLoss(batch, rows, way, scale: scale)
      network.backward(batch.inputs, rows, way.place, into: &gradient, overwriting: false)
      first = rows.upperBound
    }
    return loss
  }

  /// Forward and losses of rows that take the same way and outputs.
  private mutating func differentiateLoss(
    _ batch: Batch, _ rows: Range<Int>, _ way: TaskWays.Way, scale: Float
  ) -> Double {
    network.forward(batch.inputs, rows, way.place)
    if rows.upperBound > newRows { chargeReplay(rows, way) }
    target.take(
      batch, rows, outputs: way.outputs, firstOutput: way.firstOutput, columns: way.columns, scale: scale)
    if roles.looksBehindLogits { lookBehind(batch, rows, way) }
    if answers.columns > 0 { keepAnswers(of: rows, way) }
    if roles.observesActivity && way.experience == experiences.count - 1 { observeActivity(batch, rows, way) }
    return network.withLogits(way.place) { logits, derivative in
      roles.differentiateLosses(logits, &target, taught, to: &derivative)
    }
  }

  /// Charges the memory with the passes of those rows that came back.
  private mutating func chargeReplay(_ rows: Range<Int>, _ way: TaskWays.Way) {
    let stored = rows.upperBound - max(rows.lowerBound, newRows)
    ledger.chargePasses(network.trainingWork(of: stored, way.place), to: roles.placeOfMemory)
  }

  /// What follows the data gradient, one by one, for any parts.
  /// - Returns: the penalties.
  private mutating func update(_ context: StepContext) -> Float {
    if roles.observesPath { dataGradient.copy(from: gradient) }
    let penalty = roles.addPenalties(at: network.model.parameters, to: &gradient)
    transform(context)
    roles.update(&gradient, at: network.model.parameters, context)
    apply()
    if roles.observesPath { roles.observe(gradient: dataGradient, update: gradient) }
    return penalty
  }

  private mutating func transform(_ context: StepContext) {
    guard lender != nil else { return }
    lend()
    swap(&lender!.memory, &roles.memory)
    lender!.rng = memoryRandom
    roles.transform(&gradient, &lender!, context, &ledger)
    memoryRandom = lender!.rng
    swap(&lender!.memory, &roles.memory)
    takeBack()
  }

  /// θ += u inside the mask; the update outside becomes 0, so what observers see is what happened.
  private mutating func apply() {
    if let elements = mask.elements {
      gradient.clear(whereNot: elements)
      network.model.parameters.add(gradient, where: elements)
    } else if mask.ranges.count == 1 && mask.ranges[0].count == gradient.count {
      network.model.parameters.add(gradient)
    } else {
      gradient.clear(outside: mask.ranges)
      network.model.parameters.add(gradient, in: mask.ranges)
    }
  }
}

extension Batch {
  /// Behind the last row from `first` on that is of the same task.
  fileprivate func endOfTask(from first: Int) -> Int {
    var last = first + 1
    while last < count && experiences[last] == experiences[first] { last += 1 }
    return last
  }
}

extension LossRows {
  /// Labels counted within the way's outputs, scaled weights, and values where there are any.
  mutating func take(
    _ batch: Batch, _ rows: Range<Int>, outputs: Range<Int>, firstOutput: Int32, columns: Int, scale: Float
  ) {
    labels.setCount(rows.count)
    weights.setCount(rows.count)
    let (own, shares) = (batch.tags.labels.span.extracting(rows), batch.tags.weights.span.extracting(rows))
    var counted = labels.mutableSpan
    for i in own.indices { counted[i] = own[i] &- firstOutput }
    var scaled = weights.mutableSpan
    for i in shares.indices { scaled[i] = shares[i] * scale }
    self.rows = 0..<rows.count
    self.outputs = outputs
    if !batch.valueRows.isEmpty { takeValues(of: batch, rows, from: Int(firstOutput), columns) }
  }

  /// The values of some rows for the columns of a way's logits.
  private mutating func takeValues(of batch: Batch, _ rows: Range<Int>, from first: Int, _ columns: Int) {
    let all = batch.valueRows.matrix
    var values = self.values.take() ?? Matrix(rows: 0, columns: columns)
    if values.columns != columns { values = Matrix(rows: 0, columns: columns) }
    values.become(rows, of: all, columnsFrom: first)
    self.values = values
  }
}
