import Foundation
import PalimpsestSettings
import Testing

/// One parameter of every kind, a group, and state.
private struct Sample: Configurable {
  enum Rule: String, ParameterChoice {
    case first
    case lastOne = "last-one"
  }

  @Parameter("A strength.", .atLeast(0)) var strength: Float = 100
  @Parameter("A share.", .within(0..<1)) var share: Double = 0.5
  @Parameter("A step.", .above(0)) var rate: Double = 0.1
  @Parameter("A closed range.", .within(0...1)) var level: Double = 1
  @Parameter("A count.", .atLeast(1)) var count: Int = 3
  @Parameter("Any whole number.") var seed: Int = 0
  @Parameter("A switch.") var flag: Bool = false
  @Parameter("A text.") var title: String = "none"
  @Parameter("A rule.") var rule: Rule = .first
  @Parameter("A count or null.", .atLeast(1)) var limit: Int? = nil
  @Parameter("Layers.", .atLeast(1)) var hidden: [Int] = [16, 8]
  @Parameter("At least two weights.", .within(0...1).count(atLeast: 2)) var weights: [Double] = [0.5, 0.5]
  @Parameter("A rule or null.") var other: Rule? = .lastOne
  var group = Group()
  var state: [Float] = [1, 2, 3]

  init() {}
}

private struct Group: ParameterGroup {
  @Parameter("A parameter of the group.", .atLeast(0)) var beta: Double = 1
  @Parameter("Another.") var draws: Int = 2
  var kept = 7

  init() {}
}

/// A group with defaults of its owner's.
private struct Owner: Configurable {
  var group: Group

  init() {
    group = Group()
    (group.beta, group.kept) = (4, 8)
  }
}

@Suite struct ParameterTests {
  private func read(_ name: String, _ value: ParameterValue) throws -> Sample { try Sample(settings: [name: value]) }

  @Test func `without settings everything has its default`() throws {
    let sample = try Sample(settings: [:])
    #expect(sample.parameters.map(\.value) == Sample().parameters.map(\.value))
    #expect(sample.strength == 100 && sample.rule == .first && sample.limit == nil && sample.hidden == [16, 8])
    #expect(sample.state == [1, 2, 3] && sample.group.kept == 7)
  }

  @Test func `every kind is read`() throws {
    let sample = try Sample(settings: [
      "strength": .number("2.5"), "share": .number("0"), "rate": .number("1e-3"), "level": .number("0"),
      "count": .number("12"), "seed": .number("-9007199254740993"), "flag": .bool(true), "title": .string("x"),
      "rule": .string("last-one"), "limit": .number("5"), "hidden": .list([.number("4")]),
      "weights": .list([.number("0.25"), .number("1")]), "other": .null,
    ])
    #expect(sample.strength == 2.5 && sample.share == 0 && sample.rate == 0.001 && sample.level == 0)
    #expect(sample.count == 12 && sample.seed == -9_007_199_254_740_993 && sample.flag && sample.title == "x")
    #expect(sample.rule == .lastOne && sample.limit == 5 && sample.hidden == [4] && sample.weights == [0.25, 1])
    #expect(sample.other == nil)
  }

  @Test func `what is not given keeps its default, and state is never read`() throws {
    let sample = try Sample(settings: ["count": .number("4"), "state": .list([]), "kept": .number("1")])
    #expect(sample.count == 4 && sample.strength == 100 && sample.state == [1, 2, 3] && sample.group.kept == 7)
  }

  @Test func `a group's defaults are those of the value that has it`() throws {
    let (plain, changed) = (try Owner(settings: [:]), try Owner(settings: ["draws": .number("3")]))
    #expect(plain.group.beta == 4 && plain.group.draws == 2 && plain.group.kept == 8)
    #expect(changed.group.beta == 4 && changed.group.draws == 3 && changed.group.kept == 8)
    #expect(Owner.declaredParameters.first { $0.name == "beta" }?.value == .number("4"))
    #expect(try Sample(settings: [:]).group.beta == 1)
  }

  @Test func `a group's parameters are the part's own`() throws {
    let sample = try Sample(settings: ["beta": .number("0.5"), "draws": .number("9"), "count": .number("1")])
    #expect(sample.group.beta == 0.5 && sample.group.draws == 9 && sample.group.kept == 7 && sample.count == 1)
    #expect(Sample.declaredParameters.map(\.name).contains("beta"))
    let error = #expect(throws: ParameterError.self) { try read("beta", .number("-1")) }
    #expect(error?.description == "beta: expected a number ≥ 0, found -1")
  }

  @Test(
    arguments: [
      ("strength", .string("high"), "strength: expected a number ≥ 0, found \"high\""),
      ("strength", .number("-5"), "strength: expected a number ≥ 0, found -5"),
      (
        "strength", .number("1e39"),
        "strength: expected a number ≥ 0, found 1e39, which is too large for a 32-bit float"
      ),
      ("strength", .null, "strength: expected a number ≥ 0, found null"),
      ("share", .number("1"), "share: expected a number in [0, 1), found 1"),
      ("share", .number("-0.1"), "share: expected a number in [0, 1), found -0.1"),
      ("rate", .number("0"), "rate: expected a number > 0, found 0"),
      ("rate", .number("1e400"), "rate: expected a number > 0, found 1e400, which is too large for a 64-bit float"),
      ("level", .number("1.5"), "level: expected a number in [0, 1], found 1.5"),
      ("count", .number("0"), "count: expected a whole number ≥ 1, found 0"),
      ("count", .number("1.5"), "count: expected a whole number ≥ 1, found 1.5"),
      (
        "count", .number("1e30"),
        "count: expected a whole number ≥ 1, found 1e30, which is too large for a 64-bit integer"
      ),
      ("count", .string("3"), "count: expected a whole number ≥ 1, found \"3\""),
      ("seed", .bool(true), "seed: expected a whole number, found true"),
      ("flag", .number("1"), "flag: expected true or false, found 1"),
      ("title", .number("1"), "title: expected a text, found 1"),
      ("rule", .string("last"), "rule: expected one of \"first\", \"last-one\", found \"last\""),
      ("rule", .string("lastOne"), "rule: expected one of \"first\", \"last-one\", found \"lastOne\""),
      ("limit", .number("0"), "limit: expected a whole number ≥ 1 or null, found 0"),
      (
        "hidden", .list([.number("4"), .number("0")]),
        "hidden: expected a list of whole numbers ≥ 1, found 0 as element 2"
      ),
      ("hidden", .number("4"), "hidden: expected a list of whole numbers ≥ 1, found 4"),
      (
        "weights", .list([.number("0.5")]),
        "weights: expected a list of numbers in [0, 1], at least 2, found a list of 1"
      ),
      ("other", .object("{}"), "other: expected one of \"first\", \"last-one\" or null, found an object"),
    ] as [(String, ParameterValue, String)])
  func `a value that is not allowed is refused with what would be right`(
    name: String, value: ParameterValue, message: String
  ) {
    let error = #expect(throws: ParameterError.self) { try read(name, value) }
    #expect(error?.description == message)
  }

  @Test(arguments: [("3", 3), ("3.0", 3), ("1e3", 1000), ("9223372036854775807", Int.max)])
  func `a whole number may be written as any number`(text: String, value: Int) throws {
    #expect(try read("count", .number(text)).count == value)
  }

  @Test func `declarations come in order, with kind, bounds, help and value`() throws {
    let declared = Sample.declaredParameters
    #expect(
      declared.map(\.name) == [
        "strength", "share", "rate", "level", "count", "seed", "flag", "title", "rule", "limit", "hidden", "weights",
        "other", "beta", "draws",
      ])
    #expect(declared[0].help == "A strength.")
    #expect(declared[0].value == .number("100"))
    #expect(declared[1].value == .number("0.5"))
    #expect(declared[8].kind == .choice(["first", "last-one"]))
    #expect(declared[9].kind == .optional(.integer) && declared[9].value == .null)
    #expect(declared[10].kind == .list(.integer) && declared[10].value == .list([.number("16"), .number("8")]))
    #expect(declared[12].value == .string("last-one"))
    #expect(try read("count", .number("4")).parameters[4].value == .number("4"))
  }

  @Test func `values written and read again are the same`() throws {
    let first = try Sample(settings: ["strength": .number("0.1"), "rate": .number("1e-30"), "limit": .number("2")])
    let settings = Dictionary(first.parameters.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    let second = try Sample(settings: settings)
    #expect(second.parameters.map(\.value) == first.parameters.map(\.value))
    #expect(second.strength == 0.1 && second.rate == 1e-30 && second.limit == 2)
    #expect(first.parameters[0].value == .number("0.1"))
  }

  @Test func `a checkpoint holds the values and the state`() throws {
    var sample = try Sample(settings: ["count": .number("4"), "beta": .number("0.25")])
    sample.state = [9]
    let again = try JSONDecoder().decode(Sample.self, from: JSONEncoder().encode(sample))
    #expect(again.count == 4 && again.group.beta == 0.25 && again.state == [9] && again.limit == nil)
  }

  @Test func `bounds say what they hold`() {
    #expect(Bounds.any.contains(-1e300) && Bounds.any.description == "")
    #expect(Bounds.atLeast(2).contains(2) && !Bounds.atLeast(2).contains(1.9))
    #expect(!Bounds.above(2).contains(2) && Bounds.above(2).contains(2.1))
    #expect(Bounds.within(0...1).contains(1) && !Bounds.within(0..<1).contains(1))
    #expect(Bounds.above(0.5).description == " > 0.5")
    #expect(Bounds.within(0..<0.5).description == " in [0, 0.5)")
  }
}
