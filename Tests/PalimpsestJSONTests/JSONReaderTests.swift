import PalimpsestJSON
import Testing

@Suite struct JSONReaderTests {
  func read(_ text: String) throws(Problems) -> JSONValue {
    try JSONReader.read(text, file: "test.json").value()
  }

  /// Text, and the same in compact form.
  @Test(arguments: [
    ("null", "null"), (" true ", "true"), ("false", "false"), ("0", "0"), ("-0", "-0"), ("-12.50e+3", "-12.50e+3"),
    ("1E400", "1E400"), ("\"\"", "\"\""), ("[]", "[]"), ("{}", "{}"), ("[ [ ] , { } ]", "[[],{}]"),
    ("{\"b\" : 1 ,\r\n\t\"a\" : [ 2 , 3 ] }", "{\"b\":1,\"a\":[2,3]}"),
    ("// one\n[1, // two\r 2 /* , 3 */ ] // end", "[1,2]"),
    ("/**/[/***/1/* * / ** */]/*//*/", "[1]"),
    ("\"// no comment /* here */\"", "\"// no comment /* here */\""),
    ("{\"\": {\"\": 0}}", "{\"\":{\"\":0}}"),
  ])
  func `good documents read as they mean`(text: String, compact: String) throws {
    #expect(try read(text).compactText == compact)
  }

  @Test(arguments: [
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    (#""\u0041\u00e9\u20AC""#, "Aé€"),
    (#""\ud83d\ude00 \uD834\uDD1E""#, "😀 𝄞"),
    (#""\uDBFF\uDFFF\uD800\uDC00""#, "\u{10FFFF}\u{10000}"),
    (#""a\u0000b""#, "a\0b"),
    ("\"é€😀\u{7F}\u{2028}\"", "é€😀\u{7F}\u{2028}"),
  ])
  func `strings are unescaped`(text: String, value: String) throws {
    let string = try #require(try read(text).string)
    #expect(Array(string.unicodeScalars) == Array(value.unicodeScalars))
  }

  @Test func `a seed above 2⁵³ keeps every digit`() throws {
    let value = try read("[18446744073709551615, 9007199254740993, -9223372036854775808]")
    #expect(value[0]?.uint64 == 18_446_744_073_709_551_615)
    #expect(value[0]?.int == nil)
    #expect(value[1]?.int == 9_007_199_254_740_993)
    #expect(value[2]?.int == Int.min)
    #expect(value[2]?.uint64 == nil)
  }

  @Test(
    arguments: [
      ("1.0", 1), ("1e3", 1000), ("1.5e1", 15), ("1500e-2", 15), ("-0", 0), ("0.0e99", 0), ("-2.50E+2", -250),
      ("0.5", nil),
      ("15e-1", nil), ("1e19", nil), ("1e999999999999999999999", nil), ("9223372036854775807.0", Int.max),
    ] as [(String, Int?)])
  func `a number without a fraction is an integer, however it is written`(text: String, value: Int?) throws {
    #expect(try read(text).int == value)
  }

  @Test func `doubles are the nearest, and none where it would be infinite`() throws {
    #expect(try read("0.1").double == 0.1)
    #expect(try read("-1e-400").double == 0)
    #expect(try read("1e400").double == nil)
    #expect(try read("\"1\"").double == nil)
  }

  @Test func `narrow integers refuse what doesn't fit`() throws {
    #expect(try read("255").integer(as: UInt8.self) == 255)
    #expect(try read("256").integer(as: UInt8.self) == nil)
    #expect(try read("-1").integer(as: UInt.self) == nil)
  }

  // {⏎␣␣"é": [1, "x"],⏎␣␣"b": {"c": null}⏎}
  // 0 1 2 3  4–7  é takes two bytes: [ is byte 10, line 2 column 8
  @Test func `values and keys know their places`() throws {
    let document = JSONReader.read("{\n  \"é\": [1, \"x\"],\n  \"b\": {\"c\": null}\n}", file: "test.json")
    let root = try document.value()
    let array = try #require(root["é"])
    #expect(root.offset == 0)
    #expect(root.object?.keyOffset(of: "é") == 4)
    #expect(array.offset == 10)
    #expect(document.source.place(at: 10) == Place(line: 2, column: 8))
    #expect(array[1].flatMap(\.offset).map(document.source.place(at:)) == Place(line: 2, column: 12))
    #expect(root["b"]?.object?.keyOffset(of: "c").map(document.source.place(at:)) == Place(line: 3, column: 9))
  }

  @Test func `objects keep the order of the file`() throws {
    let keys = (0..<100).map { "k\($0 * 37 % 100)" }
    let text = "{" + keys.map { "\"\($0)\": 0" }.joined(separator: ",") + "}"
    #expect(try read(text).object?.keys.elements == keys)
  }

  @Test func `of a key given twice the first value stays`() {
    let document = JSONReader.read(#"{"a": 1, "b": 2, "a": 3}"#, file: "test.json")
    #expect(document.root?.compactText == #"{"a":1,"b":2}"#)
    #expect(document.problems.count == 1)
  }

  @Test func `nesting is allowed up to the limit`() throws {
    let limit = JSONReader.standardDepthLimit
    let deep = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
    #expect(try read(deep).compactText == deep)
    #expect(throws: Problems.self) { try read("[" + deep + "]") }
  }

  @Test func `a million open brackets are a problem, not a crash`() {
    let problems = JSONReader.read(String(repeating: "[{\"a\":", count: 1_000_000), file: "deep.json").problems
    #expect(problems.description == "deep.json:1:193: arrays and objects are nested more than 64 deep")
  }

  @Test func `equality ignores places and sees order`() throws {
    #expect(try read("{\"a\": [1]}") == read("{ \"a\" : [ 1 ] }"))
    #expect(try read("{\"a\": [1]}") == ["a": [1]])
    #expect(try read("{\"a\": 1, \"b\": 2}") != read("{\"b\": 2, \"a\": 1}"))
  }

  @Test func `accessors of the wrong kind give nothing`() {
    let value: JSONValue = ["a": [true, nil, "x", 1.5]]
    #expect(value["a"]?[0]?.bool == true)
    #expect(value["a"]?[1]?.isNull == true)
    #expect(value["a"]?[2]?.string == "x")
    #expect(value["a"]?[3]?.double == 1.5)
    #expect(value["a"]?[4] == nil)
    #expect(value["b"] == nil)
    #expect(value[0] == nil)
    #expect(value.string == nil)
    #expect(value["a"]?[2]?.int == nil)
    #expect(value["a"]?.kind == "an array")
  }

  @Test(arguments: [
    (#""high""#, #""high""#), ("-1.50", "-1.50"), ("null", "null"), ("true", "true"), ("[1]", "an array"),
    (#"{"a": 1}"#, "an object"), ("[]", "an empty array"), ("{}", "an empty object"),
  ])
  func `a value is shown in messages as it was written`(text: String, shown: String) throws {
    #expect(try read(text).shown == shown)
  }

  @Test func `members can be set, replaced and removed`() throws {
    var object = try #require(try read(#"{"a": 1, "b": 2}"#).object)
    object["a"] = 3
    object["b"] = Optional<JSONValue>.none
    object["c"] = nil as JSONValue
    #expect(JSONValue(object).compactText == #"{"a":3,"c":null}"#)
    #expect(object.keyOffset(of: "a") == 1)
    #expect(object.keyOffset(of: "c") == nil)
  }
}
