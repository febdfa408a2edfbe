import PalimpsestJSON
import PalimpsestMetrics

/// Whether one strategy is better than another, seed by seed: per scenario its pairs with all numbers, and what they come to
/// over scenarios. Text and JSON are made from it alone.
public struct Comparison: Sendable {
  /// What is compared with what.
  package enum Form: Sendable, Equatable {
    /// Each with each that follows it.
    case pairs
    /// All with one.
    case reference(String)
    /// The same strategies of two files, the second minus the first.
    case files(String, String)
  }

  /// How it is asked for.
  public struct Question: Sendable {
    /// Labels of scenarios; nil: all.
    public var scenario: String?
    /// What all others are compared with.
    public var reference: String?
    public var adjustment = Adjustment.maxT
    /// The margin within which a difference counts as none; nil: .005 of accuracies.
    public var equivalence: Double?
    /// A difference that is to be seen: how many seeds does it take?
    public var wanted: Double?

    public init() {}
  }

  package struct Scenario: Sendable {
    package let name: String
    package let kind: AccuracyKind
    package let pairs: [Pair]
    /// Whom all are compared with, where there is one.
    package let reference: Contestant?
  }

  /// Two contestants over all scenarios that have both.
  package struct Pooled: Sendable {
    package let a: String
    package let b: String
    package let scenarios: Int
    /// Mean over scenarios of the chance that a run of a is better than one of b.
    package let probability: Double
    package let wins: Int
    package let count: Int
  }

  /// The level that a p is held against.
  package static let level = 0.05
  /// Fewer pairs have no sign-flip test that could reach the level.
  package static let leastPairs = (1...64).first { SignFlips.leastP(pairs: $0) <= level } ?? 64
  /// Of accuracies, where nothing else was asked for.
  package static let standardMargin = 0.005

  public let name: String
  public let metric: Metric
  package let form: Form
  package let adjustment: Adjustment
  /// The margin of equivalence; nil where there is none for the metric.
  package let margin: Double?
  package let wanted: Double?
  package let scenarios: [Scenario]
  /// Settings beside the strategy in which contestants differ: to be said first.
  package let differences: [String]
  /// What a reader must know beside the numbers.
  package let notes: [String]

  /// - Parameter matches: per scenario who is compared with whom.
  init(
    _ name: String, _ metric: Metric, _ form: Form, _ question: Question, _ matches: [ScenarioMatches],
    _ notes: [String]
  ) {
    self.name = name
    self.metric = metric
    self.form = form
    adjustment = question.adjustment
    margin = question.equivalence ?? (metric.subject == .accuracy ? Comparison.standardMargin : nil)
    wanted = question.wanted
    let pairs = matches.map { $0.pairs.map { Pair($0.a, $0.b, metric) } }
    let tests = FlipFamily(pairs.flatMap { $0 }, question.adjustment)
    var rest = tests.results[...]
    scenarios = zip(matches, pairs).map { match, pairs in
      let tested = zip(pairs, rest).map { pair, test in pair.with(test) }
      rest = rest.dropFirst(pairs.count)
      return Scenario(name: match.name, kind: match.kind, pairs: tested, reference: match.reference)
    }
    differences = matches.differingSettings(form.files)
    self.notes = notes
  }

  package var pairs: [Pair] { scenarios.flatMap(\.pairs) }

  /// How many comparisons are adjusted for each other.
  package var tested: Int { pairs.count { $0.p != nil } }

  /// Over scenarios, where there are several; pairs in the order in which they come up.
  package var pooled: [Pooled] {
    guard scenarios.count > 1 else { return [] }
    let groups = Dictionary(grouping: pairs.filter { $0.probability != nil }) { [$0.a.label, $0.b.label] }
    return pairs.map { [$0.a.label, $0.b.label] }.distinct.compactMap { key in
      groups[key].map { pairs in
        Pooled(
          a: key[0], b: key[1], scenarios: pairs.count,
          probability: pairs.reduce(0) { $0 + ($1.probability ?? 0) } / Double(pairs.count),
          wins: pairs.reduce(0) { $0 + ($1.difference?.wins ?? 0) }, count: pairs.reduce(0) { $0 + $1.seeds.count })
      }
    }
  }
}

extension Comparison.Form {
  /// The two files, where it is of files.
  var files: (old: String, new: String)? {
    if case .files(let old, let new) = self { (old, new) } else { nil }
  }
}
