import PalimpsestExperiments
import PalimpsestMetrics

/// What each run is, and how it ended.
extension CubeWriter {
  func writeIdentity() throws(HDF5Error) {
    try column("run_id", "Identity of the run: hash of its settings and seed", rows.map(\.run.id))
    try column("config", "Row of configuration_json", rows.map { Int32(clamping: $0.run.configuration) })
    try column("scenario", "Label of the scenario in the experiment file", configurations.map(\.scenario))
    try column("strategy", "Label of the strategy in the experiment file", configurations.map(\.strategy))
    try column("seed", "Seed of the run", rows.map { Int64($0.run.seed) })
  }

  func writeOutcome() throws(HDF5Error) {
    try column("tasks", "Number of tasks of the run", records.map { Int32(clamping: $0.tasks.count) })
    let codes = RunRecord.Status.allCases
    let status = records.map { Int8(clamping: codes.firstIndex(of: $0.status) ?? 0) }
    let dataset = try column("status", "How the run ended", status)
    try dataset.attributes.set("flag_values", codes.indices.map { Int8(clamping: $0) })
    try dataset.attributes.set("flag_meanings", codes.map(\.rawValue).joined(separator: " "))
    try column("error", "Why the run did not complete", records.map(\.error))
  }

  /// Settings without the seed, every default written out, once a configuration.
  func writeConfigurations() throws(HDF5Error) {
    let texts = results.plan.configurations.map { clean($0.record.compactText) }
    let dataset = try root.write("configuration_json", texts)
    try dataset.attributes.set("long_name", "Resolved configuration without the seed, as JSON")
    try dataset.attach(axes[.configuration], axis: 0)
  }

  /// The configuration of each run.
  var configurations: [StoredConfiguration] { rows.map { results.plan.configurations[$0.run.configuration] } }
}
