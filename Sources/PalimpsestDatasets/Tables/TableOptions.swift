import PalimpsestScenarios

/// How a table is to be read: what `dataset.json` says, or what is known of the set.
struct TableOptions: Equatable {
  /// Rows to test on, from the end of the file.
  enum TestRows: Equatable {
    case fraction(Double)
    case rows(Int)
  }

  /// The file, where a folder holds several.
  var file: String?
  /// The label's column; nil: found by ``labelColumn(of:firstRow:_:)``.
  var label: String?
  /// Columns to be predicted instead of a label: numbers, or labels of 0 and 1.
  var targets: TargetColumns?
  /// Nil: guessed from the header line.
  var separator: UInt8?
  var test = TestRows.fraction(0.2)
  /// Texts that mean that a cell is missing; nil: no cell may be.
  var missing: [String]?
  /// What columns are where they are not plain numbers.
  var columns: [String: ColumnRule] = [:]
  /// What the set is, for lists.
  var title: String?
  /// The column that says whose each row is; nil: nobody knows.
  var owner: String?
  /// The column that says when each row arose: rows are put in its order.
  var time: String?
  /// Columns that are neither label nor feature.
  var drop: [String] = []
  /// Columns whose values say which rows belong together.
  var group: [String] = []
  /// Whether these are features as well.
  var keepsGroup = false
  /// Each row begins with its number, which the header does not name.
  var hasRowNumbers = false
  /// How rows are made of the file, where they do not stand in it.
  var derivation: TableDerivation?
  /// Height and width where a row is an image.
  var image: ImageSize?
  /// Where these options come from, for messages: `datasets/mine/dataset.json`.
  var origin = "dataset.json"
  /// Keys that a scenario says, and not the file: `label`, `columns.hour`, `drop.id`.
  var asked: Set<String> = []

  /// The label's column: the one named; else one called label, class or target; else of the first and the last column
  /// the one that is not a number in the first row (the last where both or neither are).
  func labelColumn(of header: [String], firstRow: [String], _ file: DataFile) throws -> Int {
    if let label { return try place(of: label, as: "label", in: header, file) }
    let usual = ["label", "class", "target"].compactMap { name in header.firstIndex { $0.lowercased() == name } }
    if let column = usual.first { return column }
    let last = header.count - 1
    return Float(firstRow[0]) == nil && Float(firstRow[last]) != nil ? 0 : last
  }

  func droppedColumns(of header: [String], _ file: DataFile) throws -> Set<Int> {
    let places = Dictionary(header.enumerated().map { ($1, $0) }) { first, _ in first }
    return Set(
      try drop.map { name in
        guard let column = places[name] else { throw noColumn("drop.\(name)", name, header, file) }
        return column
      })
  }

  /// The columns to be predicted: the label's alone, or those of `values` or `labels`.
  func targetColumns(of header: [String], firstRow: [String], _ file: DataFile) throws -> [Int] {
    guard let targets else { return [try labelColumn(of: header, firstRow: firstRow, file)] }
    return try targets.columns.map { try place(of: $0, as: targets.kind.key, in: header, file) }
  }

  /// - Throws: ``DatasetError`` where `columns` names one that is not there, or one to be predicted.
  func checkColumns(of header: [String], targets: [Int], _ file: DataFile) throws {
    let names = Set(header)
    for name in columns.keys.sorted() {
      if !names.contains(name) { throw noColumn("columns.\(name)", name, header, file) }
      guard targets.contains(where: { header[$0] == name }) else { continue }
      let what = self.targets == nil ? "the label, which is always a category" : "to be predicted, and always a number"
      throw broken("columns.\(name)", "this is \(what). Leave it out of columns")
    }
  }

  func testRows(of rows: Int, _ file: DataFile) throws -> Int {
    switch test {
    case .fraction(let fraction): return min(rows - 1, max(1, Int(Double(rows) * fraction)))
    case .rows(let count):
      if count < rows { return count }
      throw broken("test", "\(count) rows to test on leave none to train on: \(file.path) has \(rows)")
    }
  }

  func checkImage(_ columns: Int, _ file: DataFile) throws {
    guard let image, image.height.multipliedReportingOverflow(by: image.width) != (columns, false) else { return }
    throw broken("image", "\(image.height) × \(image.width) pixels, but \(file.path) has \(columns) feature columns")
  }

  /// Where the column stands that a key names.
  func place(of name: String, as key: String, in header: [String], _ file: DataFile) throws -> Int {
    guard let place = header.firstIndex(of: name) else { throw noColumn(key, name, header, file) }
    return place
  }

  func noColumn(_ key: String, _ name: String, _ header: [String], _ file: DataFile) -> DatasetError {
    let columns = header.prefix(20).joined(separator: ", ") + (header.count > 20 ? ", …" : "")
    // A list or an object has the name itself.
    let known = asked.contains(key) || !key.hasSuffix(".\(name)") ? key : String(key.dropLast(name.count + 1))
    return broken(known, "no column of \(file.path) is called \"\(name)\"; they are called \(columns)")
  }

  func broken(_ key: String, _ description: String) -> DatasetError {
    guard isAsked(key) else { return DatasetError(.broken, "\(origin): \(key): \(description)") }
    let isInList = key.hasPrefix("drop.")
    return DatasetError(.broken, parameter: isInList ? "drop" : key, description)
  }

  /// Whether a scenario says what stands at a key.
  private func isAsked(_ key: String) -> Bool { asked.contains { key == $0 || key.hasPrefix($0 + ".") } }
}

/// Columns to be predicted instead of a label.
struct TargetColumns: Equatable {
  let columns: [String]
  let kind: DatasetValues.Kind
}

extension DatasetValues.Kind {
  /// In `dataset.json`.
  var key: String { self == .numbers ? "values" : "labels" }
}
