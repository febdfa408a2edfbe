/// The forgetting identity, task by task: with C[j,k] the accuracy on task k of the best rule for task j,
///
///     R[k,k] − R[T-1,k] = (C[k,k] − C[T-1,k]) + (C[T-1,k] − R[T-1,k]) − (C[k,k] − R[k,k])
///
/// so forgetting_first_last = drift_implied_forgetting + interference − underfit: what the drift itself demands, what the
/// learner inflicts beyond it, and what it had never learned. Each is a mean over the tasks before the last.
extension Metric {
  public static let driftImpliedForgetting = Metric(
    "drift_implied_forgetting", "Drift-implied forgetting",
    definition: "mean_{k<T-1} (cross_accuracy[k,k] - cross_accuracy[T-1,k])",
    source: "The forgetting identity; a property of the scenario: the forgetting of a perfect tracker.", .neither,
    needs: [.severalTasks, .truth]
  ) { R in
    let C = R.crossAccuracy
    return mean(R.old) { k in C[k, k] - C[R.last, k] }
  }

  public static let interference = Metric(
    "interference", "Interference",
    definition: "mean_{k<T-1} (cross_accuracy[T-1,k] - R[T-1,k])",
    source: "The forgetting identity; negative where more is kept than a perfect tracker keeps.", .lower,
    needs: [.severalTasks, .truth]
  ) { R in
    let C = R.crossAccuracy
    return mean(R.old) { k in C[R.last, k] - R[R.last, k] }
  }

  public static let underfit = Metric(
    "underfit", "Underfit when learned",
    definition: "mean_{k<T-1} (cross_accuracy[k,k] - R[k,k])",
    source: "The forgetting identity.", .lower, needs: [.severalTasks, .truth]
  ) { R in
    let C = R.crossAccuracy
    return mean(R.old) { k in C[k, k] - R[k, k] }
  }
}
