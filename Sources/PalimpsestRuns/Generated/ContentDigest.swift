import PalimpsestCore
import PalimpsestScenarios

/// A number for the rows that a scenario made for a seed: equal for equal rows, whoever made them.
///
/// FNV-1a of 64 bits over words of 32 bits: of each task the inputs of the rows that a stream shows, row by row, their labels, p* where
/// it is known; then the same of the test rows.
///
/// - Cost: about a nanosecond a number.
struct ContentDigest {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  init(_ stream: any DriftStream) {
    for task in stream.experiences {
      add(stream.streamedRows(for: task.index))
      add(stream.evaluationSet(for: task.index).rows)
    }
  }

  private mutating func add(_ rows: Rows) {
    add(rows.batch.inputs)
    if case .values(let values) = rows.targets { add(values) }
    for label in rows.labels { add(UInt32(bitPattern: label)) }
    for p in rows.truth ?? [] { add(p.bitPattern) }
    if let probabilities = rows.probabilities { add(probabilities) }
  }

  private mutating func add(_ matrix: Matrix) {
    matrix.values.withSpan { numbers in
      for i in numbers.indices { add(numbers[i].bitPattern) }
    }
  }

  private mutating func add(_ word: UInt32) { value = (value ^ UInt64(word)) &* 0x0000_0100_0000_01b3 }
}
