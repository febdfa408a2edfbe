import PalimpsestSettings
import Testing

/// Two settings of an entry.
private struct Stop: NestedParameters {
  @Parameter("A day.", .atLeast(1)) var day: Int = 5
  @Parameter("A share.", .within(0...1)) var share: Double = 1

  init() {}
}

/// A list beside a parameter, and one in a group.
private struct Tour: Configurable {
  @Parameter("A count.") var count: Int = 3
  @ParameterList("Where it stops.", atMost: 3) var stops: [Stop] = []
  var back = Back()
  var state = 7

  init() {}
}

private struct Back: NestedParameters {
  @ParameterList("Stops on the way back.", atMost: 2) var stops: [Stop] = []

  init() {}
}

@Suite struct ParameterListTests {
  private func read(_ settings: [String: ParameterValue]) throws -> Tour { try Tour(settings: settings) }

  @Test func `a list has as many entries as it says, each with the settings under its place`() throws {
    let tour = try read([
      "stops": .number("2"), "stops.1.day": .number("9"), "stops.0.share": .number("0.5"), "back.stops": .number("1"),
      "back.stops.0.day": .number("4"),
    ])
    #expect(tour.stops.map(\.day) == [5, 9] && tour.stops.map(\.share) == [0.5, 1])
    #expect(tour.back.stops.map(\.day) == [4] && tour.count == 3 && tour.state == 7)
    #expect(try read([:]).stops.isEmpty)
  }

  @Test func `the parameters of a value are its own entries', those of a type the list alone`() throws {
    let tour = try read(["stops": .number("1"), "stops.0.day": .number("1e1")])
    #expect(tour.parameters.map(\.name) == ["count", "stops", "stops.0.day", "stops.0.share", "back.stops"])
    #expect(tour.parameters.map(\.value) == ["3", "1", "10", "1", "0"].map { .number($0) })
    #expect(Tour.declaredParameters.map(\.name) == ["count", "stops", "back.stops"])
    #expect(Tour.declaredParameters[1].kind == .entries(Stop.declaredParameters))
    #expect(Tour.declaredParameters[1].expectation == "a list of objects, at most 3")
  }

  @Test func `a setting is declared at every place that its list may have`() throws {
    let table = ParameterTable.of(Tour.self)
    #expect(table.declaration("stops.2.day")?.name == "stops.2.day")
    #expect(table.declaration("back.stops.1.share")?.help == "A share.")
    for path in ["stops.3.day", "stops.02.day", "stops.-1.day", "stops.0.hour", "stops.0", "count.0.day", "0.day"] {
      #expect(table.declaration(path) == nil, "\(path)")
    }
    #expect(table.declarations(under: "stops.2.").map(\.name) == ["stops.2.day", "stops.2.share"])
    #expect(table.declarations(under: "back.").map(\.name) == ["back.stops"])
    #expect(try table.typed("stops.1.day", .number("1e2")) == .number("100"))
  }

  @Test(
    arguments: [
      ("stops", .number("4"), "stops: expected a list of objects, at most 3, found 4"),
      ("stops", .string("two"), "stops: expected a list of objects, at most 3, found \"two\""),
      ("stops.1.day", .number("0"), "stops.1.day: expected a whole number ≥ 1, found 0"),
    ] as [(String, ParameterValue, String)])
  func `what is not allowed is refused with its path`(path: String, value: ParameterValue, message: String) {
    let error = #expect(throws: ParameterError.self) { try read(["stops": .number("2")].merging([path: value]) { $1 }) }
    #expect(error?.description == message)
  }
}
