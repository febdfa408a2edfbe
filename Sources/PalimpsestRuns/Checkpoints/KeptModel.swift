import PalimpsestExperiments
import PalimpsestJSON

/// A trained learner on its way to `detail/<run_id>.model`.
struct KeptModel {
  private let runID: String
  private let bytes: [UInt8]

  /// - Returns: nil where no model is asked for, or the strategy's learner cannot be saved, which is noted.
  init?(_ run: Run, _ id: String, _ settings: OutputSettings, _ note: (String) -> Void) {
    guard settings.keep.contains(.model) else { return nil }
    runID = id
    do {
      bytes = try run.model(id)
    } catch {
      note("run \(id): its model cannot be saved: \(error)")
      return nil
    }
  }

  func write(to output: ResultsFolder) throws(FileError) {
    try Files.makeFolder(output.detailFolder)
    try Files.replace(output.model(of: runID), with: bytes)
  }
}
