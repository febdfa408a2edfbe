/// Element-wise loops over two and three vectors, for terms that are one line of arithmetic:
///
///     gradient.update(with: parameters, start) { g, θ, θ0 in g + 2 * strength * (θ - θ0) }
///     return strength * Float(parameters.sum(with: start) { θ, θ0 in (θ - θ0) * (θ - θ0) })
///
/// They run as far as the shortest vector reaches: parameters that were added behind its end are left as they are. The arithmetic is
/// compiled into the loop and vectorised; unlike the kernels it may round otherwise on a processor without fused multiply-add.
extension FloatBuffer {
  /// self[i] = f(self[i])
  @inlinable
  public mutating func update(_ f: (Float) -> Float) {
    withMutableSpan { own in for i in own.indices { own[i] = f(own[i]) } }
  }

  /// self[i] = f(self[i], a[i])
  @inlinable
  public mutating func update(with a: FloatBuffer, _ f: (Float, Float) -> Float) {
    withMutableSpan { own in
      a.withSpan { a in for i in 0..<min(own.count, a.count) { own[i] = f(own[i], a[i]) } }
    }
  }

  /// self[i] = f(self[i], a[i], b[i])
  @inlinable
  public mutating func update(with a: FloatBuffer, _ b: FloatBuffer, _ f: (Float, Float, Float) -> Float) {
    withMutableSpan { own in
      a.withSpan { a in
        b.withSpan { b in
          for i in 0..<min(own.count, a.count, b.count) { own[i] = f(own[i], a[i], b[i]) }
        }
      }
    }
  }

  /// Σ f(self[i], a[i]), summed in double.
  @inlinable
  public func sum(with a: FloatBuffer, _ f: (Float, Float) -> Float) -> Double {
    withSpan { own in
      a.withSpan { a in
        var sum = 0.0
        for i in 0..<min(own.count, a.count) { sum += Double(f(own[i], a[i])) }
        return sum
      }
    }
  }

  /// Σ f(self[i], a[i], b[i]), summed in double.
  @inlinable
  public func sum(with a: FloatBuffer, _ b: FloatBuffer, _ f: (Float, Float, Float) -> Float) -> Double {
    withSpan { own in
      a.withSpan { a in
        b.withSpan { b in
          var sum = 0.0
          for i in 0..<min(own.count, a.count, b.count) { sum += Double(f(own[i], a[i], b[i])) }
          return sum
        }
      }
    }
  }
}
