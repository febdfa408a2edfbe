import CKernels

/// An optimiser's rule for one element, as the fused pass takes it, with the addresses of the optimiser's state.
///
/// Only the optimisers of this module make one; it is used at once.
@safe
public struct UpdateRule {
  fileprivate(set) var step = unsafe pal_update()

  private init(_ rule: Int, rate: Float, decay: Float) {
    unsafe step.rule = Int32(rule)
    unsafe step.rate = rate
    unsafe step.decay = decay
  }

  /// u = −rate · (g + decay · θ)
  static func sgd(rate: Float, decay: Float) -> UpdateRule { UpdateRule(PAL_SGD, rate: rate, decay: decay) }

  /// As ``FloatBuffer/becomeMomentumUpdate(velocity:at:rate:momentum:decay:nesterov:)``.
  static func momentum(
    velocity: inout FloatBuffer, rate: Float, momentum: Float, decay: Float, nesterov: Bool
  ) -> UpdateRule {
    var rule = UpdateRule(PAL_MOMENTUM, rate: rate, decay: decay)
    unsafe rule.step.first = velocity.withMutablePointer { unsafe $0 }
    unsafe rule.step.momentum = momentum
    unsafe rule.step.nesterov = nesterov ? 1 : 0
    return rule
  }

  /// As ``FloatBuffer/becomeAdamUpdate(first:second:at:step:root:beta1:beta2:epsilon:decay:)``.
  static func adam(
    first: inout FloatBuffer, second: inout FloatBuffer, step: Float, root: Float, beta1: Float, beta2: Float,
    epsilon: Float, decay: Float
  ) -> UpdateRule {
    var rule = UpdateRule(PAL_ADAM, rate: step, decay: decay)
    rule.keepMoments(&first, &second, root: root, beta1: beta1, beta2: beta2, epsilon: epsilon)
    return rule
  }

  /// As ``FloatBuffer/becomeAdamWUpdate(first:second:at:step:root:beta1:beta2:epsilon:shrink:)``.
  static func adamW(
    first: inout FloatBuffer, second: inout FloatBuffer, step: Float, root: Float, beta1: Float, beta2: Float,
    epsilon: Float, shrink: Float
  ) -> UpdateRule {
    var rule = UpdateRule(PAL_ADAMW, rate: step, decay: 0)
    rule.keepMoments(&first, &second, root: root, beta1: beta1, beta2: beta2, epsilon: epsilon)
    unsafe rule.step.shrink = shrink
    return rule
  }

  private mutating func keepMoments(
    _ first: inout FloatBuffer, _ second: inout FloatBuffer, root: Float, beta1: Float, beta2: Float, epsilon: Float
  ) {
    unsafe step.first = first.withMutablePointer { unsafe $0 }
    unsafe step.second = second.withMutablePointer { unsafe $0 }
    unsafe step.root = root
    unsafe step.momentum = beta1
    unsafe step.beta2 = beta2
    unsafe step.epsilon = epsilon
  }
}

/// What a step does behind its backward pass, in one pass over the parameters: quadratic pull, optimiser, mask, θ += u and
/// path integral. The same bits as the passes one by one, but for the reported penalty, a sum in an order of its own.
///
/// It holds addresses: made and run within one step, between which nothing resizes or copies the vectors.
@safe
struct FusedUpdate {
  private var step: pal_update
  private let count: Int

  /// - Parameters:
  ///   - gradient: of the data loss, which the backward pass writes when this has its address: it is the only copy from here on.
  init(
    _ rule: UpdateRule, gradient: inout FloatBuffer, parameters: inout FloatBuffer, _ pull: QuadraticPull?
  ) {
    precondition(gradient.count == parameters.count, "\(gradient.count) gradients of \(parameters.count) parameters")
    unsafe step = rule.step
    count = gradient.count
    unsafe step.gradient = UnsafePointer(gradient.withMutablePointer { unsafe $0 })
    unsafe step.theta = parameters.withMutablePointer { unsafe $0 }
    guard let pull else { return }
    precondition(pull.importance.count <= count && pull.anchor.count == pull.importance.count)
    unsafe step.importance = pull.importance.withPointer { unsafe $0 }
    unsafe step.anchor = pull.anchor.withPointer { unsafe $0 }
    unsafe step.pulled = pull.importance.count
    unsafe step.strength = pull.strength
  }

  /// From now on path −= gradient ∘ update.
  mutating func keep(_ path: inout FloatBuffer) {
    precondition(path.count == count, "a path of \(path.count) for \(count) parameters")
    unsafe step.path = path.withMutablePointer { unsafe $0 }
  }

  /// Updates what is trained; the optimiser's state moves everywhere.
  /// - Returns: Σ importance ∘ (θ − anchor)² before the step.
  func run(_ trained: TrainedRanges) -> Double {
    unsafe trained.bounds.withUnsafeBufferPointer { bounds in
      unsafe withUnsafePointer(to: step) { step in
        unsafe KernelTable.current.pointee.update(step, count, bounds.baseAddress, bounds.count / 2)
      }
    }
  }

  /// Updates parameters and the optimiser's state in those ranges alone.
  /// - Returns: Σ importance ∘ (θ − anchor)² there, before the step.
  func run(only ranges: TrainedRanges) -> Double {
    unsafe ranges.bounds.withUnsafeBufferPointer { bounds in
      unsafe withUnsafePointer(to: step) { step in
        unsafe KernelTable.current.pointee.update_ranges(step, bounds.baseAddress, bounds.count / 2)
      }
    }
  }

  /// Updates a layer's weights by their gradient inputsᵀ · derivative, strip by strip.
  /// - Parameter room: as long as the weights; overwritten.
  /// - Returns: Σ importance ∘ (θ − anchor)² of the weights, before the step.
  @unsafe
  func learn(
    _ layer: DenseLayer, _ inputs: UnsafePointer<Float>, _ derivative: UnsafePointer<Float>, rows: Int,
    room: UnsafeMutablePointer<Float>
  ) -> Double {
    unsafe withUnsafePointer(to: step) { step in
      unsafe KernelTable.current.pointee.learn_weights(
        step, layer.weight, inputs, derivative, room, rows, layer.inputs, layer.outputs)
    }
  }
}
