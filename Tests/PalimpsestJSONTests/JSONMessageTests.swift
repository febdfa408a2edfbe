import PalimpsestJSON
import Testing

@Suite struct JSONMessageTests {
  func message(_ text: String, file: String = "x.json") -> String {
    JSONReader.read(text, file: file).problems.description
  }

  @Test func `the messages of the design read as designed`() {
    #expect(
      message("{\n  \"name\": \"a\"\n    \"seeds\": 1\n}", file: "syntax.json")
        == #"syntax.json:3:5: expected "," or "}" after the value of "name", found """; is a comma missing?"#)
    #expect(
      message(#"{"seeds": 100, "seeds": 2}"#, file: "dup.json")
        == #"dup.json:1:16: "seeds" is given twice in one object"#)
  }

  @Test(arguments: [
    ("", "1:1: the file is empty"),
    (" // nothing\n", "2:1: the file holds no value"),
    ("{} {}", #"1:4: expected the end of the file, found "{""#),
    ("[1]]", #"1:4: expected the end of the file, found "]"; is there one too many?"#),
  ])
  func `what a whole file lacks or has too much`(text: String, expected: String) {
    #expect(message(text) == "x.json:" + expected)
  }

  @Test(arguments: [
    ("[1 2]", #"1:4: expected "," or "]" after element 1, found "2"; is a comma missing?"#),
    ("[1, [2] [3]]", #"1:9: expected "," or "]" after element 2, found "["; is a comma missing?"#),
    (#"{"a": 12px}"#, #"1:9: expected "," or "}" after the value of "a", found "px""#),
    (#"{"a": 1]"#, #"1:8: expected "," or "}" after the value of "a", found "]""#),
    ("[1 # one", ##"1:4: expected "," or "]" after element 1, found "#"; a comment is written // or /* */"##),
    (#"{"a" 1}"#, #"1:6: expected ":" after the key "a", found "1""#),
    ("{\"line\\nbreak\" 1}", #"1:16: expected ":" after the key "line\nbreak", found "1""#),
    ("{a: 1}", #"1:2: expected a key or "}", found "a"; keys take double quotes"#),
    (#"{"a": 1, b: 2}"#, #"1:10: expected a key after ",", found "b"; keys take double quotes"#),
    ("{'a': 1}", #"1:2: expected a key or "}", found "'"; strings and keys take straight double quotes"#),
    ("{“a”: 1}", #"1:2: expected a key or "}", found "“" (U+201C); strings and keys take straight double quotes"#),
    (#"{"a": 1, , "b": 2}"#, #"1:10: expected a key after ",", found ",""#),
    ("[1,, 2]", #"1:4: expected a value after ",", found ",""#),
    ("[,1]", #"1:2: expected a value or "]", found ",""#),
    (#"{"a": }"#, #"1:7: expected a value for "a", found "}""#),
    ("\u{A0}1", "1:1: expected a value, found U+00A0"),
    ("[1\0]", #"1:3: expected "," or "]" after element 1, found U+0000"#),
  ])
  func `structure says what was expected and what is there`(text: String, expected: String) {
    #expect(message(text) == "x.json:" + expected)
  }

  @Test(arguments: [
    ("[1, 2, ]", #"1:6: a comma before "]" is not JSON; remove it"#),
    ("{\"a\": 1, // last\n}", #"1:8: a comma before "}" is not JSON; remove it"#),
  ])
  func `a trailing comma is named at its place`(text: String, expected: String) {
    #expect(message(text) == "x.json:" + expected)
  }

  @Test(arguments: [
    ("True", #"1:1: expected a value, found "True"; write true"#),
    ("[None]", #"1:2: expected a value or "]", found "None"; write null"#),
    (#"{"a": NaN}"#, #"1:7: expected a value for "a", found "NaN"; JSON has no NaN and no infinity"#),
    ("[-Infinity]", #"1:3: expected a digit of the number, found "Infinity"; JSON has no NaN and no infinity"#),
    (#"{"a": high}"#, #"1:7: expected a value for "a", found "high"; strings take double quotes"#),
    ("[0, .5]", #"1:5: expected a value after ",", found ".5"; a number starts with a digit or "-""#),
    ("+1", #"1:1: expected a value, found "+1"; a number starts with a digit or "-""#),
    ("-", "1:2: expected a digit of the number, found the end of the file"),
    ("[1.]", #"1:4: expected a digit of the fraction, found "]""#),
    ("[1e+]", #"1:5: expected a digit of the exponent, found "]""#),
    ("-012", #"1:2: a number can't start with 0 and another digit: "012""#),
    ("[0x10]", #"1:3: expected "," or "]" after element 1, found "x10""#),
  ])
  func `words and numbers that are none`(text: String, expected: String) {
    #expect(message(text) == "x.json:" + expected)
  }

  @Test(arguments: [
    ("[\n  \"abc\n]", "2:3: the string that starts here is not closed on its line"),
    ("[\"abc", "1:2: the string that starts here is not closed; is the file cut short?"),
    ("[\"abc\\", "1:2: the string that starts here is not closed; is the file cut short?"),
    ("\"a\tb\"", #"1:3: a string can't hold the control character U+0009; write \t"#),
    ("\"a\u{1}b\"", #"1:3: a string can't hold the control character U+0001; write \u0001"#),
    (#""C:\data""#, #"1:4: "\" before "d" is no escape; a backslash itself is written "\\""#),
    (#""\u12G4""#, #"1:6: expected four hexadecimal digits after "\u", found "G4""#),
    (#""\uD800x""#, #"1:2: \uD800 is the first half of a surrogate pair; \uDC00 to \uDFFF must follow"#),
    (#""\uD800\u0041""#, #"1:2: \uD800 is the first half of a surrogate pair; \uDC00 to \uDFFF must follow"#),
    (#""\uDC00\uDC00""#, #"1:2: \uDC00 is the second half of a surrogate pair; \uD800 to \uDBFF must come before"#),
  ])
  func `strings that are broken`(text: String, expected: String) {
    #expect(message(text) == "x.json:" + expected)
  }

  @Test(arguments: [
    ("[1, /* two", #"1:5: the comment that starts here is not closed with "*/""#),
    ("/*/", #"1:1: the comment that starts here is not closed with "*/""#),
    ("[1 / 2]", #"1:4: "/" alone is not JSON; a comment is written // or /* */"#),
  ])
  func `comments that are broken`(text: String, expected: String) {
    #expect(message(text) == "x.json:" + expected)
  }

  @Test(arguments: [
    (
      "{\n  \"a\": [1,\n  2",
      #"3:4: expected "," or "]" after element 2, found the end of the file; the "[" at 2:8 is not closed"#
    ),
    (
      "{\"a\": {}\n",
      #"2:1: expected "," or "}" after the value of "a", found the end of the file; the "{" at 1:1 is not closed"#
    ),
    ("{\"a\"", #"1:5: expected ":" after the key "a", found the end of the file; the "{" at 1:1 is not closed"#),
    ("[tru", #"1:2: expected a value or "]", found "tru"; strings take double quotes"#),
  ])
  func `a file cut short says what is still open`(text: String, expected: String) {
    #expect(message(text) == "x.json:" + expected)
  }

  @Test(
    arguments: [
      ([0xEF, 0xBB, 0xBF, 0x7B, 0x7D], "1:1: the file starts with a byte order mark; save it as UTF-8 without one"),
      ([0xFF, 0xFE, 0x7B, 0x00], "1:1: the file is UTF-16; save it as UTF-8"),
      ([0xFE, 0xFF, 0x00, 0x7B], "1:1: the file is UTF-16; save it as UTF-8"),
      ([0x5B, 0x0A, 0xC3, 0xA9, 0xE9, 0x5D], "2:2: the file is not UTF-8: no character has the byte 0xE9 here"),
      ([0x22, 0xED, 0xA0, 0x80, 0x22], "1:2: the file is not UTF-8: no character has the byte 0xED here"),
      ([0x22, 0xC0, 0x80, 0x22], "1:2: the file is not UTF-8: no character has the byte 0xC0 here"),
      ([0x22, 0xE2, 0x82], "1:2: the file is not UTF-8: no character has the byte 0xE2 here"),
    ] as [([UInt8], String)])
  func `an encoding that isn't UTF-8 is named`(bytes: [UInt8], expected: String) {
    #expect(JSONReader.read(bytes, file: "x.json").problems.description == "x.json:" + expected)
  }

  @Test func `every key given twice is reported with both places, and reading goes on`() {
    let document = JSONReader.read(#"{"a": {"b": 1, "b": 2}, "c": 3, "a": 4, "a": [5,]}"#, file: "x.json")
    #expect(
      document.problems.description == """
        x.json:1:16: "b" is given twice in one object
        x.json:1:33: "a" is given twice in one object
        x.json:1:41: "a" is given twice in one object
        x.json:1:48: a comma before "]" is not JSON; remove it
        """)
    #expect(
      document.problems.map(\.earlier) == [
        Place(line: 1, column: 8), Place(line: 1, column: 2), Place(line: 1, column: 2), nil,
      ])
    #expect(document.root == nil)
  }

  @Test func `a long key is cut in messages`() {
    let key = String(repeating: "k", count: 100)
    #expect(
      message("{\"\(key)\" 1}")
        == "x.json:1:105: expected \":\" after the key \"\(key.prefix(57))…\", found \"1\"")
  }
}
