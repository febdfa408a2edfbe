import PalimpsestCore

/// What a run must have for a metric to be defined.
public enum Requirement: String, Sendable, CaseIterable {
  /// Two tasks or more.
  case severalTasks
  /// The accuracy on a task just before it is learned.
  case zeroShot
  /// The accuracy of the untrained network.
  case untrained
  /// Evaluations within every task but the first.
  case curve
  /// The accuracies of the best rule for each task on every task.
  case truth
  /// The joint ceiling, above the tracker's accuracy.
  case ceiling
  /// A joint run of the same scenario and seed.
  case joint
  /// A run from scratch of the same scenario and seed.
  case scratch
}

extension Accuracies {
  /// Why a requirement is not met; nil where it is.
  func unmet(_ requirement: Requirement) -> String? {
    switch requirement {
    case .severalTasks: tasks > 1 ? nil : "there is only one task"
    case .zeroShot: unmetZeroShot
    case .untrained: untrained.dropFirst().contains(where: \.isNaN) ? "the untrained network was not evaluated" : nil
    case .curve: unmetCurve
    case .truth: knowsTruth ? nil : "the best rules of the scenario are not known"
    case .ceiling: unmetCeiling
    case .joint: unmet(reference: context.joint, "joint")
    case .scratch: unmet(reference: context.scratch, "scratch")
    }
  }

  private var unmetZeroShot: String? {
    guard (1..<max(1, tasks)).contains(where: { self[$0 - 1, $0].isNaN }) else { return nil }
    return record.zeroShotUnmeasured ?? "the accuracy on tasks not yet learned was not measured"
  }

  private var unmetCurve: String? {
    let evaluated = Set(curve.map(\.task))
    guard !evaluated.isEmpty else { return "nothing was evaluated within tasks" }
    return (1..<max(1, tasks)).first { !evaluated.contains($0) }.map {
      "nothing was evaluated while \"\(record.tasks[$0])\" was learned"
    }
  }

  private var unmetCeiling: String? {
    guard let truth = record.truth, knowsTruth, truth.jointCeiling.isFinite else {
      return "the joint ceiling of the scenario is not known"
    }
    return truth.jointCeiling > truth.trackerAccuracy ? nil : "the joint ceiling is not above the tracker"
  }

  private func unmet(reference: RunRecord?, _ name: String) -> String? {
    guard let reference else { return "there is no \(name) run of the same scenario and seed to compare with" }
    guard reference.tasks == record.tasks else { return "the \(name) run has other tasks" }
    return Accuracies(reference, kind, MetricContext()).fault.map { "of the \(name) run: \($0)" }
  }
}
