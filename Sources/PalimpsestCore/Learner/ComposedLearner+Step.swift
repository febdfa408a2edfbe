/// The step as the formula has it.
extension ComposedLearner {
  public mutating func learn(_ batch: Batch, _ context: StepContext) -> StepReport {
    let context = counted(context)
    let report: StepReport
    if let joined = join(batch, context) {
      report = step(on: joined, scale: 1, context)
      replay?.keep(joined)
    } else {
      report = step(on: batch, scale: 1 / Float(max(1, batch.count)), context)
    }
    roles.memory?.insert(batch, context, using: &memoryRandom)
    return report
  }

  /// With the passes of the task counted from 0: in the first one memories take rows.
  private mutating func counted(_ context: StepContext) -> StepContext {
    let first = firstEpoch ?? context.epoch
    firstEpoch = first
    var context = context
    context.epoch -= first
    return context
  }

  /// The batch with stored rows; nil where nothing is replayed.
  private mutating func join(_ batch: Batch, _ context: StepContext) -> Batch? {
    guard replay != nil else { return nil }
    return replay!.join(
      batch, from: &roles.memory!, task: context.experience.index, tasks: experiences.count, using: &memoryRandom)
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
    roles.lend(to: FusedStep(count: gradient.count), context) { network.take($0, along: gradient, trained) }
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
    target.take(
      batch, rows, outputs: way.outputs, firstOutput: way.firstOutput, columns: way.columns, scale: scale)
    return network.withLogits(way.place) { logits, derivative in
      roles.differentiateLosses(logits, target, to: &derivative)
    }
  }

  /// What follows the data gradient, one by one, for any parts.
  /// - Returns: the penalties.
  private mutating func update(_ context: StepContext) -> Float {
    if roles.observesPath { dataGradient.copy(from: gradient) }
    let penalty = roles.addPenalties(at: network.model.parameters, to: &gradient)
    roles.transform(&gradient, context)
    roles.update(&gradient, at: network.model.parameters, context)
    apply()
    if roles.observesPath { roles.observe(gradient: dataGradient, update: gradient) }
    return penalty
  }

  /// θ += u inside the mask; the update outside becomes 0, so what observers see is what happened.
  private mutating func apply() {
    if mask.ranges.count == 1 && mask.ranges[0].count == gradient.count {
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

extension LossTarget {
  /// Labels counted within the way's outputs, scaled weights, and values where there are any.
  fileprivate mutating func take(
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
    values.setRows(rows.count)
    for row in 0..<rows.count {
      for column in 0..<columns { values[row, column] = all[rows.lowerBound + row, first + column] }
    }
    self.values = values
  }
}
