/// What a network computes for many rows, a block at a time.
extension MLP {
  /// Rows a block: enough for the kernels' speed, small enough to stay in the cache.
  private static let block = 256

  /// Logits of the route's head, rows × head outputs.
  /// - Cost: `multiplyAdds` of the route for a row; memory for 256 rows of activations.
  public func logits(_ inputs: Matrix, _ route: Route) -> Matrix {
    var result = Matrix(rows: inputs.rows, columns: route.outputs.count)
    forEachBlock(inputs, route) { pass, rows in
      result.copyRows(0..<rows.count, of: pass.logits, toRow: rows.lowerBound)
    }
    return result
  }

  /// What enters the route's head, rows × penultimate width: the features of core-set selection.
  public func features(_ inputs: Matrix, _ route: Route) -> Matrix {
    var result = Matrix(rows: inputs.rows, columns: penultimateWidth)
    forEachBlock(inputs, route) { pass, rows in
      result.copyRows(0..<rows.count, of: pass.penultimate(inputs, rows: rows), toRow: rows.lowerBound)
    }
    return result
  }

  /// Multiply-adds of one row's prediction.
  public func multiplyAdds(_ route: Route) -> Int { Program(route, activation: activation).multiplyAdds }

  private func forEachBlock(_ inputs: Matrix, _ route: Route, _ body: (Pass, Range<Int>) -> Void) {
    var pass = Pass(Program(route, activation: activation))
    for first in stride(from: 0, to: inputs.rows, by: MLP.block) {
      let rows = first..<min(first + MLP.block, inputs.rows)
      pass.forward(inputs, rows: rows, at: parameters)
      body(pass, rows)
    }
  }
}
