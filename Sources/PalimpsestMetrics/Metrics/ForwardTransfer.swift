extension Metric {
  public static let forwardTransfer = Metric(
    "forward_transfer", "Forward transfer",
    definition: "mean_{j>=1} (R[j-1,j] - accuracy_before[j])",
    source: "Lopez-Paz & Ranzato 2017 (FWT); Mammoth, Renate, ContiLab, Avalanche.", .higher,
    needs: [.severalTasks, .zeroShot, .untrained]
  ) { R in
    let untrained = R.untrained
    return mean(1..<R.tasks) { j in R[j - 1, j] - untrained[j] }
  }

  public static let forwardTransferWithoutBaseline = Metric(
    "forward_transfer_without_baseline", "Forward transfer, nothing subtracted",
    definition: "mean_{j>=1} R[j-1,j]",
    source: "Continuum.", .higher, needs: [.severalTasks, .zeroShot]
  ) { R in mean(1..<R.tasks) { j in R[j - 1, j] } }

  public static let forwardTransferUpper = Metric(
    "forward_transfer_upper", "Mean of the upper triangle",
    definition: "2/(T(T-1)) sum_{j>i} R[i,j]",
    source: "Díaz-Rodríguez et al. 2018; CapyMOA, pyCLAD, RaptorMai.", .higher,
    needs: [.severalTasks, .zeroShot]
  ) { R in meanOfPairs(R.tasks) { later, earlier in R[earlier, later] } }

  public static let forwardTransferIndependent = Metric(
    "forward_transfer_independent", "Forward transfer against training alone",
    definition: "mean_{j>=1} (R[j,j] - scratch[j]), scratch[j] of a run from scratch on task j alone",
    source: "CLArena.", .higher, needs: [.severalTasks, .scratch]
  ) { R in
    let scratch = R.scratch
    return mean(1..<R.tasks) { j in R[j, j] - scratch[j] }
  }
}
