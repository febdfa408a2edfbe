/// How a switch of tasks is made good again: the mean accuracy on the earlier tasks comes back to so much of its value before.
private let regained = 0.95

extension Accuracies {
  /// For each task but the first the rows that were fed from its beginning until the accuracy on earlier tasks was again
  /// ≥ .95 times what it was before: 0 where no evaluation found it below, NaN where it stayed below.
  fileprivate var regainRows: [Double] {
    (1..<max(1, tasks)).map { k in
      let start = taskEnd(k - 1)
      var points = curve.indices.filter { curve[$0].task == k }.map { i in
        (rows: curveExamples[i] - start, accuracy: mean(0..<k) { j in curve[i].accuracy[j] })
      }
      points.append((taskEnd(k) - start, mean(0..<k) { j in self[k, j] }))
      let enough = regained * mean(0..<k) { j in self[k - 1, j] }
      guard enough.isFinite, points.allSatisfy({ $0.accuracy.isFinite && $0.rows.isFinite }) else { return .nan }
      guard let dip = points.firstIndex(where: { $0.accuracy < enough }) else { return 0 }
      return points[dip...].first { $0.accuracy >= enough }?.rows ?? .nan
    }
  }

  /// Training rows fed until a task's end; NaN where rows were not counted task by task.
  private func taskEnd(_ task: Int) -> Double {
    examplesTask.count == tasks ? examplesTask[...task].reduce(0, +) : .nan
  }
}

extension Metric {
  public static let regainSteps = Metric(
    "regain_steps", "Rows until what a switch cost is regained",
    definition:
      "mean over the switches that regain of the rows fed in task k until A_k is again >= .95 times its value before, 0 where it is never below; "
      + "A_k = mean accuracy on tasks 0 to k-1",
    source: "After De Lange et al. 2023, who look at the dip's depth.", .lower,
    needs: [.severalTasks, .curve, .taskRows]
  ) { R in
    let rows = R.regainRows.filter { !$0.isNaN }
    return rows.reduce(0, +) / Double(rows.count)
  }

  public static let regainedShare = Metric(
    "regained_share", "Share of switches whose cost is regained",
    definition:
      "share of the tasks k >= 1 in which A_k comes back to .95 times its value before; A_k = mean accuracy on tasks 0 to k-1",
    source: "After De Lange et al. 2023, who look at the dip's depth.", .higher,
    needs: [.severalTasks, .curve, .taskRows]
  ) { R in
    let rows = R.regainRows
    return Double(rows.count { !$0.isNaN }) / Double(rows.count)
  }
}
