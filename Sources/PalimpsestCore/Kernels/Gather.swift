import CKernels

/// Rows of a table into the rows of a matrix: bytes become floats and columns are permuted on the way.
extension Matrix {
  /// Overwrites rows from `first` on with the table's rows at `places`, columns in the given order.
  mutating func gather(_ table: Table, places: ArraySlice<Int32>, order: [Int32]?, toRow first: Int) {
    precondition((order?.count ?? table.columns) == columns, "rows of \(table.columns) columns for \(columns)")
    precondition(first + places.count <= rows, "\(places.count) rows from \(first) in \(rows)")
    let width = columns
    unsafe values.withMutablePointer { y in
      unsafe places.withUnsafeBufferPointer { places in
        guard let base = places.baseAddress else { return }
        guard let order else { return unsafe table.gather(base, nil, places.count, width, y + first * width) }
        unsafe order.withUnsafeBufferPointer { order in
          unsafe table.gather(base, order.baseAddress, places.count, width, y + first * width)
        }
      }
    }
  }

  /// Overwrites rows from `first` on with the rows of another matrix of the same width that stand at `positions`.
  mutating func gather(_ other: Matrix, rows positions: ArraySlice<Int32>, toRow first: Int) {
    precondition(first + positions.count <= rows && other.columns == columns)
    precondition(positions.allSatisfy { $0 >= 0 && Int($0) < other.rows }, "a row outside \(other.rows)")
    let width = columns
    unsafe values.withMutablePointer { y in
      unsafe other.values.withPointer { x in
        unsafe positions.withUnsafeBufferPointer { places in
          unsafe KernelTable.current.pointee.gather_floats(
            x, places.baseAddress, nil, y + first * width, places.count, width, width)
        }
      }
    }
  }

  /// Overwrites rows from `target` on with rows of another matrix of the same width.
  mutating func copyRows(_ rows: Range<Int>, of other: Matrix, toRow target: Int) {
    precondition(rows.upperBound <= other.rows && target + rows.count <= self.rows && other.columns == columns)
    let width = columns
    unsafe values.withMutablePointer { y in
      unsafe other.values.withPointer { x in
        unsafe (y + target * width).update(from: x + rows.lowerBound * width, count: rows.count * width)
      }
    }
  }
}

extension Table {
  fileprivate func gather(
    _ places: UnsafePointer<Int32>, _ order: UnsafePointer<Int32>?, _ count: Int, _ width: Int,
    _ y: UnsafeMutablePointer<Float>
  ) {
    let kernels = unsafe KernelTable.current
    switch storage {
    case .floats(let buffer):
      unsafe buffer.withPointer { x in
        unsafe kernels.pointee.gather_floats(x, places, order, y, count, width, columns)
      }
    case .bytes(let bytes, let scale, let offset):
      unsafe bytes.withUnsafeBufferPointer { x in
        guard let base = x.baseAddress else { return }
        unsafe kernels.pointee.gather_bytes(base, places, order, y, count, width, columns, scale, offset)
      }
    }
  }
}
