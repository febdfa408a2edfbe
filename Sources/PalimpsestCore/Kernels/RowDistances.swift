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
