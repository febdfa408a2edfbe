/// Role: other parameters to predict with; training does not see them.
///
/// Law: they are as long as the network's; before the first step they are the network's; the same steps give the same bits.
public protocol Predictor: StrategyPart {
  /// A step was taken, and parameters renewed.
  mutating func observe(_ parameters: FloatBuffer, _ context: StepContext)
  /// What to predict with; nil: the network as it is. Parameters behind its end are the network's.
  var parameters: FloatBuffer? { get }
}

/// Role: which task's way a row takes where its task is not known.
///
/// Law: with one task every choice is that task; the same rows give the same choice; choices are tasks that were begun.
public protocol WayChooser: StrategyPart {
  /// One task a row, by its position among the ways.
  /// - Parameter ways: those of the tasks begun so far, at least one.
  func choose(for inputs: Matrix, among ways: [Program], _ model: MLP) -> [Int]
}
