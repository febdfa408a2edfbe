import PalimpsestCore
import PalimpsestTesting
import Testing

/// One answer after the other, in scalar doubles: what the kernels must give bit for bit.
private struct ScalarScores {
  private(set) var right = 0
  private(set) var loss = 0.0
  private(set) var expected = 0.0

  mutating func addBinary(_ logits: Matrix, labels: [Int32], truth: [Float]?, from first: Int) {
    for row in 0..<logits.rows {
      let z = Double(logits[row, 0])
      let label = Int(labels[first + row])
      let signed = z * Double(1 - 2 * label)
      loss += (signed > 0 ? signed : 0) + Elementary.log(1 + Elementary.exp(-signed.magnitude))
      add(answer: logits[row, 0] > 0 ? 1 : 0, label, truth?[first + row])
    }
  }

  mutating func add(_ logits: Matrix, among columns: Range<Int>, labels: [Int32], truth: [Float]?, from first: Int) {
    for row in 0..<logits.rows {
      let (answer, label) = (logits.largestColumn(inRow: row, of: columns), Int(labels[first + row]))
      let largest = Double(logits[row, answer])
      let sum = columns.reduce(0.0) { $0 + Elementary.exp(Double(logits[row, $1]) - largest) }
      loss += largest + Elementary.log(sum) - Double(logits[row, label])
      add(answer: answer, label, truth?[first + row])
    }
  }

  private mutating func add(answer: Int, _ label: Int, _ truth: Float?) {
    right += answer == label ? 1 : 0
    guard let truth else { return }
    let yes: Float = answer == 1 ? 1 : 0
    expected += Double(yes * truth + (1 - yes) * (1 - truth))
  }
}

/// Kernels in double against the scalar form, bit for bit.
enum ScoreChecks {
  /// Logits far off, equal ones, and what a net that diverges gives.
  private static let special: [Float] = [
    0, -0.0, 1, -1, 36.7, -36.8, 708.4, -708.4, 745.1, -745.2, 1000, -1000, 1e30, -1e30, .leastNonzeroMagnitude,
    .infinity, -.infinity,
    .nan,
  ]

  static func all() {
    var rng = Seed(31).stream("scores")
    for rows in [0, 1, 2, 15, 16, 17, 31, 100, 127, 128, 129, 300] {
      for wild in [false, true] {
        for known in [false, true] { compare(rows, wild: wild, known: known, &rng) }
      }
    }
    logistic(&rng)
  }

  private static func compare(_ rows: Int, wild: Bool, known: Bool, _ rng: inout Random) {
    let first = rng.index(below: 4)
    let truth = known ? (0..<first + rows).map { _ in rng.uniformFloat() } : nil
    let labels = (0..<first + rows).map { _ in Int32(rng.index(below: 2)) }
    let logits = drawn(rows, 1, wild, &rng)
    var (scores, scalar) = (AnswerScores(), ScalarScores())
    scores.addBinary(logits, labels: labels, truth: truth, from: first)
    scalar.addBinary(logits, labels: labels, truth: truth, from: first)
    expectEqual(scores, scalar, "\(rows) rows of one logit")
    for columns in [2, 3, 4, 10, 15, 16, 17, 33] {
      for range in [0..<columns, columns / 3..<columns - columns / 4] where !range.isEmpty {
        let labels = (0..<first + rows).map { _ in Int32(range.lowerBound + rng.index(below: range.count)) }
        let logits = drawn(rows, columns, wild, &rng)
        (scores, scalar) = (AnswerScores(), ScalarScores())
        scores.add(logits, among: range, labels: labels, truth: truth, from: first)
        scalar.add(logits, among: range, labels: labels, truth: truth, from: first)
        expectEqual(scores, scalar, "\(rows) rows of \(columns) logits, columns \(range)")
      }
    }
  }

  private static func drawn(_ rows: Int, _ columns: Int, _ wild: Bool, _ rng: inout Random) -> Matrix {
    var logits = Matrix(rows: rows, columns: columns)
    for row in 0..<rows {
      for column in 0..<columns {
        let isSpecial = wild && rng.index(below: 40) == 0
        // Every fourth logit is a whole number, so that some rows have two largest ones.
        let z = Float(rng.normal() * 4)
        let plain = rng.index(below: 4) == 0 ? z.rounded() : z
        logits[row, column] = isSpecial ? special[rng.index(below: special.count)] : plain
      }
    }
    return logits
  }

  private static func expectEqual(_ scores: AnswerScores, _ scalar: ScalarScores, _ what: String) {
    #expect(scores.right == scalar.right, "\(what)")
    #expect(isSame(scores.loss, scalar.loss), "loss of \(what): \(scores.loss), not \(scalar.loss)")
    #expect(isSame(scores.expected, scalar.expected), "\(what): \(scores.expected), not \(scalar.expected)")
  }

  private static func logistic(_ rng: inout Random) {
    let edges = [
      0, -0.0, 1, -1, 709, 710, -745, -746, 1e300, -1e300, .infinity, -.infinity, .nan, 0x1p-1074, -0x1p-1040,
    ]
    for count in [0, 1, 7, 15, 16, 17, 64, 1000] {
      let drawn = (0..<count).map { _ in rng.normal() * (rng.index(below: 8) == 0 ? 300 : 5) }
      let values = count == 17 ? edges : drawn
      var results = values
      Elementary.applyLogistic(to: &results)
      for (x, y) in zip(values, results) { #expect(isSame(y, Elementary.logistic(x)), "σ(\(x)) is \(y)") }
    }
  }

  private static func isSame(_ a: Double, _ b: Double) -> Bool { a.bitPattern == b.bitPattern || (a.isNaN && b.isNaN) }
}

@Suite struct AnswerScoreTests {
  /// −ln softmax(0, 800)[1] = 0 and −ln softmax(800, 0)[1] = 800: e⁻⁸⁰⁰ is no number above 0.
  @Test func `a row that is far off has its distance as its loss`() {
    var scores = AnswerScores()
    scores.add(Matrix([[800, 0], [0, 800]]), among: 0..<2, labels: [1, 1], truth: nil, from: 0)
    #expect(scores.loss == 800 && scores.right == 1)
  }

  /// Rows 1 and 2 of three: answers 1 and 0, p* of them 0.75 and 1 − 0.25.
  @Test func `labels and truth begin where the rows do`() {
    var scores = AnswerScores()
    scores.addBinary(Matrix([[2], [-2]]), labels: [0, 1, 0], truth: [0.5, 0.75, 0.25], from: 1)
    #expect(scores.right == 2 && scores.expected == 1.5)
  }
}
