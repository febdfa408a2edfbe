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
    target.draws = joined ? (replay?.draws ?? []).map { rows.clamped(to: $0).moved(by: -first) } : []
    target.drawn = joined ? (replay?.draws ?? []).map(\.count) : []
    target.ownWeights.setCount(rows.count)
    target.ownWeights.copy(rows, of: joined ? replay?.ownWeights ?? [] : batch.weights, to: 0)
    target.firstOutput = Int(way.firstOutput)
    target.own = columns(of: experiences.last?.outputs ?? 0..<setup.shape.outputs, way)
    target.seen = columns(of: 0..<(experiences.last?.seenOutputs.upperBound ?? setup.shape.outputs), way)
    let views = roles.views
    if views.contains(.inputs) { target.inputs = network.values(way.place, of: 0, batch.inputs, rows) }
    if views.contains(.features) {
      target.features = network.values(way.place, of: way.penultimate, batch.inputs, rows)
    }
    if views.contains(.answers) { target.answers = storedAnswers(batch, rows, way) }
    target.teachers = roles.teachers.map { teacher in
      network.logits(of: teacher, batch.inputs, rows).aligned(from: teacher.way.outputs, to: outputs(of: way))
    }
  }

  private func outputs(of way: TaskWays.Way) -> Range<Int> {
    Int(way.firstOutput)..<(Int(way.firstOutput) + way.columns)
  }

  private func columns(of outputs: Range<Int>, _ way: TaskWays.Way) -> Range<Int> {
    outputs.clamped(to: self.outputs(of: way)).moved(by: -Int(way.firstOutput))
  }

  /// The logits stored with the rows, for the way's columns.
  private func storedAnswers(_ batch: Batch, _ rows: Range<Int>, _ way: TaskWays.Way) -> Matrix {
    var stored = Matrix(rows: rows.count, columns: way.columns)
    if batch.answerRows.isEmpty {
      stored.values.fill(.nan)
    } else {
      stored.become(rows, of: batch.answerRows.matrix, columnsFrom: Int(way.firstOutput))
    }
    return stored
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
    let program = network.program(way.place)
    activity.way = program
    activity.means = program.hiddenSlots.map { slot in
      network.values(way.place, of: slot, batch.inputs, rows).meanMagnitudes
    }
  }
}

extension Matrix {
  /// Of each column.
  fileprivate var meanMagnitudes: FloatBuffer {
    var sums = [Double](repeating: 0, count: columns)
    for row in 0..<rows { for c in 0..<columns { sums[c] += Double(self[row, c].magnitude) } }
    return FloatBuffer(sums.map { Float($0 / Double(max(1, rows))) })
  }
}

extension Range<Int> {
  fileprivate func moved(by offset: Int) -> Range<Int> { (lowerBound + offset)..<(upperBound + offset) }
}

extension Matrix {
  /// Columns that stand for some outputs in the places of others; NaN where there is none.
  fileprivate func aligned(from own: Range<Int>, to others: Range<Int>) -> Matrix {
    if own == others { return self }
    var result = Matrix(rows: rows, columns: others.count)
    for row in 0..<rows {
      for (column, output) in others.enumerated() {
        result[row, column] = own.contains(output) ? self[row, output - own.lowerBound] : .nan
      }
    }
    return result
  }
}
