/// Columns of numbers that run along rows: whole runs at once, checked once.
extension Array where Element: BitwiseCopyable {
  /// The elements from `first` on become a run of another column's.
  @inline(__always)
  mutating func copy(_ rows: Range<Int>, of other: [Element], to first: Int) {
    precondition(rows.lowerBound >= 0 && rows.upperBound <= other.count, "rows \(rows) of \(other.count)")
    precondition(first >= 0 && first <= count - rows.count, "\(rows.count) rows from \(first) in \(count)")
    guard !rows.isEmpty else { return }
    unsafe withUnsafeMutableBufferPointer { own in
      unsafe other.withUnsafeBufferPointer { other in
        guard let to = own.baseAddress, let from = other.baseAddress else { return }
        unsafe (to + first).update(from: from + rows.lowerBound, count: rows.count)
      }
    }
  }

  /// The elements from `first` on become those of another column that stand at some positions.
  @inline(__always)
  mutating func pick(_ other: [Element], at positions: ArraySlice<Int32>, to first: Int) {
    precondition(first >= 0 && first <= count - positions.count, "\(positions.count) rows from \(first) in \(count)")
    unsafe withUnsafeMutableBufferPointer { own in
      unsafe other.withUnsafeBufferPointer { other in
        unsafe positions.withUnsafeBufferPointer { positions in
          guard var to = own.baseAddress, let from = other.baseAddress else { return }
          unsafe to += first
          for i in positions.indices {
            let position = unsafe Int(positions[i])
            precondition(
              UInt(bitPattern: position) < UInt(bitPattern: other.count), "row \(position) of \(other.count)")
            unsafe to[i] = from[position]
          }
        }
      }
    }
  }
}
