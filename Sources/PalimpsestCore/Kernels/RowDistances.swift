import CKernels

/// One row against a vector of the same width: the inner loops of core-set selection.
extension Matrix {
  /// Σ row · vector, summed in double.
  public func dot(row: Int, _ vector: FloatBuffer) -> Double {
    checkRow(row, vector)
    return unsafe values.withPointer { x in
      unsafe vector.withPointer { y in unsafe KernelTable.current.pointee.dot(x + row * columns, y, columns) }
    }
  }

  /// Σ (row − vector)², summed in double.
  public func squaredDistance(row: Int, to vector: FloatBuffer) -> Double {
    checkRow(row, vector)
    return unsafe values.withPointer { x in
      unsafe vector.withPointer { y in
        unsafe KernelTable.current.pointee.squared_distance(x + row * columns, y, columns)
      }
    }
  }

  private func checkRow(_ row: Int, _ vector: FloatBuffer) {
    precondition(row >= 0 && row < rows, "row \(row) of \(rows)")
    precondition(vector.count == columns, "a vector of \(vector.count) elements for rows of \(columns)")
  }
}

/// XᵀY of two matrices of as many rows, row by row; each sum in double, in the order of rows.
///
/// - Precondition: whole rows of so many units and others, one of each at least, and as many of both.
/// - Returns: units × others.
/// - Cost: rows × units × others, sixteen others at a time.
package func crossProducts(_ x: [Float], _ units: Int, _ y: [Float], _ others: Int) -> [Double] {
  precondition(units > 0 && others > 0, "\(units) units and \(others) others")
  let rows = x.count / units
  precondition(x.count == rows * units && y.count == rows * others, "\(x.count) and \(y.count) numbers of \(rows) rows")
  var sums = [Double](repeating: 0, count: units * others)
  unsafe x.withUnsafeBufferPointer { x in
    unsafe y.withUnsafeBufferPointer { y in
      unsafe sums.withUnsafeMutableBufferPointer { sums in
        guard let x = x.baseAddress, let y = y.baseAddress, let sums = sums.baseAddress else { return }
        unsafe KernelTable.current.pointee.cross_products(x, y, sums, rows, units, others)
      }
    }
  }
  return sums
}
