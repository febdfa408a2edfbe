import PalimpsestCore

/// Any number of quadratic pulls Σ_k F_k (θ − θ*_k)² in constant memory.
///
/// With S₀ = Σ F_k and the weighted mean anchor c = S₁ / S₀ = Σ F_k θ*_k / S₀ the sum is S₀ (θ − c)² + R, where the
/// rest R = Σ F_k (θ*_k − c)² does not depend on θ. Both terms are sums of squares: unlike S₀θ² − 2 S₁θ + S₂ nothing
/// cancels, and the value is never negative. c and R are updated as Welford updates a mean and a variance.
///
/// - Memory: two floats a parameter and one double, whatever the number of anchors.
struct QuadraticAnchors: Sendable, Codable {
  /// S₀.
  private(set) var importance = FloatBuffer(count: 0)
  /// c.
  private(set) var anchor = FloatBuffer(count: 0)
  /// Σ over the parameters of R.
  private(set) var rest = 0.0

  var bytes: Int { importance.bytes + anchor.bytes }
  func bytes(in layout: ParameterLayout) -> Int { layout.bytes(of: importance, anchor) }

  /// Adds a pull towards θ* with importance F; both may be longer than what is there.
  mutating func add(importance added: [Double], at parameters: FloatBuffer) {
    grow(to: parameters)
    importance.withMutableSpan { s0 in
      anchor.withMutableSpan { c in
        parameters.withSpan { theta in
          for i in added.indices {
            let before = Double(s0[i])
            let after = before + added[i]
            guard after > 0 else { continue }
            let step = Double(theta[i]) - Double(c[i])
            rest += before * added[i] / after * step * step
            c[i] = Float(Double(c[i]) + added[i] / after * step)
            s0[i] = Float(after)
          }
        }
      }
    }
  }

  /// Keeps one pull only: F ← decay · F + added, towards the given parameters.
  mutating func replace(importance added: [Double], decay: Double, at parameters: FloatBuffer) {
    grow(to: parameters)
    importance.withMutableSpan { s0 in
      for i in added.indices { s0[i] = Float(decay * Double(s0[i]) + added[i]) }
    }
    anchor.copy(from: parameters)
  }

  /// (strength/2) Σ_k F_k (θ − θ*_k)²: 0 before the first anchor.
  func pull(strength: Float) -> QuadraticPull {
    QuadraticPull(importance: importance, anchor: anchor, strength: strength, rest: rest)
  }

  /// Lends ``pull(strength:)`` to a step without making one, which would retain both vectors.
  func lend(to step: FusedStep, strength: Float, _ body: (FusedStep) -> Double) -> Double {
    step.pull(importance: importance, anchor: anchor, strength: strength, rest: rest, body)
  }

  /// New parameters begin without importance.
  private mutating func grow(to parameters: FloatBuffer) {
    importance.resize(to: parameters.count)
    anchor.resize(to: parameters.count)
  }
}

extension QuadraticAnchors: CheckedState {
  func problem(within limits: StateLimits) -> String? {
    if importance.count != anchor.count { return "importance of \(importance.count), anchor of \(anchor.count)" }
    return importance.problem("the importance", within: limits)
  }
}
