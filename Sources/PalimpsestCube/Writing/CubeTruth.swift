import HDF5
import PalimpsestCore
import PalimpsestMetrics

/// What is known of the scenario, where any run knows something.
extension CubeWriter {
  func writeTruth() throws(HDF5Error) {
    guard axes.has(.taskOther) else { return }
    try array("bayes_accuracy", "Accuracy of the best rule for each task", .task) { $0.truth?.bayesAccuracy }
    try array("cross_accuracy", "Accuracy on task_other of the best rule for task", .task, .taskOther) {
      $0.truth?.crossAccuracy
    }
    let pair = "between task and task_other, over the inputs of task_other"
    try array("drift_tv", "Total variation " + pair, .task, .taskOther) { $0.truth?.totalVariation }
    try array("drift_hellinger", "Hellinger distance " + pair, .task, .taskOther) { $0.truth?.hellinger }
    try writeTruth("joint_ceiling", "Best mean accuracy that one function of the inputs can have", \.jointCeiling)
    try writeTruth(
      "tracker_accuracy", "Mean accuracy of the best rule for the last task, no other remembered", \.trackerAccuracy)
    try writeTruth(
      "ambiguity_gap", "Mean of bayes_accuracy minus joint_ceiling: how hidden the context is", \.ambiguityGap)
  }

  private func writeTruth(
    _ name: String, _ longName: String, _ value: (ScenarioTruth) -> Double
  ) throws(HDF5Error) {
    try column(name, longName, fill: .nan, rows.map { $0.entry.record.truth.map(value) ?? .nan })
  }
}
