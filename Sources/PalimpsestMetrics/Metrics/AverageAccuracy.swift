extension Metric {
  public static let averageAccuracy = Metric(
    "average_accuracy", "Average accuracy",
    definition: "mean_j R[T-1,j]",
    source: "Lopez-Paz & Ranzato 2017 (ACC); most toolkits.", .higher
  ) { R in mean(0..<R.tasks) { j in R[R.last, j] } }

  public static let averageIncrementalAccuracy = Metric(
    "average_incremental_accuracy", "Average incremental accuracy",
    definition: "mean_i mean_{j<=i} R[i,j]",
    source: "Rebuffi et al. 2017; LibContinual, ContiLab, RaptorMai (ACC); PyCIL weighs by test rows.", .higher
  ) { R in mean(0..<R.tasks) { i in mean(0..<(i + 1)) { j in R[i, j] } } }

  public static let averageLowerTriangle = Metric(
    "average_lower_triangle", "Mean of the lower triangle",
    definition: "2/(T(T+1)) sum_{j<=i} R[i,j]",
    source: "Díaz-Rodríguez et al. 2018 (A); Continuum.", .higher
  ) { R in meanOfPairs(R.tasks + 1) { i, j in R[i - 1, j] } }

  public static let learningAccuracy = Metric(
    "learning_accuracy", "Learning accuracy",
    definition: "mean_j R[j,j]",
    source: "Riemer et al. 2019 (LA).", .higher
  ) { R in mean(0..<R.tasks) { j in R[j, j] } }
}
