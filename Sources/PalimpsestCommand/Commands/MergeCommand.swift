import ArgumentParser
import Foundation
import Palimpsest
import PalimpsestCube

/// `palimpsest merge A.h5 B.h5 -o C.h5`.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Several results in one HDF5 file, each run once.",
    discussion: """
      Works on .h5 files alone, without their folders. A run that several files hold must have the same results in all; \
      times and machines may differ. The columns source_file and source_run say where each run came from.
      """)

  @Argument(help: "HDF5 files of results, two or more; merged ones too.") var files: [String]
  @Option(name: .shortAndLong, help: "The new HDF5 file.") var output: String
  @OptionGroup var json: JSONOption

  func run() throws {
    try checkOutput()
    let merge = try CubeMerge(files.map { file throws in try CubeTable(telling: file) })
    let image = try merge.image()
    try Paths.makeFolder(for: output)
    try image.replace(output)
    json.print(
      "\(output): \(merge.count) runs of \(files.count) files, \(merge.duplicates) of them in more than one",
      or: [
        "cube": JSONValue(output), "files": JSONValue(files.map { JSONValue($0) }), "runs": JSONValue(merge.count),
        "duplicates": JSONValue(merge.duplicates), "bytes": JSONValue(image.count),
      ])
  }

  private func checkOutput() throws {
    try OptionChecks.file(output, "--output", example: "merged.h5")
    func whole(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
    if let input = files.first(where: { whole($0) == whole(output) }) {
      throw UsageError("--output \(output): this is one of the files to be merged (\(input)); choose another name")
    }
    if Files.exists(output), (try? CubeTable(file: output)) == nil {
      throw UsageError("--output \(output): this file is there and is no file of results; choose another name")
    }
    let folder = ResultsFolder(output)
    if try folder.hasPlan {
      throw UsageError(
        "--output \(output): \(folder.folder) has a plan of its own, from which this file would be made anew; choose "
          + "another name")
    }
    if let double = files.first(where: { file in files.count { whole($0) == whole(file) } > 1 }) {
      throw UsageError("\(double) is given twice")
    }
  }
}
