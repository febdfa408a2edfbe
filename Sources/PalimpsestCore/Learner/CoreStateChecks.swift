// What the types of the core are to a decoder: each says what would stop the program later.

extension StateLimits {
  /// The limits of a network of this shape over that many tasks.
  public init(_ shape: TaskShape, tasks: Int? = nil) {
    self.init()
    columns = shape.inputs
    labels = shape.target.answers
    outputs = shape.outputs
    self.tasks = tasks
  }
}

extension FloatBuffer {
  /// Says where a vector that runs beside the parameters is longer than they are.
  public func problem(_ name: String, within limits: StateLimits) -> String? {
    guard let parameters = limits.parameters, count > parameters else { return nil }
    return "\(name) has \(count) elements for \(parameters) parameters"
  }
}

extension Matrix: CheckedState {
  public func problem(within limits: StateLimits) -> String? {
    let (count, overflow) = rows.multipliedReportingOverflow(by: columns)
    if rows >= 0 && columns >= 0 && !overflow && count == values.count { return nil }
    return "\(values.count) values are no matrix of \(rows) × \(columns)"
  }
}

extension Batch: CheckedState {
  public func problem(within limits: StateLimits) -> String? {
    let lengths = [tags.experiences.count, tags.weights.count, tags.owners.count, tags.times.count, inputs.rows]
    guard lengths.enumerated().allSatisfy({ $1 == count || $1 == 0 && (2...3).contains($0) }) else {
      return "\(inputs.rows) rows with \(count) labels and \(lengths.dropLast()) other tags"
    }
    if let columns = limits.columns, count > 0 && self.columns != columns {
      return "rows of \(self.columns) columns, the scenario has \(columns)"
    }
    if values == nil, let bound = limits.labels, labels.contains(where: { $0 < 0 || Int($0) >= bound }) {
      return "a label is not below \(bound)"
    }
    if let tasks = limits.tasks, experiences.contains(where: { $0 < 0 || Int($0) >= tasks }) {
      return "a row's task is not one of \(tasks)"
    }
    return sideProblem("values", values, limits) ?? sideProblem("answers", answers, limits)
  }

  /// One number an output for each row.
  private func sideProblem(_ what: String, _ side: Matrix?, _ limits: StateLimits) -> String? {
    guard let side else { return nil }
    if side.rows != count { return "\(what) of \(side.rows) rows for \(count)" }
    guard let outputs = limits.outputs, side.columns != outputs else { return nil }
    return "\(what) of \(side.columns) outputs, the network has \(outputs)"
  }
}

extension TaskShape: CheckedState {
  public func problem(within limits: StateLimits) -> String? {
    let sizes = 1...(1 << 28)
    return sizes.contains(inputs) && sizes.contains(outputs) ? nil : "\(inputs) inputs and \(outputs) outputs"
  }
}

extension Random: CheckedState {
  public func problem(within limits: StateLimits) -> String? { isStuck ? "a random stream that only gives 0" : nil }
}

extension ExperienceInfo: CheckedState {
  public func problem(within limits: StateLimits) -> String? {
    let isWithin = index >= 0 && (limits.tasks.map { index < $0 } ?? true) && outputs.lowerBound >= 0
    let fits = limits.outputs.map { seenOutputs.upperBound <= $0 && outputs.upperBound <= $0 } ?? true
    if isWithin && fits && !outputs.isEmpty && outputs.upperBound <= seenOutputs.upperBound { return nil }
    return "task \(index) with outputs \(outputs) of \(seenOutputs)"
  }
}

extension ParameterMask: CheckedState {
  public func problem(within limits: StateLimits) -> String? {
    var end = 0
    for range in ranges {
      guard range.lowerBound >= end else { return "ranges out of order" }
      end = range.upperBound
    }
    if let elements, elements.indices.contains(where: { elements[$0] != contains($0..<($0 + 1)) }) {
      return "marks of single parameters that are not those of the ranges"
    }
    guard let parameters = limits.parameters, end > parameters else { return nil }
    return "a range ends at \(end), there are \(parameters) parameters"
  }
}

extension ParameterLayout: CheckedState {
  public func problem(within limits: StateLimits) -> String? {
    var rebuilt = ParameterLayout()
    for block in blocks {
      let (count, overflow) = block.rows.multipliedReportingOverflow(by: block.columns)
      guard block.rows > 0, block.columns > 0, !overflow, count < 1 << 40 else { return "a tensor without a size" }
      _ = rebuilt.add(block.name, rows: block.rows, columns: block.columns)
    }
    return rebuilt == self ? nil : "tensors that do not follow one another"
  }
}

extension MLP: CheckedState {
  public func problem(within limits: StateLimits) -> String? {
    if parameters.count == layout.length { return nil }
    return "\(parameters.count) parameters in a layout of \(layout.length)"
  }
}

// MARK: - Optimisers

extension Momentum: CheckedState {
  public func problem(within limits: StateLimits) -> String? { velocity.problem("the velocity", within: limits) }
}

extension Adam: CheckedState {
  public func problem(within limits: StateLimits) -> String? {
    if first.count != second.count { return "moments of \(first.count) and \(second.count) elements" }
    return first.problem("the first moment", within: limits)
  }
}
