import PalimpsestJSON

/// The lines of one scenario in columns: label, numbers, n, bar, sparkline.
struct ScenarioPlot {
  /// Sparklines, one a row, with what stands above them and what they mean.
  struct Spark {
    let lists: [[Double]]
    let scale: PlotScale
    let heading: String
    let meaning: String

    init(_ lists: [[Double]], _ scale: PlotScale, _ heading: String, _ meaning: String) {
      (self.lists, self.scale, self.heading, self.meaning) = (lists, scale, heading, meaning)
    }
  }

  /// The scenario's, then one a row.
  let labels: [String]
  let values: [String]
  let counts: [String]
  let scale: PlotScale
  let spark: Spark?
  let marks: TerminalMarks
  let width: Int
  /// What the numbers are.
  let heading: String

  private var labelWidth: Int { min(TerminalPlot.widestLabel, labels.map { visible($0).displayWidth }.max() ?? 0) }
  private var valueWidth: Int { (values + [heading]).map(\.displayWidth).max() ?? 0 }
  /// The low end of the scale stands above it.
  private var countWidth: Int { max(5, counts.map(\.count).max() ?? 0) }

  var header: String {
    let ends = (twoDecimals(scale.low), twoDecimals(scale.high))
    let line = String(repeating: marks.line, count: TerminalPlot.cells - 2)
    let axis = "\(marks.left)\(line)\(marks.right)"
    let start = flushLeft(cut(labels[0]), labelWidth) + "  " + flushLeft(heading, valueWidth) + "  "
    let low = String(repeating: " ", count: max(0, countWidth - ends.0.count)) + ends.0
    return (start + low + " " + axis + " " + flushLeft(ends.1, 7) + (spark?.heading ?? "")).trimmedEnd
  }

  func lines(_ bars: [String]) -> [String] {
    bars.indices.map { row in
      let start = flushLeft(cut(labels[row + 1]), labelWidth) + "  " + flushLeft(values[row], valueWidth) + "  "
      let bar = flushLeft(counts[row], countWidth) + " " + flushLeft(bars[row], TerminalPlot.cells)
      return (start + bar + String(repeating: " ", count: 8) + sparkline(row)).trimmedEnd
    }
  }

  private func sparkline(_ row: Int) -> String {
    guard let spark else { return "" }
    let room = width - labelWidth - valueWidth - countWidth - TerminalPlot.cells - 13
    return PalimpsestResults.sparkline(fitted(spark.lists[row], max(8, room)), spark.scale, marks)
  }

  private func cut(_ label: String) -> String {
    let label = visible(label)
    if label.displayWidth <= labelWidth { return label }
    var short = label
    while short.displayWidth > labelWidth - 1 { short.removeLast() }
    return short + marks.cut
  }

  private func flushLeft(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.displayWidth))
  }
}

extension String {
  fileprivate var trimmedEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
