/// Role: which task's way a row takes where its task is not known.
///
/// Law: with one task every choice is that task; the same rows give the same choice; choices are tasks that were begun.
public protocol WayChooser: StrategyPart {
  /// One task a row, by its position among the ways.
  /// - Parameter ways: those of the tasks begun so far, at least one.
  func choose(for inputs: Matrix, among ways: [Program], _ model: MLP) -> [Int]
}
