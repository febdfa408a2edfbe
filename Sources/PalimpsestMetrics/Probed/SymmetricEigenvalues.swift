/// Eigenvalues of a symmetric matrix, in no order.
///
/// - Cost: about 4/3 n³.
/// - Source: Householder's reduction to a tridiagonal matrix, then QL steps with implicit shifts (Golub & Van Loan, 8.3).
/// - Parameter matrix: n × n, row by row, finite; what is above the diagonal counts.
func symmetricEigenvalues(_ matrix: [Double], _ n: Int) -> [Double] {
  var (diagonal, beside) = tridiagonal(matrix, n)
  for first in 0..<n { deflate(first, &diagonal, &beside) }
  return diagonal
}

/// Diagonal, and what stands beside it behind each of its places (the last is 0).
private func tridiagonal(_ matrix: [Double], _ n: Int) -> (diagonal: [Double], beside: [Double]) {
  var a = matrix
  var beside = [Double](repeating: 0, count: n)
  for k in 0..<max(0, n - 2) {
    var v = (k + 1..<n).map { a[k * n + $0] }
    let length = v.reduce(0) { $0 + $1 * $1 }.squareRoot()
    beside[k] = v[0] > 0 ? -length : length
    v[0] -= beside[k]
    let square = v.reduce(0) { $0 + $1 * $1 }
    if square > 0 { reflect(&a, n, from: k + 1, v, 2 / square) }
  }
  if n > 1 { beside[n - 2] = a[(n - 2) * n + n - 1] }
  return ((0..<n).map { a[$0 * n + $0] }, beside)
}

/// A ← (1 − βvvᵀ) A (1 − βvvᵀ) in the rows and columns from one on.
private func reflect(_ a: inout [Double], _ n: Int, from first: Int, _ v: [Double], _ beta: Double) {
  let size = n - first
  var w = (0..<size).map { i in
    beta * (0..<size).reduce(0.0) { $0 + a[(first + i) * n + first + $1] * v[$1] }
  }
  let half = beta / 2 * zip(w, v).reduce(0) { $0 + $1.0 * $1.1 }
  for i in 0..<size { w[i] -= half * v[i] }
  for i in 0..<size {
    for j in 0..<size { a[(first + i) * n + first + j] -= v[i] * w[j] + w[i] * v[j] }
  }
}

/// QL steps until nothing stands beside the first place.
private func deflate(_ first: Int, _ d: inout [Double], _ e: inout [Double]) {
  let most = 60
  for _ in 0..<most {
    let end =
      (first..<d.count - 1).first { abs(e[$0]) <= Double.ulpOfOne * (abs(d[$0]) + abs(d[$0 + 1])) } ?? d.count - 1
    if end == first { return }
    step(first, end, &d, &e)
  }
}

/// One QL step with Wilkinson's shift on the places from `first` to `end`.
private func step(_ first: Int, _ end: Int, _ d: inout [Double], _ e: inout [Double]) {
  let half = (d[first + 1] - d[first]) / (2 * e[first])
  let root = (half * half + 1).squareRoot()
  var g = d[end] - d[first] + e[first] / (half + (half < 0 ? -root : root))
  var (sine, cosine, shift) = (1.0, 1.0, 0.0)
  for i in (first..<end).reversed() {
    let (f, b) = (sine * e[i], cosine * e[i])
    let length = (f * f + g * g).squareRoot()
    e[i + 1] = length
    if length == 0 {
      d[i + 1] -= shift
      e[end] = 0
      return
    }
    (sine, cosine) = (f / length, g / length)
    g = d[i + 1] - shift
    let r = (d[i] - g) * sine + 2 * cosine * b
    shift = sine * r
    d[i + 1] = g + shift
    g = cosine * r - b
  }
  d[first] -= shift
  e[first] = g
  e[end] = 0
}
