extension Metric {
  public static let intransigence = Metric(
    "intransigence", "Intransigence",
    definition: "mean_k (joint[k] - R[k,k]), joint[k] = R[k,k] of the same seed's joint run, trained on tasks 0 to k",
    source: "Chaudhry et al. 2018, definition 4, mean over the tasks.", .lower, needs: [.joint]
  ) { R in shortfall(R, of: R.joint) }

  public static let intransigenceScratch = Metric(
    "intransigence_scratch", "Intransigence against training alone",
    definition: "mean_k (scratch[k] - R[k,k]), scratch[k] = R[k,k] of the run from scratch of the same seed",
    source: "Chaudhry et al. 2018 with another reference.", .lower, needs: [.scratch]
  ) { R in shortfall(R, of: R.scratch) }

  public static let intransigenceBayes = Metric(
    "intransigence_bayes", "Intransigence against the best rule",
    definition: "mean_k (bayes_accuracy[k] - R[k,k])",
    source: "Chaudhry et al. 2018 with the Bayes rule of each task as reference.", .lower, needs: [.truth]
  ) { R in shortfall(R, of: R.bayesAccuracy) }
}

/// Mean of what the accuracies just after learning fall short of a reference.
private func shortfall(_ R: Accuracies, of reference: [Double]) -> Double {
  mean(0..<R.tasks) { k in reference[k] - R[k, k] }
}
