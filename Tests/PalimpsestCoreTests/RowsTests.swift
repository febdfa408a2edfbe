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

  @Test func `probabilities of classes go with their rows, and no learner is shown them`() {
    let rows = Rows(
      Matrix([[0], [1], [2]]), labels: [2, 0, 1], experience: 0,
      probabilities: Matrix([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1], [0.25, 0.5, 0.25]]))
    let part = rows.selecting([2, 0])
    #expect(part.probabilities == Matrix([[0.25, 0.5, 0.25], [0.2, 0.3, 0.5]]) && part.knowsTruth)
    #expect(part.withoutTruth.probabilities == nil && !part.withoutTruth.knowsTruth)
    #expect(
      rows.worth(of: 1, toRow: 1)?.answer == Double(Float(0.3))
        && rows.worth(of: 1, toRow: 1)?.best == Double(Float(0.6)))
    #expect(rows.worth(of: -1, toRow: 0)?.answer == 0 && rows.worth(of: 2, toRow: 0)?.answer == 0.5)
    #expect(part.withoutTruth.worth(of: 1, toRow: 0) == nil)
  }

  @Test func `an answer to a yes or no is worth p* or its complement`() {
    let rows = Rows(Matrix([[0], [1]]), labels: [0, 1], experience: 0, truth: [0.25, 0.75])
    #expect(rows.worth(of: 1, toRow: 0)?.answer == 0.25 && rows.worth(of: 0, toRow: 0)?.answer == 0.75)
    #expect((0..<2).allSatisfy { rows.worth(of: 0, toRow: $0)?.best == 0.75 })
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

  @Test func `owners, times and values go with their rows`() {
    let rows = Rows(
      Matrix([[0], [1], [2]]), .values(Matrix([[5, 6], [7, .nan], [8, 9]])), experience: 2, owners: [4, 5, 6],
      times: [10, 20, 1 << 40])
    let part = rows.selecting([2, 0])
    #expect(part.owners == [6, 4] && part.times == [1 << 40, 10] && part.labels == [])
    var batch = Batch(columns: 1)
    batch.append(rows, at: [2, 0])
    #expect(batch.tags.map(\.owner) == [6, 4] && batch.tags.map(\.time) == [1 << 40, 10] && batch.labels == [-1, -1])
    #expect(batch.values == Matrix([[8, 9], [5, 6]]) && batch.answers == nil)
    // A column, an experience, two values, an owner and a time.
    #expect(batch.rowBytes == 4 + 4 + 8 + 4 + 8 && batch.bytes == 2 * batch.rowBytes && rows.rowBytes == batch.rowBytes)
    batch.fill(rows, range: 1..<2)
    #expect(Array(batch.tags) == [RowTag(label: -1, experience: 2, owner: 5, time: 20)])
    #expect(batch.values?.row(0)[0] == 7 && batch.values?.row(0)[1].isNaN == true)
  }

  @Test func `answers come back where they were stored, and nothing stands for the others`() {
    var known = Rows(Matrix([[1], [2]]), labels: [0, 1], experience: 0).batch
    known.setAnswers(Matrix([[0.5, .nan], [-1, 2]]))
    var joined = Rows(Matrix([[3]]), labels: [1], experience: 1).batch
    #expect(joined.answers == nil && joined.rowBytes == 12 && known.rowBytes == 12 + 8)
    joined.append(known, at: [1, 0])
    let answers = joined.answers ?? Matrix(rows: 0, columns: 0)
    #expect(answers.rows == 3 && answers.isUnknown(row: 0) && !answers.isUnknown(row: 2))
    #expect(answers.row(1) == [-1, 2] && answers.row(2)[0] == 0.5 && answers.row(2)[1].isNaN)
    joined.replace(row: 1, with: Rows(Matrix([[4]]), labels: [0], experience: 0).batch, row: 0)
    #expect(joined.answers?.isUnknown(row: 1) == true && joined.answers?.row(2)[0] == 0.5)
    joined.keep([2, 0])
    #expect(joined.answers?.row(0)[0] == 0.5 && joined.answers?.isUnknown(row: 1) == true)
  }

  @Test func `a checkpoint keeps every column of a batch`() throws {
    var batch = Rows(
      Matrix([[1, 2], [3, 4]]), .values(Matrix([[5], [6]])), experience: 3, owners: [0, 1], times: [7, 1 << 40]
    ).batch
    batch.setWeight(0.25, ofRow: 1)
    batch.setAnswers(Matrix([[0.5], [-1]]))
    let copy = try StateDecoder.value(Batch.self, from: StateEncoder.bytes(of: batch))
    #expect(copy.inputs == batch.inputs && copy.tags.elementsEqual(batch.tags))
    #expect(copy.values == batch.values && copy.answers == batch.answers)
    let plain = Rows(Matrix([[1]]), labels: [1], experience: 0).batch
    let without = try StateDecoder.value(Batch.self, from: StateEncoder.bytes(of: plain))
    #expect(
      without.tags.elementsEqual(plain.tags) && without.values == nil && without.answers == nil
        && without.tags.owners == [])
  }

  @Test func `batches of earlier versions are read`() throws {
    struct Earlier: Codable {
      var inputs = Matrix([[1, 2], [3, 4]])
      var labels: [Int32] = [1, 0]
      var experiences: [Int32] = [2, 3]
      var weights: [Float] = [1, 0.5]
      var gathered: [Int32] = [9]
    }
    let batch = try StateDecoder.value(Batch.self, from: StateEncoder.bytes(of: Earlier()))
    #expect(batch.labels == [1, 0] && batch.experiences == [2, 3] && batch.weights == [1, 0.5])
    #expect(batch.inputs == Matrix([[1, 2], [3, 4]]))
    #expect(throws: StateError.self) {
      try StateDecoder.value(Batch.self, from: StateEncoder.bytes(of: Earlier(weights: [1])))
    }
  }

  @Test func `answers and values must fit the network`() {
    var batch = Rows(Matrix([[1]]), labels: [1], experience: 0).batch
    batch.setAnswers(Matrix([[1, 2]]))
    #expect(batch.problem(within: StateLimits(TaskShape(inputs: 1, outputs: 2))) == nil)
    #expect(
      batch.problem(within: StateLimits(TaskShape(inputs: 1, outputs: 3)))
        == "answers of 2 outputs, the network has 3")
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
