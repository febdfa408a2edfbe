import PalimpsestMetrics

/// Tables to be pasted into a text: Markdown, and LaTeX with the package `booktabs`.
extension Report {
  /// A Markdown table a scenario (pipes, as GitHub and Pandoc read them), each under a line that says what it shows.
  public func markdown(markingBest: Bool = false) -> String {
    let blocks = tables(markingBest: markingBest).map { table in
      let marks = table.header.indices.map { $0 < table.leftColumns ? ":--" : "--:" }
      let lines = table.rows.map { row in
        row.texts.map(markdownEscaped) + row.cells.map { $0.isBest ? "**\($0.text)**" : $0.text } + [row.count]
      }
      let pipes = ([table.header.map(markdownEscaped), marks] + lines).map { "| " + $0.joined(separator: " | ") + " |" }
      return markdownEscaped(caption(table)) + "\n\n" + pipes.joined(separator: "\n")
    }
    return (blocks + (legend + notes + chosen).map(markdownEscaped)).joined(separator: "\n\n")
  }

  /// A `table` environment a scenario, with its caption.
  public func latex(markingBest: Bool = false) -> String {
    let blocks = tables(markingBest: markingBest).map { table in
      let columns = table.header.indices.map { $0 < table.leftColumns ? "l" : "r" }.joined()
      let lines = table.rows.map { row in row.texts.map(latexEscaped) + row.cells.map(\.latex) + [row.count] }
      let body = [table.header.map(latexEscaped)] + lines
      let rows = body.map { "    " + $0.joined(separator: " & ") + " \\\\" }
      return """
        \\begin{table}
          \\centering
          \\caption{\(latexEscaped(caption(table)))}
          \\begin{tabular}{\(columns)}
            \\toprule
        \(rows[0])
            \\midrule
        \(rows.dropFirst().joined(separator: "\n"))
            \\bottomrule
          \\end{tabular}
        \\end{table}
        """
    }
    let legend = legend.map { "\\noindent " + latexEscaped($0) }
    return (blocks + legend + (notes + chosen).map { "% " + $0 }).joined(separator: "\n\n")
  }

  /// What was chosen before the runs.
  private var chosen: [String] { selection?.sentences ?? [] }

  /// What the table shows, how many seeds, and the formula of every metric.
  private func caption(_ table: ReportTable) -> String {
    let counts = Set(table.rows.map(\.count))
    let seeds = counts.count == 1 ? "n = \(counts.first ?? "0") seeds" : "the seeds given as n"
    let definitions = metrics.map { "\($0.heading) = \($0.definition)" }.joined(separator: "; ")
    let matrix = "R[i,j] is the accuracy on task j after learning task i, of T tasks from 0: "
    return table.heading + "; \(seeds). " + (showsAccuracy ? matrix : "") + definitions + "."
  }
}

extension ReportTable.Cell {
  /// `$0.586 \pm 0.019$`, the best mean bold.
  fileprivate var latex: String {
    guard let mean = mean.map(latexNumber) else { return "--" }
    let number = (isBest ? "\\mathbf{\(mean)}" : mean) + (half.map { " \\pm \(latexNumber($0))" } ?? "")
    return "$\(number)$" + (count.map { " ($n = \($0)$)" } ?? "")
  }
}

/// `1.260e6` as LaTeX's mathematics has it.
private func latexNumber(_ text: String) -> String {
  let parts = text.split(separator: "e")
  return parts.count == 2 ? "\(parts[0]) \\times 10^{\(parts[1])}" : text
}

/// A text that Markdown shows as it is, on one line.
func markdownEscaped(_ text: String) -> String {
  text.reduce(into: "") { out, character in
    if "\\`*_{}[]<>|#~".contains(character) { out += "\\" }
    out += character.isNewline ? " " : String(character)
  }
}

/// A text that LaTeX sets as it is, on one line.
func latexEscaped(_ text: String) -> String {
  text.reduce(into: "") { out, character in
    switch character {
    case "&", "%", "$", "#", "_", "{", "}": out += "\\" + String(character)
    case "\\": out += "\\textbackslash{}"
    case "~": out += "\\textasciitilde{}"
    case "^": out += "\\textasciicircum{}"
    case "<": out += "\\textless{}"
    case ">": out += "\\textgreater{}"
    case "±": out += "$\\pm$"
    case "–": out += "--"
    case "†": out += "\\dag{}"
    case "‡": out += "\\ddag{}"
    default: out += character.isNewline ? " " : String(character)
    }
  }
}
