extension Metric {
  public static let forgetting = Metric(
    "forgetting", "Forgetting",
    definition: "mean_{j<T-1} (max_{j<=l<T-1} R[l,j] - R[T-1,j])",
    source: "Chaudhry et al. 2018, eq. 3; FACIL, Renate, ContiLab, Continuum.", .lower, needs: [.severalTasks]
  ) { R in mean(R.old) { j in best(R, j, before: R.last) - R[R.last, j] } }

  public static let forgettingFirstLast = Metric(
    "forgetting_first_last", "Forgetting, first minus last",
    definition: "mean_{j<T-1} (R[j,j] - R[T-1,j]); no maximum, so it is minus backward_transfer",
    source: "Avalanche; the left side of the forgetting identity.", .lower, needs: [.severalTasks]
  ) { R in mean(R.old) { j in R[j, j] - R[R.last, j] } }

  public static let forgettingAllRows = Metric(
    "forgetting_all_rows", "Forgetting, maximum with the last row",
    definition: "mean_{j<T-1} (max_{j<=l<=T-1} R[l,j] - R[T-1,j]); never negative",
    source: "Mammoth, CL-Gym, PyCIL.", .lower, needs: [.severalTasks]
  ) { R in mean(R.old) { j in best(R, j, before: R.tasks) - R[R.last, j] } }

  public static let forgettingDividedByAll = Metric(
    "forgetting_divided_by_all", "Forgetting, divided by all tasks",
    definition: "1/T sum_{j<T-1} (max_{j<=l<T-1} R[l,j] - R[T-1,j])",
    source: "RaptorMai (Mai et al. 2022).", .lower, needs: [.severalTasks]
  ) { R in sum(R.old) { j in best(R, j, before: R.last) - R[R.last, j] } / Double(R.tasks) }

  public static let forgettingWithoutNewest = Metric(
    "forgetting_without_newest", "Forgetting, newest old task left out",
    definition: "1/(T-1) sum_{j<T-2} (R[j,j] - R[T-1,j])",
    source: "LibContinual; Continuum before its issue 281.", .lower, needs: [.severalTasks]
  ) { R in sum(0..<(R.last - 1)) { j in R[j, j] - R[R.last, j] } / Double(R.last) }

  public static let forgettingWithCurrent = Metric(
    "forgetting_with_current", "Forgetting, with the task just learned",
    definition: "mean_{j<=T-1} (max_{l<T-1} R[l,j] - R[T-1,j]); zero-shot rows count, so learning the last task counts",
    source: "pyCLAD.", .lower, needs: [.severalTasks, .zeroShot]
  ) { R in mean(0..<R.tasks) { j in largest(0..<R.last) { R[$0, j] } - R[R.last, j] } }
}

/// Best accuracy on task j from the moment it was learned until before task `end` was.
private func best(_ R: Accuracies, _ j: Int, before end: Int) -> Double { largest(j..<end) { R[$0, j] } }
