import PalimpsestCore
import PalimpsestStrategies
import Testing

@Suite struct SynapticIntelligenceTests {
  /// A model of no more than parameters: two of them, at 0 and 16 of the vector.
  private func model(_ a: Float, _ b: Float) -> MLP {
    var model = PenaltyWorld.linear(inputs: 1, outputs: 1)
    (model.parameters[0], model.parameters[16]) = (a, b)
    return model
  }

  private let info = PenaltyWorld.info(0, outputs: 1)
  private let none = Rows(Matrix([[0]]), labels: [0], experience: 0)

  private func vector(_ a: Float, _ b: Float) -> FloatBuffer {
    var vector = FloatBuffer(count: model(0, 0).parameters.count)
    (vector[0], vector[16]) = (a, b)
    return vector
  }

  private func end(_ si: inout SynapticIntelligence, _ model: MLP) {
    var rng = Seed(1).stream("consolidation")
    si.consolidate(PenaltyWorld.ended(model, none), using: &rng)
  }

  @Test func `the path integral of a quadratic is exact`() {
    // L = ½ Σ h_i (θ_i − a_i)² with h = (1, ½), a = (0, 1), from θ = (1, −3), plain gradient descent with step ½: every
    // number is dyadic, so floats are exact. −Σ g Δ = L(start) − L(end) + ½ h Σ Δ², coordinate by coordinate
    // (left-point rule).
    let (h, a): ([Float], [Float]) = ([1, 0.5], [0, 1])
    let start: [Float] = [1, -3]
    var (si, theta, squares): (SynapticIntelligence, [Float], [Float]) = (SynapticIntelligence(), start, [0, 0])
    si.begin(info, model(1, -3))
    for _ in 0..<4 {
      let g = [h[0] * (theta[0] - a[0]), h[1] * (theta[1] - a[1])]
      let update = g.map { -0.5 * $0 }
      si.observe(gradient: vector(g[0], g[1]), update: vector(update[0], update[1]))
      for i in 0..<2 {
        theta[i] += update[i]
        squares[i] += update[i] * update[i]
      }
    }
    for (i, place) in [0, 16].enumerated() {
      let fall = loss(start[i] - a[i], h[i]) - loss(theta[i] - a[i], h[i])
      #expect(si.path[place] == fall + h[i] / 2 * squares[i])
      #expect(si.path[place] > fall)
    }
  }

  private func loss(_ distance: Float, _ h: Float) -> Float { h / 2 * distance * distance }

  @Test func `importance by hand`() {
    // One step: g = (2, −1), Δ = (−½, 1): ω = (1, 1). ξ = ¼: Ω = (1 / (¼ + ¼), 1 / (1 + ¼)) = (2, 0.8).
    // c = 3 at a displacement of (1, ½) from the end: 3 (2·1 + 0.8·¼) = 6.6; gradient 2·3·(2·1, 0.8·½) = (12, 2.4).
    var si = SynapticIntelligence()
    (si.strength, si.damping) = (3, 0.25)
    si.begin(info, model(0, 0))
    si.observe(gradient: vector(2, -1), update: vector(-0.5, 1))
    end(&si, model(-0.5, 1))
    #expect(si.importance[0] == 2 && abs(si.importance[16] - 0.8) < 1e-6)
    #expect(si.path.array.allSatisfy { $0 == 0 } && si.anchor[0] == -0.5 && si.anchor[16] == 1)
    var gradient = vector(0, 0)
    #expect(abs(si.add(at: vector(0.5, 1.5), to: &gradient) - 6.6) < 1e-5)
    #expect(abs(gradient[0] - 12) < 1e-5 && abs(gradient[16] - 2.4) < 1e-5)
  }

  @Test func `the displacement is from where the task began`() {
    // Two tasks, each one step of Δ = 1 along g = −1, ξ = 1: Ω = 1/2 and again 1/2. Had the anchor moved first, the
    // displacement would be 0 and each share 1; had it never moved, the second displacement would be 2 and its share
    // 1/5.
    var si = SynapticIntelligence()
    si.damping = 1
    for task in 0..<2 {
      si.begin(info, model(Float(task), 0))
      si.observe(gradient: vector(-1, 0), update: vector(1, 0))
      end(&si, model(Float(task + 1), 0))
      #expect(si.importance[0] == 0.5 * Float(task + 1) && si.anchor[0] == Float(task + 1))
    }
  }

  @Test(arguments: SynapticIntelligence.Clamp.allCases)
  func `what is clamped`(clamp: SynapticIntelligence.Clamp) {
    // Shares of 1/2, −1/4, −1 and 1/2 (ξ = 1, Δ = ±1, ω = 2 · share): the accumulated sum is 1/2, 1/4, 0, 1/2;
    // clamping each share gives 1/2, 1/2, 1/2, 1; without a clamp the sum falls to −3/4 and ends at −1/4.
    var si = SynapticIntelligence()
    (si.damping, si.clamp) = (1, clamp)
    let expected: [Float] =
      switch clamp {
      case .accumulated: [0.5, 0.25, 0, 0.5]
      case .increment: [0.5, 0.5, 0.5, 1]
      case .none: [0.5, 0.25, -0.75, -0.25]
      }
    for (task, share) in [Float(0.5), -0.25, -1, 0.5].enumerated() {
      si.begin(info, model(Float(task), 0))
      si.observe(gradient: vector(-2 * share, 0), update: vector(1, 0))
      end(&si, model(Float(task + 1), 0))
      #expect(si.importance[0] == expected[task])
    }
  }

  @Test func `parameters made later begin where they are`() {
    var (si, grown, rng) = (SynapticIntelligence(), model(0, 0), Seed(1).stream("head"))
    si.begin(info, grown)
    si.observe(gradient: vector(-1, 0), update: vector(1, 0))
    grown.parameters[0] = 1
    end(&si, grown)
    let head = grown.addLayer("head1", inputs: 1, outputs: 1, isOutput: true, using: &rng)
    grown.parameters[head.weight] = 5
    si.begin(info, grown)
    #expect(si.anchor[head.weight] == 5 && si.anchor[0] == 1)
    var (theta, gradient) = (grown.parameters, FloatBuffer(count: grown.parameters.count))
    theta[head.weight] = 9
    #expect(si.add(at: theta, to: &gradient) == 0 && gradient[head.weight] == 0)
    var moved = FloatBuffer(count: theta.count)
    moved[head.weight] = 4
    var slope = FloatBuffer(count: theta.count)
    slope[head.weight] = -1
    si.observe(gradient: slope, update: moved)
    grown.parameters = theta
    end(&si, grown)
    // 4 / (4² + 0.001)
    #expect(abs(si.importance[head.weight] - 4 / 16.001) < 1e-6)
    #expect(si.bytes == 3 * 4 * theta.count)
  }
}
