import PalimpsestJSON
import Testing

@Suite struct JSONWriterTests {
  @Test(arguments: [
    ("1", "1"), ("1.0", "1"), ("1e0", "1"), ("10e-1", "1"), ("0.10", "0.1"), ("1e-1", "0.1"), ("-0", "0"),
    ("-0.0e5", "0"),
    ("0.1000000000000000055511", "0.1"), ("100", "100"), ("1e2", "100"), ("-1.50", "-1.5"), ("1234.5e-2", "12.345"),
    ("9007199254740993", "9007199254740993"), ("18446744073709551615", "18446744073709551615"),
    ("9007199254740993.0", "9007199254740993"),
    ("123456789012345678901234567890", "1.2345678901234567890123456789e+29"),
    ("1e20", "100000000000000000000"), ("1e21", "1e+21"), ("1.5E300", "1.5e+300"), ("1e400", "1e+400"),
    ("0.000001", "0.000001"), ("1e-7", "1e-7"), ("0.00000123", "0.00000123"), ("0.000000123", "1.23e-7"),
    ("5e-324", "5e-324"), ("2.4703282292062328e-324", "5e-324"), ("1e-400", "0"), ("-1e-400", "0"),
    ("0.3333333333333333333", "0.3333333333333333"),
    ("1e-99999999999999999999", "0"),
  ])
  func `every spelling of a number has one canonical text`(text: String, canonical: String) {
    #expect(canonicalNumber(text) == canonical)
    #expect(canonicalNumber(canonical) == canonical)
  }

  @Test(arguments: ["", "-", "abc", "1.", ".5", "1e", "1e+", "0x1", "1_0", "١", "inf", "nan", "1.2.3", "--1", "1 "])
  func `what is no number has no decimal value`(text: String) {
    #expect(DecimalNumber(text) == nil)
  }

  @Test func `canonical numbers read back as the same double`() {
    var bits = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let value = Double(bitPattern: bits.next())
      guard value.isFinite else { continue }
      #expect(Double(canonicalNumber(value.description)) == value)
    }
  }

  @Test func `canonical text sorts keys by their bytes and drops what means nothing`() throws {
    let text = """
      { // U+FF5E sorts before U+1F600 in UTF-8 though not in UTF-16
        "😀": 1.0, "～": [1e0, "a\\/b\\u00e9\\u0007"], "b": {"z": null, "Z": true}, "": -0, "aa": 1, "a": 2
      }
      """
    #expect(
      try JSONReader.read(text, file: "x").value().canonicalText
        == #"{"":0,"a":2,"aa":1,"b":{"Z":true,"z":null},"～":[1,"a/bé\u0007"],"😀":1}"#)
  }

  @Test func `strings are escaped no more than needed`() {
    #expect(
      JSONValue("\"\\/\u{8}\u{C}\n\r\t\u{1F}\u{7F}é\u{2028}\0").compactText
        == "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u001f\u{7F}é\u{2028}\\u0000\"")
  }

  @Test func `a carriage return before a line feed is escaped too`() {
    #expect(JSONValue("a\r\nb").compactText == #""a\r\nb""#)
  }

  @Test func `pretty text puts short arrays of scalars on one line`() {
    let value: JSONValue = [
      "name": "habit", "hidden": [16, 8], "empty": [], "none": [:],
      "strategies": ["naive": [], "ewc": [["name": "ewc"]]],
      "long": JSONValue((0..<3).map { JSONValue(String(repeating: "\($0)", count: 40)) }),
    ]
    #expect(
      value.prettyText == """
        {
          "name": "habit",
          "hidden": [16, 8],
          "empty": [],
          "none": {},
          "strategies": {
            "naive": [],
            "ewc": [
              {
                "name": "ewc"
              }
            ]
          },
          "long": [
            "0000000000000000000000000000000000000000",
            "1111111111111111111111111111111111111111",
            "2222222222222222222222222222222222222222"
          ]
        }
        """)
  }

  @Test func `values built in code have the shortest numbers`() {
    let value = JSONValue([
      JSONValue(0.1), JSONValue(Float(0.1)), JSONValue(1.0), JSONValue(1e300), JSONValue(UInt64.max), JSONValue(-0.0),
      JSONValue(Double.nan), JSONValue(-Float.infinity), JSONValue(Int8(-5)), 2.5, 7, true, nil, "x",
    ])
    #expect(value.compactText == #"[0.1,0.1,1,1e+300,18446744073709551615,0,null,null,-5,2.5,7,true,null,"x"]"#)
  }

  @Test(arguments: [\JSONValue.compactText, \.prettyText])
  func `what is written reads back as the same tree`(style: KeyPath<JSONValue, String> & Sendable) throws {
    let value: JSONValue = [
      "a": [1, 2.5, -3, nil, true, "é\u{1}\n\"\\"], "": [:], "k\t": [["x": [[], [[]]]]], "z": 18_446_744_073_709.5,
    ]
    #expect(try JSONReader.read(value[keyPath: style], file: "x").value() == value)
  }

  @Test func `canonical text is canonical`() throws {
    let value: JSONValue = ["b": [1.50, 1e22], "a": ["y": 1, "x": "\u{1}"]]
    let again = try JSONReader.read(value.canonicalText, file: "x").value()
    #expect(again.canonicalText == value.canonicalText)
  }
}
