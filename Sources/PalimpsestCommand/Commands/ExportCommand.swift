import ArgumentParser
import Foundation
import Palimpsest
import PalimpsestCube

/// `palimpsest export RESULTS --csv`.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Results as CSV: run columns, and matrices in long form.",
    discussion: """
      One table goes to standard output, or with --output to a file in that folder; "all" needs the folder. Where there \
      is no .h5 file yet, the journals are read.
      """)

  @Argument(help: "Results: the .h5 file, the .palimpsest folder, or either without its ending.") var results: String
  @Flag(help: "Comma-separated values (RFC 4180), the only form there is.") var csv = false
  @Option(help: "A folder for one file a table.") var output: String?
  @Option(
    help: """
      runs (a row a run), matrices (a row a run, task trained and task evaluated), tasks, pairs, curves, prequential, \
      all, or the dimensions of what else was observed, as in after_task-layer.
      """) var what = "runs"

  @OptionGroup var spreadsheet: SpreadsheetOption

  func run() throws {
    let export = CubeExport(try table(), isSpreadsheetSafe: spreadsheet.spreadsheetSafe)
    guard let output else { return try print(export) }
    if output.isEmpty { throw UsageError("--output \"\": a folder is wanted, such as tables") }
    let wanted = what == "all" ? export.tables : [try table(of: export)]
    try Files.makeFolder(output)
    for table in wanted {
      var bytes: [UInt8] = []
      try export.write(table) { bytes += $0 }
      try Files.replace("\(output)/\(table.name).csv", with: bytes)
      StandardError.write("\(output)/\(table.name).csv")
    }
  }

  private func print(_ export: CubeExport) throws {
    if what == "all" { throw UsageError("--what all: several tables need a folder; add --output DIR") }
    let table = try table(of: export)
    try export.write(table) {
      StandardOutput.write($0)
      try StandardOutput.check()
    }
  }

  private func table(of export: CubeExport) throws -> CubeExport.Table {
    if let table = export.table(named: what) { return table }
    let names = Set((CubeExport.Table.named + export.tables).map(\.name)).sorted()
    throw UsageError("--what: no table is called \"\(what)\"\(suggestion(for: what, among: names + ["all"]))")
  }

  private func table() throws -> CubeTable {
    let folder = ResultsFolder(results)
    if let file = folder.bareCube(results) { return try CubeTable(telling: file) }
    let results = try Results(folder)
    warn(ofDamaged: results.damaged, outside: results.outside)
    let image = try Cube.image(
      of: results, metrics: PalimpsestTool.catalog.accuracyMetrics, history: [], origin: .current)
    return try CubeTable(bytes: image.bytes, named: folder.cube)
  }
}

/// For commands that write CSV.
struct SpreadsheetOption: ParsableArguments {
  @Flag(
    help:
      "Put an apostrophe before texts that a spreadsheet would take for formulas (= + - @ first). Programs want none.")
  var spreadsheetSafe = false
}

extension CubeTable {
  /// Opens a file of results and tells what its user should know of it.
  init(telling file: String) throws {
    try self.init(file: file)
    warn(ofDamaged: damaged)
    for note in notes { StandardError.write(note) }
  }
}
