import PalimpsestReport
import Testing

/// Users' labels between tags, in ids and in files' names.
@Suite struct LabelTests {
  @Test(
    arguments: [
      ("plain", "plain"), ("", ""), ("</script>", "&lt;/script&gt;"), ("<b>", "&lt;b&gt;"),
      ("a & \"b\" 'c'", "a &amp; &quot;b&quot; &#39;c&#39;"), ("&amp;", "&amp;amp;"), ("🌅 עברית", "🌅 עברית"),
      ("tab\tline\n", "tab\tline\n"), ("\u{0}\u{1}\u{B}\u{1F}\u{7F}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
      ("\r\n", "\u{FFFD}\n"),
    ])
  func `nothing in a label is taken for markup`(text: String, safe: String) { #expect(escaped(text) == safe) }

  @Test(arguments: MadeUp.hostileLabels + ["\u{85}", "\u{FFFE}", "\u{FFFF}", "a\u{0}"])
  func `an XML parser reads back what was escaped`(label: String) throws {
    let text = try #require(XML("<a b=\"\(escaped(label))\">\(escaped(label))</a>"))
    let visible = String(String.UnicodeScalarView(label.unicodeScalars.map { Self.isXML($0) ? $0 : "\u{FFFD}" }))
    #expect(text.elements[0].text == visible)
  }

  /// A character of XML 1.0, but for the carriage return and DEL, which are made visible.
  private static func isXML(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA: true
    case 0..<0x20, 0x7F, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  @Test(
    arguments: [
      (0.0, "0"), (1, "1"), (-1, "-1"), (0.5, "0.5"), (0.05, "0.1"), (0.04, "0"), (-0.04, "0"), (1.96, "2"),
      (12.34, "12.3"), (-12.34, "-12.3"), (1060, "1060"), (.nan, "0"), (.infinity, "0"), (1e300, "0"),
    ])
  func `a place has one decimal at most, and no sign without a number`(x: Double, text: String) {
    #expect(pixels(x) == text)
  }

  @Test(
    arguments: [
      ("visible", "visible"), ("Visible Phases", "visible-phases"), ("--a__b--", "a-b"), ("", "x"), ("🌅", "x"),
      ("réplay", "r-play"), ("a</b>", "a-b"),
    ])
  func `a slug is of letters, digits and single dashes`(label: String, name: String) { #expect(slug(label) == name) }

  /// U+2068 and U+2069 around them: 0.7 behind one stays behind it.
  @Test(arguments: [
    ("ewc", "ewc"), ("שלום", "\u{2068}שלום\u{2069}"), ("a مرحبا", "\u{2068}a مرحبا\u{2069}"), ("日本語", "日本語"),
  ])
  func `labels from right to left are shut off from what stands beside them`(label: String, text: String) {
    #expect(isolated(label) == text)
  }

  @Test func `labels that differ have slugs that differ, stable where nothing collides`() {
    let labels = ["a b", "a-b", "A b", "c", "a-b-2", "", "🌅", String(repeating: "x", count: 99)]
    let names = slugs(labels + [labels[7] + "y"])
    #expect(names == ["a-b", "a-b-2", "a-b-3", "c", "a-b-2-2", "x", "x-2", names[7], names[7] + "-2"])
    #expect(names[7] == String(repeating: "x", count: 60))
  }
}
