import CKernels

/// What the answers to rows are worth, summed row after row.
///
/// The losses are in double, with the bits of ``Elementary``: the kernels do its operations in lanes, so the sums do not depend on
/// the instruction set.
package struct AnswerScores: Sendable {
  private var sums = pal_scores()

  package init() {}

  /// Answers equal to the label.
  package var right: Int { Int(sums.right) }
  /// Σ −ln p(label).
  package var loss: Double { sums.loss }
  /// Σ p*(answer); 0 where no truth was given.
  package var expected: Double { sums.expected }

  /// Adds yes-or-no answers, yes where the logit is above 0: ℓ = ln(1 + eᶻ) − y·z.
  /// - Parameters:
  ///   - logits: rows × 1.
  ///   - labels: 0 or 1; those of the logits' rows begin at `first`.
  ///   - truth: p*(1) where it is known, as many as labels.
  package mutating func addBinary(_ logits: Matrix, labels: [Int32], truth: [Float]?, from first: Int) {
    precondition(logits.columns == 1, "yes-or-no answers from \(logits.columns) logits a row")
    check(logits, labels, truth, first)
    unsafe AnswerScores.withRows(logits, labels, truth, first) { z, y, p in
      unsafe KernelTable.current.pointee.score_logits(z, y, p, logits.rows, &sums)
    }
  }

  /// Adds answers among columns, each the first of its row's largest: ℓ = −ln softmax(z)[label].
  /// - Parameters:
  ///   - logits: rows × outputs.
  ///   - labels: each among `columns`; those of the logits' rows begin at `first`.
  ///   - truth: p*(1) where it is known, as many as labels.
  package mutating func add(
    _ logits: Matrix, among columns: Range<Int>, labels: [Int32], truth: [Float]?, from first: Int
  ) {
    precondition(
      columns.lowerBound >= 0 && columns.upperBound <= logits.columns && !columns.isEmpty,
      "columns \(columns) of \(logits.columns)")
    check(logits, labels, truth, first)
    unsafe AnswerScores.withRows(logits, labels, truth, first) { z, y, p in
      unsafe KernelTable.current.pointee.score_softmax(
        z, y, p, logits.rows, logits.columns, columns.lowerBound, columns.upperBound, &sums)
    }
  }

  private func check(_ logits: Matrix, _ labels: [Int32], _ truth: [Float]?, _ first: Int) {
    precondition(
      first >= 0 && first + logits.rows <= labels.count && truth?.count ?? labels.count == labels.count,
      "\(logits.rows) rows from \(first) of \(labels.count) labels and \(truth?.count ?? labels.count) probabilities")
  }

  private static func withRows(
    _ logits: Matrix, _ labels: [Int32], _ truth: [Float]?, _ first: Int,
    _ body: (UnsafePointer<Float>, UnsafePointer<Int32>, UnsafePointer<Float>?) -> Void
  ) {
    unsafe logits.values.withPointer { z in
      unsafe labels.withUnsafeBufferPointer { labels in
        guard let y = labels.baseAddress else { return }
        guard let truth else { return unsafe body(z, y + first, nil) }
        unsafe truth.withUnsafeBufferPointer { p in unsafe body(z, y + first, p.baseAddress.map { unsafe $0 + first }) }
      }
    }
  }
}
