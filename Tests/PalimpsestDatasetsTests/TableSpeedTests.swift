import PalimpsestScenarios
import Testing

@Suite struct TableSpeedTests {
  /// Twice as many columns took four times as long: 100,000 took half a minute.
  @Test func `a table of 100,000 columns is read in seconds`() throws {
    let columns = 100_000
    let scratch = try Scratch()
    let header = (0..<columns).map { ",c\($0)" }.joined()
    let cells = (0..<columns).map { ",\($0 % 10)" }.joined()
    try scratch.write("set/t.csv", "label\(header)\n0\(cells)\n1\(cells)\n")
    var set: Dataset?
    let time = try ContinuousClock().measure { set = try scratch.library.dataset(named: "set") }
    #expect(set?.inputs.columns == columns)
    #expect(set?.values[1][columns - 1] == 9)
    #expect(time < .seconds(5))
  }

  @Test func `a late column that is there twice is found`() throws {
    let scratch = try Scratch()
    try scratch.write("set/t.csv", "label" + (0..<1000).map { ",c\($0 % 999)" }.joined() + "\n")
    #expect(scratch.error(reading: "set") == "set/t.csv:1: columns 2 and 1001 are both called \"c0\"")
  }

  /// Rows of several blocks; the sum is worked out beside.
  @Test func `cells across blocks of the file are whole`() throws {
    let scratch = try Scratch()
    let rows = (0..<40_000).map { "\($0 % 2),\"\($0)\",\($0).5\r\n" }.joined()
    try scratch.write("set/t.csv", "label,a,\"b\r\nc\"\r\n" + rows)
    let set = try scratch.library.dataset(named: "set")
    #expect(set.columns == ["a", "b\r\nc"])
    let values = set.values
    #expect(values.indices.allSatisfy { values[$0] == [Float($0), Float($0) + 0.5] })
  }

  @Test func `numbers are those of the standard library, bit for bit`() throws {
    var rng = SystemRandomNumberGenerator()
    var texts = [
      "0", "-0", "+1", "1.", ".5", "-.5", "1e5", "1E-5", "0x1p3", "16777217", "16777219", "9007199254740993",
      "0.000000000000000000000001", "123456789012345678901234567890", "1.00000005960464477539", "3.4028235e38",
      "1e-45", "00012.500", "8388608.5", "0.1000000014901161193847656250",
    ]
    for _ in 0..<20_000 {
      let digits = Int.random(in: 1...18, using: &rng)
      let number = UInt64.random(in: 0..<UInt64(tenTo(digits)), using: &rng)
      let fraction = Int.random(in: 0...10, using: &rng)
      texts.append(
        (Bool.random(using: &rng) ? "-" : "") + "\(number)"
          + (fraction == 0 ? "" : ".\(number % UInt64(tenTo(fraction)))"))
      // Halfway between two floats, and one step beside.
      let float = Float.random(in: 1..<1e6, using: &rng)
      let middle = (Double(float) + Double(float.nextUp)) / 2
      texts += ["\(middle)", "\(middle.nextUp)", "\(middle.nextDown)"]
    }
    let scratch = try Scratch()
    let rows = texts.enumerated().map { "\($0 % 2),\($1)\n" }.joined()
    try scratch.write("set/t.csv", "label,a\n" + rows)
    let values = try scratch.library.dataset(named: "set").values
    for (text, value) in zip(texts, values) { #expect(value[0].bitPattern == Float(text)?.bitPattern, "\(text)") }
  }

  private func tenTo(_ exponent: Int) -> Int { (0..<exponent).reduce(1) { power, _ in power * 10 } }
}
