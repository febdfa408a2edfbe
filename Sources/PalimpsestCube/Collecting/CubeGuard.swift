import PalimpsestJSON
import PalimpsestResults
import PalimpsestRuns

/// Keeps files from being replaced that could not be made again.
extension ResultsFolder {
  /// Refuses a cube without its folder: another program's file, a merged one, or one whose journals are gone. Journals
  /// without a plan are enough: the experiment makes that.
  /// - Parameter forgets: results are to be forgotten; then cubes of this program may go.
  /// - Throws: ``PalimpsestJSON/FileError``.
  public func checkCubeIsOurs(forgets: Bool = false) throws(FileError) {
    guard Files.exists(cube) else { return }
    if try hasPlan { return }
    if try Files.names(in: journalFolder).contains(where: JournalFile.isName) { return }
    let isCube = (try? CubeTable(file: cube)) != nil
    if isCube && forgets { return }
    let what = isCube ? "its folder \(folder) is not there, so it could not be made again" : "it is no file of ours"
    throw FileError(
      .unwritable,
      "\(cube): this file would be replaced, and \(what). Choose another --output, or move the file away")
  }

  /// Refuses to replace a cube by one of fewer runs: journals were removed or damaged since.
  func checkNothingIsLost(to runs: FinishedRuns) throws(LostRunsError) {
    guard Files.exists(cube) else { return }
    let known = CubeManifest(of: self)?.rows ?? (try? CubeTable(file: cube))?.runs ?? 0
    let found = runs.count + runs.outside
    guard known > found else { return }
    throw LostRunsError(
      description:
        "\(cube): it holds \(known) runs and the journals in \(journalFolder) only \(found), so it is left as "
        + "it is. \"palimpsest run FILE\" does the missing ones again; to make it without them, move it away")
  }
}

/// A cube has runs that the journals no longer have; it was left as it is.
public struct LostRunsError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String
}
