import PalimpsestSettings
import Testing

/// Parameters whose numbers are kept as 32-bit floats, and lists.
private struct Stored: Configurable {
  @Parameter("Above 0.", .above(0)) var rate: Float = 0.1
  @Parameter("Below 1.", .within(0..<1)) var share: Float = 0.5
  @Parameter("Closed at ends that no float is equal to.", .within(0.1...0.3)) var level: Float = 0.2
  @Parameter("Above 0.", .above(0)) var fine: Double = 1
  @Parameter("Rows.", .count) var rows: Int = 1
  @Parameter("Any number of rows.", .atLeast(0)) var free: Int? = nil
  @Parameter("Rates.", Bounds.above(0).count(atLeast: 1)) var rates: [Float] = [1]

  init() {}
}

@Suite struct FoundValueTests {
  @Test(
    arguments: [
      ("rate", .number("1e-50"), "rate: expected a number > 0, found 1e-50, which is too small for a 32-bit float"),
      ("rate", .number("1e-400"), "rate: expected a number > 0, found 1e-400, which is too small for a 32-bit float"),
      ("rate", .number("1e39"), "rate: expected a number > 0, found 1e39, which is too large for a 32-bit float"),
      ("rate", .number("-1e39"), "rate: expected a number > 0, found -1e39"),
      ("rate", .number("0e5"), "rate: expected a number > 0, found 0e5"),
      (
        "share", .number("0.99999999999"),
        "share: expected a number in [0, 1), found 0.99999999999, which a 32-bit float rounds to 1"
      ),
      ("fine", .number("1e-400"), "fine: expected a number > 0, found 1e-400, which is too small for a 64-bit float"),
      ("fine", .number("1e400"), "fine: expected a number > 0, found 1e400, which is too large for a 64-bit float"),
      (
        "rows", .number("9223372036854775808"),
        "rows: expected a whole number in [1, 1000000000], found 9223372036854775808"
      ),
      (
        "free", .number("9223372036854775808"),
        "free: expected a whole number ≥ 0 or null, found 9223372036854775808, which is too large for a 64-bit integer"
      ),
      ("rates", .list([]), "rates: expected a list of numbers > 0, at least 1, found an empty list"),
      (
        "rates", .list([.number("1"), .string("x"), .number("0")]),
        "rates: expected a list of numbers > 0, at least 1, found \"x\" as element 2"
      ),
      (
        "rates", .list([.number("1e-50")]),
        "rates: expected a list of numbers > 0, at least 1, found 1e-50 as element 1, which is too small for a 32-bit "
          + "float"
      ),
    ] as [(String, ParameterValue, String)])
  func `a message says why a value is none of those allowed`(name: String, value: ParameterValue, message: String) {
    let error = #expect(throws: ParameterError.self) { try Stored(settings: [name: value]) }
    #expect(error?.description == message)
  }

  @Test(arguments: [("rate", "1e-45"), ("share", "0.9999999"), ("level", "0.1"), ("level", "0.3")])
  func `what is kept of a number that was taken is taken again`(name: String, text: String) throws {
    let first = try Stored(settings: [name: .number(text)])
    let kept = try #require(first.parameters.first { $0.name == name }?.value)
    #expect(try Stored(settings: [name: kept]).parameters.map(\.value) == first.parameters.map(\.value))
  }
}
