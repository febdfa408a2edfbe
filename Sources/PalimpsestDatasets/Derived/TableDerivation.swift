import PalimpsestScenarios

/// How rows are made of a file that has none yet: what `events` or `windows` of a `dataset.json` says, or what is known of the set.
enum TableDerivation: Equatable {
  case events(EventRule)
  case windows(WindowRule)

  /// Ends in what makes a difference, for digests.
  var canonical: String {
    switch self {
    case .events(let rule): rule.canonical
    case .windows(let rule): "windows \(rule.rows) \(rule.within)"
    }
  }
}

extension TableOptions {
  /// Calls the body with the header and each row of a table, made of the file where they do not stand in it. A row that is made says
  /// on which line the one stands that it is of.
  /// - Returns: the SHA-256 of the file, unpacked.
  /// - Throws: the first error of the body, or a ``DatasetError`` about the file.
  func forEachRow(of file: DataFile, _ body: (TextRow) throws -> Void) throws -> String {
    let text = DelimitedText(file: file, separator: separator)
    switch derivation {
    case nil: return try text.forEachRow(body)
    case .events(let rule):
      var rows: EventRows?
      return try text.forEachRow { line in
        if rows == nil {
          rows = try EventRows(rule, header: line.texts, file, self)
          try body(TextRow(rule.header, line: line.line))
        } else if let row = try rows?.row(with: line) {
          try body(row)
        }
      }
    case .windows(let rule):
      var rows: WindowRows?
      return try text.forEachRow { line in
        if rows == nil {
          let begun = try WindowRows(rule, header: line.texts, file, self)
          try body(TextRow(begun.header, line: line.line))
          rows = begun
        } else if let row = try rows?.row(with: line) {
          try body(row)
        }
      }
    }
  }

  /// The places of columns that a rule names.
  func places(of names: [String], as key: String, in header: [String], _ file: DataFile) throws -> [Int] {
    try names.map { try place(of: $0, as: key, in: header, file) }
  }
}

extension TextRow {
  /// A row of these cells.
  init(_ cells: [String], line: Int) {
    self.init()
    self.line = line
    for cell in cells {
      for byte in cell.utf8 { append(byte) }
      endCell()
    }
  }
}
