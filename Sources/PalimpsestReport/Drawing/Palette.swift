import PalimpsestCore

/// Colours, and the shapes that go with them: colour is never the only cue.
package enum Palette {
  /// Of strategies in their order, each at least 3 : 1 on white and on the dark page.
  package static let strategies = [
    "#6b7280", "#2f7ed8", "#c2571a", "#16916b", "#a8569c", "#8a7a12", "#d0456a", "#5b6ee1",
  ]
  package static let light = Paper(
    page: "#ffffff", ink: "#1b1f24", soft: "#57606a", axis: "#8c959f", grid: "#e4e8ec", link: "#1f66b5",
    alarm: "#b42318")
  package static let dark = Paper(
    page: "#14181d", ink: "#e6eaef", soft: "#a3acb5", axis: "#6e7781", grid: "#2a3139", link: "#5b9be0",
    alarm: "#ff8a7a")
  /// Ends of the sequential scale, least first.
  private static let sequential = ((0xf7, 0xf4, 0xf9), (0x14, 0x3c, 0x78))
  /// Least, middle, most of the diverging scale.
  private static let diverging = ((0xb0, 0x54, 0x14), (0xf7, 0xf7, 0xf7), (0x16, 0x78, 0x5a))

  /// What a page is printed on and with.
  package struct Paper: Sendable {
    package let page: String
    package let ink: String
    package let soft: String
    package let axis: String
    package let grid: String
    package let link: String
    package let alarm: String
  }

  /// The class of a strategy: its place, or that it is beyond the eighth and grey.
  package static func name(_ style: Int) -> String { style < strategies.count ? "s\(style)" : "sx" }

  /// Path data of a strategy's mark around a place: a move to it, then relative steps.
  package static func shape(_ style: Int, radius r: Double) -> String {
    let corners = outlines[style % strategies.count]
    guard let first = corners.first else {
      let arc = { (x: Double) in "a\(pixels(r)) \(pixels(r)) 0 1 0 \(pixels(x)) 0" }
      return "m\(pixels(-r)) 0" + arc(2 * r) + arc(-2 * r) + "z"
    }
    let steps = zip(corners.dropFirst(), corners).map { step(($0.0 - $1.0) * r, ($0.1 - $1.1) * r) }
    return "m\(pixels(first.0 * r)) \(pixels(first.1 * r))" + steps.joined() + "z"
  }

  /// As short as it can be said.
  private static func step(_ x: Double, _ y: Double) -> String {
    let (x, y) = (pixels(x), pixels(y))
    if y == "0" { return "h" + x }
    return x == "0" ? "v" + y : "l" + x + (y.hasPrefix("-") ? "" : " ") + y
  }

  /// Corners of the marks in radii; none of the circle. All look alike in size.
  private static let outlines: [[(Double, Double)]] = [
    [], [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)], [(0, -1.15), (1.05, 0.8), (-1.05, 0.8)],
    [(0, -1.25), (1.05, 0), (0, 1.25), (-1.05, 0)], [(0, 1.15), (1.05, -0.8), (-1.05, -0.8)],
    [
      (-0.4, -1.1), (0.4, -1.1), (0.4, -0.4), (1.1, -0.4), (1.1, 0.4), (0.4, 0.4), (0.4, 1.1), (-0.4, 1.1), (-0.4, 0.4),
      (-1.1, 0.4), (-1.1, -0.4), (-0.4, -0.4),
    ], [(0, -1.1), (1, -0.5), (1, 0.5), (0, 1.1), (-1, 0.5), (-1, -0.5)],
    [(-1.2, -0.6), (1.2, -0.6), (1.2, 0.6), (-1.2, 0.6)],
  ]

  // MARK: Scales of colour

  /// - Parameter share: 0 to 1; beyond it the ends.
  package static func sequential(_ share: Double) -> String { between(sequential.0, sequential.1, share) }

  /// - Parameter share: −1 to 1.
  package static func diverging(_ share: Double) -> String {
    share < 0 ? between(diverging.1, diverging.0, -share) : between(diverging.1, diverging.2, share)
  }

  /// The class of a text that stands on a colour of the scales: dark or light, whichever tells better.
  package static func ink(on colour: String) -> String {
    Contrast.ratio(colour, "#000000") >= Contrast.ratio(colour, "#ffffff") ? "u" : "v"
  }

  private static func between(_ a: (Int, Int, Int), _ b: (Int, Int, Int), _ share: Double) -> String {
    let t = share.isFinite ? min(1, max(0, share)) : 0
    let mix = { (x: Int, y: Int) in Int((Double(x) + (Double(y) - Double(x)) * t).rounded()) }
    return "#" + [mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2)].map(twoHexDigits).joined()
  }

  private static func twoHexDigits(_ x: Int) -> String { (x < 16 ? "0" : "") + String(x, radix: 16) }

  // MARK: Style sheet

  /// Of figures: on the page and in files by themselves.
  package static let styleSheet: String = {
    let colours = strategies.enumerated().map { style, colour in
      ".s\(style) .c{fill:\(colour)}.s\(style) .k{stroke:\(colour)}.s\(style) .b{fill:\(colour)}"
    }
    return """
      .fig{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"DejaVu Sans",sans-serif;font-variant-numeric:tabular-nums}\
      .fig .k{fill:none;stroke-width:1.75;stroke-linejoin:round}.fig .w{stroke-width:2.5}.fig .d{stroke-width:4;stroke-linecap:round}.fig .thin{fill:none;stroke-width:1.2;opacity:.6}.fig .b{opacity:.14}.fig .n{opacity:.35}\
      .fig .axis,.fig .ref,.fig .grid,.fig .front{fill:none;stroke-width:1}.fig .ref{stroke-dasharray:5 4}.fig .front{stroke-dasharray:2 3}\
      .fig .u{fill:#000}.fig .v{fill:#fff}.fig .u,.fig .v{text-anchor:middle}.fig .u,.fig .v,.fig .z{font-size:10px}.fig .m{text-anchor:middle}.fig .e{text-anchor:end}\
      .fig .i0{fill:#6b7280}.fig .i1{fill:#c2571a}.fig .i2{fill:#2f7ed8}\(colours.joined())\
      .sx .c,.sx .b{fill:#6b7280}.sx .k{stroke:#6b7280}\
      \(paper(light))@media(prefers-color-scheme:dark){\(paper(dark))}@media print{\(paper(light))}
      """
  }()

  private static func paper(_ paper: Paper) -> String {
    """
    .fig text{fill:\(paper.ink)}.fig .soft{fill:\(paper.soft)}.fig .axis{stroke:\(paper.axis)}.fig .grid{stroke:\(paper.grid)}\
    .fig .ref,.fig .front{stroke:\(paper.soft)}.fig .change{stroke:\(paper.ink)}\
    .fig .shade{fill:\(paper.grid)}.fig .alarm{stroke:\(paper.alarm)}
    """
  }
}

/// How well one colour is told from another.
/// - Source: WCAG 2.2, relative luminance and contrast ratio.
package enum Contrast {
  /// 1 (equal) to 21 (black on white).
  /// - Parameters: `a`, `b`: `#rrggbb`.
  package static func ratio(_ a: String, _ b: String) -> Double {
    let (x, y) = (luminance(a), luminance(b))
    return (max(x, y) + 0.05) / (min(x, y) + 0.05)
  }

  private static func luminance(_ colour: String) -> Double {
    let number = Int(colour.dropFirst(), radix: 16) ?? 0
    let parts = [number >> 16 & 255, number >> 8 & 255, number & 255].map { linear(Double($0) / 255) }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  /// sRGB's curve.
  private static func linear(_ c: Double) -> Double {
    if c <= 0.04045 { return c / 12.92 }
    return Elementary.power((c + 0.055) / 1.055, 2.4)
  }
}
