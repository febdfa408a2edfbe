extension Metric {
  public static let backwardTransfer = Metric(
    "backward_transfer", "Backward transfer",
    definition: "mean_{j<T-1} (R[T-1,j] - R[j,j])",
    source: "Lopez-Paz & Ranzato 2017 (BWT); Mammoth, Renate, CLArena, ContiLab.", .higher, needs: [.severalTasks]
  ) { R in mean(R.old) { j in R[R.last, j] - R[j, j] } }

  public static let backwardTransferPlus = Metric(
    "backward_transfer_plus", "Backward transfer, positive part",
    definition: "max(mean_{j<T-1} (R[T-1,j] - R[j,j]), 0)",
    source: "The positive part of Lopez-Paz & Ranzato's BWT.", .higher, needs: [.severalTasks]
  ) { R in largest([mean(R.old) { j in R[R.last, j] - R[j, j] }, 0]) }

  public static let backwardTransferDividedByAll = Metric(
    "backward_transfer_divided_by_all", "Backward transfer, divided by all tasks",
    definition: "1/T sum_{j<T-1} (R[T-1,j] - R[j,j])",
    source: "The published code of GEM (the paper divides by T-1).", .higher, needs: [.severalTasks]
  ) { R in sum(R.old) { j in R[R.last, j] - R[j, j] } / Double(R.tasks) }

  public static let backwardTransferAllPairs = Metric(
    "backward_transfer_all_pairs", "Backward transfer over all pairs",
    definition: "2/(T(T-1)) sum_{j<i} (R[i,j] - R[j,j])",
    source: "Díaz-Rodríguez et al. 2018; Continuum, CapyMOA.", .higher, needs: [.severalTasks]
  ) { R in meanOfPairs(R.tasks) { i, j in R[i, j] - R[j, j] } }

  public static let backwardTransferAllPairsPlus = Metric(
    "backward_transfer_all_pairs_plus", "Backward transfer over all pairs, positive part",
    definition: "max(2/(T(T-1)) sum_{j<i} (R[i,j] - R[j,j]), 0)",
    source: "Díaz-Rodríguez et al. 2018 (BWT+); RaptorMai.", .higher, needs: [.severalTasks]
  ) { R in largest([meanOfPairs(R.tasks) { i, j in R[i, j] - R[j, j] }, 0]) }

  public static let backwardTransferConsecutive = Metric(
    "backward_transfer_consecutive", "Backward transfer, consecutive changes",
    definition: "2/(T(T-1)) sum_{j<i} (R[i,j] - R[i-1,j])",
    source: "pyCLAD.", .higher, needs: [.severalTasks]
  ) { R in meanOfPairs(R.tasks) { i, j in R[i, j] - R[i - 1, j] } }

  public static let backwardTransferDistantPairs = Metric(
    "backward_transfer_distant_pairs", "Backward transfer over pairs two tasks apart or more",
    definition: "2/(T(T-1)) sum_{j<=i-2} (R[i,j] - R[j,j])",
    source: "LibContinual.", .higher, needs: [.severalTasks]
  ) { R in meanOfPairs(R.tasks) { i, j in j <= i - 2 ? R[i, j] - R[j, j] : 0 } }
}
