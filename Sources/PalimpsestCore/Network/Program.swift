/// A ``Route`` written out as steps over numbered slots: what a forward and a backward pass run.
///
/// Slot 0 holds the inputs. A step reads one slot and writes another; the backward pass runs the steps in reverse and leaves
/// each slot's derivative in a buffer of the same width.
struct Program: Sendable, Equatable {
  enum Step: Sendable, Equatable {
    /// target = f(source·W + b), or f(source·W + b + target) where it accumulates.
    case dense(DenseStep)
    /// target = source
    case copy(source: Int, target: Int)
    /// slot *= factor
    case scale(slot: Int, factor: Float)
  }

  /// A dense layer of a program, and what of it is trained.
  struct DenseStep: Sendable, Equatable {
    let layer: DenseLayer
    let source: Int
    let target: Int
    let activation: Activation?
    let accumulates: Bool
    /// The gradient of the weights is wanted.
    var trainsWeights = true
    /// The gradient of the bias is wanted.
    var trainsBias = true
    var isTrained: Bool { trainsWeights || trainsBias }

    /// So many weights that their gradient is better used before it leaves the cache, and outputs enough to fill registers.
    var isWide: Bool { trainsWeights && layer.outputs >= 16 && layer.inputs * layer.outputs >= 32_768 }
  }

  private(set) var widths: [Int]
  private(set) var steps: [Step] = []
  /// The slot that enters the head.
  private(set) var penultimate = 0
  /// The slot of the logits.
  private(set) var logits = 0
  /// The outputs the logits stand for.
  let outputs: Range<Int>
  /// The first step whose weights, or those of a step before it, are trained: the backward pass ends there.
  private(set) var firstTrained = 0
  /// What a step does to its source's derivative on the way back, step by step.
  private(set) var descents: [Descent] = []
  /// The step above has applied this step's nonlinearity to its derivative already.
  private(set) var isGated: [Bool] = []

  /// A step's part in the derivative of the slot it reads.
  struct Descent: Sendable, Equatable {
    /// A later step has written there.
    var accumulates = false
    /// The derivative is complete with this step and goes on through the nonlinearity that made the slot.
    var gate: Activation?
  }

  init(_ route: Route, activation: Activation) {
    widths = [route.layers[0].inputs]
    outputs = route.outputs
    var slot = 0
    for (index, layer) in route.layers.enumerated() {
      let isHead = index == route.layers.count - 1
      if isHead { penultimate = slot }
      slot = add(layer, route.lowRank[index], from: slot, activation: isHead ? nil : activation)
      if let bottleneck = route.bottlenecks[index], !isHead { slot = add(bottleneck, from: slot, activation) }
    }
    logits = slot
    planDescents()
  }

  /// In reverse the last step to write a slot's derivative is the first one that reads the slot.
  private mutating func planDescents() {
    descents = steps.map { _ in Descent() }
    isGated = steps.map { _ in false }
    var written: Set<Int> = []
    for index in steps.indices.reversed() {
      guard let source = steps[index].source else { continue }
      descents[index].accumulates = !written.insert(source).inserted
      guard case .dense = steps[index], !steps[..<index].contains(where: { $0.source == source }),
        let maker = steps.firstIndex(where: { $0.activated == source })
      else { continue }
      descents[index].gate = steps[maker].activation
      isGated[maker] = true
    }
  }

  /// The same steps, where only tensors inside the mask are trained.
  func training(_ mask: ParameterMask) -> Program {
    var copy = self
    copy.steps = steps.map { step in
      guard case .dense(var dense) = step else { return step }
      dense.trainsWeights = mask.overlaps(dense.layer.weightRange)
      dense.trainsBias = dense.layer.biasRange.map(mask.overlaps) ?? false
      return .dense(dense)
    }
    copy.firstTrained =
      copy.steps.firstIndex { step in
        if case .dense(let dense) = step { dense.isTrained } else { false }
      } ?? copy.steps.count
    return copy
  }

  /// The weights of wide layers, in the order of the parameters.
  var wideWeights: [Range<Int>] {
    let ranges = steps.compactMap { step -> Range<Int>? in
      if case .dense(let dense) = step, dense.isWide { dense.layer.weightRange } else { nil }
    }
    return ranges.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// Multiply-adds of one row's forward pass.
  var multiplyAdds: Int {
    steps.reduce(0) { sum, step in
      if case .dense(let dense) = step { sum + dense.layer.inputs * dense.layer.outputs } else { sum }
    }
  }

  /// Multiply-adds of one row's training step: forward, the gradients wanted, and the derivatives passed down to them.
  var trainingMultiplyAdds: Int {
    steps.indices.reduce(multiplyAdds) { sum, index in
      guard case .dense(let dense) = steps[index], index >= firstTrained else { return sum }
      let size = dense.layer.inputs * dense.layer.outputs
      let passesDown = index > firstTrained && dense.source != 0
      return sum + (dense.trainsWeights ? size : 0) + (passesDown ? size : 0)
    }
  }

  private mutating func add(
    _ layer: DenseLayer, _ lowRank: LowRank?, from source: Int, activation: Activation?
  ) -> Int {
    var target: Int?
    if let lowRank {
      let inner = dense(lowRank.a, from: source)
      steps.append(.scale(slot: inner, factor: lowRank.scale))
      target = dense(lowRank.b, from: inner)
    }
    return dense(layer, from: source, to: target, activation)
  }

  private mutating func add(_ bottleneck: Bottleneck, from source: Int, _ activation: Activation) -> Int {
    let inner = dense(bottleneck.down, from: source, activation)
    let sum = newSlot(widths[source])
    steps.append(.copy(source: source, target: sum))
    return dense(bottleneck.up, from: inner, to: sum)
  }

  /// Appends a dense step into a new slot, or on top of what `target` holds.
  private mutating func dense(
    _ layer: DenseLayer, from source: Int, to target: Int? = nil, _ activation: Activation? = nil
  ) -> Int {
    precondition(widths[source] == layer.inputs, "a layer of \(layer.inputs) inputs after \(widths[source]) outputs")
    let slot = target ?? newSlot(layer.outputs)
    steps.append(
      .dense(
        DenseStep(
          layer: layer, source: source, target: slot, activation: activation, accumulates: target != nil)))
    return slot
  }

  private mutating func newSlot(_ width: Int) -> Int {
    widths.append(width)
    return widths.count - 1
  }
}

extension Program.Step {
  /// The slot whose derivative the step writes on the way back; a factor stays in its slot.
  fileprivate var source: Int? {
    switch self {
    case .dense(let dense): dense.source
    case .copy(let source, _): source
    case .scale: nil
    }
  }

  fileprivate var activation: Activation? {
    if case .dense(let dense) = self { dense.activation } else { nil }
  }

  /// The slot that comes out of this step's nonlinearity.
  fileprivate var activated: Int? {
    if case .dense(let dense) = self, dense.activation != nil { dense.target } else { nil }
  }
}
