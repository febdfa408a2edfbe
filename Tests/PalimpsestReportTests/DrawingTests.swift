import PalimpsestReport
import Testing

/// Shapes and texts of a drawing.
@Suite struct DrawingTests {
  private static let frame = Frame(left: 60, top: 12, right: 390, bottom: 222)

  /// The pairs of texts that stand on one another.
  static func overlaps(_ drawing: Drawing) -> [String] {
    let boxes = drawing.boxes
    return boxes.indices.flatMap { first in
      boxes.indices.filter { $0 > first && boxes[first].overlaps(boxes[$0]) }.map {
        "\(boxes[first].text) | \(boxes[$0].text)"
      }
    }
  }

  /// Texts that reach beyond the picture.
  static func beyond(_ drawing: Drawing) -> [String] {
    drawing.boxes.filter {
      $0.left < -0.01 || $0.top < -0.01 || $0.right > drawing.width + 0.01 || $0.bottom > drawing.height + 0.01
    }.map(\.text)
  }

  @Test func `boxes of texts lie by their anchors`() {
    let width = TextWidth.of("word", size: 12)
    let lefts = [Drawing.Anchor.start, .middle, .end].map { Drawing.box("word", at: (100, 50), $0).left }
    #expect(lefts == [100, 100 - width / 2, 100 - width])
    let box = Drawing.box("word", at: (100, 50), .start)
    #expect(box.top < 50 && box.bottom > 50 && box.bottom - box.top >= 12)
  }

  /// DejaVu Sans at 12 px: `M` is 863 thousandths, `i` 278.
  @Test func `widths are those of DejaVu Sans`() {
    #expect(abs(TextWidth.of("Mi", size: 12) - 12 * 1.141) < 1e-9)
    #expect(TextWidth.of("", size: 12) == 0)
    #expect(TextWidth.of("日本", size: 10) > TextWidth.of("ab", size: 10))
  }

  @Test(arguments: ["short", "a label that is much too long for the room", "日本語日本語日本語日本語", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦"], [0.0, 5, 40, 90])
  func `a fitted text is not wider than its room`(text: String, room: Double) {
    let fitted = TextWidth.fitted(text, within: room, size: 12)
    #expect(TextWidth.of(fitted, size: 12) <= max(room, TextWidth.of("…", size: 12)))
    #expect(fitted == text || fitted.hasSuffix("…") && text.hasPrefix(fitted.dropLast()))
  }

  @Test(arguments: [1, 2, 8, 16, 30])
  func `names at the ends of lines do not overlap, in one place or spread`(count: Int) {
    for spread in [0.0, 3, 40] {
      var drawing = Drawing(width: 520, height: 600)
      let ends = (0..<count).map {
        (style: $0, name: "strategy \($0) with a long label", y: 100 + spread * Double($0 % 5))
      }
      drawing.endLabels(ends, at: 392, within: Self.frame)
      #expect(drawing.boxes.count == count)
      #expect(Self.overlaps(drawing) == [] && Self.beyond(drawing) == [])
    }
  }

  @Test(arguments: ScaleTests.samples)
  func `an axis names its ticks apart, and within the picture`(numbers: [Double]) throws {
    var drawing = Drawing(width: 520, height: 264)
    let frame = Self.frame
    drawing.leftAxis(try #require(Scale(holding: numbers, from: frame.bottom, to: frame.top)), frame, "accuracy")
    drawing.lowerAxis(try #require(Scale(holding: numbers, from: frame.left, to: frame.right)), frame, "rows")
    #expect(Self.overlaps(drawing) == [] && Self.beyond(drawing) == [])
  }

  @Test(arguments: [1, 2, 12, 50, 400])
  func `places of tasks are named apart`(count: Int) {
    var drawing = Drawing(width: 520, height: 264)
    let frame = Self.frame
    let step = frame.width / Double(count)
    drawing.lowerPlaces(count, { frame.left + step * (Double($0) + 0.5) }, frame, "after learning task")
    #expect(Self.overlaps(drawing) == [])
    #expect(drawing.boxes[0].text == "0" && drawing.boxes.count >= min(count, 5) + 1)
  }

  @Test func `the key of many strategies goes on in the next line`() {
    var drawing = Drawing(width: 520, height: 264)
    let names = (0..<12).map { (style: $0, name: $0 == 5 ? String(repeating: "wide ", count: 60) : "strategy \($0)") }
    let height = drawing.key(names, top: 0)
    #expect(Self.overlaps(drawing) == [] && Self.beyond(drawing) == [])
    #expect(drawing.boxes.allSatisfy { $0.bottom <= height })
  }

  @Test func `a line between two points is the shortest path there`() {
    var drawing = Drawing(width: 10, height: 10)
    for end in [(4.0, 2.0), (1.0, 5.5), (4.0, 5.5), (1.0, 2.0)] { drawing.line((1, 2), end, "k") }
    let paths = ["M1 2H4", "M1 2V5.5", "M1 2L4 5.5", "M1 2H1"].map { "<path class=\"k\" d=\"\($0)\"/>" }
    #expect(drawing.shapes == paths.joined())
  }

  @Test func `a line is parted where a number is missing`() {
    var drawing = Drawing(width: 10, height: 10)
    drawing.path([(0, 1), (1, 2), (.nan, 2), (3, 3), (4, .infinity), (5, 5), (6, 6)], "k")
    #expect(drawing.shapes == "<path class=\"k\" d=\"M0 1L1 2M5 5L6 6\"/>")
    drawing.path([(0, 1)], "k")
    drawing.area([(0, 1), (.nan, 2)], [(0, 2), (1, 3)], "b")
    #expect(drawing.shapes == "<path class=\"k\" d=\"M0 1L1 2M5 5L6 6\"/>")
  }

  @Test(arguments: MadeUp.hostileLabels)
  func `a drawing with any label is XML with its title, its words and that label`(label: String) throws {
    var drawing = Drawing(width: 520, height: 40)
    drawing.text(label, at: (10, 20))
    drawing.turnedText(label, at: (5, 20))
    drawing.mark(3, at: (5, 5), radius: 4, title: label)
    drawing.rectangle((1, 1), 3, 3, "cell", fill: "#ffffff", title: label)
    let svg = try #require(XML(drawing.svg("a", title: label, summary: label, isAlone: true)))
    let texts = (svg["title"] + svg["desc"] + svg["text"]).map(\.text)
    #expect(texts.count == 6 && Set(texts).count == 1)
    #expect(svg.elements[0].attributes["aria-labelledby"] == "t-a d-a")
    #expect(svg["script"].isEmpty && svg["b"].isEmpty)
  }
}
