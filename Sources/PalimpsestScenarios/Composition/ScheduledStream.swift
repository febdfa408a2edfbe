import PalimpsestCore

/// The tasks of a stream composed through time: task k's rows are the k-th part of one sequence, in which a row is the next one of the
/// law that the schedule puts in force there. Test rows and truth are the tasks' own.
///
/// - Memory: the rows of a task once more where laws show different tables or orders of columns (``PalimpsestCore/Rows``).
struct ScheduledStream: DriftStream {
  let experiences: [ExperienceInfo]
  let events: [DriftEvent]?
  private let own: any DriftStream
  private let course: TaskCourse
  private let training: [Rows]
  private let areRevisitable: Bool
  private let origins: @Sendable (_ picks: [RowPick], _ first: Int) -> StreamedOrigins?

  /// - Parameters:
  ///   - origins: of picked rows, the first of which is the stream's row of that number.
  ///   - rows: of a task's law: the first so many.
  init(
    _ own: any DriftStream, _ course: TaskCourse,
    origins: @escaping @Sendable (_ picks: [RowPick], _ first: Int) -> StreamedOrigins?,
    rows: (_ task: Int, _ count: Int) -> Rows
  ) {
    (self.own, self.course, self.origins) = (own, course, origins)
    experiences = course.shown(own.experiences)
    let laws = own.taskConcepts
    // Between two visits of one law nothing happens.
    events = course.events.filter { event in
      guard let before = event.before, let behind = event.behind else { return true }
      return laws[before] != laws[behind]
    }
    let parts = course.counts.enumerated().map { rows($0, $1) }
    let areInTime = TimeOrder(parts, course).holds
    training = course.picks.enumerated().map {
      Rows(picking: $1, of: parts, experience: $0, keepsTimes: areInTime)
    }
    areRevisitable = own.experiences.contains { own.revisitableRows(for: $0.index).count > 0 }
  }

  var shape: TaskShape { own.shape }
  var taskConcepts: [Int] { own.taskConcepts }
  var truth: ScenarioTruth? { own.truth }
  var inputs: InputDescription? { own.inputs }

  func trainingRows(for experience: Int) -> Rows { training[experience] }
  func revisitableRows(for experience: Int) -> Rows {
    areRevisitable ? training[experience] : training[experience].selecting([])
  }
  func evaluationSet(for experience: Int) -> EvaluationSet { own.evaluationSet(for: experience) }
  func concepts(for experience: Int) -> [Int]? { course.picks[experience].map(\.part) }

  func origins(for experience: Int) -> StreamedOrigins? {
    origins(course.picks[experience], experiences[..<experience].reduce(0) { $0 + $1.rows })
  }

  /// p\* itself where nothing is left to chance. Else the densities of rows would have to be known, and they are not.
  func mixture(for experience: Int) -> Matrix? {
    guard course.isTold else { return nil }
    let rows = training[experience]
    return rows.probabilities ?? rows.truth.map { Matrix($0.map { [1 - $0, $0] }) }
  }
}

/// Whether rows of several laws stand in the order of time when they are put together: else their times say nothing of the stream.
private struct TimeOrder {
  let holds: Bool

  init(_ parts: [Rows], _ course: TaskCourse) {
    let times = parts.map { $0.times ?? [] }
    guard zip(parts, course.counts).allSatisfy({ $0.times != nil || $1 == 0 }) else {
      holds = false
      return
    }
    let all = course.picks.joined().map { times[$0.part][$0.row] }
    holds = zip(all, all.dropFirst()).allSatisfy { $0 <= $1 }
  }
}
