import PalimpsestCore

/// Judges single predictions: what a run's evaluations average over sets, a stream records row by row.
struct RowJudge {
  let isBinary: Bool
  /// Outputs that may be answered and can be predicted.
  let answers: Range<Int>

  /// What a row of logits answers: the larger logit, the first one on a tie; label 1 above 0 where there is one. −1 where
  /// nothing may be answered.
  func answer(_ logits: Matrix, _ row: Int) -> Int {
    if !isBinary && answers.isEmpty { return -1 }
    return isBinary ? (logits[row, 0] > 0 ? 1 : 0) : logits.largestColumn(inRow: row, of: answers)
  }

  /// −ln p(label); NaN for a label that cannot be answered.
  func loss(_ logits: Matrix, _ row: Int, label: Int) -> Double {
    if isBinary { return binaryLoss(Double(logits[row, 0]), label) }
    guard answers.contains(label) else { return .nan }
    let largest = Double(logits[row, logits.largestColumn(inRow: row, of: answers)])
    let sum = answers.reduce(0.0) { $0 + Elementary.exp(Double(logits[row, $1]) - largest) }
    return largest + Elementary.log(sum) - Double(logits[row, label])
  }

  /// The logit of label 1 where there is one output, else the probability of the answer; NaN where there is none.
  func score(_ logits: Matrix, _ row: Int, answer: Int) -> Float {
    if isBinary { return logits[row, 0] }
    return answer < 0 ? .nan : Float(Elementary.exp(-loss(logits, row, label: answer)))
  }

  /// ln(1 + eᶻ) − y·z, safe for large |z|.
  private func binaryLoss(_ z: Double, _ label: Int) -> Double {
    let signed = z * Double(1 - 2 * label)
    return max(signed, 0) + Elementary.log(1 + Elementary.exp(-signed.magnitude))
  }
}
