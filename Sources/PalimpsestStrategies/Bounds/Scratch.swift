import PalimpsestCore

/// Trains on each task's own rows from fresh weights: nothing is transferred and nothing is kept.
///
/// - Source: the usual reference for transfer ("independent" or "single-task" training).
public struct Scratch: Bound {
  public static let name = "scratch"
  /// 2: fresh weights are trained as a whole beside an isolation too.
  public static let revision = 2
  public static let summary = "Reference without transfer: fresh weights for each task."
  public static let source = "The usual reference of the field for transfer and plasticity."

  public init() {}

  public func plan(for experience: Int) -> TrainingPlan { TrainingPlan(rows: .current, restarts: true) }
}
