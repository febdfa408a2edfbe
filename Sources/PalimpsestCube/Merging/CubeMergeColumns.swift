import Foundation
import HDF5
import PalimpsestJSON
import PalimpsestMetrics

/// A column of the new cube and the columns it is made of.
struct MergedColumn {
  let name: String
  /// What it holds where the sources differ: the wider type.
  var kind: MergedKind
  let dimensions: [String]
  /// One a source; nil where the source does not have it.
  var parts: [CubeTable.Column?]
}

/// The types of columns, each able to hold those before it.
enum MergedKind: Int, Comparable {
  case integer8, integer32, integer64, float, double, text

  static func < (a: MergedKind, b: MergedKind) -> Bool { a.rawValue < b.rawValue }

  init(_ element: HDF5Element) {
    switch element {
    case .integer(bits: 8, signed: true): self = .integer8
    case .integer(bits: 32, signed: true), .integer(bits: 16, _), .integer(bits: 8, _): self = .integer32
    case .integer: self = .integer64
    case .float(bits: 32): self = .float
    case .float: self = .double
    case .string, .other: self = .text
    }
  }

  /// Integers among floats need the wide ones.
  func joined(with other: MergedKind) -> MergedKind {
    let wider = max(self, other)
    return wider == .float && min(self, other) < .float ? .double : wider
  }
}

extension CubeMerge {
  /// All columns in the order of the first file that has them.
  func mergedColumns() throws(CubeError) -> [MergedColumn] {
    var columns: [MergedColumn] = []
    var places: [String: Int] = [:]
    for (index, source) in sources.enumerated() {
      for part in source.columns
      where part.element != .other && part.name != "configuration_json" && !isOrigin(part.name) {
        let place = places[part.name] ?? columns.count
        if place == columns.count {
          places[part.name] = place
          columns.append(
            MergedColumn(
              name: part.name, kind: MergedKind(part.element), dimensions: part.dimensions,
              parts: [CubeTable.Column?](repeating: nil, count: sources.count)))
        }
        guard columns[place].dimensions == part.dimensions else {
          throw CubeError(
            file: source.name, .otherSchema,
            "\(part.name) runs along \(part.dimensions.joined(separator: ", ")) and not along "
              + columns[place].dimensions.joined(separator: ", ") + " as in the files before it")
        }
        columns[place].parts[index] = part
        columns[place].kind = columns[place].kind.joined(with: MergedKind(part.element))
      }
    }
    return columns
  }

  // MARK: - One column

  func write(_ column: MergedColumn, _ root: HDF5Group, _ scales: MergedScales) throws {
    if let part = column.parts.lazy.compactMap(\.self).first, let axis = MergedLabels.axis(named: part) {
      return try writeLabels(axis, root, scales)
    }
    guard column.dimensions.first == "run" else { return }
    let shape = column.dimensions.map { scales.lengths[$0] ?? 0 }
    let storage: HDF5Storage = shape.count == 1 ? .column(shape[0]) : .runs(of: shape)
    let filled = try isFilled(column, shape)
    let dataset = try root.write(
      column.name, try values(of: column, shape), shape: shape, storage: storage, filled: filled)
    try writeAttributes(of: column, dataset)
    for (axis, name) in column.dimensions.enumerated() {
      if let scale = scales.datasets[name] { try dataset.attach(scale, axis: axis) }
    }
  }

  /// Whether it may hold values that mean "missing": integers do where a source has none, says so, or is padded. Truth
  /// values have a meaning for −1.
  private func isFilled(_ column: MergedColumn, _ shape: [Int]) throws -> Bool {
    if column.kind == .float || column.kind == .double { return true }
    let parts = column.parts.compactMap(\.self)
    if try parts.contains(where: { try $0.dataset.attributes.contains("_FillValue") }) { return true }
    let isTruth = try parts.contains { part in
      try ["dtype", "flag_values"].contains { try part.dataset.attributes.contains($0) }
    }
    return !isTruth
      && (parts.count < column.parts.count || parts.contains { $0.shape.dropFirst() != shape.dropFirst() })
  }

  private func writeAttributes(of column: MergedColumn, _ dataset: HDF5Dataset) throws {
    let isMissing = column.parts.contains { $0 == nil }
    let parts = column.parts.compactMap(\.self)
    for name in ["undefined_because", "reference"] {
      let texts = parts.compactMap { try? $0.dataset.attributes.string(name) }
      if let text = Reasons(texts.flatMap { $0.components(separatedBy: "; ") }).text {
        try dataset.attributes.set(name, clean(text))
      }
    }
    let truths = parts.count { (try? $0.dataset.attributes.contains("dtype")) ?? false }
    let isBool = truths > 0 && truths == parts.count && !isMissing
    if truths > 0 && !isBool && column.kind == .integer8 {
      try dataset.attributes.set("flag_values", [Int8(-1), 0, 1])
      try dataset.attributes.set("flag_meanings", "none false true")
    }
    for part in parts { try part.dataset.attributes.copy(to: dataset.attributes, but: isBool ? [] : ["dtype"]) }
  }

  private func values(of column: MergedColumn, _ shape: [Int]) throws -> CubeValues {
    func assembled<T>(_ fill: T, _ read: (CubeValues) -> [T], _ same: (T, T) -> Bool) throws -> [T] {
      try assemble(column, shape, fill, same, read)
    }
    switch column.kind {
    case .float: return .float(try assembled(.nan, \.floats) { $0.bitPattern == $1.bitPattern || $0 == $1 })
    case .double: return .double(try assembled(.nan, \.doubles) { $0.bitPattern == $1.bitPattern || $0 == $1 })
    case .integer8: return .integer8(try assembled(-1, { $0.integers.map { Int8(clamping: $0) } }, ==))
    case .integer32: return .integer32(try assembled(-1, { $0.integers.map { Int32(clamping: $0) } }, ==))
    case .integer64: return .integer64(try assembled(-1, { $0.integers.map { Int64($0) } }, ==))
    case .text: return .text(try assembled("", \.texts, ==))
    }
  }

  /// The values of all sources in the order of the new rows, padded; checks that runs held twice are equal.
  private func assemble<T>(
    _ column: MergedColumn, _ shape: [Int], _ fill: T, _ same: (T, T) -> Bool, _ read: (CubeValues) -> [T]
  ) throws -> [T] {
    let width = shape.dropFirst().reduce(1, *)
    var values = [T](repeating: fill, count: rows.count * width)
    var parts: [Int: PaddedRows<T>] = [:]
    for (index, part) in column.parts.enumerated() {
      guard let part else { continue }
      var given = read(try sources[index].values(part))
      let places = column.name == "config" ? configurationPlaces[index] : labels.places(column.name, source: index)
      if let places { given = try renumbered(given, places, index, column.name) }
      parts[index] = PaddedRows(given, part.shape, shape)
    }
    for (place, row) in rows.enumerated() { parts[row.source]?.copy(row.row, to: &values, at: place * width) }
    let (isMetric, isCompared) = (isMetric(column), mustAgree(column))
    for (place, other) in repeats {
      var again = [T](repeating: fill, count: width)
      parts[other.source]?.copy(other.row, to: &again, at: 0)
      let first = values[place * width..<(place + 1) * width]
      if isMetric {
        for i in again.indices where same(values[place * width + i], fill) { values[place * width + i] = again[i] }
      } else if isCompared, !first.elementsEqual(again, by: same),
        try isCountedAlike(column.name, rows[place], other)
      {
        throw try disagreement(column.name, place, other)
      }
    }
    return values
  }

  /// False for work and memory of two runs that were not counted by the same rules, or of which one was not counted at all.
  private func isCountedAlike(_ column: String, _ a: Row, _ b: Row) throws(CubeError) -> Bool {
    guard let rules = Measure.standard[ObservationName(column)]?.countedBy?.text else { return true }
    guard sources[a.source].column(column) != nil && sources[b.source].column(column) != nil else { return false }
    return try sources[a.source].revision(rules, of: a.row) == sources[b.source].revision(rules, of: b.row)
  }

  /// Rows of `configuration_json`, and of lists of names, as they are in the new file.
  private func renumbered<T>(_ values: [T], _ places: [Int32], _ source: Int, _ name: String) throws(CubeError) -> [T] {
    var result: [T] = []
    for value in values {
      let old = (value as? Int32).map { Int($0) }
      let isNone = old == -1 && name != "config"
      guard let old, isNone || places.indices.contains(old), let new = (isNone ? -1 : places[old]) as? T else {
        let target = name == "config" ? "configuration_json" : "the names"
        throw CubeError(file: sources[source].name, .damaged, "\(name) does not point into \(target)")
      }
      result.append(new)
    }
    return result
  }

  private func disagreement(_ column: String, _ place: Int, _ other: Row) throws(CubeError) -> MergeError {
    let id = try sources[other.source].strings("run_id")[other.row]
    return MergeError(
      "\(sources[rows[place].source].name) and \(sources[other.source].name): both hold run \(id), but \(column) "
        + "differs, though the same run must give the same numbers. Look for two versions of the program or processors "
        + "without fused multiply-add; leave one of the files out.")
  }

  /// Metrics may need other runs of their file: undefined in one, they may be defined in another. Those that the toolkit does not
  /// know are told by their source, which nothing else has.
  private func isMetric(_ column: MergedColumn) -> Bool {
    CubeMerge.metricColumns.contains(column.name)
      || column.parts.contains { part in (try? part?.dataset.attributes.contains("source")) == true }
  }

  private static let metricColumns = Set(
    AccuracyKind.allCases.flatMap { kind in standardMetrics.map { $0.column(kind) } }
      + Requirement.references.map(\.column))

  /// True of what a run observes and any machine must find alike; not of labels, times, machines and settings. What the
  /// toolkit does not know says it by itself.
  private func mustAgree(_ column: MergedColumn) -> Bool {
    if ["tasks", "status", "error", "seed"].contains(column.name) { return true }
    if let measure = Measure.standard[ObservationName(column.name)] { return measure.isRepeatable }
    return column.parts.contains { part in (try? part?.dataset.attributes.contains(Cube.repeatable)) == true }
  }
}

extension CubeTable {
  /// Cubes from before there were revisions are of the first.
  fileprivate func revision(_ rules: String, of row: Int) throws(CubeError) -> Int {
    column(rules) == nil ? 1 : max(1, try integers(rules)[row])
  }
}

/// The rows of a source, to be copied into wider ones.
private struct PaddedRows<T> {
  private let values: [T]
  private let width: Int
  /// Stretches of a row that stay together: from, to, how many.
  private var stretches: [(from: Int, to: Int, count: Int)] = []

  /// - Parameters:
  ///   - shape: of the values, the first axis runs.
  ///   - wanted: the shape they become part of, nowhere shorter but along the first axis.
  init(_ values: [T], _ shape: [Int], _ wanted: [Int]) {
    self.values = values
    width = shape.dropFirst().reduce(1, *)
    stretches = PaddedRows.stretches(shape.dropFirst(), wanted.dropFirst())
  }

  /// Copies a row to where it begins among wider ones.
  func copy(_ row: Int, to target: inout [T], at start: Int) {
    for stretch in stretches {
      let from = row * width + stretch.from
      for i in 0..<stretch.count { target[start + stretch.to + i] = values[from + i] }
    }
  }

  /// The last axis stays together; each place along the axes before it moves by itself.
  private static func stretches(
    _ have: ArraySlice<Int>, _ want: ArraySlice<Int>
  ) -> [(from: Int, to: Int, count: Int)] {
    guard let first = have.first else { return [(0, 0, 1)] }
    if have.count == 1 { return [(0, 0, first)] }
    let inner = stretches(have.dropFirst(), want.dropFirst())
    let (step, wideStep) = (have.dropFirst().reduce(1, *), want.dropFirst().reduce(1, *))
    return (0..<first).flatMap { i in inner.map { ($0.from + i * step, $0.to + i * wideStep, $0.count) } }
  }
}

extension CubeValues {
  fileprivate var floats: [Float] {
    if case .float(let values) = self { return values }
    return doubles.map { Float($0) }
  }

  /// Integers become numbers; the −1 that stands for none becomes NaN.
  fileprivate var doubles: [Double] {
    switch self {
    case .float(let values): values.map { Double($0) }
    case .double(let values): values
    case .text(let values): values.map { Double($0) ?? .nan }
    case .integer8, .integer32, .integer64: integers.map { $0 == -1 ? .nan : Double($0) }
    }
  }

  fileprivate var integers: [Int] {
    switch self {
    case .integer8(let values): values.map { Int($0) }
    case .integer32(let values): values.map { Int($0) }
    case .integer64(let values): values.map { Int($0) }
    case .float, .double, .text: []
    }
  }

  /// Numbers in their shortest form; what stands for none becomes "".
  fileprivate var texts: [String] {
    switch self {
    case .text(let values): values
    case .float, .double: doubles.map { $0.isNaN ? "" : JSONValue($0).compactText }
    case .integer8, .integer32, .integer64: integers.map { $0 == -1 ? "" : String($0) }
    }
  }
}
