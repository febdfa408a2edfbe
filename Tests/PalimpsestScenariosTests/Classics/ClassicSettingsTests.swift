import PalimpsestCore
import PalimpsestScenarios
import Testing

@Suite struct ClassicSettingsTests {
  private func error(_ change: (inout SEA) -> Void) -> ScenarioError? {
    var sea = SEA()
    change(&sea)
    return Classic.error(sea)
  }

  @Test func `a transition needs a width`() {
    #expect(
      error { $0.rows.transition = .sigmoid }
        == ScenarioError(
          parameter: "width", "a sigmoid transition takes some rows. Say how many, at most rowsPerTask, 2000."))
  }

  @Test func `an abrupt change has no width`() {
    #expect(
      error { $0.rows.width = 10 }
        == ScenarioError(
          parameter: "width",
          "10 is given, and an abrupt transition has no width. Leave it out, or take \"sigmoid\"."))
  }

  @Test func `a transition is no wider than a task`() {
    #expect(
      error { ($0.rows.transition, $0.rows.width) = (.linear, 2001) }
        == ScenarioError(
          parameter: "width", "2001 rows are more than the 2000 of a task. It must be at most rowsPerTask."))
    #expect(error { ($0.rows.transition, $0.rows.width) = (.linear, 2000) } == nil)
  }

  @Test func `more rows than memory are refused`() {
    #expect(
      error {
        $0.rows.testRows = 10_000_000; $0.thresholds = [Double](repeating: 8, count: 20)
      }
        == ScenarioError(
          parameter: "testRows",
          "20 tasks of 2000 + 10000000 rows of 3 columns are more than 400000000 numbers. Take fewer rows."))
  }

  @Test func `more tasks than pairs can be worked out for are refused`() {
    #expect(
      error { ($0.thresholds, $0.rows.rowsPerTask, $0.rows.testRows) = ([Double](repeating: 8, count: 1001), 1, 1) }
        == ScenarioError("1001 tasks are more than 1000. List fewer concepts."))
  }

  @Test func `a concept that does not exist is named`() {
    var stagger = Stagger()
    stagger.concepts = [1, 4]
    #expect(
      Classic.error(stagger) == ScenarioError(parameter: "concepts", "4 is no rule of STAGGER. There are 1 to 3."))
    var sine = SineCurves()
    sine.concepts = [5]
    #expect(
      Classic.error(sine) == ScenarioError(parameter: "concepts", "5 is no concept of sine. There are 1 to 4."))
    var mixed = MixedInputs()
    mixed.concepts = [3]
    #expect(
      Classic.error(mixed) == ScenarioError(parameter: "concepts", "3 is no concept of mixed. There are 1 to 2."))
  }

  @Test func `settings are read as an experiment file gives them`() throws {
    let sea = try SEA(settings: [
      "thresholds": .list([.number("8"), .number("9.5")]), "noise": .number("0.2"), "rowsPerTask": .number("50"),
      "transition": .string("sigmoid"), "width": .number("20"), "scale": .string("none"),
    ])
    #expect(sea.thresholds == [8, 9.5] && sea.noise == 0.2 && sea.rows.rowsPerTask == 50 && sea.scale == .none)
    #expect(sea.rows.transition == .sigmoid && sea.rows.width == 20 && sea.rows.testRows == 3000)
    #expect(throws: ParameterError.self) { try SEA(settings: ["noise": .number("0.51")]) }
    #expect(throws: ParameterError.self) { try SEA(settings: ["noise": .number("-0.1")]) }
    #expect(throws: ParameterError.self) { try SEA(settings: ["thresholds": .list([.number("21")])]) }
    #expect(throws: ParameterError.self) { try Stagger(settings: ["concepts": .list([])]) }
    #expect(throws: ParameterError.self) { try Stagger(settings: ["transition": .string("slow")]) }
  }
}
