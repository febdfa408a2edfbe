import PalimpsestCore

/// A stream whose rows are people's: those of a population to learn from, and those of held-out people, each of whom lives a life of
/// her own.
///
/// Law: a person's rows depend on the seed and her number alone, not on how many others there are or in which order they are asked
/// for; population and held-out people share no draw.
public protocol PeopleStream: DriftStream {
  /// Held-out people.
  var people: Int { get }
  /// Of the held-out people, one each; none where they are numbers alone.
  var names: [String] { get }
  /// Days of the longest life.
  var days: Int { get }
  /// Stretches under one law in the life that has most of them.
  var mostConcepts: Int { get }
  /// Kinds of people by the numbers that lives have; none where nobody knows.
  var archetypes: [String] { get }
  /// Whether lives have evaluation sets.
  var knowsLaws: Bool { get }
  /// Rows of the population, person by person in order of time.
  func populationRows() -> Rows
  /// A held-out person's life.
  /// - Parameter person: from 0.
  func life(of person: Int) -> any PersonLife
}

extension PeopleStream {
  public var names: [String] { [] }
}

/// A scenario over rows that are somebody's, which makes tasks of them, or, where an experiment goes on with single people, people.
public protocol PeopleScenario: Scenario {
  /// Does the work that no seed changes, as ``Scenario/prepare(from:)``.
  /// - Returns: one whose streams are ``PeopleStream``.
  /// - Throws: ``ScenarioError`` for settings that contradict each other, or where there are no people; ``DatasetError``.
  func preparePeople(from library: any DatasetLibrary) throws -> any PreparedScenario
}

/// The life of one person.
public protocol PersonLife: Sendable {
  /// What the phone learns, in order of time: each row is known with its label on the evening after its day. Times are seconds from 0:00 of
  /// day 0.
  var rows: Rows { get }
  /// Rows under one law, one stretch behind the other: all rows.
  var concepts: [Range<Int>] { get }
  /// Among the stream's archetypes; −1: nobody knows.
  var archetype: Int { get }
  /// New days of this person under the law of a stretch, which no model ever learns from; nil where the law is not known.
  func evaluationSet(ofConcept concept: Int) -> EvaluationSet?
  /// The log from which the rows follow; none where nobody keeps one.
  func events() -> [LoggedEvent]
}

extension PersonLife {
  public func events() -> [LoggedEvent] { [] }
}
