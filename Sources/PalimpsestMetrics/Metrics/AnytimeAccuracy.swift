extension Metric {
  public static let anytimeAccuracy = Metric(
    "anytime_accuracy", "Anytime accuracy",
    definition: "mean over the evaluations within tasks of the mean accuracy on the tasks begun so far",
    source: "Koh et al. 2022 (A_AUC): there the share of right answers on the classes seen so far.", .higher,
    needs: [.curve]
  ) { R in
    let curve = R.curve
    return mean(0..<curve.count) { i in mean(0..<curve[i].task + 1) { j in curve[i].accuracy[j] } }
  }
}
