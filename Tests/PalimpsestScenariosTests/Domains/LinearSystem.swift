/// Least squares by Gauss's elimination of the normal equations, for a handful of unknowns.
func leastSquares(_ rows: [[Double]], _ values: [Double]) -> [Double] {
  let n = rows[0].count
  var a = (0..<n).map { i in
    (0..<n).map { j in rows.reduce(0) { $0 + $1[i] * $1[j] } }
      + [zip(rows, values).reduce(0) { $0 + $1.0[i] * $1.1 }]
  }
  for column in 0..<n {
    let pivot = (column..<n).max { abs(a[$0][column]) < abs(a[$1][column]) } ?? column
    a.swapAt(column, pivot)
    for row in 0..<n where row != column {
      let factor = a[row][column] / a[column][column]
      for place in column...n { a[row][place] -= factor * a[column][place] }
    }
  }
  return (0..<n).map { a[$0][n] / a[$0][$0] }
}
