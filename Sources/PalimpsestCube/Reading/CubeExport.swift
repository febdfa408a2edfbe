import PalimpsestCore
import PalimpsestJSON
import PalimpsestResults

/// A cube as tables of text: one row a run, and in long form one row a run and place of a matrix.
///
/// Comma-separated with a header, quoted as RFC 4180 says, lines ended by a newline; numbers in their shortest form, NaN
/// empty, truth values as `true` and `false`. Padding is left out.
///
/// - Memory: the columns of one table; text leaves in pieces.
public struct CubeExport: Sendable {
  /// What can be exported: all columns along the same dimensions.
  public struct Table: Sendable, Equatable {
    public let name: String
    /// Beside `run`.
    public let dimensions: [String]

    /// One row a run, one column for each of the cube's.
    public static let runs = Table(name: "runs", dimensions: [])
    /// After task × task: accuracies and losses.
    public static let matrices = Table(name: "matrices", dimensions: ["after_task", "task"])
    /// One row a run and task: the untrained network, the best rule.
    public static let tasks = Table(name: "tasks", dimensions: ["task"])
    /// One row a run and pair of tasks: drift, the best rule of one on the other.
    public static let pairs = Table(name: "pairs", dimensions: ["task", "task_other"])
    /// One row a run, evaluation within tasks and task.
    public static let curves = Table(name: "curves", dimensions: ["evaluation", "task"])
    /// One row a run and window of rows seen.
    public static let prequential = Table(name: "prequential", dimensions: ["examples_seen"])

    /// Those with names of their own; others are called by their dimensions, as in `after_task-layer`.
    public static let named = [runs, matrices, tasks, pairs, curves, prequential]
  }

  private let table: CubeTable

  private let isSpreadsheetSafe: Bool

  /// - Parameter isSpreadsheetSafe: no text can be taken for a formula: what begins like one gets an apostrophe.
  public init(_ table: CubeTable, isSpreadsheetSafe: Bool = false) {
    self.table = table
    self.isSpreadsheetSafe = isSpreadsheetSafe
  }

  /// Tables that the cube has something for.
  public var tables: [Table] {
    let named = Table.named.filter { !values(of: $0).isEmpty }
    return named + others
  }

  /// The table of a name, with something in it or not; nil where nothing is called so.
  public func table(named name: String) -> Table? { (Table.named + others).first { $0.name == name } }

  /// Tables along dimensions that have no name of their own.
  private var others: [Table] {
    let known = Set((Table.named + [Table(name: "", dimensions: ["evaluation"])]).map(\.dimensions))
    var met: Set<[String]> = []
    return table.columns.filter {
      $0.dimensions.first == "run" && $0.dimensions != ["run"] && !$0.dimensions.contains("")
    }
    .map { Array($0.dimensions.dropFirst()) }
    .filter { !known.contains($0) && met.insert($0).inserted }
    .map { Table(name: $0.joined(separator: "-"), dimensions: $0) }
  }

  /// Writes one table.
  /// - Parameter write: called with one piece of text after the other.
  /// - Throws: ``CubeError`` where the cube is damaged, and what `write` throws.
  public func write(_ what: Table, to write: ([UInt8]) throws -> Void) throws {
    let keys = what == .runs ? [] : ["run", "run_id", "scenario", "strategy", "seed"]
    let columns = try (keys.compactMap(table.column) + values(of: what)).map { try CSVColumn($0, table) }
    let axes = try what.dimensions.map { try coordinates($0) }
    let limits = try table.column("tasks") == nil ? [] : table.integers("tasks")
    let count = keys.compactMap(table.column).count
    var text = CSVText(isSpreadsheetSafe: isSpreadsheetSafe)
    text.row((columns.prefix(count).map(\.name)) + what.dimensions + columns.dropFirst(count).map(\.name))
    for run in 0..<table.runs {
      for place in places(axes.map(\.count)) {
        let isPadding = zip(what.dimensions, place).contains { name, index in
          name.contains("task") && limits.indices.contains(run) && index >= limits[run]
        }
        let given = columns.dropFirst(count)
        if isPadding || (!axes.isEmpty && given.allSatisfy { $0.isMissing(run, place) }) { continue }
        for column in columns.prefix(count) { text.cell { column.append(run, [], to: &$0) } }
        for (axis, index) in zip(axes, place) { text.cell { $0.append(axis[index]) } }
        for column in given { text.cell { column.append(run, place, to: &$0) } }
        text.endRow()
      }
      if text.bytes.count > 1 << 16 { try write(text.take()) }
    }
    try write(text.take())
  }

  /// Columns of values, without the keys. What an evaluation says beside its accuracies is repeated for each task.
  private func values(of what: Table) -> [CubeTable.Column] {
    let along = ["run"] + what.dimensions
    return table.columns.filter { column in
      !(what == .runs && column.element == .other)
        && (column.dimensions == along || (what == .curves && column.dimensions == ["run", "evaluation"]))
    }
  }

  private func coordinates(_ dimension: String) throws -> [Int] {
    guard let column = table.column(dimension) else { return [] }
    return (try? column.isBare()) == false ? try table.integers(dimension) : Array(0..<(column.shape.first ?? 0))
  }

  /// All indices of an array of that shape, the last axis fastest; one empty index where there are no axes.
  private func places(_ shape: [Int]) -> [[Int]] {
    shape.reduce([[]]) { places, count in places.flatMap { place in (0..<count).map { place + [$0] } } }
  }
}

/// One dataset as cells of text.
private struct CSVColumn {
  let name: String
  private let values: CubeValues
  private let shape: [Int]
  private let isBool: Bool

  init(_ column: CubeTable.Column, _ table: CubeTable) throws(CubeError) {
    name = column.name
    shape = column.shape
    values = try table.values(column)
    isBool = table.attribute("dtype", of: column.name) == "bool"
  }

  /// Where a run's value stands; an array with fewer axes than the table is the same along the others.
  private func index(_ run: Int, _ place: [Int]) -> Int {
    zip(shape.dropFirst(), place).reduce(run) { $0 * $1.0 + $1.1 }
  }

  /// NaN, or the −1 of integers.
  func isMissing(_ run: Int, _ place: [Int]) -> Bool {
    let index = index(run, place)
    return switch values {
    case .float(let values): values[index].isNaN
    case .double(let values): values[index].isNaN
    case .integer8(let values): values[index] == -1
    case .integer32(let values): values[index] == -1
    case .integer64(let values): values[index] == -1
    case .text(let values): values[index].isEmpty
    }
  }

  func append(_ run: Int, _ place: [Int], to text: inout CSVText) {
    let index = index(run, place)
    switch values {
    case .float(let values): text.append(values[index])
    case .double(let values): text.append(values[index])
    case .integer8(let values) where isBool: text.append(values[index] == 0 ? "false" : "true")
    case .integer8(let values): text.append(Int(values[index]))
    case .integer32(let values): text.append(Int(values[index]))
    case .integer64(let values): text.append(Int(values[index]))
    case .text(let values): text.append(values[index])
    }
  }
}

/// Rows of comma-separated cells.
private struct CSVText {
  private let isSpreadsheetSafe: Bool
  private var json = JSONBytes()
  private var isFirst = true

  init(isSpreadsheetSafe: Bool) { self.isSpreadsheetSafe = isSpreadsheetSafe }

  var bytes: [UInt8] { json.bytes }

  mutating func row(_ texts: [String]) {
    for text in texts { cell { $0.append(text) } }
    endRow()
  }

  mutating func cell(_ append: (inout CSVText) -> Void) {
    if !isFirst { json.append(json: ",") }
    isFirst = false
    append(&self)
  }

  mutating func endRow() {
    json.append(json: "\n")
    isFirst = true
  }

  /// What has been written since the last time.
  mutating func take() -> [UInt8] {
    defer { json = JSONBytes(capacity: 1 << 17) }
    return json.bytes
  }

  mutating func append(_ text: String) { json.append(json: csvField(isSpreadsheetSafe ? formulaFree(text) : text)) }
  mutating func append(_ number: Int) { json.append(json: String(number)) }
  mutating func append(_ number: Double) { if !number.isNaN { appendNumber(number) } }
  mutating func append(_ number: Float) {
    if !number.isNaN { json.append(json: JSONValue(number).compactText) }
  }

  /// JSON has no infinity; tables do.
  private mutating func appendNumber(_ number: Double) {
    if number.isFinite { json.append(number) } else { json.append(json: number < 0 ? "-inf" : "inf") }
  }
}
