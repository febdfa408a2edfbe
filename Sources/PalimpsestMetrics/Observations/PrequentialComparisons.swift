/// Predictions beside rules that look at labels alone. The most frequent label so far, the smallest on a tie and for the first row, and
/// the label before, 0 for the first row, are tried on the same rows; they learn a label when the learner does.
extension Measure {
  static let prequentialKappa = Measure(
    .prequentialKappa, "Cohen's kappa of predictions made before learning",
    definition: "(p0 - pc) / (1 - pc), pc the sum over labels of share answered times share labelled, in the window",
    direction: .higher, along: [.examplesSeen])

  static let prequentialKappaM = Measure(
    .prequentialKappaM, "Kappa against the most frequent label so far",
    definition: "(p0 - pm) / (1 - pm), pm the accuracy of the most frequent label so far in the window",
    direction: .higher, along: [.examplesSeen])

  static let prequentialKappaTemporal = Measure(
    .prequentialKappaTemporal, "Kappa against repeating the last label",
    definition: "(p0 - pe) / (1 - pe), pe the accuracy of the label before in the window", direction: .higher,
    along: [.examplesSeen])

  static let prequentialKappaCombined = Measure(
    .prequentialKappaCombined, "Kappas against chance and against repeating the last label in one",
    definition: "sqrt(max(0, kappa) max(0, kappa temporal)) of the window", direction: .higher, along: [.examplesSeen])

  static let prequentialBalancedAccuracy = Measure(
    .prequentialBalancedAccuracy, "Balanced accuracy of predictions made before learning",
    definition: "mean recall over the labels that the window has", direction: .higher, along: [.examplesSeen])

  static let prequentialArea = Measure(
    .prequentialArea, "Area under the ROC curve of predictions made before learning",
    definition:
      "share of pairs of a row of label 1 and one of label 0 in the window that the logits put in order, ties half",
    direction: .higher, along: [.examplesSeen])

  static let prequentialBrier = Measure(
    .prequentialBrier, "Brier score of predictions made before learning",
    definition: "mean of (p(1) - label)^2 over the rows of the window", direction: .lower, along: [.examplesSeen])

  static let prequentialCalibrationError = Measure(
    .prequentialCalibrationError, "Calibration error of predictions made before learning (ECE)",
    definition:
      "sum over 15 bins of equal mass by p(1) of their share times |share of label 1 - mean p(1)|; of several labels by the answer's probability",
    direction: .lower, along: [.examplesSeen])

  static let prequentialFadingAccuracy = Measure(
    .prequentialFadingAccuracy, "Fading accuracy of predictions made before learning",
    definition: "S/N behind the window's last row, S <- right + 0.999 S and N <- 1 + 0.999 N", direction: .higher,
    along: [.examplesSeen])

  static let prequentialFinalAccuracy = Measure(
    .prequentialFinalAccuracy, "Accuracy of predictions made just before a late label arrived",
    definition: "share of right answers among the window's rows, each answered anew when its label was about to arrive",
    direction: .higher, along: [.examplesSeen])

  static let majorityAccuracy = Measure(
    .majorityAccuracy, "Accuracy of the most frequent label so far",
    definition: "share of the window's rows that have it",
    along: [.examplesSeen])

  static let repeatLastAccuracy = Measure(
    .repeatLastAccuracy, "Accuracy of repeating the last label",
    definition: "share of the window's rows that have the label before", along: [.examplesSeen])
}

/// Means over the windows that have a value.
extension Measure {
  static let kappaMean = mean(.kappaMean, "kappa", of: .prequentialKappa)
  static let kappaMMean = mean(.kappaMMean, "kappa against the most frequent label", of: .prequentialKappaM)
  static let kappaTemporalMean = mean(.kappaTemporalMean, "kappa against the last label", of: .prequentialKappaTemporal)
  static let kappaCombinedMean = mean(.kappaCombinedMean, "combined kappa", of: .prequentialKappaCombined)
  static let balancedAccuracyMean = mean(
    .balancedAccuracyMean, "balanced accuracy", of: .prequentialBalancedAccuracy)
  static let areaMean = mean(.areaMean, "area under the ROC curve", of: .prequentialArea)
  static let calibrationErrorMean = mean(
    .calibrationErrorMean, "calibration error", of: .prequentialCalibrationError, .lower)
  static let brierMean = mean(.brierMean, "Brier score", of: .prequentialBrier, .lower)
  static let prequentialFinalMean = mean(
    .prequentialFinalMean, "accuracy of final predictions", of: .prequentialFinalAccuracy)
  static let majorityMean = mean(.majorityMean, "accuracy of the most frequent label", of: .majorityAccuracy)
  static let repeatLastMean = mean(.repeatLastMean, "accuracy of repeating the last label", of: .repeatLastAccuracy)

  private static func mean(
    _ name: ObservationName, _ what: String, of windows: ObservationName, _ direction: Metric.Direction = .higher
  ) -> Measure {
    Measure(name, "Mean \(what)", definition: "mean of \(windows) over the windows that have one", direction: direction)
  }
}

extension ObservationName {
  static let prequentialKappa: Self = "prequential_kappa"
  static let prequentialKappaM: Self = "prequential_kappa_m"
  static let prequentialKappaTemporal: Self = "prequential_kappa_temporal"
  static let prequentialKappaCombined: Self = "prequential_kappa_combined"
  static let prequentialBalancedAccuracy: Self = "prequential_balanced_accuracy"
  static let prequentialArea: Self = "prequential_auc"
  static let prequentialBrier: Self = "prequential_brier"
  static let prequentialCalibrationError: Self = "prequential_ece"
  static let prequentialFadingAccuracy: Self = "prequential_fading_accuracy"
  static let prequentialFinalAccuracy: Self = "prequential_final_accuracy"
  static let majorityAccuracy: Self = "majority_accuracy"
  static let repeatLastAccuracy: Self = "repeat_last_accuracy"
  static let kappaMean: Self = "kappa_mean"
  static let kappaMMean: Self = "kappa_m_mean"
  static let kappaTemporalMean: Self = "kappa_temporal_mean"
  static let kappaCombinedMean: Self = "kappa_combined_mean"
  static let balancedAccuracyMean: Self = "balanced_accuracy_mean"
  static let areaMean: Self = "auc_mean"
  static let calibrationErrorMean: Self = "ece_mean"
  static let brierMean: Self = "brier_mean"
  static let prequentialFinalMean: Self = "prequential_final_mean"
  static let majorityMean: Self = "majority_mean"
  static let repeatLastMean: Self = "repeat_last_mean"
}
