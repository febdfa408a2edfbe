import OrderedCollections
import PalimpsestCore
import PalimpsestPersonal

/// How a model that was trained on a population goes on with single people.
public struct PersonalSettings: Configurable {
  static let summary =
    "Runs train on a population and go on with held-out people, one by one: a policy says when a person's model is updated, a safeguard what she gets of it."

  public var start = StartSettings()
  public var learning = PersonalTraining()
  @Parameter(
    "Days of the scarcity curve: a fresh adaptation of the start on the first so many days of each person; none: no curve.",
    .count)
  public var curve: [Int] = []
  public var rollout = RolloutSettings()

  public init() {}
}

/// A staged rollout over the held-out people: whether what they get may replace the population model, stage by stage.
public struct RolloutSettings: NestedParameters {
  private static let shares: Bounds = {
    var bounds = Bounds.above(0)
    bounds.upper = 1
    return bounds
  }()

  @Parameter(
    "Shares of the people who have what is tried, stage by stage, in ascending order; none: no rollout.", shares)
  public var stages: [Double] = []
  @Parameter("How much more often a person may be answered wrongly on average.", .within(-1...1))
  public var margin: Double = 0.005
  @Parameter("Probability of a wrong step forward, and of a wrong return.", .between(0, 1))
  public var level: Double = 0.05
  @Parameter("Days over which a person's difference is the mean.", .count) public var days: Int = 14
  @Parameter("Days of a life before these.", .within(0...1_000_000)) public var after: Int = 0

  public init() {}

  /// The rollout before its first person; nil: none is asked for.
  public var rollout: Rollout? {
    if stages.isEmpty { return nil }
    var rollout = Rollout()
    (rollout.stages, rollout.margin, rollout.level, rollout.days) = (stages, margin, level, days)
    return rollout
  }

  /// Days of a life that are compared; none without a rollout.
  public var window: Range<Int> { stages.isEmpty ? 0..<0 : after..<after + days }
}

/// What a person's model begins as.
public struct StartSettings: NestedParameters {
  public enum Name: String, ParameterChoice {
    /// The model as it was trained on the population.
    case population
    /// An untrained network.
    case scratch
    /// A start that was learned for being adapted: it moves towards where adapting ends, or down the gradient that it ends at.
    case reptile, fomaml
  }

  @Parameter(
    "What a person's model begins as: the population model, an untrained network, or a start learned for being adapted (Reptile, first-order MAML)."
  )
  public var name: Name = .population
  @Parameter("Steps on one person's rows (reptile, fomaml).", .count) public var innerSteps: Int = 5
  @Parameter("Step size of these steps (Adam).", .above(0)) public var innerRate: Float = 0.001
  @Parameter(
    "Share of the way that the start moves towards where they end (reptile); step size along the gradient there, of other rows of hers (fomaml).",
    .within(0...1))
  public var outerRate: Float = 0.2
  @Parameter("People of the population that are drawn, one after the other.", .count) public var iterations: Int = 600

  public init() {}

  /// Whether a start is learned, behind the population model.
  public var isLearned: Bool { name == .reptile || name == .fomaml }
}

/// What an experiment says of people: how models go on with them, and by which policies and safeguards.
public struct PersonalBlock: Sendable {
  public var settings: Component
  public var policies: OrderedDictionary<String, Component>
  public var safeguards: OrderedDictionary<String, Component>

  /// Where none are named.
  static let standardPolicies: OrderedDictionary = ["weekly": Component(name: "interval")]
  static let standardSafeguards: OrderedDictionary = ["mixture": Component(name: "mixture")]

  public init(
    settings: Component = Component(), policies: OrderedDictionary<String, Component>? = nil,
    safeguards: OrderedDictionary<String, Component>? = nil
  ) {
    self.settings = settings
    self.policies = policies ?? PersonalBlock.standardPolicies
    self.safeguards = safeguards ?? PersonalBlock.standardSafeguards
  }

  /// Each policy with each safeguard.
  var cells: [PersonalCell] {
    policies.flatMap { policyLabel, policy in
      safeguards.map { safeguardLabel, safeguard in
        PersonalCell(
          settings: settings, policyLabel: policyLabel, policy: policy, safeguardLabel: safeguardLabel,
          safeguard: safeguard)
      }
    }
  }
}

/// What a configuration says of people.
public struct PersonalCell: Sendable, Equatable {
  public var settings: Component
  public let policyLabel: String
  public var policy: Component
  public let safeguardLabel: String
  public var safeguard: Component
}

/// The same, read into the types that run.
public struct ResolvedPersonal: Sendable {
  public let settings: PersonalSettings
  public let policyLabel: String
  public let policy: any UpdatePolicy
  public let safeguardLabel: String
  public let safeguard: any Safeguard

  init(_ cell: PersonalCell, _ catalog: Catalog) throws {
    settings = try PersonalSettings(settings: cell.settings.given)
    policyLabel = cell.policyLabel
    policy = try catalog.policy(cell.policy)
    safeguardLabel = cell.safeguardLabel
    safeguard = try catalog.safeguard(cell.safeguard)
  }
}
