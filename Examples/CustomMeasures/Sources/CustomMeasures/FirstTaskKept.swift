import Palimpsest

/// Of every run's accuracies: a column of the results, `palimpsest report RESULTS --metrics first_task_kept`, and what a `select`
/// may decide by.
public let firstTaskKept = Metric(
  "first_task_kept", "Share of the first task's accuracy that is left", definition: "R[T-1, 0] / R[0, 0]",
  source: "For illustration.", .higher, needs: [.severalTasks]
) { R in R[R.last, 0] / R[0, 0] }
