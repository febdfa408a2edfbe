import CKernels

/// Cross-entropy and probabilities on a matrix of logits.
extension Matrix {
  /// The weighted softmax cross-entropy of rows over a range of columns, and its gradient.
  ///
  /// - Parameters:
  ///   - labels: one a row, counted from column 0; each lies in `columns`.
  ///   - weights: one a row; the value is Σ weight · ℓ.
  ///   - gradient: rows × columns of this matrix; its `rows` are overwritten with weight · (softmax − one-hot) inside
  ///     `columns` and 0 outside.
  ///   - rows: the rows meant; all by default.
  /// - Returns: Σ weight · ℓ, summed in double.
  public func softmaxCrossEntropy(
    labels: [Int32], weights: [Float], over columns: Range<Int>, rows: Range<Int>, gradient: inout Matrix
  ) -> Double {
    check(labels, weights, columns, rows, gradient)
    let width = self.columns
    return unsafe values.withPointer { z in
      unsafe gradient.values.withMutablePointer { d in
        unsafe labels.withUnsafeBufferPointer { y in
          unsafe weights.withUnsafeBufferPointer { w in
            let first = rows.lowerBound
            return unsafe KernelTable.current.pointee.softmax_cross_entropy(
              z + first * width, y.baseAddress.unsafelyUnwrapped + first, w.baseAddress.unsafelyUnwrapped + first,
              d + first * width, nil, rows.count, width, columns.lowerBound, columns.upperBound)
          }
        }
      }
    }
  }

  /// The weighted logistic loss of one-column logits, log(1 + eᶻ) − y·z, and its gradient weight · (σ(z) − y).
  /// - Returns: Σ weight · ℓ, summed in double.
  public func sigmoidCrossEntropy(
    labels: [Int32], weights: [Float], rows: Range<Int>, gradient: inout Matrix
  ) -> Double {
    precondition(columns == 1, "sigmoid cross-entropy takes one column, not \(columns)")
    check(labels, weights, 0..<1, rows, gradient)
    return unsafe values.withPointer { z in
      unsafe gradient.values.withMutablePointer { d in
        unsafe labels.withUnsafeBufferPointer { y in
          unsafe weights.withUnsafeBufferPointer { w in
            let first = rows.lowerBound
            return unsafe KernelTable.current.pointee.sigmoid_cross_entropy(
              z + first, y.baseAddress.unsafelyUnwrapped + first, w.baseAddress.unsafelyUnwrapped + first, d + first,
              nil, rows.count)
          }
        }
      }
    }
  }

  /// Turns logits into probabilities over a range of columns; the others become 0.
  public mutating func applySoftmax(over columns: Range<Int>) {
    precondition(columns.lowerBound >= 0 && columns.upperBound <= self.columns && !columns.isEmpty)
    let (rows, width) = (self.rows, self.columns)
    unsafe values.withMutablePointer { z in
      unsafe KernelTable.current.pointee.softmax(z, z, rows, width, columns.lowerBound, columns.upperBound)
    }
  }

  /// Turns every logit z into 1 / (1 + e⁻ᶻ).
  public mutating func applySigmoid() {
    let n = rows * columns
    unsafe values.withMutablePointer { z in unsafe KernelTable.current.pointee.sigmoid(z, z, n) }
  }

  private func check(
    _ labels: [Int32], _ weights: [Float], _ columns: Range<Int>, _ rows: Range<Int>, _ gradient: Matrix
  ) {
    precondition(
      rows.lowerBound >= 0 && rows.upperBound <= self.rows && labels.count >= rows.upperBound
        && weights.count >= rows.upperBound,
      "rows \(rows) of \(self.rows) logits, \(labels.count) labels and \(weights.count) weights")
    precondition(
      gradient.columns == self.columns && gradient.rows >= rows.upperBound,
      "a gradient of \(gradient.rows) × \(gradient.columns) for logits of \(self.rows) × \(self.columns)")
    precondition(
      columns.lowerBound >= 0 && columns.upperBound <= self.columns && !columns.isEmpty,
      "columns \(columns) of \(self.columns)")
  }
}
