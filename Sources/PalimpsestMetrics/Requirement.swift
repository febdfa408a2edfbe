import PalimpsestCore

/// What a run must have for a metric to be defined.
public enum Requirement: Int, Sendable, CaseIterable {
  /// Two tasks or more.
  case severalTasks
  /// The accuracy on a task just before it is learned.
  case zeroShot
  /// The accuracy of the untrained network.
  case untrained
  /// Evaluations within every task but the first.
  case curve
  /// Training rows of each task.
  case taskRows
  /// The accuracies of the best rule for each task on every task.
  case truth
  /// The joint ceiling, above the tracker's accuracy by more than chance.
  case ceiling
  /// A joint run of the same scenario and seed.
  case joint
  /// A run from scratch of the same scenario and seed.
  case scratch
}

extension Accuracies {
  /// Why each requirement is not met, in the order of its cases; nil where it is. The run has no fault.
  static func unmet(
    _ record: RunRecord, _ kind: AccuracyKind, _ context: MetricContext, _ matrix: AccuracyMatrix,
    _ untrained: [Double]
  ) -> [String?] {
    [
      record.tasks.count > 1 ? nil : "there is only one task",
      record.unmetZeroShot(matrix),
      untrained.dropFirst().contains(where: \.isNaN) ? "the untrained network was not evaluated" : nil,
      record.unmetCurve,
      record[.examplesTask]?.axes.first?.length == record.tasks.count
        ? nil : "training rows were not counted task by task",
      record.knowsTruth ? nil : "the best rules of the scenario are not known",
      record.unmetCeiling,
      record.unmet(reference: context.joint, "joint", kind),
      record.unmet(reference: context.scratch, "scratch", kind),
    ]
  }
}

extension RunRecord {
  fileprivate func unmetZeroShot(_ matrix: AccuracyMatrix) -> String? {
    guard (1..<max(1, tasks.count)).contains(where: { matrix[$0 - 1, $0].isNaN }) else { return nil }
    return zeroShotUnmeasured ?? "the accuracy on tasks not yet learned was not measured"
  }

  fileprivate var unmetCurve: String? {
    guard let evaluated = self[.curveTask]?.integers else { return "nothing was evaluated within tasks" }
    return (1..<max(1, tasks.count)).first { !evaluated.contains($0) }.map {
      "nothing was evaluated while \"\(tasks[$0])\" was learned"
    }
  }

  fileprivate var unmetCeiling: String? {
    let ceiling = number(.jointCeiling)
    guard knowsTruth, ceiling.isFinite else {
      return "the joint ceiling of the scenario is not known"
    }
    return ceiling - number(.trackerAccuracy) > Metric.retentionNoise
      ? nil : "the joint ceiling is not above the tracker by more than \(Metric.retentionNoise): nothing to retain"
  }

  fileprivate func unmet(reference: RunRecord?, _ name: String, _ kind: AccuracyKind) -> String? {
    guard let reference else { return "there is no \(name) run of the same scenario and seed to compare with" }
    guard reference.tasks == tasks else { return "the \(name) run has other tasks" }
    return reference.fault(kind).map { "of the \(name) run: \($0)" }
  }
}
