/// What happens to the tasks learned so far when the next one begins.
public struct TaskSwitch: Sendable, Equatable {
  /// The task that begins.
  public let task: Int
  /// Mean accuracy on the earlier tasks just before.
  public let before: Double
  /// Least mean accuracy on the earlier tasks in the evaluations within the task, its end included.
  public let lowest: Double
  /// Mean accuracy on the earlier tasks when the task has been learned.
  public let after: Double

  /// The dip, as far as it goes, whether or not it is made good again.
  public var gap: Double { before - lowest }
  /// What is regained of the dip by the end of the task.
  public var recovery: Double { after - lowest }
}

extension Accuracies {
  /// One a task but the first.
  public var switches: [TaskSwitch] {
    let curve = curve
    return (1..<max(1, tasks)).map { k in
      let after = mean(0..<k) { j in self[k, j] }
      let within = curve.filter { $0.task == k }.map { point in mean(0..<k) { j in point.accuracy[j] } }
      return TaskSwitch(
        task: k, before: mean(0..<k) { j in self[k - 1, j] }, lowest: smallest(within + [after]), after: after)
    }
  }
}

extension RunRecord {
  /// The dips at every change of task; empty where a switch was not evaluated within the task that follows it.
  public func switches(_ kind: AccuracyKind) -> [TaskSwitch] {
    let accuracies = Accuracies(self, kind, MetricContext())
    return accuracies.fault == nil && accuracies.unmet(.curve) == nil ? accuracies.switches : []
  }
}

extension Metric {
  public static let stabilityGap = Metric(
    "stability_gap", "Stability gap",
    definition: "mean_{k>=1} (A_k before task k - min of A_k within task k), A_k = mean accuracy on tasks 0 to k-1",
    source: "De Lange et al. 2023; the window is the whole task, and forgetting that stays counts.", .lower,
    needs: [.severalTasks, .curve]
  ) { R in
    let switches = R.switches
    return mean(0..<switches.count) { switches[$0].gap }
  }
}
