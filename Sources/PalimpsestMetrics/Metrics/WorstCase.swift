extension Metric {
  public static let minAccuracy = Metric(
    "min_accuracy", "Minimum accuracy",
    definition: "mean_{j<T-1} min of the accuracy on task j in all evaluations since task j ended",
    source: "De Lange et al. 2023 (min-ACC).", .higher, needs: [.severalTasks, .curve]
  ) { R in meanMinimum(R) }

  public static let worstCaseAccuracy = Metric(
    "worst_case_accuracy", "Worst-case accuracy",
    definition: "1/T R[T-1,T-1] + (1 - 1/T) min_accuracy",
    source: "De Lange et al. 2023 (WC-ACC).", .higher, needs: [.severalTasks, .curve]
  ) { R in
    let share = 1 / Double(R.tasks)
    return share * R[R.last, R.last] + (1 - share) * meanMinimum(R)
  }
}

/// Evaluations since a task ended are those within later tasks and those at their ends.
private func meanMinimum(_ R: Accuracies) -> Double {
  let curve = R.curve
  return mean(R.old) { j in
    let within = curve.filter { $0.task > j }.map { $0.accuracy[j] }
    return smallest(within + ((j + 1)..<R.tasks).map { R[$0, j] })
  }
}
