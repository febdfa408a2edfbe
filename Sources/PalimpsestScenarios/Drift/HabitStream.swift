import PalimpsestCore

/// The tasks of one seed: rows, and what is known of them.
public struct HabitStream: DriftStream {
  public let shape: TaskShape
  public let experiences: [ExperienceInfo]
  private let training: [Rows]
  private let revisitable: [Rows]
  private let evaluation: [EvaluationSet]
  private let known: ScenarioTruth
  public let taskConcepts: [Int]
  private let people: HabitPeople

  /// The columns' names.
  private let columns: [String]

  init(_ course: HabitCourse, training: [HabitRows], test: [HabitRows], _ seed: Seed) {
    let (settings, outlook) = (course.settings, course.outlook)
    (shape, experiences, taskConcepts) = (outlook.shape, outlook.experiences, settings.phases)
    let (people, operators) = (HabitPeople(settings), settings.operators)
    self.people = people
    columns = settings.columnNames + operators.unavailable.masks
    let rows = training.enumerated().map { operators.training($1.rows(experience: $0), task: $0, seed: seed) }
    self.training = rows
    revisitable = settings.revisit == .all ? rows : rows.map { $0.selecting([]) }
    evaluation = test.enumerated().map { task, rows in
      EvaluationSet(
        rows: operators.test(rows.rows(experience: task, people.testOrigins(ofTask: task)), task: task),
        knownExperience: settings.identity == .given ? task : nil,
        candidates: 0..<1)
    }
    let oracles = HabitOracles(course.laws, test)
    known = ScenarioTruth(
      bayesAccuracy: oracles.accuracy.indices.map { oracles.accuracy[$0][$0] }, crossAccuracy: oracles.accuracy,
      totalVariation: oracles.totalVariation, hellinger: oracles.hellinger,
      jointCeiling: operators.jointCeiling(course.jointCeiling)
    ).with(distancesOf: evaluation)
  }

  public func trainingRows(for experience: Int) -> Rows { training[experience] }
  public func revisitableRows(for experience: Int) -> Rows { revisitable[experience] }
  public func evaluationSet(for experience: Int) -> EvaluationSet { evaluation[experience] }
  public func origins(for experience: Int) -> StreamedOrigins? {
    let rows = training[experience].count
    return people.origins(of: (0..<rows).map { RowPick(part: experience, row: $0) }, from: experience * rows)
  }
  /// B_k, C_jk, distances on the test rows, and J*.
  public var truth: ScenarioTruth? { known }
  /// Columns come scaled already.
  public var inputs: InputDescription? { InputDescription(columns: columns) }
}
