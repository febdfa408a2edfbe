import PalimpsestCore
import Testing

/// The arithmetic of the table in force against double precision.
enum KernelChecks {
  /// Lengths below, at and above every vector width, and longer ones with tails.
  static let lengths = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65, 100, 255, 257, 1000]

  static func all() throws {
    try products()
    losses()
    vectors()
    optimisers()
    gathers()
    for units in [1, 2, 3, 8, 15] { for others in [1, 4, 16, 17, 33] { crossProducts(units, others) } }
  }

  /// Products of floats are exact in double, and sums go over rows in order: a loop gives the same bits.
  private static func crossProducts(_ units: Int, _ others: Int) {
    var rng = Seed(5).stream("cross", units * 100 + others)
    for rows in [1, 2, 19] {
      let (x, y) = (matrix(rows, units, &rng).values.array, matrix(rows, others, &rng).values.array)
      let expected = (0..<units * others).map { place in
        (0..<rows).reduce(0.0) { sum, row in
          sum + Double(x[row * units + place / others]) * Double(y[row * others + place % others])
        }
      }
      #expect(PalimpsestCore.crossProducts(x, units, y, others) == expected, "\(rows) rows of \(units) and \(others)")
    }
  }

  // MARK: - Products

  /// Rows, inputs, hidden units, outputs: around the tiles of every table, and single ones.
  private static let sizes = [
    [1, 1, 1, 1], [1, 3, 5, 2], [2, 10, 16, 1], [3, 16, 8, 3], [5, 7, 17, 4], [6, 33, 31, 5], [7, 15, 33, 7],
    [8, 16, 32, 8], [9, 17, 47, 9], [11, 40, 48, 10], [13, 64, 49, 15], [16, 31, 64, 16], [17, 65, 65, 17],
    [25, 100, 96, 33], [32, 50, 97, 40], [33, 784, 20, 10], [130, 20, 130, 50],
  ]

  static func products() throws {
    for size in sizes { for activation in [Activation.relu, .tanh] { try product(size, activation) } }
  }

  /// A net of one hidden layer and one of two: logits and gradient use affine, both backward products and the slopes.
  private static func product(_ size: [Int], _ activation: Activation) throws {
    let shape = TaskShape(inputs: size[1], outputs: size[3])
    let setup = LearnerSetup(
      shape: shape, hidden: [size[2], size[2] / 2 + 1], activation: activation, initializer: .uniform, seed: Seed(7))
    var learner = try ComposedLearner(setup, [GradientKeeper()])
    let info = ExperienceInfo(index: 0, name: "task", outputs: 0..<size[3], seenOutputs: 0..<size[3], rows: size[0])
    learner.begin(info)
    let (reference, batch) = (DoubleNet(model: learner.model), batch(size[0], shape))
    let logits = learner.predict(batch.inputs, knowing: 0)
    let expected = (0..<size[0]).flatMap { reference.activations(batch.inputs.row($0)).last ?? [] }
    close(logits.values.array, expected, 2e-6, "logits of \(size) \(activation)")
    let weights = [Float](repeating: 1 / Float(size[0]), count: size[0])
    let gradient = reference.gradient(batch, weights: weights)
    _ = learner.learn(batch, StepContext(experience: info, epoch: 0, step: 0))
    let keeper = try #require(learner.parts.compactMap { $0 as? GradientKeeper }.first)
    close(keeper.gradient.array, gradient, 4e-6, "gradient of \(size) \(activation)")
  }

  private static func batch(_ count: Int, _ shape: TaskShape) -> Batch {
    var rng = Seed(UInt64(count)).stream("rows")
    let labels = (0..<count).map { _ in Int32(rng.index(below: max(2, shape.outputs))) }
    return Rows(matrix(count, shape.inputs, &rng), labels: labels, experience: 0).batch
  }

  // MARK: - Losses

  static func losses() {
    var rng = Seed(21).stream("losses")
    for columns in [1, 2, 3, 5, 8, 10, 15, 16, 17, 32, 33, 100] {
      for rows in [1, 4, 15, 16, 17, 40] {
        for scale in [Float(1), 30] { loss(rows, columns, 0..<columns, scale, &rng) }
        if columns > 2 { loss(rows, columns, 1..<(columns - 1), 3, &rng) }
      }
    }
  }

  private static func loss(_ rows: Int, _ columns: Int, _ range: Range<Int>, _ scale: Float, _ rng: inout Random) {
    var z = matrix(rows, columns, &rng)
    z.scaleRows(by: scale)
    let labels = (0..<rows).map { _ in
      Int32(columns == 1 ? rng.index(below: 2) : range.lowerBound + rng.index(below: range.count))
    }
    let weights = (0..<rows).map { _ in rng.uniformFloat() }
    var gradient = Matrix(rows: rows, columns: columns)
    for c in 0..<columns { gradient[0, c] = 9 }
    let value =
      columns == 1
      ? z.sigmoidCrossEntropy(labels: labels, weights: weights, rows: 0..<rows, gradient: &gradient)
      : z.softmaxCrossEntropy(labels: labels, weights: weights, over: range, rows: 0..<rows, gradient: &gradient)
    let (sum, slopes) = reference(z, labels, weights, range)
    #expect(abs(value - sum) < 2e-6 * max(1, sum), "value of \(rows) × \(columns), columns \(range)")
    close(gradient.values.array, slopes, 1e-6, "gradient of \(rows) × \(columns), columns \(range)")
    probabilities(z, range)
  }

  private static func reference(
    _ z: Matrix, _ labels: [Int32], _ weights: [Float], _ range: Range<Int>
  ) -> (Double, [Double]) {
    var sum = 0.0
    var slopes = [Double](repeating: 0, count: z.rows * z.columns)
    for row in 0..<z.rows {
      let inside = range.map { Double(z[row, $0]) }
      let label = z.columns == 1 ? Int(labels[row]) : Int(labels[row]) - range.lowerBound
      let loss = DoubleNet.loss(inside, label: label, isBinary: z.columns == 1)
      sum += Double(weights[row]) * loss.value
      for (i, slope) in loss.gradient.enumerated() {
        slopes[row * z.columns + range.lowerBound + i] = Double(weights[row]) * slope
      }
    }
    return (sum, slopes)
  }

  private static func probabilities(_ z: Matrix, _ range: Range<Int>) {
    var p = z
    if z.columns == 1 { p.applySigmoid() } else { p.applySoftmax(over: range) }
    var expected = [Double](repeating: 0, count: z.rows * z.columns)
    for row in 0..<z.rows {
      // softmax is its loss's gradient plus the one-hot of its label.
      let inside = range.map { Double(z[row, $0]) }
      let slopes = DoubleNet.loss(inside, label: 0, isBinary: z.columns == 1).gradient
      for (i, slope) in slopes.enumerated() {
        expected[row * z.columns + range.lowerBound + i] = slope + (z.columns > 1 && i == 0 ? 1 : 0)
      }
    }
    close(p.values.array, expected, 1e-6, "probabilities of \(z.rows) × \(z.columns)")
  }

  // MARK: - Vectors

  static func vectors() {
    var rng = Seed(22).stream("vectors")
    for n in lengths {
      let (a, b, c, d) = (normal(n, &rng), normal(n, &rng), normal(n, &rng), normal(n, &rng))
      let (x, y, f, o) = (doubles(a), doubles(b), doubles(c), doubles(d))
      check(a, "add \(n)", { $0.add(b) }) { x[$0] + y[$0] }
      check(a, "axpy \(n)", { $0.add(b, times: 0.3) }) { x[$0] + Double(Float(0.3)) * y[$0] }
      check(a, "scale \(n)", { $0.scale(by: -1.7) }) { x[$0] * Double(Float(-1.7)) }
      check(a, "path \(n)", { $0.subtractProduct(b, c) }) { x[$0] - y[$0] * f[$0] }
      var gradient = a
      let value = gradient.addPull(at: b, towards: d, importance: c, strength: 2)
      close(gradient.array, x.indices.map { x[$0] + 2 * f[$0] * (y[$0] - o[$0]) }, 1e-6, "penalty \(n)")
      sum(value, x.indices.map { f[$0] * (y[$0] - o[$0]) * (y[$0] - o[$0]) }, "penalty's value \(n)")
      sum(a.dot(b), x.indices.map { x[$0] * y[$0] }, "dot \(n)")
      sum(a.squaredDistance(to: b), x.indices.map { (x[$0] - y[$0]) * (x[$0] - y[$0]) }, "distance \(n)")
    }
  }

  // MARK: - Optimisers

  static func optimisers() {
    var rng = Seed(23).stream("optimisers")
    for n in lengths {
      let (gradient, theta, state) = (normal(n, &rng), normal(n, &rng), normal(n, &rng))
      var second = state
      second.update { $0 * $0 }
      let (g, w, v, s) = (doubles(gradient), doubles(theta), doubles(state), doubles(second))
      let decayed = g.indices.map { g[$0] + 0.25 * w[$0] }
      check(gradient, "sgd \(n)", { $0.becomeSGDUpdate(at: theta, rate: 0.5, decay: 0.25) }) { -0.5 * decayed[$0] }
      for nesterov in [false, true] {
        var velocity = state
        check(
          gradient, "momentum \(n)",
          {
            $0.becomeMomentumUpdate(
              velocity: &velocity, at: theta, rate: 0.5, momentum: 0.75, decay: 0.25, nesterov: nesterov)
          }
        ) { i in
          let next = 0.75 * v[i] + decayed[i]
          return -0.5 * (nesterov ? decayed[i] + 0.75 * next : next)
        }
        close(velocity.array, g.indices.map { 0.75 * v[$0] + decayed[$0] }, 1e-6, "velocity \(n)")
      }
      adam(gradient, theta, state, second, decayed, v, s)
    }
  }

  private static func adam(
    _ gradient: FloatBuffer, _ theta: FloatBuffer, _ state: FloatBuffer, _ squares: FloatBuffer, _ g: [Double],
    _ m: [Double], _ v: [Double]
  ) {
    var (first, second) = (state, squares)
    let moments = g.indices.map { (0.75 * m[$0] + 0.25 * g[$0], 0.875 * v[$0] + 0.125 * g[$0] * g[$0]) }
    check(
      gradient, "adam \(g.count)",
      {
        $0.becomeAdamUpdate(
          first: &first, second: &second, at: theta, step: 0.5, root: 2, beta1: 0.75, beta2: 0.875, epsilon: 0.125,
          decay: 0.25)
      }
    ) { -0.5 * moments[$0].0 / (moments[$0].1.squareRoot() * 2 + 0.125) }
    close(first.array, moments.map(\.0), 1e-6, "first moment \(g.count)")
    close(second.array, moments.map(\.1), 1e-6, "second moment \(g.count)")
  }

  // MARK: - Gather

  static func gathers() {
    var rng = Seed(24).stream("gather")
    for columns in [1, 3, 8, 15, 16, 17, 33, 100] {
      let bytes = (0..<(20 * columns)).map { _ in UInt8(truncatingIfNeeded: rng.next()) }
      let floats = normal(20 * columns, &rng)
      let order = (0..<(columns + 2)).map { _ in Int32(rng.index(below: columns + 1) - 1) }
      for positions in [[Int32(19)], [3, 3, 0], Array(stride(from: 18, through: 0, by: -1))] {
        for order in [nil, order] {
          gather(Table(bytes: bytes, columns: columns, scale: 1 / 255, offset: 0.5), positions, order) {
            $0 < 0 ? 0.5 : 0.5 + Double(bytes[$0]) * Double(Float(1) / 255)
          }
          gather(Table(floats, columns: columns), positions, order) { $0 < 0 ? 0 : Double(floats[$0]) }
        }
      }
    }
  }

  private static func gather(
    _ table: Table, _ positions: [Int32], _ order: [Int32]?, _ element: (Int) -> Double
  ) {
    let places = (0..<Int32(table.rows)).reversed().map { $0 }
    let rows = Rows(
      table: table, experience: 0, places: places, labels: places.map { _ in 0 }, columnOrder: order)
    var batch = Batch(columns: rows.columns)
    batch.append(rows, at: positions[...])
    let columns = order ?? (0..<Int32(table.columns)).map { $0 }
    let expected = positions.flatMap { position -> [Double] in
      let first = Int(places[Int(position)]) * table.columns
      return columns.map { $0 < 0 ? element(-1) : element(first + Int($0)) }
    }
    close(batch.inputs.values.array, expected, 1e-7, "gather of \(table.columns) columns, \(positions.count) rows")
  }

  // MARK: - Comparing

  private static func check(
    _ start: FloatBuffer, _ what: String, _ change: (inout FloatBuffer) -> Void, _ expected: (Int) -> Double
  ) {
    var changed = start
    change(&changed)
    close(changed.array, (0..<start.count).map(expected), 1e-6, what)
  }

  /// Every element within `tolerance` of the largest one.
  private static func close(_ found: [Float], _ expected: [Double], _ tolerance: Double, _ what: String) {
    guard found.count == expected.count else {
      Issue.record("\(what): \(found.count) elements, not \(expected.count)")
      return
    }
    let scale = expected.reduce(1e-3) { max($0, abs($1)) }
    let worst = found.indices.max { abs(Double(found[$0]) - expected[$0]) < abs(Double(found[$1]) - expected[$1]) }
    guard let worst, !(abs(Double(found[worst]) - expected[worst]) <= tolerance * scale) else { return }
    Issue.record("\(KernelTable.name), \(what): element \(worst) is \(found[worst]), not \(expected[worst])")
  }

  private static func sum(_ found: Double, _ terms: [Double], _ what: String) {
    let size = terms.reduce(0) { $0 + abs($1) }
    #expect(abs(found - terms.reduce(0, +)) <= 1e-6 * size, "\(KernelTable.name), \(what)")
  }

  private static func normal(_ n: Int, _ rng: inout Random) -> FloatBuffer {
    FloatBuffer((0..<n).map { _ in Float(rng.normal()) })
  }

  private static func doubles(_ buffer: FloatBuffer) -> [Double] { buffer.array.map(Double.init) }

  private static func matrix(_ rows: Int, _ columns: Int, _ rng: inout Random) -> Matrix {
    Matrix((0..<rows).map { _ in (0..<columns).map { _ in Float(rng.normal()) } })
  }
}

extension Matrix {
  fileprivate mutating func scaleRows(by factor: Float) {
    for row in 0..<rows { for column in 0..<columns { self[row, column] *= factor } }
  }
}
