/// An SVG on its way: shapes in the order in which they are painted, and where its texts stand.
///
/// Colours come by class (``Palette``), so that a page shows the same drawing light and dark.
package struct Drawing: Sendable {
  package enum Anchor {
    case start, middle, end

    /// The class that stands for it.
    var style: String { self == .start ? "" : self == .middle ? "m" : "e" }
  }

  package typealias Point = (x: Double, y: Double)

  /// Of all texts but those that say another size.
  package static let textSize = 12.0

  package let width: Double
  package var height: Double
  package private(set) var shapes = ""
  /// Of its texts, in the order in which they were drawn.
  package private(set) var boxes: [TextBox] = []

  package init(width: Double, height: Double) { (self.width, self.height) = (width, height) }

  // MARK: Shapes

  /// As a path, which takes two thirds of the bytes of a `line`.
  package mutating func line(_ a: Point, _ b: Point, _ style: String) {
    let (x, y) = (pixels(b.x), pixels(b.y))
    let end = y == pixels(a.y) ? "H\(x)" : x == pixels(a.x) ? "V\(y)" : "L\(x) \(y)"
    shapes += "<path class=\"\(style)\" d=\"M\(pixels(a.x)) \(pixels(a.y))\(end)\"/>"
  }

  /// An interval from one x to another, with a stroke across each end.
  package mutating func interval(_ ends: (Double, Double), y: Double) {
    line((ends.0, y), (ends.1, y), "k w")
    for end in [ends.0, ends.1] { line((end, y - 5), (end, y + 5), "k") }
  }

  /// A line through points; nothing where there are fewer than two. A point that is not finite parts it.
  package mutating func path(_ points: [Point], _ style: String) {
    let pieces = points.split { !($0.x.isFinite && $0.y.isFinite) }.filter { $0.count > 1 }
    if pieces.isEmpty { return }
    let data = pieces.map { piece in
      "M" + piece.map { "\(pixels($0.x)) \(pixels($0.y))" }.joined(separator: "L")
    }
    shapes += "<path class=\"\(style)\" d=\"\(data.joined())\"/>"
  }

  /// A line in a colour of its own, thin.
  package mutating func ink(_ points: [Point], _ colour: String) {
    let pieces = points.split { !($0.x.isFinite && $0.y.isFinite) }.filter { $0.count > 1 }
    for piece in pieces {
      let data = piece.map { "\(pixels($0.x)) \(pixels($0.y))" }.joined(separator: "L")
      shapes += "<path class=\"thin\" stroke=\"\(colour)\" d=\"M\(data)\"/>"
    }
  }

  /// What lies between two lines with the same x.
  package mutating func area(_ upper: [Point], _ lower: [Point], _ style: String) {
    let outline = upper + lower.reversed()
    guard outline.count > 3, outline.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return }
    shapes +=
      "<path class=\"\(style)\" d=\"M\(outline.map { "\(pixels($0.x)) \(pixels($0.y))" }.joined(separator: "L"))Z\"/>"
  }

  /// - Parameters:
  ///   - fill: a colour that no class has.
  ///   - title: shown where the pointer rests.
  package mutating func rectangle(
    _ corner: Point, _ width: Double, _ height: Double, _ style: String, fill: String? = nil, title: String? = nil
  ) {
    let colour = fill.map { " fill=\"\($0)\"" } ?? ""
    let size = "width=\"\(pixels(max(0, width)))\" height=\"\(pixels(max(0, height)))\""
    let start =
      "<rect\(style.isEmpty ? "" : " class=\"\(style)\"") x=\"\(pixels(corner.x))\" y=\"\(pixels(corner.y))\" \(size)\(colour)"
    shapes += title.map { start + "><title>\(escaped($0))</title></rect>" } ?? start + "/>"
  }

  /// The mark of a strategy.
  package mutating func mark(_ style: Int, at point: Point, radius r: Double, title: String? = nil) {
    let start = "<path class=\"c\" d=\"M\(pixels(point.x)) \(pixels(point.y))\(Palette.shape(style, radius: r))\""
    shapes += title.map { start + "><title>\(escaped($0))</title></path>" } ?? start + "/>"
  }

  /// A mark at each of several points, as one shape.
  package mutating func marks(_ style: Int, at points: [Point], radius r: Double) {
    let shape = Palette.shape(style, radius: r)
    let data = points.filter { $0.x.isFinite && $0.y.isFinite }.map { "M\(pixels($0.x)) \(pixels($0.y))\(shape)" }
    if !data.isEmpty { shapes += "<path class=\"c\" d=\"\(data.joined())\"/>" }
  }

  /// Small dots in the colour of their group, as one shape.
  package mutating func dots(_ points: [Point]) {
    let data = points.filter { $0.x.isFinite && $0.y.isFinite }.map { "M\(pixels($0.x)) \(pixels($0.y))h0" }
    if !data.isEmpty { shapes += "<path class=\"k d n\" d=\"\(data.joined())\"/>" }
  }

  /// A cell of a matrix.
  package mutating func cell(_ corner: Point, _ side: Double, fill: String) {
    let side = pixels(side)
    shapes +=
      "<path fill=\"\(fill)\" d=\"M\(pixels(corner.x)) \(pixels(corner.y))h\(side)v\(side)h-\(side)z\"/>"
  }

  package mutating func dot(_ point: Point, radius: Double, _ style: String) {
    shapes += "<circle class=\"\(style)\" cx=\"\(pixels(point.x))\" cy=\"\(pixels(point.y))\" r=\"\(pixels(radius))\"/>"
  }

  // MARK: Texts

  /// - Parameter point: on the text's base line.
  /// - Returns: its box.
  @discardableResult
  package mutating func text(
    _ text: String, at point: Point, _ anchor: Anchor = .start, _ style: String = "ink", size: Double = Drawing.textSize
  ) -> TextBox {
    let box = Drawing.box(text, at: point, anchor, size: size)
    boxes.append(box)
    let own = size == Drawing.textSize || size == 10 ? "" : " font-size=\"\(pixels(size))\""
    let classes = [style == "ink" ? "" : style, anchor.style, size == 10 ? "z" : ""].filter { !$0.isEmpty }.joined(
      separator: " ")
    let look = classes.isEmpty ? "" : " class=\"\(classes)\""
    shapes += "<text\(look) x=\"\(pixels(point.x))\" y=\"\(pixels(point.y))\"\(own)>\(escaped(text))</text>"
    return box
  }

  /// A number in the middle of a cell.
  package mutating func cellText(_ text: String, at point: Point, on colour: String) {
    boxes.append(Drawing.box(text, at: point, .middle, size: 10))
    shapes +=
      "<text class=\"\(Palette.ink(on: colour))\" x=\"\(pixels(point.x))\" y=\"\(pixels(point.y))\">\(escaped(text))</text>"
  }

  /// Up the left side of a frame, read from below.
  package mutating func turnedText(_ text: String, at point: Point) {
    let half = TextWidth.of(text, size: Drawing.textSize) / 2
    boxes.append(
      TextBox(text: text, left: point.x - 10, top: point.y - half, right: point.x + 3, bottom: point.y + half))
    shapes +=
      "<text class=\"soft m\" transform=\"translate(\(pixels(point.x)) \(pixels(point.y))) rotate(-90)\">\(escaped(text))</text>"
  }

  package static func box(_ text: String, at point: Point, _ anchor: Anchor, size: Double = Drawing.textSize) -> TextBox
  {
    let width = TextWidth.of(text, size: size)
    let left = anchor == .start ? point.x : anchor == .middle ? point.x - width / 2 : point.x - width
    return TextBox(
      text: text, left: left, top: point.y - 0.8 * size, right: left + width, bottom: point.y + 0.24 * size)
  }

  // MARK: Groups

  /// What belongs to a strategy: its colour, and what the page's script finds by it.
  package mutating func group(_ style: Int, _ body: (inout Drawing) -> Void) {
    shapes += "<g class=\"\(Palette.name(style))\" data-s=\"\(style)\">"
    body(&self)
    shapes += "</g>"
  }

  // MARK: The whole

  /// - Parameters:
  ///   - name: of the figure, for its ids.
  ///   - summary: its numbers in words.
  ///   - isAlone: with its own style sheet, as a file by itself.
  package func svg(_ name: String, title: String, summary: String, isAlone: Bool) -> String {
    let size = "viewBox=\"0 0 \(pixels(width)) \(pixels(height))\""
    let own =
      isAlone ? " xmlns=\"http://www.w3.org/2000/svg\" width=\"\(pixels(width))\" height=\"\(pixels(height))\"" : ""
    let style = isAlone ? "<style>\(Palette.styleSheet)</style>" : ""
    return """
      <svg\(own) \(size) class="fig" role="img" aria-labelledby="t-\(name) d-\(name)">\
      <title id="t-\(name)">\(escaped(title))</title><desc id="d-\(name)">\(escaped(summary))</desc>\(style)\(shapes)</svg>
      """
  }
}
