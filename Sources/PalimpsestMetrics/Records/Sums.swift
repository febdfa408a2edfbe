/// Mean of f over a range; NaN where it is empty.
func mean(_ range: Range<Int>, _ f: (Int) -> Double) -> Double { sum(range, f) / Double(range.count) }

/// Sum of f over a range.
func sum(_ range: Range<Int>, _ f: (Int) -> Double) -> Double { range.reduce(0) { $0 + f($1) } }

/// Mean of f(i, j) over all pairs 0 ≤ j < i < count.
func meanOfPairs(_ count: Int, _ f: (Int, Int) -> Double) -> Double {
  sum(0..<count) { i in sum(0..<i) { j in f(i, j) } } / Double(count * (count - 1) / 2)
}

/// Largest of f over a range; NaN where one of them is, or where it is empty.
func largest(_ range: Range<Int>, _ f: (Int) -> Double) -> Double { largest(range.map(f)) }

/// Largest of some numbers; NaN where one of them is, or where there are none.
func largest(_ values: [Double]) -> Double {
  guard var result = values.first else { return .nan }
  for x in values.dropFirst() where !(x <= result) && !result.isNaN { result = x }
  return result
}

/// Smallest of some numbers; NaN where one of them is, or where there are none.
func smallest(_ values: [Double]) -> Double { -largest(values.map { -$0 }) }
