/// What losses see behind the logits of a step, and what memories are to keep of them.
extension ComposedLearner {
  /// Completes what is said of some rows of the step's batch, whose forward pass has been.
  mutating func lookBehind(_ batch: Batch, _ rows: Range<Int>, _ way: TaskWays.Way) {
    let first = rows.lowerBound
    let joined = batch.count > newRows
    target.task = experiences.count - 1
    target.tasks.setCount(rows.count)
    target.tasks.copy(rows, of: batch.experiences, to: 0)
    target.new = rows.clamped(to: 0..<newRows).moved(by: -first)
    target.takeDraws(joined ? replay?.draws ?? [] : [], within: rows)
    target.ownWeights.setCount(rows.count)
    target.ownWeights.copy(rows, of: joined ? replay?.ownWeights ?? [] : batch.weights, to: 0)
    target.firstOutput = Int(way.firstOutput)
    target.own = columns(of: experiences.last?.outputs ?? 0..<setup.shape.outputs, way)
    target.seen = columns(of: 0..<(experiences.last?.seenOutputs.upperBound ?? setup.shape.outputs), way)
    let views = roles.views
    if views.contains(.inputs) {
      target.inputs.reuse { network.copyValues(way.place, of: 0, batch.inputs, rows, to: &$0) }
    }
    if views.contains(.features) {
      target.features.reuse { network.copyValues(way.place, of: way.penultimate, batch.inputs, rows, to: &$0) }
    }
    if views.contains(.answers) { target.answers.reuse { $0.takeAnswers(of: batch, rows, way) } }
    askTeachers(of: batch, rows, way)
  }

  /// Has each loss's teachers say what they know of the rows.
  private mutating func askTeachers(of batch: Batch, _ rows: Range<Int>, _ way: TaskWays.Way) {
    let outputs = outputs(of: way)
    for loss in 0..<roles.lossCount {
      let teachers = roles.teachers(ofLoss: loss)
      if taught.count == loss { taught.append([]) }
      while taught[loss].count < teachers.count { taught[loss].append(Matrix(rows: 0, columns: 0)) }
      if taught[loss].count > teachers.count { taught[loss].removeLast(taught[loss].count - teachers.count) }
      for (i, teacher) in teachers.enumerated() {
        network.withLogits(of: teacher, batch.inputs, rows) {
          taught[loss][i].align($0, from: teacher.way.outputs, to: outputs)
        }
        ledger.chargePasses(Work(multiplyAdds: rows.count * teacher.way.multiplyAdds), to: loss)
      }
    }
  }

  private func outputs(of way: TaskWays.Way) -> Range<Int> {
    Int(way.firstOutput)..<(Int(way.firstOutput) + way.columns)
  }

  private func columns(of outputs: Range<Int>, _ way: TaskWays.Way) -> Range<Int> {
    outputs.clamped(to: self.outputs(of: way)).moved(by: -Int(way.firstOutput))
  }

  /// Keeps the logits of those rows that are new: outputs that take no part are unknown.
  mutating func keepAnswers(of rows: Range<Int>, _ way: TaskWays.Way) {
    if rows.lowerBound == 0 {
      answers.setRows(newRows)
      answers.values.fill(.nan)
    }
    let first = Int(way.firstOutput)
    network.withLogits(way.place) { logits, _ in
      for row in rows.clamped(to: 0..<newRows) {
        for column in way.outputs { answers[row, first + column] = logits[row - rows.lowerBound, column] }
      }
    }
  }
}

extension ComposedLearner {
  /// Keeps how active the hidden units were on some rows.
  mutating func observeActivity(_ batch: Batch, _ rows: Range<Int>, _ way: TaskWays.Way) {
    if activity.way == nil { activity = UnitActivity(of: network.program(way.place)) }
    for place in activity.means.indices {
      network.copyValues(way.place, of: activity.slots[place], batch.inputs, rows, to: &unitValues)
      unitValues.meanMagnitudes(to: &activity.means[place])
    }
  }
}

extension Matrix {
  /// Of each column, summed in doubles row after row.
  fileprivate func meanMagnitudes(to means: inout FloatBuffer) {
    for column in 0..<columns {
      var sum = 0.0
      for row in 0..<rows { sum += Double(self[row, column].magnitude) }
      means[column] = Float(sum / Double(max(1, rows)))
    }
  }
}

extension Range<Int> {
  fileprivate func moved(by offset: Int) -> Range<Int> { (lowerBound + offset)..<(upperBound + offset) }
}

extension Matrix {
  /// Becomes what the columns of another matrix, which stand for some outputs, say of others; NaN where they say nothing.
  fileprivate mutating func align(_ logits: Matrix, from outputs: Range<Int>, to others: Range<Int>) {
    if outputs == others { return become(logits) }
    reshape(rows: logits.rows, columns: others.count)
    for row in 0..<rows {
      for (column, output) in others.enumerated() {
        self[row, column] = outputs.contains(output) ? logits[row, output - outputs.lowerBound] : .nan
      }
    }
  }

  /// Becomes the logits stored with some rows, for a way's columns.
  fileprivate mutating func takeAnswers(of batch: Batch, _ rows: Range<Int>, _ way: TaskWays.Way) {
    reshape(rows: rows.count, columns: way.columns)
    if batch.answerRows.isEmpty {
      values.fill(.nan)
    } else {
      become(rows, of: batch.answerRows.matrix, columnsFrom: Int(way.firstOutput))
    }
  }
}

extension Matrix? {
  /// Changes a matrix whose memory is kept from step to step.
  fileprivate mutating func reuse(_ change: (inout Matrix) -> Void) {
    var matrix = take() ?? Matrix(rows: 0, columns: 0)
    change(&matrix)
    self = consume matrix
  }
}

extension LossRows {
  /// The rows of each draw among some of the step's rows.
  fileprivate mutating func takeDraws(_ draws: [Range<Int>], within rows: Range<Int>) {
    self.draws.removeAll(keepingCapacity: true)
    drawn.removeAll(keepingCapacity: true)
    for draw in draws {
      self.draws.append(rows.clamped(to: draw).moved(by: -rows.lowerBound))
      drawn.append(draw.count)
    }
  }
}
