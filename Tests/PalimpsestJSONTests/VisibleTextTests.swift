import PalimpsestJSON
import Testing

@Suite struct VisibleTextTests {
  @Test(arguments: [
    ("plain – naïve", "plain – naïve"), ("\u{1B}[31mred", "\\u{1B}[31mred"), ("a\nb\tc\r", "a\\u{A}b\\u{9}c\\u{D}"),
    ("a\u{202E}b\u{2066}c", "a\\u{202E}b\\u{2066}c"), ("a\u{200B}b\u{FEFF}", "a\\u{200B}b\\u{FEFF}"),
    ("a\u{2028}b\u{85}\u{9B}2J", "a\\u{2028}b\\u{85}\\u{9B}2J"), ("\u{7F}", "\\u{7F}"), ("", ""),
    ("a\u{200D}b", "a\\u{200D}b"), ("\u{E0041}", "\\u{E0041}"),
  ])
  func `what cannot be seen is shown as its code point`(text: String, expected: String) {
    #expect(visible(text) == expected)
  }

  @Test(arguments: [
    "réplay", "re\u{301}play", "日本語", "עברית", "हिन्दी", "ไทย", "한국어", "🎉", "👍🏽", "👩‍💻", "🏳️‍🌈", "❤️", "🇨🇭", "λ ≥ 0", "１２",
  ])
  func `letters of all scripts, combining marks and emoji stay as they are`(text: String) {
    #expect(visible(text) == text)
    #expect(Label.problem(text) == nil)
  }

  @Test func `line ends stay in texts whose line ends are the program's own`() {
    #expect(visibleLines("a\nb\r\u{1B}") == "a\nb\\u{D}\\u{1B}")
  }

  @Test(arguments: [
    ("", "this one has none"), ("   ", "this one has only spaces"), ("\u{3000}", "this one has only spaces"),
    (String(repeating: "a", count: 201), "this one has 201"),
    ("a\u{1B}[2J", "this one has U+001B, which cannot be seen"),
    ("a\u{202E}b", "this one has U+202E, which cannot be seen"),
    ("a\u{200B}", "this one has U+200B, which cannot be seen"),
    ("a\nb", "this one has U+000A, which cannot be seen"),
    ("a\u{3164}", "this one has U+3164, which cannot be seen"),
    ("e" + String(repeating: "\u{301}", count: 200), "this one has 201"),
  ])
  func `a label that is none says what is wrong with it`(text: String, expected: String) {
    #expect(Label.problem(text) == "a label has 1 to 200 printable characters, " + expected)
  }

  @Test func `the longest label has 200 characters`() {
    #expect(Label.problem(String(repeating: "é", count: 200)) == nil)
  }

  @Test(arguments: [
    ("abc", 3), ("naïve", 5), ("nai\u{308}ve", 5), ("日本", 4), ("한국", 4), ("🎉", 2), ("👩‍💻", 2), ("❤️", 2), ("ｱ", 1),
    ("Ａ", 2), ("", 0),
    ("±–×", 3),
  ])
  func `a text is as wide as a terminal shows it`(text: String, expected: Int) {
    #expect(text.displayWidth == expected)
  }
}
