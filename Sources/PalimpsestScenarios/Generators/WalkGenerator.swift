/// A generator whose rows hang together: what a row shows depends on the label of the one before. Each task is a walk of its own.
protocol WalkGenerator: ConceptGenerator {
  /// Draws the row that follows.
  /// - Parameter label: of the task's row before; nil for the first.
  func draw(_ draws: RowDraws, _ moment: ConceptMoment, after label: Int?, into inputs: inout [Float]) -> Int
}

extension WalkGenerator {
  func draw(_ draws: RowDraws, _ moment: ConceptMoment, into inputs: inout [Float]) -> Int {
    draw(draws, moment, after: nil, into: &inputs)
  }
}
