import PalimpsestCore

/// The visits of one seed: a task each, its rows day by day.
struct RecurringStream: DriftStream {
  let shape: TaskShape
  let experiences: [ExperienceInfo]
  let truth: ScenarioTruth?
  let taskConcepts: [Int]
  private let training: [Rows]
  private let tests: [EvaluationSet]
  /// The columns' names.
  private let columns: [String]

  init(_ course: RecurringCourse, _ seed: Seed) {
    let (plan, outlook) = (course.plan, course.outlook)
    (shape, experiences, taskConcepts) = (outlook.shape, outlook.experiences, plan.visits.map(\.context))
    let (contexts, operators) = (plan.contexts.indices, course.settings.operators)
    columns = HabitFeatures.names + operators.unavailable.masks
    let lives = contexts.map { course.lives($0, seed) }
    let tables = lives.map { Table($0.inputs, columns: 10) }
    training = plan.visits.enumerated().map { task, visit in
      let users = course.settings.users
      let shown = ShownDays(visit.days, users: users, days: plan.days, firstOwner: visit.context * users)
      return operators.training(
        shown.rows(lives[visit.context], tables[visit.context], task: task), task: task, seed: seed)
    }
    let drawn = contexts.map {
      course.testRows($0, course.seed(.test, $0, seed), users: course.settings.testUsers)
    }
    tests = plan.visits.enumerated().map { task, visit in
      EvaluationSet(
        rows: operators.test(
          drawn[visit.context].rows(experience: task, course.testOrigins(visit.context)), task: task),
        knownExperience: course.settings.identity == .given ? task : nil, candidates: 0..<1)
    }
    truth = RecurringStream.truth(course, HabitOracles(course.laws, drawn)).with(distancesOf: tests)
  }

  func trainingRows(for experience: Int) -> Rows { training[experience] }
  func evaluationSet(for experience: Int) -> EvaluationSet { tests[experience] }
  var inputs: InputDescription? { InputDescription(columns: columns) }

  /// What is known of contexts, said of their visits.
  private static func truth(_ course: RecurringCourse, _ oracles: HabitOracles) -> ScenarioTruth {
    let contexts = course.plan.visits.map(\.context)
    func ofVisits(_ matrix: [[Double]]) -> [[Double]] { contexts.map { j in contexts.map { matrix[j][$0] } } }
    return ScenarioTruth(
      bayesAccuracy: contexts.map { oracles.accuracy[$0][$0] }, crossAccuracy: ofVisits(oracles.accuracy),
      totalVariation: ofVisits(oracles.totalVariation), hellinger: ofVisits(oracles.hellinger),
      jointCeiling: course.settings.operators.jointCeiling(course.jointCeiling))
  }
}
