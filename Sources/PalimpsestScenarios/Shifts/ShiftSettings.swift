import PalimpsestCore

/// The one thing that differs from task to task: a pure operator on the law of rows, which leaves one measure of drift at zero.
public struct ShiftSettings: NestedParameters {
  public enum Operator: String, ParameterChoice {
    /// The labels' laws are those of the concepts, and all tasks have the inputs of one of them: p(x) is the same.
    case concept
    /// One concept's law, whose rows are accepted by a column's value: p(y | x) is the same.
    case covariate
    /// One concept's law, whose rows are accepted by their label: p(x | y) is the same.
    case prior
  }

  @Parameter(
    "The one thing that differs between tasks: what a row's label follows from (concept), which inputs come (covariate) or how often labels do (prior); null: whatever differs between the concepts."
  )
  public var `operator`: Operator? = nil
  @Parameter(
    "Place in the list, from 0, of the concept whose inputs all tasks have (concept) or whose law it is (covariate, prior); null: 0.",
    .within(0...1000))
  public var law: Int? = nil
  @Parameter("The column that rows are accepted by (covariate); null: the first.") public var column: String? = nil
  @Parameter(
    "How strongly, one a task: a row is accepted with probability σ(strength · z), z its column's distance from the mean in deviations (covariate).",
    .within(-100...100))
  public var strengths: [Double] = []
  @Parameter("P(label 1), one a task (prior).", .between(0, 1)) public var priors: [Double] = []

  public init() {}

  /// How many tasks there are; nil: one a concept.
  var tasks: Int? {
    switch `operator` {
    case nil, .concept: nil
    case .covariate: strengths.count
    case .prior: priors.count
    }
  }
}

extension ShiftSettings {
  /// What is known of two tasks is worked out at points for every pair.
  private static let mostTasks = 100
  /// The least share of rows that may be accepted.
  private static let leastAccepted = 0.001

  /// Judges what needs no law.
  /// - Throws: ``ScenarioError`` for settings that contradict each other.
  func check(concepts: Int) throws(ScenarioError) {
    try checkUse()
    guard let `operator` else { return }
    if let law, law >= concepts {
      throw refusal("law", "\(law) is no place among \(concepts) concepts. There are 0 to \(concepts - 1).")
    }
    let (key, count) = `operator` == .prior ? ("priors", priors.count) : ("strengths", strengths.count)
    if `operator` == .concept { return }
    if count == 0 {
      throw refusal(key, "\"\(`operator`.rawValue)\" makes a task of each of them, and there are none. List some.")
    }
    if count > ShiftSettings.mostTasks {
      throw refusal(key, "\(count) tasks are more than \(ShiftSettings.mostTasks). List fewer.")
    }
  }

  private func checkUse() throws(ScenarioError) {
    let uses: [(key: String, isGiven: Bool, operators: [Operator])] = [
      ("law", law != nil, Operator.allCases), ("column", column != nil, [.covariate]),
      ("strengths", !strengths.isEmpty, [.covariate]), ("priors", !priors.isEmpty, [.prior]),
    ]
    for use in uses where use.isGiven && !use.operators.contains(where: { $0 == `operator` }) {
      let names = use.operators.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      throw refusal(use.key, "it counts where \"operator\" is \(names) alone. Take it away.")
    }
  }

  /// Judges them beside a law.
  /// - Parameter name: of the scenario.
  /// - Throws: ``ScenarioError`` where the operator cannot be had of it.
  func check(_ base: any ConceptGenerator, named name: String) throws(ScenarioError) {
    guard let `operator` else { return }
    var inputs = [Float](repeating: 0, count: base.columns.count)
    let moment = ConceptMoment(concept: law ?? 0, row: 0)
    _ = base.draw(RowDraws(Seed(0), row: 0), moment, into: &inputs)
    if base.probabilities(inputs, moment) == nil {
      throw refusal("operator", "p* of these rows of \(name) is not known, and no operator is pure without it.")
    }
    if `operator` == .prior && base.labels.count != 2 {
      throw refusal(
        "operator", "priors are of two labels, and \(name) has \(base.labels.count). Take \"concept\" or \"covariate\"."
      )
    }
    if let column, !base.columns.contains(column) {
      let all = base.columns.prefix(12).joined(separator: ", ") + (base.columns.count > 12 ? " …" : "")
      throw refusal("column", "\"\(column)\" is no column of \(name). There are \(all).")
    }
    if `operator` != .concept { try checkAccepted(ShiftedLaw(base, self)) }
  }

  private func checkAccepted(_ shifted: ShiftedLaw) throws(ScenarioError) {
    guard let least = shifted.leastAccepted, least.share < ShiftSettings.leastAccepted else { return }
    let (key, value) = `operator` == .prior ? ("priors", priors[least.task]) : ("strengths", strengths[least.task])
    throw refusal(
      key, "with \(value.parameterValue.numberText) less than one row in 1000 is accepted. Take a milder one.")
  }

  private func refusal(_ key: String, _ text: String) -> ScenarioError {
    ScenarioError(parameter: "shift.\(key)", text)
  }
}
