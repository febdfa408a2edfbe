/// A row of one of several sets of rows.
public struct RowPick: Sendable, Equatable {
  /// Which set, and which of its rows.
  public let part: Int
  public let row: Int

  public init(part: Int, row: Int) { (self.part, self.row) = (part, row) }
}

extension Rows {
  /// Rows of several sets, one from here and one from there, as rows of one experience.
  ///
  /// What stands beside rows (p\*, owners, times) is there where all sets that rows are taken of have it.
  /// - Parameters:
  ///   - parts: at least one; all with as many columns and the same kind of targets.
  ///   - picks: one a row; at least one.
  ///   - keepsTimes: whether ``times`` go with the rows.
  /// - Memory: where all sets show one table in one order of columns, places in it; else a table of the picked rows, of bytes
  ///   where all sets have bytes that are read alike.
  public init(picking picks: [RowPick], of parts: [Rows], experience: Int, keepsTimes: Bool = true) {
    let sources = Set(picks.map(\.part)).sorted().map { parts[$0] }
    let (table, order, places) = Rows.picked(picks, of: parts, sources)
    func column<T>(_ values: (Rows) -> [T]?) -> [T]? {
      let all = parts.map { values($0) ?? [] }
      return sources.contains { values($0) == nil } ? nil : picks.map { all[$0.part][$0.row] }
    }
    func rows(_ values: (Rows) -> Matrix?) -> Matrix? {
      let all = parts.map(values)
      return sources.contains { values($0) == nil } ? nil : Matrix(picks.map { all[$0.part]?.row($0.row) ?? [] })
    }
    let targets = rows { if case .values(let values) = $0.targets { values } else { nil } }.map { Targets.values($0) }
    self.init(
      table: table, experience: experience, places: places,
      targets: targets ?? .labels(picks.map { parts[$0.part].labels[$0.row] }), columnOrder: order,
      truth: column(\.truth), probabilities: rows(\.probabilities), owners: column(\.owners),
      times: keepsTimes ? column(\.times) : nil)
  }

  private static func picked(
    _ picks: [RowPick], of parts: [Rows], _ sources: [Rows]
  ) -> (Table, order: [Int32]?, places: [Int32]) {
    let first = sources[0]
    let isOne = sources.allSatisfy { $0.columnOrder == first.columnOrder && $0.table.isSame(as: first.table) }
    if isOne { return (first.table, first.columnOrder, picks.map { parts[$0.part].places[$0.row] }) }
    return (bytes(picks, of: parts, sources) ?? floats(picks, of: parts), nil, (0..<Int32(picks.count)).map { $0 })
  }

  /// Nil where sets have floats, or bytes that are read in different ways.
  private static func bytes(_ picks: [RowPick], of parts: [Rows], _ sources: [Rows]) -> Table? {
    let columns = sources[0].columns
    guard case .bytes(_, let scale, let offset) = sources[0].table.storage else { return nil }
    var tables = parts.map { _ in [UInt8]() }
    for part in Set(picks.map(\.part)) {
      guard case .bytes(let own, scale, offset) = parts[part].table.storage else { return nil }
      tables[part] = own
    }
    var values: [UInt8] = []
    values.reserveCapacity(picks.count * columns)
    for pick in picks {
      let rows = parts[pick.part]
      let start = Int(rows.places[pick.row]) * rows.table.columns
      if let order = rows.columnOrder {
        for column in order { values.append(column < 0 ? 0 : tables[pick.part][start + Int(column)]) }
      } else {
        values += tables[pick.part][start..<start + columns]
      }
    }
    return Table(bytes: values, columns: columns, scale: scale, offset: offset)
  }

  private static func floats(_ picks: [RowPick], of parts: [Rows]) -> Table {
    let columns = parts[picks[0].part].columns
    var batch = Batch(columns: columns, capacity: 1)
    var values = FloatBuffer(count: picks.count * columns)
    values.withMutableSpan { span in
      for (i, pick) in picks.enumerated() {
        batch.fill(parts[pick.part], range: pick.row..<pick.row + 1)
        for column in 0..<columns { span[i * columns + column] = batch.inputs[0, column] }
      }
    }
    return Table(values, columns: columns)
  }
}

extension Table {
  /// Whether both are one and the same storage (of bytes: or hold the same ones), read alike.
  func isSame(as other: Table) -> Bool {
    guard columns == other.columns, rows == other.rows else { return false }
    switch (storage, other.storage) {
    case (.floats(let own), .floats(let others)): return own.isSame(as: others)
    case (.bytes(let own, let scale, let offset), .bytes(let others, let otherScale, let otherOffset)):
      return scale == otherScale && offset == otherOffset && own == others
    default: return false
    }
  }
}
