import ArgumentParser
import Palimpsest
import PalimpsestCube

/// `palimpsest collect RESULTS`.
struct CollectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "collect", abstract: "Make the HDF5 file of results anew from their journals.",
    discussion: "Ends with 75 while runs of the plan are missing.")

  @Argument(help: "Results: the .h5 file, the .palimpsest folder, or either without its ending.") var results: String
  @OptionGroup var json: JSONOption

  func run() throws {
    let folder = ResultsFolder(results)
    let summary = try folder.collect(metrics: PalimpsestTool.catalog.accuracyMetrics) { StandardError.write($0) }
    warn(ofDamaged: summary.damaged, outside: summary.outside)
    json.print(
      "\(folder.cube): \(summary.completed) of \(summary.planned) runs completed, "
        + "\(summary.failed) failed or diverged, \(summary.missing) missing",
      or: [
        "cube": JSONValue(folder.cube), "planned": JSONValue(summary.planned),
        "completed": JSONValue(summary.completed), "failed": JSONValue(summary.failed),
        "missing": JSONValue(summary.missing), "bytes": JSONValue(summary.bytes),
      ])
    if summary.missing > 0 { throw End(.unfinished) }
  }
}

/// Torn or damaged lines, and runs that are not in the plan any more, are left out: that must not pass in silence.
/// - Parameters:
///   - damaged: file and line number of each.
///   - outside: runs of the journal that are not in the plan.
func warn(ofDamaged damaged: [String], outside: Int = 0) {
  for place in damaged { StandardError.write("\(place): this line is torn or damaged and does not count") }
  if outside > 0 {
    StandardError.write(
      "\(outside) \(outside == 1 ? "run" : "runs") of the journal "
        + "\(outside == 1 ? "is" : "are") not in the plan any more and left out")
  }
}
