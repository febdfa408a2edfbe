extension ObservationName {
  /// At each evaluation within tasks the accuracy on the classes shown so far: of streams in which classes arrive one by one.
  package static let seenClassCurve: Self = "seen_class_curve"
}

extension Metric {
  public static let anytimeAccuracy = Metric(
    "anytime_accuracy", "Anytime accuracy",
    definition:
      "mean over the evaluations within tasks of the mean accuracy on the tasks begun so far; where there is a seen_class_curve, its mean",
    source: "Koh et al. 2022 (A_AUC).", .higher,
    needs: [.curve]
  ) { R in
    let curve = R.curve
    if !R.seenClassCurve.isEmpty { return mean(R.seenClassCurve.indices) { R.seenClassCurve[$0] } }
    return mean(0..<curve.count) { i in mean(0..<curve[i].task + 1) { j in curve[i].accuracy[j] } }
  }
}
