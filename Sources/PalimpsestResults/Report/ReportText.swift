import PalimpsestJSON
import PalimpsestMetrics

extension Report {
  /// A table a scenario: mean ± half-width of the 95 % interval (Student's t) over seeds.
  public var text: String { text(markingBest: false) }

  /// - Parameter markingBest: puts a star behind the best mean of each metric in each scenario.
  public func text(markingBest: Bool) -> String {
    var blocks = tables(markingBest: markingBest).map { table in
      let lines = table.rows.map { row in row.texts + row.cells.map { $0.text + ($0.isBest ? " *" : "") } + [row.count]
      }
      return table.heading + "\n" + aligned([table.header] + lines, leftColumns: 1)
    }
    if !notes.isEmpty { blocks.append(notes.joined(separator: "\n")) }
    if let selection { blocks.append(selection.text) }
    return blocks.joined(separator: "\n\n")
  }

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
