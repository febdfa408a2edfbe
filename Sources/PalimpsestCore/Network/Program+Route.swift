extension Program {
  /// A route through the network's own layers: hidden layers with their nonlinearity, each with its low-rank branch beside it and its
  /// bottleneck after it, and the head.
  public init(_ route: Route, activation: Activation) {
    self.init(inputs: route.layers.first?.inputs ?? 0, outputs: route.outputs)
    var slot = 0
    for (index, layer) in route.layers.enumerated() {
      let isHead = index == route.layers.count - 1
      slot = add(layer, route.lowRank[index], from: slot, isHead ? nil : activation)
      if let bottleneck = route.bottlenecks[index], !isHead { slot = add(bottleneck, from: slot, activation) }
    }
  }

  private mutating func add(_ layer: DenseLayer, _ lowRank: LowRank?, from source: Int, _ activation: Activation?)
    -> Int
  {
    guard let lowRank else { return dense(layer, from: source, activation) }
    let inner = dense(lowRank.a, from: source)
    scale(inner, by: lowRank.scale)
    return dense(layer, from: source, onto: dense(lowRank.b, from: inner), activation)
  }

  private mutating func add(_ bottleneck: Bottleneck, from source: Int, _ activation: Activation) -> Int {
    let inner = dense(bottleneck.down, from: source, activation)
    return dense(bottleneck.up, from: inner, onto: copy(source))
  }
}

extension MLP {
  /// The way through the layers that the network was made with.
  public var plainProgram: Program { program(plainRoute) }

  /// The way of a route.
  public func program(_ route: Route) -> Program { Program(route, activation: activation) }
}

extension Program {
  /// Why rows cannot take this way through a network: steps that do not follow one another, tensors outside its parameters, outputs
  /// it has not. Nil: they can.
  public func problem(in model: MLP) -> String? {
    problem(inputs: model.shape.inputs, outputs: model.shape.outputs, parameters: model.parameters.count)
  }

  /// The same for any network of that size.
  package func problem(inputs: Int, outputs all: Int, parameters length: Int) -> String? {
    if steps.isEmpty || outputs.isEmpty || outputs.lowerBound < 0 || outputs.upperBound > all {
      return "no way to outputs \(outputs)"
    }
    if widths[0] != inputs { return "\(widths[0]) inputs, the network has \(inputs)" }
    var (written, activated): (Set<Int>, Set<Int>) = ([0], [])
    for (index, step) in steps.enumerated() {
      if let problem = problem(step, written, length: length) { return "step \(index): \(problem)" }
      if activated.contains(step.target) { return "step \(index): it changes what has gone through a nonlinearity" }
      written.insert(step.target)
      if case .dense(let dense) = step, dense.activation != nil { activated.insert(step.target) }
    }
    if let unread { return "step \(unread): it leads to no logit" }
    return widths[logits] == outputs.count ? nil : "\(widths[logits]) logits for outputs \(outputs)"
  }

  /// A step whose result no later step that leads to the logits reads: no derivative would reach it. The last such one.
  private var unread: Int? {
    var read: Set<Int> = [logits]
    for (index, step) in steps.enumerated().reversed() {
      if !read.contains(step.target) { return index }
      if let source = step.source { read.insert(source) }
    }
    return nil
  }

  private func problem(_ step: Step, _ written: Set<Int>, length: Int) -> String? {
    switch step {
    case .dense(let dense):
      let layer = dense.layer
      guard layer.lies(within: length) else { return "a layer outside the \(length) parameters" }
      guard written.contains(dense.source), !dense.accumulates || written.contains(dense.target) else {
        return "it reads what no step has written"
      }
      guard layer.inputs == widths[dense.source], layer.outputs == widths[dense.target] else {
        return
          "a layer of \(layer.inputs) × \(layer.outputs) from \(widths[dense.source]) to \(widths[dense.target]) columns"
      }
    case .gate(let source, let target, let place, let accumulates):
      guard written.contains(source), !accumulates || written.contains(target), widths[source] == widths[target] else {
        return "a gate on what no step has written"
      }
      guard place >= 0, place <= length - widths[source] else { return "a gate outside the \(length) parameters" }
    case .copy(let source, let target):
      guard written.contains(source), widths[source] == widths[target] else { return "a copy of what is not there" }
    case .scale(let slot, _):
      guard slot != 0, written.contains(slot) else { return "a factor on what no step has written" }
    }
    return nil
  }
}

extension Program.Step {
  /// The slot the step reads beside the one it writes.
  fileprivate var source: Int? {
    switch self {
    case .dense(let dense): dense.source
    case .copy(let source, _), .gate(let source, _, _, _): source
    case .scale: nil
    }
  }

  /// The slot the step writes.
  fileprivate var target: Int {
    switch self {
    case .dense(let dense): dense.target
    case .copy(_, let target): target
    case .gate(_, let target, _, _): target
    case .scale(let slot, _): slot
    }
  }
}

extension DenseLayer {
  /// Its tensors lie within a vector of that length.
  fileprivate func lies(within length: Int) -> Bool {
    let (weights, overflow) = inputs.multipliedReportingOverflow(by: outputs)
    guard inputs > 0, outputs > 0, !overflow, weights <= length else { return false }
    let biasFits = bias.map { $0 >= 0 && $0 <= length - min(length, outputs) && outputs <= length } ?? true
    return weight >= 0 && weight <= length - weights && biasFits
  }
}
