import HDF5
import PalimpsestExperiments
import PalimpsestMetrics

/// What each run is, and how it ended.
extension CubeWriter {
  func writeIdentity() throws(HDF5Error) {
    try column("run_id", "Identity of the run: hash of its settings and seed", runs.map(\.id))
    try column("config", "Row of configuration_json", runs.map { Int32(clamping: $0.configuration) })
    try column("scenario", "Label of the scenario in the experiment file", configurations { $0.scenario })
    try column("strategy", "Label of the strategy in the experiment file", configurations { $0.strategy })
    try column("seed", "Seed of the run", runs.map { Int64($0.seed) })
  }

  func writeOutcome() throws(HDF5Error) {
    try column("tasks", "Number of tasks of the run", pack.facts.tasks)
    let codes = RunRecord.Status.allCases
    let status = pack.runs.statuses.map { Int8(clamping: codes.firstIndex(of: $0) ?? 0) }
    let dataset = try column("status", "How the run ended", status)
    try dataset.attributes.set("flag_values", codes.indices.map { Int8(clamping: $0) })
    try dataset.attributes.set("flag_meanings", codes.map(\.rawValue).joined(separator: " "))
    try write(.error)
  }

  /// Settings without the seed, every default written out, once a configuration. One without a run has an empty text: of
  /// a large plan that has just begun, all but a few.
  func writeConfigurations() throws(HDF5Error) {
    let seen = pack.seen
    let texts = plan.configurations.enumerated().map { seen.contains($0) ? clean($1.recordText) : "" }
    let dataset = try root.write("configuration_json", texts)
    try dataset.attributes.set("long_name", "Resolved configuration without the seed, as JSON; empty without runs")
    try dataset.attach(axes[CubeAxes.configuration], axis: 0)
  }

  /// A text of each run's configuration.
  private func configurations(_ text: (StoredConfiguration) -> String) -> [String] {
    let texts = plan.configurations.map(text)
    return runs.map { texts[$0.configuration] }
  }
}
