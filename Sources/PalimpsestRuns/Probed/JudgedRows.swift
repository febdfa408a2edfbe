import PalimpsestCore
import PalimpsestMetrics
import PalimpsestScenarios

/// What a learner says of one evaluation set, row by row.
struct JudgedRows {
  /// p(1); of several classes the probability of the answer.
  private(set) var probabilities: [Double] = []
  /// Label 1; of several classes whether the answer is right. 0 or 1.
  private(set) var outcomes: [Double] = []
  private(set) var answers: [Int32] = []
  /// mean |q − p*|; NaN where p* is not known.
  var trueError: Double { rows.knowsTruth ? distance / Double(rows.count) : .nan }
  let labels: [Int32]
  let owners: [Int32]?
  private let rows: Rows
  private let tellsProbabilities: Bool
  /// Outputs that may be answered; nil: the one output says yes or no.
  private let columns: Range<Int>?
  /// Σ |q − p*|.
  private var distance = 0.0

  /// What is said of a set's rows before any is.
  /// - Parameter withProbabilities: whether ``probabilities`` and ``outcomes`` are told; they stay empty else.
  /// - Returns: nil where the set has no rows, or labels that cannot be answered.
  init?(_ set: EvaluationSet, _ learner: some Learner, isBinary: Bool, withProbabilities: Bool) {
    (rows, labels, owners) = (set.rows, set.rows.labels, set.rows.owners)
    tellsProbabilities = withProbabilities
    let columns = set.candidates.clamped(to: learner.predictableOutputs(knowing: set.knownExperience))
    guard !labels.isEmpty, isBinary || labels.allSatisfy({ columns.contains(Int($0)) }) else { return nil }
    self.columns = isBinary ? nil : columns
    answers.reserveCapacity(rows.count)
  }

  /// Takes what the learner says of the next rows.
  mutating func add(_ logits: Matrix) {
    let first = answers.count
    if let columns {
      for row in 0..<logits.rows { answers.append(Int32(logits.largestColumn(inRow: row, of: columns))) }
    } else {
      logits.values.withSpan { z in for row in 0..<logits.rows { answers.append(z[row] > 0 ? 1 : 0) } }
    }
    if tellsProbabilities { addProbabilities(logits, from: first) }
  }

  private mutating func addProbabilities(_ logits: Matrix, from first: Int) {
    let now = first..<answers.count
    if let columns {
      for row in now { probabilities.append(share(logits, row - first, answer: Int(answers[row]), among: columns)) }
      outcomes += now.map { answers[$0] == labels[$0] ? 1 : 0 }
    } else {
      var shares = logits.values.array.prefix(now.count).map(Double.init)
      Elementary.applyLogistic(to: &shares)
      probabilities += shares
      outcomes += labels[now].map(Double.init)
    }
    if let truth = rows.truth, columns == nil {
      for row in now { distance += abs(probabilities[row] - Double(truth[row])) }
    } else if let truth = rows.probabilities, columns != nil {
      for row in now { distance += abs(probabilities[row] - Double(truth[row, Int(answers[row])])) }
    } else {
      distance = .nan
    }
  }

  /// The largest logit's share: 1 / Σ e^(z − largest).
  private func share(_ logits: Matrix, _ row: Int, answer: Int, among columns: Range<Int>) -> Double {
    let largest = Double(logits[row, answer])
    return 1 / columns.reduce(0.0) { $0 + Elementary.exp(Double(logits[row, $1]) - largest) }
  }

  /// What the best rule expects of a row; NaN where p* is not known.
  private func best(of row: Int) -> Double {
    if let truth = rows.truth { return Double(max(truth[row], 1 - truth[row])) }
    return rows.probabilities.map { Double($0.row(row).max() ?? .nan) } ?? .nan
  }

  /// Counts a row among slices, which grow as far as they must.
  func add(_ row: Int, to slices: inout [Slice], at place: Int) {
    while slices.count <= place { slices.append(Slice()) }
    slices[place].rows += 1
    slices[place].right += answers[row] == labels[row] ? 1 : 0
    slices[place].best += best(of: row)
  }
}
