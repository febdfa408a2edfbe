import PalimpsestCore
import PalimpsestScenarios
import Testing

/// Settings of operators that contradict each other, by their whole messages.
@Suite struct ShiftMessageTests {
  private func error(
    _ scenario: any GeneratorScenario = SEA(), _ change: @escaping (inout ShiftSettings) -> Void
  ) -> String? {
    Classic.error(scenario.with { change(&$0.shift) }).map { "\($0.parameter ?? ""): \($0.description)" }
  }

  @Test func `keys that do not count are named`() {
    #expect(
      error { $0.priors = [0.5] }
        == #"shift.priors: it counts where "operator" is "prior" alone. Take it away."#)
    #expect(
      error { ($0.operator, $0.priors, $0.column) = (.prior, [0.5], "x1") }
        == #"shift.column: it counts where "operator" is "covariate" alone. Take it away."#)
    #expect(
      error { $0.law = 0 }
        == #"shift.law: it counts where "operator" is "concept", "covariate", "prior" alone. Take it away."#)
  }

  @Test func `lists that are missing and places that are none are named`() {
    #expect(
      error { $0.operator = .covariate }
        == #"shift.strengths: "covariate" makes a task of each of them, and there are none. List some."#)
    #expect(
      error { ($0.operator, $0.law) = (.concept, 4) }
        == "shift.law: 4 is no place among 4 concepts. There are 0 to 3.")
    #expect(
      error { ($0.operator, $0.strengths, $0.column) = (.covariate, [1], "x4") }
        == #"shift.column: "x4" is no column of sea. There are x1, x2, x3."#)
    #expect(
      error { ($0.operator, $0.strengths) = (.covariate, [Double](repeating: 1, count: 101)) }
        == "shift.strengths: 101 tasks are more than 100. List fewer.")
  }

  @Test func `operators that a law does not have are named`() {
    #expect(
      error(LEDDigits()) { ($0.operator, $0.priors) = (.prior, [0.5]) }
        == #"shift.operator: priors are of two labels, and led has 10. Take "concept" or "covariate"."#)
    var agrawal = Agrawal()
    agrawal.perturbation = 0.1
    #expect(
      error(agrawal) { $0.operator = .concept }
        == "shift.operator: p* of these rows of agrawal is not known, and no operator is pure without it.")
    var rare = SEA()
    (rare.thresholds, rare.noise) = ([19.9], 0)
    #expect(
      error(rare) { ($0.operator, $0.priors) = (.prior, [0.5]) }
        == "shift.priors: with 0.5 less than one row in 1000 is accepted. Take a milder one.")
    #expect(throws: ParameterError.self) {
      try SEA(settings: ["shift.operator": .string("prior"), "shift.priors": .list([.number("1")])])
    }
  }
}
