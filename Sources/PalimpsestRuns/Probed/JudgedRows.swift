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
  private(set) var trueError = Double.nan
  let labels: [Int32]
  let owners: [Int32]?
  private let rows: Rows
  private static let block = 512

  /// - Returns: nil where the set has no rows, or labels that cannot be answered.
  init?(_ set: EvaluationSet, _ learner: some Learner, isBinary: Bool) {
    (rows, labels, owners) = (set.rows, set.rows.labels, set.rows.owners)
    let columns = set.candidates.clamped(to: learner.predictableOutputs(knowing: set.knownExperience))
    guard !labels.isEmpty, isBinary || labels.allSatisfy({ columns.contains(Int($0)) }) else { return nil }
    var batch = Batch(columns: rows.columns)
    var distance = 0.0
    for first in stride(from: 0, to: rows.count, by: JudgedRows.block) {
      batch.fill(rows, range: first..<min(first + JudgedRows.block, rows.count))
      let logits = learner.predict(batch.inputs, knowing: set.knownExperience)
      for row in 0..<logits.rows {
        if isBinary { addBinary(Double(logits[row, 0])) } else { add(logits, row, among: columns) }
        distance += abs(probabilities[first + row] - truth(of: first + row, isBinary: isBinary))
      }
    }
    trueError = distance / Double(rows.count)
  }

  private mutating func addBinary(_ z: Double) {
    outcomes.append(Double(labels[answers.count]))
    probabilities.append(Elementary.logistic(z))
    answers.append(z > 0 ? 1 : 0)
  }

  /// The largest logit's share: 1 / Σ e^(z − largest).
  private mutating func add(_ logits: Matrix, _ row: Int, among columns: Range<Int>) {
    let answer = logits.largestColumn(inRow: row, of: columns)
    let largest = Double(logits[row, answer])
    let sum = columns.reduce(0.0) { $0 + Elementary.exp(Double(logits[row, $1]) - largest) }
    outcomes.append(Int(labels[answers.count]) == answer ? 1 : 0)
    probabilities.append(1 / sum)
    answers.append(Int32(answer))
  }

  /// p* of what the probability is of; NaN where it is not known.
  private func truth(of row: Int, isBinary: Bool) -> Double {
    if isBinary { return rows.truth.map { Double($0[row]) } ?? .nan }
    return rows.probabilities.map { Double($0[row, Int(answers[row])]) } ?? .nan
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
