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
  /// Outputs that may be answered; nil: the one output says yes or no.
  private let columns: Range<Int>?
  /// Σ |q − p*|.
  private var distance = 0.0

  /// What is said of a set's rows before any is.
  /// - Returns: nil where the set has no rows, or labels that cannot be answered.
  init?(_ set: EvaluationSet, _ learner: some Learner, isBinary: Bool) {
    (rows, labels, owners) = (set.rows, set.rows.labels, set.rows.owners)
    let columns = set.candidates.clamped(to: learner.predictableOutputs(knowing: set.knownExperience))
    guard !labels.isEmpty, isBinary || labels.allSatisfy({ columns.contains(Int($0)) }) else { return nil }
    self.columns = isBinary ? nil : columns
    probabilities.reserveCapacity(rows.count)
    outcomes.reserveCapacity(rows.count)
    answers.reserveCapacity(rows.count)
  }

  /// Takes what the learner says of the next rows.
  mutating func add(_ logits: Matrix) {
    let first = answers.count
    if let columns { add(logits, among: columns) } else { addBinary(logits) }
    if let truth = rows.truth, columns == nil {
      for row in first..<answers.count { distance += abs(probabilities[row] - Double(truth[row])) }
    } else if let truth = rows.probabilities, columns != nil {
      for row in first..<answers.count { distance += abs(probabilities[row] - Double(truth[row, Int(answers[row])])) }
    } else {
      distance = .nan
    }
  }

  private mutating func addBinary(_ logits: Matrix) {
    let first = answers.count
    for row in 0..<logits.rows {
      let z = Double(logits[row, 0])
      outcomes.append(Double(labels[first + row]))
      probabilities.append(Elementary.logistic(z))
      answers.append(z > 0 ? 1 : 0)
    }
  }

  /// The largest logit's share: 1 / Σ e^(z − largest).
  private mutating func add(_ logits: Matrix, among columns: Range<Int>) {
    let first = answers.count
    for row in 0..<logits.rows {
      let answer = logits.largestColumn(inRow: row, of: columns)
      let largest = Double(logits[row, answer])
      let sum = columns.reduce(0.0) { $0 + Elementary.exp(Double(logits[row, $1]) - largest) }
      outcomes.append(Int(labels[first + row]) == answer ? 1 : 0)
      probabilities.append(1 / sum)
      answers.append(Int32(answer))
    }
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
