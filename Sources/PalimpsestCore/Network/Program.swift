/// A way through the network, written out as steps over numbered slots: what a forward and a backward pass run.
///
/// Slot 0 holds the inputs. A step reads one slot and writes another; the backward pass runs the steps in reverse and leaves
/// each slot's derivative in a buffer of the same width. A program is built step by step, each function giving the slot it writes:
///
///     var way = Program(inputs: 784, outputs: 0..<10)
///     let hidden = way.dense(first, from: 0, .relu)
///     let sum = way.dense(lateral, from: earlierColumn)     // beside it …
///     way.dense(last, from: hidden, onto: sum)              // … and on top of it
///
/// or made from a ``Route`` through the network's own layers. The last slot written holds the logits. Whether it fits a network says
/// ``problem(in:)``; a learner takes no way that does not.
public struct Program: Sendable, Hashable {
  public enum Step: Sendable, Hashable, Codable {
    /// target = f(source·W + b), or f(source·W + b + target) where it accumulates.
    case dense(DenseStep)
    /// target = source
    case copy(source: Int, target: Int)
    /// target = source ∘ a, or source ∘ a + target where it accumulates, with a the numbers at `place` in the parameter vector, one
    /// a column.
    case gate(source: Int, target: Int, place: Int, accumulates: Bool)
    /// slot *= factor
    case scale(slot: Int, factor: Float)
  }

  /// A dense layer of a program, and what of it is trained.
  public struct DenseStep: Sendable, Hashable, Codable {
    public let layer: DenseLayer
    public let source: Int
    public let target: Int
    public let activation: Activation?
    public let accumulates: Bool
    /// The gradient of the weights is wanted.
    var trainsWeights = true
    /// The gradient of the bias is wanted.
    var trainsBias = true
    var isTrained: Bool { trainsWeights || trainsBias }

    /// So many weights that their gradient is better used before it leaves the cache, and outputs enough to fill registers.
    var isWide: Bool { trainsWeights && layer.outputs >= 16 && layer.inputs * layer.outputs >= 32_768 }
  }

  /// Columns of each slot.
  public private(set) var widths: [Int]
  public private(set) var steps: [Step] = []
  /// The outputs the logits stand for, within the scenario's.
  public let outputs: Range<Int>
  /// The slot of the logits: the last one written.
  public private(set) var logits = 0
  /// The slots that hold what comes out of a nonlinearity, in order: hidden units after their activation.
  public private(set) var hiddenSlots: [Int] = []
  /// The first step whose weights, or those of a step before it, are trained: the backward pass ends there.
  private(set) var firstTrained = 0
  /// The gates whose numbers are trained, by their step.
  private(set) var trainedGates: Set<Int> = []

  // MARK: - Building

  /// A program without steps.
  /// - Parameter outputs: what its logits will stand for, within the scenario's outputs.
  public init(inputs: Int, outputs: Range<Int>) {
    widths = [inputs]
    self.outputs = outputs
  }

  /// Appends target = f(source·W + b), or f(source·W + b + what the target holds), as in lateral connections and low-rank branches.
  /// - Parameters:
  ///   - target: the slot to write on top of; nil: a new one. It may not have gone through a nonlinearity.
  /// - Returns: the slot written.
  @discardableResult
  public mutating func dense(
    _ layer: DenseLayer, from source: Int, onto target: Int? = nil, _ activation: Activation? = nil
  ) -> Int {
    let slot = target ?? newSlot(layer.outputs)
    append(
      .dense(
        DenseStep(layer: layer, source: source, target: slot, activation: activation, accumulates: target != nil)),
      writing: slot)
    if activation != nil { hiddenSlots.append(slot) }
    return slot
  }

  /// Appends a copy of a slot, to be written on top of: h + …
  @discardableResult
  public mutating func copy(_ source: Int) -> Int {
    let slot = newSlot(widths[source])
    append(.copy(source: source, target: slot), writing: slot)
    return slot
  }

  /// Appends target = source ∘ a: every unit times a number of its own in the parameter vector, which is trained where the mask
  /// has it, and fixed else. Made by ``MLP/addVector(_:_:)``.
  /// - Returns: the slot written.
  @discardableResult
  public mutating func gate(_ source: Int, at place: Int, onto target: Int? = nil) -> Int {
    let slot = target ?? newSlot(widths[source])
    trainedGates.insert(steps.count)
    append(.gate(source: source, target: slot, place: place, accumulates: target != nil), writing: slot)
    return slot
  }

  /// Appends slot *= factor; the slot may not have gone through a nonlinearity.
  public mutating func scale(_ slot: Int, by factor: Float) {
    append(.scale(slot: slot, factor: factor), writing: slot)
  }

  private mutating func newSlot(_ width: Int) -> Int {
    widths.append(width)
    return widths.count - 1
  }

  private mutating func append(_ step: Step, writing slot: Int) {
    steps.append(step)
    logits = slot
  }

  // MARK: - Reading

  /// The slot that enters the last layer.
  public var penultimate: Int {
    for step in steps.reversed() { if case .dense(let dense) = step, dense.target == logits { return dense.source } }
    return 0
  }

  /// Multiply-adds of one row's forward pass.
  public var multiplyAdds: Int {
    steps.reduce(0) { sum, step in
      if case .dense(let dense) = step { sum + dense.layer.inputs * dense.layer.outputs } else { sum }
    }
  }

  /// Multiply-adds of one row's training step: forward, the gradients wanted, and the derivatives passed down to them.
  public var trainingMultiplyAdds: Int {
    steps.indices.reduce(multiplyAdds) { sum, index in
      guard case .dense(let dense) = steps[index], index >= firstTrained else { return sum }
      let size = dense.layer.inputs * dense.layer.outputs
      let passesDown = index > firstTrained && dense.source != 0
      return sum + (dense.trainsWeights ? size : 0) + (passesDown ? size : 0)
    }
  }

  /// The weights of wide layers, in the order of the parameters.
  var wideWeights: [Range<Int>] {
    let ranges = steps.compactMap { step -> Range<Int>? in
      if case .dense(let dense) = step, dense.isWide { dense.layer.weightRange } else { nil }
    }
    return ranges.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// The same steps, where only tensors inside the mask are trained.
  package func training(_ mask: ParameterMask) -> Program {
    var copy = self
    copy.steps = steps.map { step in
      guard case .dense(var dense) = step else { return step }
      dense.trainsWeights = mask.overlaps(dense.layer.weightRange)
      dense.trainsBias = dense.layer.biasRange.map(mask.overlaps) ?? false
      return .dense(dense)
    }
    copy.trainedGates = Set(
      steps.indices.filter { index in
        guard case .gate(let source, _, let place, _) = steps[index] else { return false }
        return mask.overlaps(place..<(place + widths[source]))
      })
    copy.firstTrained =
      copy.steps.indices.first { index in
        if case .dense(let dense) = copy.steps[index] { dense.isTrained } else { copy.trainedGates.contains(index) }
      } ?? copy.steps.count
    return copy
  }
}
