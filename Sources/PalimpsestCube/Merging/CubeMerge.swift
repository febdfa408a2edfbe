import Foundation
import HDF5
import PalimpsestMetrics

/// Several cubes as one: the runs of all, each once, in the order of the files.
///
/// A run that two cubes hold is taken from the first that has it completed; all results of it must be equal, times and
/// machines aside. Columns that only some cubes have hold NaN, −1 or "" for the other runs; runs are padded to the
/// longest; equal configurations become one. Where a run came from is in the columns `source_file` and `source_run`, and
/// what each file said of its making in `/provenance/source_0` and on. Merging merged cubes gives the rows that merging
/// all at once gives.
///
/// - Memory: the files, the new image, and one column at a time.
public struct CubeMerge: Sendable {
  /// A run of the new cube.
  struct Row: Sendable {
    var source: Int
    var row: Int
  }

  let sources: [CubeTable]
  private(set) var rows: [Row] = []
  /// Runs that were there already: the place of the first among `rows`, and the later one.
  private(set) var repeats: [(place: Int, other: Row)] = []
  let configurations: [String]
  /// For each source the new place of each of its configurations.
  let configurationPlaces: [[Int32]]
  /// Names of tasks and of whatever else has names.
  let labels: MergedLabels

  /// - Throws: ``CubeError``.
  public init(_ sources: [CubeTable]) throws(CubeError) {
    self.sources = sources
    var texts: [String] = []
    var known: [String: Int32] = [:]
    var places: [[Int32]] = []
    for source in sources {
      var mine: [Int32] = []
      for text in try source.strings("configuration_json") {
        if known[text] == nil {
          known[text] = Int32(clamping: texts.count)
          texts.append(text)
        }
        mine.append(known[text] ?? -1)
      }
      places.append(mine)
    }
    configurations = texts
    configurationPlaces = places
    labels = try MergedLabels(sources)
    try collectRows()
  }

  /// Runs of the new cube.
  public var count: Int { rows.count }
  /// Runs that were in more than one cube.
  public var duplicates: Int { repeats.count }

  private mutating func collectRows() throws(CubeError) {
    var places: [String: Int] = [:]
    var completed: [Bool] = []
    for (index, source) in sources.enumerated() {
      let status = try source.integers("status")
      for (row, id) in try source.strings("run_id").enumerated() {
        let new = Row(source: index, row: row)
        guard let place = places[id] else {
          places[id] = rows.count
          rows.append(new)
          completed.append(status[row] == 0)
          continue
        }
        if completed[place] && status[row] == 0 {
          repeats.append((place, new))
        } else if status[row] == 0 {
          rows[place] = new
          completed[place] = true
        }
      }
    }
  }
}

/// Two cubes that hold a run with different results.
public struct MergeError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}

// MARK: - The image

extension CubeMerge {
  /// The new file, sealed as every cube. Equal arguments give equal bytes.
  ///
  /// - Parameter date: of the history's new line.
  /// - Throws: ``MergeError`` where a run has different results in two files; ``CubeError``, ``HDF5/HDF5Error``.
  public func image(origin: CubeOrigin = .current, at date: Date = .now) throws -> SealedImage {
    let file = try HDF5File.create(named: "merged cube")
    let columns = try mergedColumns()
    let scales = try writeScales(file.root, columns)
    try writeRootAttributes(file.root, columns, origin, date)
    for column in columns where !scales.datasets.keys.contains(column.name) {
      try write(column, file.root, scales)
    }
    try writeSources(file.root, scales)
    try writeConfigurations(file.root, scales)
    try writeProvenance(file.root, origin)
    return try SealedImage(of: file)
  }

  private func writeRootAttributes(
    _ root: HDF5Group, _ columns: [MergedColumn], _ origin: CubeOrigin, _ date: Date
  ) throws {
    let statuses = try sources.map { source throws(CubeError) in try source.integers("status") }
    let completed = rows.count { statuses[$0.source][$0.row] == 0 }
    let planned = max(rows.count, sources.reduce(0) { $0 + $1.count("runs_planned") } - overlap)
    let line =
      "\(date.formatted(.iso8601)) \(origin.program): merge of \(sources.map(\.name).joined(separator: ", ")), "
      + "\(rows.count) runs"
    let history = distinct(sources.flatMap { $0.attribute("history").split(separator: "\n").map(String.init) }) + [line]
    let attributes = root.attributes
    try attributes.set("Conventions", "CF-1.10")
    try attributes.set("title", distinct(sources.map { $0.attribute("title") }).joined(separator: " + "))
    try attributes.set("question", distinct(sources.map { $0.attribute("question") }).joined(separator: " / "))
    try attributes.set("source", origin.program)
    try attributes.set("history", clean(history.joined(separator: "\n")))
    try attributes.set("palimpsest_schema", Cube.schema)
    let named = distinct(sources.flatMap { $0.attribute("coordinates").split(separator: " ").map(String.init) })
    let coordinates = named.filter { name in columns.contains { $0.name == name } && !isOrigin(name) }
    try attributes.set("coordinates", (coordinates + ["source_run", "source_file"]).joined(separator: " "))
    try attributes.set("runs_planned", Int64(planned))
    try attributes.set("runs_completed", Int64(completed))
    try attributes.set("runs_failed", Int64(rows.count - completed))
    try attributes.set("experiment_id", try experimentID())
    try attributes.set("complete", Int8(rows.count == planned ? 1 : 0))
  }

  /// Runs that were counted more than once.
  private var overlap: Int { sources.reduce(0) { $0 + $1.runs } - rows.count }

  private func experimentID() throws(CubeError) -> String {
    var ids: [[String]] = []
    for source in sources { ids.append(try source.strings("run_id")) }
    return Cube.experimentID(of: rows.map { ids[$0.source][$0.row] })
  }

  /// Where each run comes from: kept where a source is a merged cube itself.
  private func writeSources(_ root: HDF5Group, _ scales: MergedScales) throws {
    let files = try sources.map { source throws(CubeError) in
      try source.column("source_file") == nil
        ? [String](repeating: source.name, count: source.runs) : source.strings("source_file")
    }
    let positions = try sources.map { source throws(CubeError) in
      try source.integers(source.column("source_run") == nil ? "run" : "source_run")
    }
    let position = try root.write(
      "source_run", rows.map { Int32(clamping: positions[$0.source][$0.row]) }, shape: [rows.count],
      storage: .column(rows.count))
    try position.attributes.set("long_name", "Position of the run in the plan of its file")
    try position.attributes.set("units", "1")
    let file = try root.write("source_file", rows.map { clean(files[$0.source][$0.row]) })
    try file.attributes.set("long_name", "File that the run was merged from")
    if let run = scales.datasets["run"] {
      try position.attach(run, axis: 0)
      try file.attach(run, axis: 0)
    }
  }

  private func writeConfigurations(_ root: HDF5Group, _ scales: MergedScales) throws(HDF5Error) {
    let dataset = try root.write("configuration_json", configurations.map(clean))
    try dataset.attributes.set("long_name", "Resolved configuration without the seed, as JSON")
    if let scale = scales.datasets["configuration"] { try dataset.attach(scale, axis: 0) }
  }

  /// Who merged, and a group a file with what that file said; those of merged cubes are taken over one by one.
  private func writeProvenance(_ root: HDF5Group, _ origin: CubeOrigin) throws(HDF5Error) {
    let group = try root.createGroup("provenance")
    try group.writeOrigin(origin)
    var number = 0
    for source in sources {
      let theirs = try source.root.groupNames()
      let provenance = theirs.contains("provenance") ? try source.root.group("provenance") : nil
      let inner = try (provenance?.groupNames() ?? []).filter { $0.hasPrefix("source_") }
      for name in inner {
        try provenance?.group(name).copy(to: group.createGroup("source_\(number)"), suffix: "")
        number += 1
      }
      guard inner.isEmpty else { continue }
      let copy = try group.createGroup("source_\(number)")
      number += 1
      try copy.attributes.set("file", clean(source.name))
      try source.root.attributes.copy(to: copy.attributes)
      try provenance?.copy(to: copy, suffix: "_of_source")
      for name in theirs where name != "provenance" {
        try source.root.group(name).copy(to: copy.createGroup(name), suffix: "_of_source")
      }
    }
  }
}

/// Where runs come from is worked out anew, not merged.
func isOrigin(_ column: String) -> Bool { column == "source_run" || column == "source_file" }

/// Without repeats and empty texts, in the order of their first places.
private func distinct(_ texts: [String]) -> [String] {
  var known: Set<String> = [""]
  return texts.filter { known.insert($0).inserted }
}
