import PalimpsestJSON
import PalimpsestMetrics

extension Report {
  /// A table a scenario: mean ± half-width of the 95 % interval (Student's t) over seeds.
  public var text: String { text(markingBest: false) }

  /// - Parameter markingBest: puts a star behind the best mean of each metric in each scenario.
  public func text(markingBest: Bool) -> String {
    var blocks = tables(markingBest: markingBest).map {
      $0.heading + "\n" + $0.text(widest: Report.widest, spare: spare)
    }
    if !legend.isEmpty { blocks.append(legend.joined(separator: "\n")) }
    if !notes.isEmpty { blocks.append(notes.joined(separator: "\n")) }
    if let selection { blocks.append(selection.text) }
    return blocks.joined(separator: "\n\n")
  }

  /// Columns of a screen.
  private static let widest = 120

  /// Left out of a wide table where nobody asked for it: forgetting says most of it.
  private var spare: Metric? {
    metrics.map(\.name) == Report.standardMetrics.map(\.name) ? .backwardTransfer : nil
  }

  /// What the marks behind strategies mean.
  var legend: [String] { rows.filter(\.isShown).map(\.marks).legend }

  /// What a reader must know beside the numbers.
  var notes: [String] {
    var notes: [String] = []
    for row in rows where row.failed + row.diverged > 0 {
      let parts = [(row.diverged, "diverged"), (row.failed, "failed")].filter { $0.0 > 0 }
      let counts = parts.map { "\($0.0) of \(row.planned) runs \($0.1)" }.joined(separator: ", ")
      notes.append("\(row.scenario), \(row.label): \(counts); they are not in the means.")
    }
    if missing > 0 { notes.append("\(missing) of \(planned) runs have not ended yet.") }
    if hidden > 0 { notes.append("\(hidden) configurations without a finished run are not shown.") }
    return notes.map(visible)
  }
}

extension Report.Row {
  /// The strategy's label with the settings that tell it from its neighbours.
  public var label: String {
    settings.isEmpty
      ? strategy : strategy + " (" + settings.map { "\($0.name) = \($0.value.plainText)" }.joined(separator: ", ") + ")"
  }
}

extension Report.Row {
  fileprivate var isShown: Bool { completed + failed + diverged > 0 }
}

extension ReportTable {
  /// Columns flush; headings are folded where the table is wider than a screen, and then `spare` is left out.
  fileprivate func text(widest: Int, spare: Metric?) -> String {
    let plain = text(folded: false)
    if rows.isEmpty || plain.isWithin(widest) { return plain }
    let folded = text(folded: true)
    guard !folded.isWithin(widest), let column = spare.flatMap({ header.firstIndex(of: $0.heading) }) else {
      return folded
    }
    return without(column).text(folded: true)
  }

  private func text(folded: Bool) -> String {
    let heads = folded ? foldedHeader : [header]
    let lines = rows.map { row in row.texts + row.cells.map { $0.text + ($0.isBest ? " *" : "") } + [row.count] }
    return aligned(heads + lines, leftColumns: 1)
  }

  private var foldedHeader: [[String]] {
    let folded = header.map(ReportTable.folded)
    return [folded.map(\.upper), folded.map(\.lower)]
  }

  /// In two lines as equal as its words allow; one word stands in the lower.
  private static func folded(_ heading: String) -> (upper: String, lower: String) {
    let words = heading.split(separator: " ").map(String.init)
    let folds = words.indices.map { (words[..<$0].joined(separator: " "), words[$0...].joined(separator: " ")) }
    return folds.min { max($0.0.count, $0.1.count) < max($1.0.count, $1.1.count) } ?? ("", heading)
  }

  private func without(_ column: Int) -> ReportTable {
    var header = header
    header.remove(at: column)
    let rows = rows.map { row in
      var cells = row.cells
      cells.remove(at: column - leftColumns)
      return Row(texts: row.texts, cells: cells, count: row.count)
    }
    return ReportTable(heading: heading, header: header, leftColumns: leftColumns, rows: rows)
  }
}

extension String {
  fileprivate func isWithin(_ columns: Int) -> Bool {
    split(separator: "\n").allSatisfy { String($0).displayWidth <= columns }
  }
}
