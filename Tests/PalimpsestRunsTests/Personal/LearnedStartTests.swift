import PalimpsestCore
import PalimpsestExperiments
import PalimpsestRuns
import Testing

/// Starts that are learned for being adapted, on a logistic model of few weights and people who all have the same rows: whoever is drawn,
/// every step can be worked out beside.
@Suite struct LearnedStartTests {
  private static let inputs: [Float] = [1, -2]

  private func rows(people: Int, rowsOfEach: Int) -> Rows {
    let count = people * rowsOfEach
    var inputs = FloatBuffer(count: 2 * count)
    inputs.withMutableSpan { span in for i in span.indices { span[i] = Self.inputs[i % 2] } }
    return Rows(
      table: Table(inputs, columns: 2), experience: 0, places: (0..<Int32(count)).map { $0 },
      labels: [Int32](repeating: 1, count: count), owners: (0..<Int32(count)).map { $0 / Int32(rowsOfEach) })
  }

  /// From weights of 0: two of the inputs, and the bias.
  private func learned(_ change: (inout StartSettings) -> Void, rows: Rows) throws -> [Float] {
    var settings = PersonalSettings()
    change(&settings.start)
    var model = try LearnerSetup(
      shape: TaskShape(inputs: 2, outputs: 1), hidden: [], seed: Seed(1)
    ).makeLearner([])
    let stage = ExperienceInfo(index: 0, name: "population", outputs: 0..<1, seenOutputs: 0..<1, rows: rows.count)
    model.begin(stage)
    var composed = try #require(model as? ComposedLearner)
    composed.start(from: FloatBuffer(count: composed.model.parameters.count))
    var (start, learning) = (nil as (any Learner)?, LearnedStart(settings, rows))
    while learning.advance(&start, composed, Seed(7)) {}
    let learned = try #require(start as? ComposedLearner).model
    let places = learned.layout.blocks.flatMap(\.range)
    return learned.parameters.withSpan { span in places.map { span[$0] } }
  }

  /// One step of Adam is ± rate a weight: −rate · sign of the gradient. From 0 the answer is ½, the gradient (½ − 1) · (1, −2, 1), so the copy
  /// ends at .1 · (1, −1, 1) with z = .1 + .2 + .1 = .4.
  @Test func `one person and one step, by hand`() throws {
    let one = rows(people: 1, rowsOfEach: 2)
    let step: (inout StartSettings) -> Void = { ($0.innerSteps, $0.innerRate, $0.iterations) = (1, 0.1, 1) }
    let reptile = try learned(
      {
        step(&$0)
        ($0.name, $0.outerRate) = (.reptile, 0.5)
      }, rows: one)
    for (weight, expected) in zip(reptile, [0.05, -0.05, 0.05]) { #expect(abs(Double(weight) - expected) < 1e-6) }
    // σ(.4) − 1 = −.401312; half of it, against the gradient, from 0.
    let fomaml = try learned(
      {
        step(&$0)
        ($0.name, $0.outerRate) = (.fomaml, 0.5)
      }, rows: one)
    for (weight, expected) in zip(fomaml, [0.200656, -0.401312, 0.200656]) {
      #expect(abs(Double(weight) - expected) < 1e-6)
    }
  }

  /// The same in double, written anew: θ ← θ + share (φ − θ), or θ ← θ − rate ∇ℓ(φ), with φ behind some steps of a fresh Adam.
  @Test(arguments: [StartSettings.Name.reptile, .fomaml])
  func `several people and steps agree with the formulas`(name: StartSettings.Name) throws {
    let (steps, rate, outer, iterations) = (4, 0.05, 0.3, 6)
    let x = Self.inputs.map { Double($0) } + [1]
    func gradient(_ θ: [Double]) -> [Double] {
      let p = Elementary.logistic(zip(θ, x).reduce(0) { $0 + $1.0 * $1.1 })
      return x.map { (p - 1) * $0 }
    }
    var θ = [0.0, 0, 0]
    for _ in 0..<iterations {
      var (φ, m, v) = (θ, [0.0, 0, 0], [0.0, 0, 0])
      for t in 1...steps {
        let g = gradient(φ)
        let (one, two) = (1 - Self.power(0.9, t), 1 - Self.power(0.999, t))
        for i in 0..<3 {
          m[i] = 0.9 * m[i] + 0.1 * g[i]
          v[i] = 0.999 * v[i] + 0.001 * g[i] * g[i]
          φ[i] -= rate * (m[i] / one) / ((v[i] / two).squareRoot() + 1e-8)
        }
      }
      let g = gradient(φ)
      for i in 0..<3 { θ[i] += name == .reptile ? outer * (φ[i] - θ[i]) : -outer * g[i] }
    }
    let weights = try learned(
      {
        ($0.name, $0.innerSteps, $0.innerRate, $0.outerRate, $0.iterations) = (
          name, steps, Float(rate), Float(outer), iterations
        )
      }, rows: rows(people: 3, rowsOfEach: 5))
    for (weight, expected) in zip(weights, θ) { #expect(abs(Double(weight) - expected) < 1e-5, "\(weights) \(θ)") }
  }

  private static func power(_ x: Double, _ n: Int) -> Double { (0..<n).reduce(1) { product, _ in product * x } }

  @Test func `the gradient is of rows that the copy has not learned`() throws {
    // Two rows of one person, of which one is learned: whichever it is, the other tells the way.
    var inputs = FloatBuffer(count: 4)
    inputs.withMutableSpan { span in (span[0], span[1], span[2], span[3]) = (1, 0, 0, 1) }
    let two = Rows(
      table: Table(inputs, columns: 2), experience: 0, places: [0, 1], labels: [1, 1], owners: [0, 0])
    let weights = try learned(
      { ($0.name, $0.innerSteps, $0.innerRate, $0.outerRate, $0.iterations) = (.fomaml, 1, 0.1, 1, 1) }, rows: two)
    // The learned row's weight stays 0; the other's gradient is σ(z) − 1 with z of the bias alone, .1.
    let other = 1 - Elementary.logistic(0.1)
    #expect(weights.prefix(2).sorted().map { Double($0) }[0] == 0)
    #expect(abs(Double(weights[0] + weights[1]) - other) < 1e-6 && abs(Double(weights[2]) - other) < 1e-6)
  }
}
