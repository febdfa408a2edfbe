import CKernels

/// What a step does behind its backward pass, in one pass over the parameters: quadratic pull, optimiser, mask, θ += u and
/// path integral. The same bits as the passes one by one, but for the reported penalty, a sum in an order of its own.
///
/// The optimiser and the penalty lend it their vectors, each by a function that hands the completed step to its body: no address
/// leaves the access to the vector it belongs to. ``FusedPart`` is how they do that.
@safe
package struct FusedStep {
  fileprivate var step = unsafe pal_update()
  /// Parameters there are.
  package let count: Int

  package init(count: Int) { self.count = count }

  // MARK: - Optimisers

  /// u = −rate · (g + decay · θ)
  package func sgd(rate: Float, decay: Float) -> FusedStep { ruled(PAL_SGD, rate: rate, decay: decay) }

  /// As ``FloatBuffer/becomeMomentumUpdate(velocity:at:rate:momentum:decay:nesterov:)``.
  package func momentum(
    velocity: inout FloatBuffer, rate: Float, momentum: Float, decay: Float, nesterov: Bool,
    _ body: (FusedStep) -> Double
  ) -> Double {
    var copy = ruled(PAL_MOMENTUM, rate: rate, decay: decay)
    unsafe copy.step.momentum = momentum
    unsafe copy.step.nesterov = nesterov ? 1 : 0
    return unsafe velocity.withMutablePointer { velocity in
      unsafe copy.step.first = velocity
      return body(copy)
    }
  }

  /// As ``FloatBuffer/becomeAdamUpdate(first:second:at:step:root:beta1:beta2:epsilon:decay:)``.
  package func adam(
    first: inout FloatBuffer, second: inout FloatBuffer, step: Float, root: Float, beta1: Float, beta2: Float,
    epsilon: Float, decay: Float, _ body: (FusedStep) -> Double
  ) -> Double {
    var copy = ruled(PAL_ADAM, rate: step, decay: decay)
    copy.takeConstants(root: root, beta1: beta1, beta2: beta2, epsilon: epsilon)
    return copy.lend(&first, &second, body)
  }

  /// As ``FloatBuffer/becomeAdamWUpdate(first:second:at:step:root:beta1:beta2:epsilon:shrink:)``.
  package func adamW(
    first: inout FloatBuffer, second: inout FloatBuffer, step: Float, root: Float, beta1: Float, beta2: Float,
    epsilon: Float, shrink: Float, _ body: (FusedStep) -> Double
  ) -> Double {
    var copy = ruled(PAL_ADAMW, rate: step, decay: 0)
    copy.takeConstants(root: root, beta1: beta1, beta2: beta2, epsilon: epsilon)
    unsafe copy.step.shrink = shrink
    return copy.lend(&first, &second, body)
  }

  private mutating func takeConstants(root: Float, beta1: Float, beta2: Float, epsilon: Float) {
    unsafe step.root = root
    unsafe step.momentum = beta1
    unsafe step.beta2 = beta2
    unsafe step.epsilon = epsilon
  }

  /// The moments of Adam and its kin.
  private func lend(
    _ first: inout FloatBuffer, _ second: inout FloatBuffer, _ body: (FusedStep) -> Double
  ) -> Double {
    var copy = self
    return unsafe first.withMutablePointer { first in
      unsafe second.withMutablePointer { second in
        unsafe copy.step.first = first
        unsafe copy.step.second = second
        return body(copy)
      }
    }
  }

  private func ruled(_ rule: Int, rate: Float, decay: Float) -> FusedStep {
    var copy = self
    unsafe copy.step.rule = Int32(rule)
    unsafe copy.step.rate = rate
    unsafe copy.step.decay = decay
    return copy
  }

  // MARK: - Penalties

  /// Pulls the parameters to an anchor: the gradient of (strength / 2) Σ importance ∘ (θ − anchor)² is added. Parameters behind
  /// the end of the two vectors are not pulled; nothing is where they are empty.
  /// - Returns: the penalty before the step, `rest` included.
  package func pull(
    importance: FloatBuffer, anchor: FloatBuffer, strength: Float, rest: Double = 0, _ body: (FusedStep) -> Double
  ) -> Double {
    precondition(
      importance.count <= count && anchor.count >= importance.count, "a pull on \(importance.count) of \(count)")
    guard importance.count > 0 else {
      _ = body(self)
      return 0
    }
    var copy = self
    unsafe copy.step.pulled = importance.count
    unsafe copy.step.strength = strength
    let sum = unsafe importance.withPointer { importance in
      unsafe anchor.withPointer { anchor in
        unsafe copy.step.importance = importance
        unsafe copy.step.anchor = anchor
        return body(copy)
      }
    }
    return QuadraticPull.value(sum, strength: strength, rest: rest)
  }

  /// From now on path −= data gradient ∘ update.
  package func path(_ path: inout FloatBuffer, _ body: (FusedStep) -> Double) -> Double {
    precondition(path.count == count, "a path of \(path.count) for \(count) parameters")
    var copy = self
    return unsafe path.withMutablePointer { path in
      unsafe copy.step.path = path
      return body(copy)
    }
  }
}

extension FusedStep {
  /// Takes the step along a data gradient, which stays as it is, and so do the ranges; borrowed they would be retained.
  /// - Returns: Σ importance ∘ (θ − anchor)² before the step.
  func take(
    along gradient: inout FloatBuffer, on parameters: inout FloatBuffer, _ trained: inout TrainedRanges
  ) -> Double {
    precondition(gradient.count == parameters.count)
    return unsafe gradient.withPointer { g in
      unsafe parameters.withMutablePointer { theta in
        unsafe LentStep(self, gradient: g, parameters: theta).run(trained)
      }
    }
  }
}

/// A step whose vectors are all there: valid while the parts lend theirs.
@unsafe
struct LentStep {
  private var step: pal_update
  private let count: Int

  init(_ fused: FusedStep, gradient: UnsafePointer<Float>, parameters: UnsafeMutablePointer<Float>) {
    unsafe step = fused.step
    unsafe count = fused.count
    unsafe step.gradient = gradient
    unsafe step.theta = parameters
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
