/// A generator whose rows hang together: what a row shows depends on the label of the one before. Each task is a walk of its own.
///
/// A row that is drawn alone (``ConceptGenerator/draw(_:_:into:)``) is one out of the middle of a long walk.
protocol WalkGenerator: ConceptGenerator {
  /// Draws the row that follows.
  /// - Parameter label: of the task's row before; nil for the first.
  func draw(_ draws: RowDraws, _ moment: ConceptMoment, after label: Int?, into inputs: inout [Float]) -> Int

  /// All that a row can show, and the share of a long walk's rows that show it; shares sum to 1.
  func support(_ moment: ConceptMoment) -> [(inputs: [Float], share: Double)]
}
