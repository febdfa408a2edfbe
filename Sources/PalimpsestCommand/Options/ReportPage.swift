import ArgumentParser
import Palimpsest
import PalimpsestCube
import PalimpsestReport

/// A report as a page, or as figures by themselves.
struct ReportPage: ParsableArguments {
  enum FigureFormat: String, ExpressibleByArgument, CaseIterable {
    case svg
    case vegaLite = "vl.json"
  }

  @Option(help: "Write a page with all tables and figures to a file: it needs no network, no server and no script.")
  var html: String?
  @Option(help: "Write each figure to a folder, as SVG and as a Vega-Lite specification with its data.") var figures:
    String?
  @Option(help: "What --figures writes: svg, vl.json, or both with a comma between.") var figureFormat: String?

  /// - Parameter besides: an option of what is printed was given.
  /// - Throws: ``UsageError`` where options contradict each other.
  func isAsked(besides: Bool) throws -> Bool {
    guard html != nil || figures != nil else {
      if figureFormat != nil { throw UsageError("--figure-format: no figures are written; add --figures DIR") }
      return false
    }
    if figureFormat != nil && figures == nil {
      throw UsageError("--figure-format: no figures are written by themselves; add --figures DIR")
    }
    if besides {
      throw UsageError(
        "--\(html == nil ? "figures" : "html") writes files and prints no table; leave out --format, --json, --best and other views"
      )
    }
    return true
  }

  /// Writes what is asked for and says so.
  func write(_ data: ReportData) throws {
    let drawn = try ReportFigures(data)
    if let html {
      let text = HTMLReport(data, drawn, version: Provenance.programVersion).text
      try Files.replace(html, with: text)
      print("\(html): \(drawn.all.count) figures, \(text.utf8.count / 1000) kB")
    }
    if let figures { try write(drawn, to: figures) }
  }

  private func write(_ drawn: ReportFigures, to folder: String) throws {
    let formats = try figureFormats()
    try Files.makeFolder(folder)
    for figure in drawn.all {
      for format in formats {
        let text = format == .svg ? figure.file : figure.specification.prettyText + "\n"
        try Files.replace("\(folder)/\(figure.name).\(format.rawValue)", with: text)
      }
    }
    print("\(folder): \(drawn.all.count) figures as \(formats.map(\.rawValue).joined(separator: " and "))")
  }

  private func figureFormats() throws -> [FigureFormat] {
    try (figureFormat ?? "svg,vl.json").split(separator: ",").map { name in
      guard let format = FigureFormat(rawValue: String(name)) else {
        throw UsageError("--figure-format: \"\(name)\" is none of svg and vl.json")
      }
      return format
    }
  }
}
