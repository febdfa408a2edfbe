import PalimpsestCore

/// A population under a drift schedule: the recipe of a stream of tasks. Its parameters are what an experiment file sets.
public protocol Scenario: Part {
  /// True where every seed draws test rows of its own; false where they stand in a data set and all seeds share them.
  static var drawsTestRows: Bool { get }
  /// True where streams can be a ``PeopleStream``: runs can go on with single people.
  static var hasPeople: Bool { get }
  /// How many tasks and rows the settings give, as far as they tell it.
  var outline: StreamOutline { get }
  /// What is known of the tasks from the settings alone, before any rows: how strong the drift is. Nil where nobody knows.
  var severity: ScenarioTruth? { get }
  /// Judges the settings alone, before any data are looked for: an experiment file is refused at the place of the parameter.
  /// - Throws: ``ScenarioError`` for settings that contradict each other.
  func check() throws(ScenarioError)
  /// Does the work that no seed changes: reads tables, calibrates, finds the joint ceiling. Called once for all runs of a
  /// configuration; the result is shared by them.
  /// - Throws: ``ScenarioError`` for settings that contradict each other, ``DatasetError`` for missing or broken data.
  func prepare(from library: any DatasetLibrary) throws -> any PreparedScenario
}

extension Scenario {
  public static var drawsTestRows: Bool { true }
  public static var hasPeople: Bool { false }
  public var outline: StreamOutline { StreamOutline() }
  public var severity: ScenarioTruth? { nil }
  public func check() throws(ScenarioError) {}
}

/// What the settings of a scenario say of its stream before anything is read or made.
public struct StreamOutline: Sendable, Equatable {
  /// Nil where the data decide.
  public var tasks: Int?
  /// Rows to train on in a task, at most; nil where the data decide.
  public var trainingRows: Int?

  public init(tasks: Int? = nil, trainingRows: Int? = nil) {
    self.tasks = tasks
    self.trainingRows = trainingRows
  }
}

/// A scenario that is ready to be drawn from.
public protocol PreparedScenario: Sendable {
  /// The tasks of one seed. The same seed gives the same rows, whatever learns from them.
  func makeStream(seed: Seed) -> any DriftStream
  /// Shape and tasks of the stream of seed 0, by which settings are judged before any run. A scenario that knows them without
  /// making the rows says them here.
  var outlook: StreamOutlook { get }
  /// What is allowed and is hardly what is wanted, a sentence each: said before the runs.
  var remarks: [String] { get }
}

extension PreparedScenario {
  public var outlook: StreamOutlook { StreamOutlook(makeStream(seed: Seed(0))) }
  public var remarks: [String] { [] }
}

/// What a stream says of itself beside its rows.
public struct StreamOutlook: Sendable, Equatable {
  public let shape: TaskShape
  public let experiences: [ExperienceInfo]

  public init(shape: TaskShape, experiences: [ExperienceInfo]) {
    self.shape = shape
    self.experiences = experiences
  }

  public init(_ stream: some DriftStream) { self.init(shape: stream.shape, experiences: stream.experiences) }
}

/// The tasks of one run, in order. Tasks can be asked for in any order and as often as one likes: rows depend on the seed and
/// the task alone.
public protocol DriftStream: Sendable {
  var shape: TaskShape { get }
  /// All tasks: how many there are, what they are called, how many rows and which outputs each has.
  var experiences: [ExperienceInfo] { get }
  /// The rows a task is learned from.
  func trainingRows(for experience: Int) -> Rows
  /// The rows a run through a stream predicts and learns in the task's place: in order, each once.
  func streamedRows(for experience: Int) -> Rows
  /// The part of them that a method may look at again when the task is over.
  func revisitableRows(for experience: Int) -> Rows
  /// Rows never trained on, drawn under the task's own law: the same for all methods.
  func evaluationSet(for experience: Int) -> EvaluationSet
  /// One a task: a number for the concept that is in force in it. Tasks with the same one are visits of it.
  var taskConcepts: [Int] { get }
  /// What is known of the tasks, where anything is.
  var truth: ScenarioTruth? { get }
  /// Names and scale of columns and outputs, where there are any: kept with a saved model.
  var inputs: InputDescription? { get }
  /// The task under whose law each streamed row was made; nil: each under its own task's.
  func concepts(for experience: Int) -> [Int]?
  /// p of the labels of each streamed row where the shares of the tasks' laws are told and the law is not, rows × labels; nil: not known,
  /// or p\* itself.
  func mixture(for experience: Int) -> Matrix?
  /// Whose the streamed rows are and when they arose, where that is known and the rows themselves do not carry it: they take it along where
  /// somebody asks for it, and memories keep no more of them otherwise. Nil: the rows say it, or nobody knows.
  func origins(for experience: Int) -> StreamedOrigins?
  /// What happens to the world in the streamed rows of all tasks, in the order of the first rows, no change within another: what
  /// drift detectors are judged by. Nil: each task but the first begins with a change, and nothing else happens.
  var events: [DriftEvent]? { get }
}

extension DriftStream {
  public func streamedRows(for experience: Int) -> Rows { trainingRows(for: experience) }
  public func revisitableRows(for experience: Int) -> Rows { trainingRows(for: experience) }
  public var taskConcepts: [Int] { Array(experiences.indices) }
  /// The tasks with the concepts of which they are visits, as a learner is told of them.
  public var visits: [ExperienceInfo] { zip(experiences, taskConcepts).map { $0.with(concept: $1) } }
  public var truth: ScenarioTruth? { nil }
  public var inputs: InputDescription? { nil }
  public func concepts(for experience: Int) -> [Int]? { nil }
  public func mixture(for experience: Int) -> Matrix? { nil }
  public func origins(for experience: Int) -> StreamedOrigins? { nil }
  public var events: [DriftEvent]? { nil }
}

/// Whose rows are, and when they arose.
public struct StreamedOrigins: Sendable, Equatable {
  /// One a row.
  public let owners: [Int32]
  /// One a row: seconds from the stream's beginning.
  public let times: [Int64]

  public init(owners: [Int32], times: [Int64]) {
    precondition(owners.count == times.count, "\(owners.count) owners and \(times.count) times")
    (self.owners, self.times) = (owners, times)
  }

  /// Of rows that are a day each, one after the other.
  /// - Parameter first: the number of the first row in the stream.
  init(daily owners: [Int32], from first: Int) {
    self.init(owners: owners, times: owners.indices.map { 86_400 * Int64(first + $0) })
  }
}

extension DriftStream {
  /// ``streamedRows(for:)`` with owners and times, where they are known.
  public func streamedRowsWithOrigins(for experience: Int) -> Rows {
    let rows = streamedRows(for: experience)
    return origins(for: experience).map { rows.with(owners: $0.owners, times: $0.times) } ?? rows
  }
}

/// Rows to be predicted, and what may be known while predicting.
public struct EvaluationSet: Sendable {
  /// Inputs and labels, and p* where it is known.
  public let rows: Rows
  /// The task's index where the learner is told it; nil: it must do without.
  public let knownExperience: Int?
  /// The outputs that may be answered: a task's own in task-incremental scenarios, else all.
  public let candidates: Range<Int>

  public init(rows: Rows, knownExperience: Int?, candidates: Range<Int>) {
    self.rows = rows
    self.knownExperience = knownExperience
    self.candidates = candidates
  }

  /// The same rows where nobody knows of tasks.
  package func untold(outputs: Int) -> EvaluationSet {
    EvaluationSet(rows: rows, knownExperience: nil, candidates: 0..<outputs)
  }
}

/// Settings of a scenario that contradict each other or its data.
public struct ScenarioError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The parameter to change; nil where no single one is to blame.
  public let parameter: String?
  public let description: String

  public init(parameter: String? = nil, _ description: String) {
    self.parameter = parameter
    self.description = description
  }
}
