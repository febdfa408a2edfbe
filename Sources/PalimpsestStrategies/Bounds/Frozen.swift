import PalimpsestCore

/// Learns the first task and then never changes: no forgetting and no learning.
///
/// - Source: the usual lower reference for adaptation.
public struct Frozen: Bound {
  public static let name = "frozen"
  public static let summary = "Reference without learning: only the first task is learned."
  public static let source = "The usual reference of the field: a model shipped once."

  public init() {}

  public func plan(for experience: Int) -> TrainingPlan { TrainingPlan(rows: experience == 0 ? .current : .none) }
}
