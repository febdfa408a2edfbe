import CKernels

/// Element-wise arithmetic on whole vectors, in the kernels' fixed order: the same bits on every processor with FMA.
extension FloatBuffer {
  /// self += other
  public mutating func add(_ other: FloatBuffer) {
    checkLength(other)
    let n = count
    unsafe withMutablePointer { y in unsafe other.withPointer { x in unsafe KernelTable.current.pointee.add(y, x, n) } }
  }

  /// self += other in the given index ranges only: everything outside keeps its bits.
  public mutating func add(_ other: FloatBuffer, in ranges: [Range<Int>]) {
    checkLength(other)
    for range in ranges { checkRange(range) }
    unsafe withMutablePointer { y in
      unsafe other.withPointer { x in
        for range in ranges {
          unsafe KernelTable.current.pointee.add(y + range.lowerBound, x + range.lowerBound, range.count)
        }
      }
    }
  }

  /// self += other for `count` elements from `first` on; either vector may be longer.
  mutating func add(_ other: FloatBuffer, from first: Int, count: Int) {
    precondition(first >= 0 && count >= 0 && first + count <= min(self.count, other.count), "\(count) from \(first)")
    unsafe withMutablePointer { y in
      unsafe other.withPointer { x in unsafe KernelTable.current.pointee.add(y + first, x + first, count) }
    }
  }

  /// self += factor · other
  public mutating func add(_ other: FloatBuffer, times factor: Float) {
    checkLength(other)
    let n = count
    unsafe withMutablePointer { y in
      unsafe other.withPointer { x in unsafe KernelTable.current.pointee.axpy(y, x, n, factor) }
    }
  }

  /// self *= factor
  public mutating func scale(by factor: Float) {
    let n = count
    unsafe withMutablePointer { y in unsafe KernelTable.current.pointee.scale(y, n, factor) }
  }

  /// Sets every element.
  public mutating func fill(_ value: Float) {
    let n = count
    unsafe withMutablePointer { y in unsafe y.update(repeating: value, count: n) }
  }

  /// Takes over the elements of `other`, keeping this buffer's memory: no allocation once it is long enough.
  public mutating func copy(from other: FloatBuffer) {
    if count != other.count { resize(to: other.count) }
    let n = count
    unsafe withMutablePointer { y in unsafe other.withPointer { x in unsafe y.update(from: x, count: n) } }
  }

  /// Σ self · other, summed in double.
  public func dot(_ other: FloatBuffer) -> Double {
    checkLength(other)
    return unsafe withPointer { x in
      unsafe other.withPointer { y in unsafe KernelTable.current.pointee.dot(x, y, count) }
    }
  }

  /// Σ (self − other)², summed in double.
  public func squaredDistance(to other: FloatBuffer) -> Double {
    checkLength(other)
    return unsafe withPointer { x in
      unsafe other.withPointer { y in unsafe KernelTable.current.pointee.squared_distance(x, y, count) }
    }
  }

  /// Adds strength · importance ∘ (θ − anchor), the gradient of (strength/2) Σ importance · (θ − anchor)², to this gradient.
  ///
  /// The vectors may be shorter than the gradient: parameters added since the anchor was taken are not pulled.
  /// - Returns: Σ importance · (θ − anchor)², summed in double.
  public mutating func addPull(
    at parameters: FloatBuffer, towards anchor: FloatBuffer, importance: FloatBuffer, strength: Float
  ) -> Double {
    let n = checkPrefix(importance, parameters)
    anchor.checkLength(importance)
    return unsafe withMutablePointer { g in
      unsafe parameters.withPointer { theta in
        unsafe importance.withPointer { f in
          unsafe anchor.withPointer { a in
            unsafe KernelTable.current.pointee.quadratic_penalty(g, theta, f, a, n, strength)
          }
        }
      }
    }
  }

  /// self −= gradient ∘ update: one step of a path integral. This vector may be the longer one.
  public mutating func subtractProduct(_ gradient: FloatBuffer, _ update: FloatBuffer) {
    checkLength(gradient)
    checkLength(update)
    let n = count
    unsafe withMutablePointer { p in
      unsafe gradient.withPointer { g in
        unsafe update.withPointer { u in unsafe KernelTable.current.pointee.path_integral(p, g, u, n) }
      }
    }
  }

  fileprivate func checkLength(_ other: FloatBuffer) {
    precondition(count == other.count, "vectors of \(count) and \(other.count) elements")
  }

  private func checkRange(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "range \(range) in a vector of \(count)")
  }

  private func checkPrefix(_ shorter: FloatBuffer, _ parameters: FloatBuffer) -> Int {
    checkLength(parameters)
    precondition(shorter.count <= count, "importance of \(shorter.count) elements for \(count) parameters")
    return shorter.count
  }
}

/// The optimisers' element-wise passes: the gradient goes in, the update comes out in its place.
extension FloatBuffer {
  /// u = −rate · (g + decay · θ)
  public mutating func becomeSGDUpdate(at parameters: FloatBuffer, rate: Float, decay: Float) {
    checkLength(parameters)
    let n = count
    unsafe withMutablePointer { g in
      unsafe parameters.withPointer { theta in unsafe KernelTable.current.pointee.sgd(g, theta, n, rate, decay) }
    }
  }

  /// v ← momentum · v + g + decay · θ;  u = −rate · v, or with Nesterov −rate · (g + decay · θ + momentum · v).
  public mutating func becomeMomentumUpdate(
    velocity: inout FloatBuffer, at parameters: FloatBuffer, rate: Float, momentum: Float, decay: Float, nesterov: Bool
  ) {
    checkLength(parameters)
    checkLength(velocity)
    let n = count
    unsafe withMutablePointer { g in
      unsafe velocity.withMutablePointer { v in
        unsafe parameters.withPointer { theta in
          unsafe KernelTable.current.pointee.momentum(g, v, theta, n, rate, momentum, decay, nesterov ? 1 : 0)
        }
      }
    }
  }

  /// Adam's step (Kingma & Ba 2015, algorithm 1), with the two bias corrections folded into `step` and `root`.
  public mutating func becomeAdamUpdate(
    first: inout FloatBuffer, second: inout FloatBuffer, at parameters: FloatBuffer,
    step: Float, root: Float, beta1: Float, beta2: Float, epsilon: Float, decay: Float
  ) {
    unsafe become(&first, &second, at: parameters) { g, m, v, theta, n in
      unsafe KernelTable.current.pointee.adam(g, m, v, theta, n, step, root, beta1, beta2, epsilon, decay)
    }
  }

  /// The same without decay in the gradient, and shrink · θ taken from the update (Loshchilov & Hutter 2019).
  public mutating func becomeAdamWUpdate(
    first: inout FloatBuffer, second: inout FloatBuffer, at parameters: FloatBuffer,
    step: Float, root: Float, beta1: Float, beta2: Float, epsilon: Float, shrink: Float
  ) {
    unsafe become(&first, &second, at: parameters) { g, m, v, theta, n in
      unsafe KernelTable.current.pointee.adamw(g, m, v, theta, n, step, root, beta1, beta2, epsilon, shrink)
    }
  }

  /// Lends the gradient, both moments and the parameters, all of one length, to a kernel.
  @inline(__always)
  private mutating func become(
    _ first: inout FloatBuffer, _ second: inout FloatBuffer, at parameters: FloatBuffer,
    _ kernel: (
      UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, UnsafePointer<Float>, Int
    ) -> Void
  ) {
    checkLength(parameters)
    checkLength(first)
    checkLength(second)
    let n = count
    unsafe withMutablePointer { g in
      unsafe first.withMutablePointer { m in
        unsafe second.withMutablePointer { v in
          unsafe parameters.withPointer { theta in unsafe kernel(g, m, v, theta, n) }
        }
      }
    }
  }
}

extension FloatBuffer {
  /// Sets every element of the ranges, as far as they reach into this vector, to 0.
  public mutating func clear(_ ranges: [Range<Int>]) {
    withMutableSpan { span in
      for range in ranges { for i in range.clamped(to: 0..<span.count) { span[i] = 0 } }
    }
  }

  /// Sets every element that is not marked to 0; those behind the marks' end are not.
  public mutating func clear(whereNot marks: [Bool]) {
    withMutableSpan { span in
      for i in span.indices where i >= marks.count || !marks[i] { span[i] = 0 }
    }
  }

  /// self += other where marked: everything else keeps its bits.
  public mutating func add(_ other: FloatBuffer, where marks: [Bool]) {
    checkLength(other)
    withMutableSpan { own in
      other.withSpan { other in
        for i in 0..<min(own.count, marks.count) where marks[i] { own[i] += other[i] }
      }
    }
  }

  /// Sets every element outside the ranges, which are in order, to 0.
  public mutating func clear(outside ranges: [Range<Int>]) {
    withMutableSpan { span in
      var next = 0
      for range in ranges {
        for i in next..<range.lowerBound { span[i] = 0 }
        next = range.upperBound
      }
      for i in next..<span.count { span[i] = 0 }
    }
  }
}
