import PalimpsestJSON
import Testing

/// Whatever the bytes, reading gives a tree or problems, and every place lies inside the file.
@Suite struct JSONFuzzTests {
  static let document = Array(
    #"""
    {
      "name": "habit-é-\u00e9-\ud83d\ude00-😀", // a label
      "seeds": [1, -2.50e+3, 18446744073709551615, 0.1],
      "training": { "epochs": 20, "adam": true, "none": null }, /* and
      so on */
      "strategies": { "naive": [], "ewc": [ { "name": "ewc", "strength": 10 } ] }
    }

    """#.utf8)

  /// Nil if all is well, else what isn't.
  func fault(in bytes: [UInt8]) -> String? {
    let document = JSONReader.read(bytes, file: "fuzz.json")
    if document.problems.isEmpty { return document.root == nil ? "neither a tree nor a problem" : nil }
    let end = document.source.place(at: bytes.count)
    for problem in document.problems {
      guard let place = problem.place else { return "no place: \(problem)" }
      let isInside = place.line >= 1 && place.column >= 1 && place <= end
      let isOneLine = !problem.message.isEmpty && !problem.message.contains("\n")
      if !isInside || !isOneLine { return "\(problem) but the end is \(end)" }
    }
    return nil
  }

  @Test func `the document itself is good`() throws {
    let value = try JSONReader.read(Self.document, file: "fuzz.json").value()
    #expect(try JSONReader.read(value.prettyText, file: "again.json").value() == value)
  }

  @Test func `cut at any byte it is a problem with a place`() {
    let closing = Self.document.lastIndex(of: UInt8(ascii: "}")) ?? 0
    for length in 0..<Self.document.count {
      let cut = Array(Self.document[..<length])
      #expect(fault(in: cut) == nil)
      #expect(JSONReader.read(cut, file: "cut.json").problems.isEmpty == (length > closing))
    }
  }

  @Test func `any byte replaced by any other never crashes`() {
    let others: [UInt8] = [0, 0x0A, 0x0D, 0x1F, 0x7F, 0x80, 0xBF, 0xC3, 0xED, 0xF4, 0xFF]
    let replacements = Array(#""\{}[],:/*0-.eu# "#.utf8) + others
    for index in Self.document.indices {
      for byte in replacements + [0x01, 0x20, 0x80].map({ Self.document[index] ^ $0 }) {
        var bytes = Self.document
        bytes[index] = byte
        if let fault = fault(in: bytes) { Issue.record("byte \(index) = \(byte): \(fault)") }
      }
    }
  }

  @Test func `bytes left out or doubled never crash`() {
    for index in Self.document.indices {
      var (without, doubled) = (Self.document, Self.document)
      without.remove(at: index)
      doubled.insert(Self.document[index], at: index)
      #expect(fault(in: without) == nil)
      #expect(fault(in: doubled) == nil)
    }
  }

  @Test func `random tokens never crash`() {
    let tokens = [
      "{", "}", "[", "]", ",", ":", "\"a\"", "\"b\"", "1", "-", "true", "nul", "//", "/*", "*/", "\n", " ", "\\", "é",
      "\"",
    ]
    var state: UInt64 = 42
    for _ in 0..<3_000 {
      var text = ""
      for _ in 0..<12 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += tokens[Int(state >> 33) % tokens.count]
      }
      if let fault = fault(in: Array(text.utf8)) { Issue.record("\(text): \(fault)") }
    }
  }
}
