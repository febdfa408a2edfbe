extension Metric {
  /// 0 is a tracker that is perfect on the last task and remembers nothing else; 1 is the best that one function of the
  /// inputs can do; above 1 only with the task known at test time.
  public static let normalisedRetention = Metric(
    "normalised_retention", "Normalised retention",
    definition: "(average_accuracy - tracker_accuracy) / (joint_ceiling - tracker_accuracy)",
    source: "Palimpsest: 0 = perfect tracker without memory, 1 = best single function of the inputs.", .higher,
    needs: [.truth, .ceiling]
  ) { R in
    let truth = R.truth
    let average = mean(0..<R.tasks) { j in R[R.last, j] }
    return (average - truth.trackerAccuracy) / (truth.jointCeiling - truth.trackerAccuracy)
  }
}
