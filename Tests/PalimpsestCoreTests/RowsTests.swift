import PalimpsestCore
import Testing

/// Matrices, batches and rows.
@Suite struct RowsTests {
  @Test func `rows added to a matrix are 0, rows kept stay`() {
    var matrix = Matrix([[1, 2], [3, 4], [5, 6]])
    matrix.setRows(2)
    #expect(matrix == Matrix([[1, 2], [3, 4]]))
    matrix.setRows(4)
    #expect(matrix == Matrix([[1, 2], [3, 4], [0, 0], [0, 0]]))
  }

  @Test func `some rows of a matrix are added to another`() {
    var sum = Matrix([[1, 1], [1, 1], [1, 1]])
    sum.addRows(1..<3, of: Matrix([[5, 5], [2, 3], [4, 5]]))
    #expect(sum == Matrix([[1, 1], [3, 4], [5, 6]]))
  }

  @Test func `the largest column is the first of a tie, within the range`() {
    let matrix = Matrix([[9, 1, 3, 3, 2]])
    #expect(matrix.largestColumn(inRow: 0, of: 0..<5) == 0)
    #expect(matrix.largestColumn(inRow: 0, of: 1..<5) == 2)
    #expect(matrix.largestColumn(inRow: 0, of: 4..<5) == 4)
    #expect(Matrix([[-2, -1]]).largestColumn(inRow: 0, of: 0..<2) == 1)
  }

  @Test func `bytes are read as offset plus scale times byte`() {
    let table = Table(bytes: [0, 2, 4, 6], columns: 2, scale: 0.5, offset: -1)
    let rows = Rows(table: table, experience: 3, places: [1, 0], labels: [7, 8])
    // Row 1 holds 4, 6: −1 + 0.5 · 4 = 1 and −1 + 0.5 · 6 = 2.
    #expect(rows.batch.inputs == Matrix([[1, 2], [-1, 0]]))
    #expect(rows.batch.labels == [7, 8])
    #expect(rows.batch.experiences == [3, 3])
    #expect(rows.batch.weights == [1, 1])
  }

  @Test func `a column of -1 is byte 0, or 0 for floats`() {
    let bytes = Table(bytes: [10, 20], columns: 2, scale: 0.5, offset: -1)
    let floats = Table(FloatBuffer([10, 20]), columns: 2)
    let order: [Int32] = [1, -1, 0]
    let seen = Rows(table: bytes, experience: 0, places: [0], labels: [0], columnOrder: order)
    #expect(seen.batch.inputs == Matrix([[9, -1, 4]]))
    let same = Rows(table: floats, experience: 0, places: [0], labels: [0], columnOrder: order)
    #expect(same.batch.inputs == Matrix([[20, 0, 10]]))
    #expect(seen.columns == 3)
  }

  @Test func `selected rows keep places, labels, truth and order together`() {
    let rows = Rows(
      table: Table(FloatBuffer([1, 2, 3, 4, 5, 6]), columns: 2), experience: 4, places: [2, 0, 1], labels: [1, 0, 1],
      columnOrder: [1, 0], truth: [0.9, 0.1, 0.5])
    let part = rows.selecting([2, 0])
    #expect(part.places == [1, 2] && part.labels == [1, 1] && part.truth == [0.5, 0.9] && part.experience == 4)
    #expect(part.batch.inputs == Matrix([[4, 3], [6, 5]]))
    #expect(part.selecting([1]).places == [2])
  }

  @Test func `positions of a slice are taken in its order, after the rows there are`() {
    let rows = Rows(Matrix([[0], [1], [2], [3]]), labels: [0, 1, 2, 3], experience: 1)
    var batch = Batch(columns: 1)
    batch.append(rows, range: 1..<2)
    let positions: [Int32] = [9, 3, 3, 0, 9]
    batch.append(rows, at: positions[1..<4])
    #expect(batch.labels == [1, 3, 3, 0])
    #expect(batch.inputs == Matrix([[1], [3], [3], [0]]))
    #expect(batch.weights == [1, 1, 1, 1] && batch.experiences == [1, 1, 1, 1])
  }

  @Test func `a batch moves whole rows`() {
    let other = Rows(Matrix([[5, 6], [7, 8]]), labels: [1, 2], experience: 9).batch
    var batch = Rows(Matrix([[1, 2], [3, 4]]), labels: [3, 4], experience: 0).batch
    batch.scaleWeights(1..<2, by: 0.5)
    batch.append(other)
    batch.append(row: 1, of: batch)
    batch.replace(row: 0, with: other, row: 1)
    #expect(batch.inputs == Matrix([[7, 8], [3, 4], [5, 6], [7, 8], [3, 4]]))
    #expect(batch.labels == [2, 4, 1, 2, 4] && batch.experiences == [9, 0, 9, 9, 0])
    #expect(batch.weights == [1, 0.5, 1, 1, 0.5])
    batch.keep([4, 2])
    #expect(batch.inputs == Matrix([[3, 4], [5, 6]]) && batch.labels == [4, 1] && batch.weights == [0.5, 1])
    batch.removeAll()
    #expect(batch.count == 0 && batch.columns == 2 && batch.inputs.rows == 0)
  }
}
