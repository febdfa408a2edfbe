extension Metric {
  /// How far joint ceiling and tracker must be apart for their difference to be divided by.
  ///
  /// The ceiling belongs to the law and is estimated from below, the tracker is judged on the seed's own test rows. Where
  /// nothing is to be retained (`habit-phases` with dose 0, 60 test users a task, 12 seeds) their difference has a standard
  /// deviation of 0.0063 to 0.0067. Above this limit that is less than a quarter of the divisor, and more than four of them
  /// from 0. Fewer test users make it larger, as 1 / √users.
  public static let retentionNoise = 0.03

  /// 0 is a tracker that is perfect on the last task and remembers nothing else; 1 is the best that one function of the
  /// inputs can do; above 1 only with the task known at test time.
  ///
  /// Undefined where ceiling and tracker are no further apart than ``retentionNoise``: with one task, or tasks that are
  /// alike, there is nothing to retain, and a quotient of noise would say −16 as readily as 3.
  public static let normalisedRetention = Metric(
    "normalised_retention", "Normalised retention",
    definition: "(average_accuracy - tracker_accuracy) / (joint_ceiling - tracker_accuracy), "
      + "undefined where the divisor is not above \(retentionNoise)",
    source: "Palimpsest: 0 = perfect tracker without memory, 1 = best single function of the inputs.", .higher,
    needs: [.truth, .ceiling]
  ) { R in
    let average = mean(0..<R.tasks) { j in R[R.last, j] }
    return (average - R.trackerAccuracy) / (R.jointCeiling - R.trackerAccuracy)
  }
}
