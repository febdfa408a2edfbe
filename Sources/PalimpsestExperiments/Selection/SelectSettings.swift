import PalimpsestCore
import PalimpsestMetrics
import PalimpsestScenarios

/// How hyper-parameters are chosen before the runs that are reported: the `select` block of an experiment file.
///
/// Every tuned strategy gets the same number of trials, and no seed of a trial is a seed of a reported run.
public struct SelectSettings: Configurable {
  @Parameter("Metric that decides: its mean over the tuning seeds, noise-free where p* is known.")
  public var criterion: String = Metric.averageAccuracy.name
  @Parameter("Trials learn the first so many tasks alone; null: all.", .count) public var tasks: Int? = nil
  @Parameter(
    """
    Share of each task's training rows that trials are judged on in place of the test rows; null: 0.2 where the test \
    rows are the same for every seed (data sets), else the test rows of the tuning seeds.
    """, .between(0, 1))
  public var heldOut: Double? = nil

  public init() {}

  /// The share held out in trials of a scenario.
  func heldOut(for scenario: any Scenario.Type) -> Double? {
    heldOut ?? (scenario.drawsTestRows ? nil : 0.2)
  }
}

extension Catalog {
  /// Metrics that can decide: they have a better end and need no other run, for trials have no bounds beside them.
  public var criteria: [Metric] {
    accuracyMetrics.filter {
      $0.direction != .neither && Set<Requirement>([.joint, .scratch]).isDisjoint(with: $0.needs)
    }
  }
}
