import PalimpsestJSON

/// One picture of a report: what it shows, in pixels, in words and as a Vega-Lite specification with its data.
package struct Figure: Sendable {
  /// Stable: files and anchors are called so.
  package let name: String
  package let title: String
  /// What is drawn, of how many runs, and what the interval is.
  package let note: String
  /// Its numbers, for those who do not see it.
  package let summary: String
  package let drawing: Drawing
  /// For the two columns of a page it is too wide.
  let isWide: Bool
  /// One of several like it, shown where it is asked for.
  var isAside = false
  package let specification: JSONValue

  init(
    _ name: String, title: String, note: String, summary: String, _ drawing: Drawing, isWide: Bool = false,
    specification: JSONValue
  ) {
    self.name = name
    self.title = title
    self.note = note
    self.summary = summary
    self.drawing = drawing
    self.isWide = isWide
    self.specification = VegaLite.named(specification, title)
  }

  /// An SVG that needs nothing beside it.
  package var file: String { drawing.svg(name, title: title, summary: summary, isAlone: true) + "\n" }

  /// As it stands on a page.
  var inline: String { drawing.svg(name, title: title, summary: summary, isAlone: false) }
}
