/// What `evaluation.probes` asks for.
let probedMeasures: [Measure] = [
  .brier, .calibrationError, .debiasedCalibrationError, .trueCalibrationError, .finalCalibrationError,
  .reliabilityCount, .reliabilityConfidence, .reliabilityFrequency,
  .negativeFlips, .positiveFlips, .answerChurn, .negativeFlipRate,
  .classAccuracy, .classRows, .worstClassAccuracy, .userTestAccuracy, .userTestBayesAccuracy, .userTestRows,
  .userAccuracyP10,
]

extension MeasureAxis {
  /// Bins of a reliability diagram, by ascending probability.
  public static let bin = MeasureAxis("bin", "Bin of equal mass by ascending probability")
  /// Labels.
  public static let label = MeasureAxis("class", "Label of the rows")
}

private let q = "q = p(1), of several classes the probability of the answer, y then whether it is right"

extension Measure {
  static let brier = Measure(
    .brier, "Brier score after each task",
    definition: "mean of (q - y)^2 on the test rows of task j after task i; " + q,
    direction: .lower, along: [.afterTask, .task])
  static let calibrationError = Measure(
    .calibrationError, "Calibration error after each task (ECE)",
    definition:
      "sum over 15 bins of equal mass of their share times |mean y - mean q|; the first n mod 15 bins hold one more; "
      + q,
    direction: .lower, along: [.afterTask, .task])
  static let debiasedCalibrationError = Measure(
    .debiasedCalibrationError, "Calibration error without its bias, after each task",
    definition:
      "sign and root of the sum over the bins of share times [(mean y - mean q)^2 - mean y (1 - mean y) / (n_b - 1)]; below 0: less than chance; NaN where a bin has one row",
    along: [.afterTask, .task])
  static let trueCalibrationError = Measure(
    .trueCalibrationError, "Distance from the true probability after each task",
    definition: "mean of |q - p*|, where p* is known; no bins", direction: .lower, along: [.afterTask, .task])
  static let finalCalibrationError = Measure(
    .finalCalibrationError, "Calibration error after the last task",
    definition: "mean over tasks of the last row of calibration_error", direction: .lower)
  static let reliabilityCount = Measure(
    .reliabilityCount, "Test rows in each bin after the last task; -1: padding", definition: "n_b", storage: .i32,
    along: [.task, .bin])
  static let reliabilityConfidence = Measure(
    .reliabilityConfidence, "Mean probability in each bin after the last task", definition: "mean q",
    along: [.task, .bin])
  static let reliabilityFrequency = Measure(
    .reliabilityFrequency, "What came true in each bin after the last task", definition: "mean y", along: [.task, .bin])
}

extension Measure {
  static let negativeFlips = Measure(
    .negativeFlips, "Answers that became wrong with the task",
    definition: "share of task j's test rows right after task i-1 and wrong after task i; NaN for i = 0",
    direction: .lower, along: [.afterTask, .task])
  static let positiveFlips = Measure(
    .positiveFlips, "Answers that became right with the task",
    definition: "share of task j's test rows wrong after task i-1 and right after task i; NaN for i = 0",
    direction: .higher, along: [.afterTask, .task])
  static let answerChurn = Measure(
    .answerChurn, "Answers that changed with the task",
    definition: "share of task j's test rows answered otherwise after task i than after task i-1; NaN for i = 0",
    along: [.afterTask, .task])
  static let negativeFlipRate = Measure(
    .negativeFlipRate, "Negative flips on tasks learned before",
    definition: "mean_{i>=1} mean_{j<i} negative_flips[i, j]", direction: .lower)
}

extension Measure {
  static let classAccuracy = Measure(
    .classAccuracy, "Accuracy on each label's rows after the last task",
    definition: "share of right answers among the test rows of all tasks with the label", direction: .higher,
    along: [.label])
  static let classRows = Measure(
    .classRows, "Test rows of each label; -1: padding", definition: "over all tasks", storage: .i32, along: [.label])
  static let worstClassAccuracy = Measure(
    .worstClassAccuracy, "Accuracy on the worst label", definition: "min of class_accuracy where class_rows >= 30",
    direction: .higher)
  static let userTestAccuracy = Measure(
    .userTestAccuracy, "Accuracy on each user's rows after the last task",
    definition: "share of right answers among the test rows of all tasks of the user", direction: .higher,
    along: [.user])
  static let userTestBayesAccuracy = Measure(
    .userTestBayesAccuracy, "Accuracy of the best rule on each user's rows",
    definition: "mean of the largest p* of the user's test rows", subject: .truth, along: [.user])
  static let userTestRows = Measure(
    .userTestRows, "Test rows of each user; -1: padding", definition: "over all tasks", storage: .i32, along: [.user])
  static let userAccuracyP10 = Measure(
    .userAccuracyP10, "Accuracy that nine users of ten exceed",
    definition: "10th percentile of user_test_accuracy where user_test_rows >= 30, linear between two users",
    direction: .higher)
}

extension ObservationName {
  static let brier: Self = "brier"
  static let calibrationError: Self = "calibration_error"
  static let debiasedCalibrationError: Self = "debiased_calibration_error"
  static let trueCalibrationError: Self = "true_calibration_error"
  static let finalCalibrationError: Self = "final_calibration_error"
  static let reliabilityCount: Self = "reliability_count"
  static let reliabilityConfidence: Self = "reliability_confidence"
  static let reliabilityFrequency: Self = "reliability_frequency"
  static let negativeFlips: Self = "negative_flips"
  static let positiveFlips: Self = "positive_flips"
  static let answerChurn: Self = "answer_churn"
  static let negativeFlipRate: Self = "negative_flip_rate"
  static let classAccuracy: Self = "class_accuracy"
  static let classRows: Self = "class_rows"
  static let worstClassAccuracy: Self = "worst_class_accuracy"
  static let userTestAccuracy: Self = "user_test_accuracy"
  static let userTestBayesAccuracy: Self = "user_test_bayes_accuracy"
  static let userTestRows: Self = "user_test_rows"
  static let userAccuracyP10: Self = "user_accuracy_p10"
}
