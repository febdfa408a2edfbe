import ArgumentParser
import Palimpsest
import PalimpsestCube

/// `palimpsest collect RESULTS`.
struct CollectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "collect", abstract: "Make the HDF5 file of results anew from their journals.",
    discussion: """
      Ends with 75 while runs of the plan are missing. Records are read one after the other, never all at once: a million runs take \
      the size of the file and half a gigabyte. With --shard N there are several files of N runs of the plan each, NAME-000.h5 and \
      on, which are the one file when they are put behind each other along run: \
      xarray.open_mfdataset("NAME-*.h5", combine="nested", concat_dim="run", data_vars="minimal", coords="minimal", \
      compat="override"). "merge" takes them too; "report" and "compare" read the journals. NAME.h5 stays as it is.

      With --compact the journals are packed first, into one file that all commands read as they read the journals, and zcat too: about a \
      third of their size. It waits for no one: where something works here it ends with 75.
      """)

  @Argument(help: "Results: the .h5 file, the .palimpsest folder, or either without its ending.") var results: String
  @Option(help: "Runs of the plan a file: makes NAME-000.h5 and on instead of NAME.h5.") var shard: Int?
  @Flag(help: "Pack the journals of ended processes into one .jsonl.gz.") var compact = false
  @OptionGroup var json: JSONOption

  func validate() throws {
    guard let shard, shard < 1 else { return }
    throw ValidationError("--shard: \(shard) is no number of runs. Give 1 at least, such as 200000.")
  }

  func run() throws {
    let folder = ResultsFolder(results)
    if compact { tell(of: try folder.packJournals(), folder) }
    if let shard { return try writeShards(of: shard, folder) }
    let summary = try folder.collect(metrics: PalimpsestTool.catalog.accuracyMetrics) { StandardError.write($0) }
    try tell(of: summary, folder.cube, ("cube", JSONValue(folder.cube)))
  }

  private func writeShards(of size: Int, _ folder: ResultsFolder) throws {
    let (summary, files) = try folder.collectShards(of: size, metrics: PalimpsestTool.catalog.accuracyMetrics) {
      StandardError.write($0)
    }
    let names = files.count > 1 ? "\(files[0]) to \(Paths.last(of: files[files.count - 1]))" : files.first ?? "no file"
    try tell(of: summary, names, ("cubes", JSONValue(files.map { JSONValue($0) })))
  }

  private func tell(of packing: PackingSummary, _ folder: ResultsFolder) {
    for journal in packing.left { StandardError.write("\(journal): it has torn or damaged lines and stays as it is") }
    StandardError.write(
      packing.lines == 0
        ? "\(folder.journalFolder): nothing is there to be packed"
        : "\(folder.journalFolder): \(grouped(packing.lines)) lines of \(counted(packing.journals, "journal")) packed, "
          + "\(grouped(packing.bytesBefore / 1000)) kB are \(grouped(packing.bytesAfter / 1000)) kB")
  }

  /// - Parameters:
  ///   - names: of what was made.
  ///   - member: the same in JSON.
  private func tell(of summary: CollectSummary, _ names: String, _ member: (String, JSONValue)) throws {
    warn(ofDamaged: summary.damaged, outside: summary.outside)
    json.print(
      "\(names): \(summary.completed) of \(summary.planned) runs completed, "
        + "\(summary.failed) failed or diverged, \(summary.missing) missing",
      or: JSONValue(
        JSONObject([
          member, ("planned", JSONValue(summary.planned)), ("completed", JSONValue(summary.completed)),
          ("failed", JSONValue(summary.failed)), ("missing", JSONValue(summary.missing)),
          ("bytes", JSONValue(summary.bytes)),
        ])))
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
