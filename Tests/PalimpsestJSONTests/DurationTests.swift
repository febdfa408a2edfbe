import PalimpsestJSON
import Testing

/// Times as people read them, whatever a clock that was set says.
@Suite struct DurationTests {
  @Test(arguments: [
    (0.42, "0.4 s"), (9.96, "10 s"), (200, "3 min 20 s"), (7500, "2 h 5 min"), (-416.6, "0.0 s"), (-1e300, "0.0 s"),
    (1e300, "a long time"), (.infinity, "a long time"), (.nan, "a long time"),
  ])
  func `a duration is never less than nothing`(seconds: Double, text: String) { #expect(duration(seconds) == text) }

  @Test(arguments: [
    (12.34, "12.3"), (-416.66, "-416.7"), (-0.04, "0.0"), (1e300, "1e+300"), (.nan, "nan"), (-.infinity, "-inf"),
  ])
  func `a decimal has one sign`(number: Double, text: String) { #expect(oneDecimal(number) == text) }
}
