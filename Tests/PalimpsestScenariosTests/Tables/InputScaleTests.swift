import PalimpsestCore
import PalimpsestScenarios
import Testing

@Suite struct InputScaleTests {
  private func values(_ dataset: Dataset, _ scale: InputScale) -> [[Float]] {
    let rows = Rows(
      table: dataset.table(scaled: scale), experience: 0, places: dataset.labels.indices.map { Int32($0) },
      labels: dataset.labels)
    let inputs = rows.batch.inputs
    return (0..<inputs.rows).map { inputs.row($0) }
  }

  private func close(_ a: [[Float]], _ b: [[Float]]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { zip($0, $1).allSatisfy { abs($0 - $1) < 1e-6 } }
  }

  /// Columns 1, 3, 5 | 9 in training | test, and 7, 7, 7 | 8.
  private let table = Dataset(
    name: "t", inputs: Table(Matrix([[1, 7], [3, 7], [5, 7], [9, 8]])), labels: [0, 1, 0, 1], classes: ["a", "b"],
    training: 0..<3, test: 3..<4)

  @Test func `columns are scaled by the training rows alone`() {
    // least 1, largest 5: (9 − 1) / 4 = 2. Mean 3, deviation √(8/3): (9 − 3) / 1.632993 = 3.674235.
    #expect(values(table, .unit) == [[0, 0], [0.5, 0], [1, 0], [2, 0]])
    #expect(close(values(table, .standard), [[-1.2247449, 0], [0, 0], [1.2247449, 0], [3.6742346, 0]]))
    #expect(values(table, .none) == [[1, 7], [3, 7], [5, 7], [9, 8]])
  }

  @Test func `bytes are divided by 255, or scaled by one mean and deviation`() {
    let bytes = Dataset(
      name: "b", inputs: Table(bytes: [0, 255, 51, 102, 255, 255], columns: 2, scale: 1), labels: [0, 1, 0],
      classes: ["a", "b"], training: 0..<2, test: 2..<3)
    #expect(close(values(bytes, .unit), [[0, 1], [0.2, 0.4], [1, 1]]))
    // mean (0 + 255 + 51 + 102)/4 = 102; squares 102² + 153² + 51² + 0 = 36414; deviation √9103.5 = 95.41226.
    #expect(close(values(bytes, .standard), [[-1.0690450, 1.6035674], [-0.5345225, 0], [1.6035674, 1.6035674]]))
    #expect(bytes.table(scaled: .unit).rawBytes == bytes.inputs.rawBytes)
  }

  @Test func `images in a table are divided by their largest value`() {
    let image = Dataset(
      name: "i", inputs: Table(Matrix([[0, 16], [8, 4], [16, 0]])), labels: [0, 1, 0], classes: ["a", "b"],
      training: 0..<2, test: 2..<3, image: ImageSize(height: 1, width: 2))
    #expect(values(image, .unit) == [[0, 1], [0.5, 0.25], [1, 0]])
    #expect(image.table(scaled: .unit).rawBytes == [0, 16, 8, 4, 16, 0])
  }
}
