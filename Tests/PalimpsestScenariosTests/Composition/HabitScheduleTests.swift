import PalimpsestCore
import PalimpsestScenarios
import PalimpsestTesting
import Testing

/// A habit whose phases are composed through time.
@Suite struct HabitScheduleTests {
  private static func settings(_ change: (inout CompositionSettings) -> Void) -> CompositionSettings {
    var settings = CompositionSettings()
    change(&settings)
    return settings
  }

  /// 3 tasks of 4 people × 25 days.
  static let compositions: [CompositionSettings] = [
    settings { ($0.schedule.name, $0.schedule.at) = (.inTurn, [30, 250]) },
    settings { ($0.transition, $0.width) = (.sigmoid, 60) },
    settings { ($0.schedule.name, $0.schedule.order) = (.recurring, [0, 2, 1, 2]) },
    settings { ($0.schedule.name, $0.transition, $0.width) = (.recurring, .linear, 20) },
    settings { ($0.schedule.name, $0.schedule.amplitude) = (.seasonal, 0.9) },
    settings { ($0.schedule.name, $0.schedule.stay) = (.markov, 0.9) },
    settings { $0.schedule.name = .gaussian }, settings { $0.schedule.name = .periodicGaussian },
    settings { $0.schedule.name = .blip },
  ]

  /// The schedule of 300 rows, put together by hand.
  private func course(_ composition: CompositionSettings, seed: Seed) -> (any ConceptSchedule)? {
    let isJoined = composition.transition != .abrupt
    return switch composition.schedule.name {
    case nil: Transitions(starts: [0, 100, 200], .sigmoid, width: 60)
    case .inTurn: Transitions(starts: [0, 30, 250])
    case .recurring where isJoined:
      Visits.recurring([0, 1, 2], period: 100, rows: 300, of: 3, .linear, width: 20)
    case .recurring: Visits.recurring([0, 2, 1, 2], period: 100, rows: 300, of: 3)
    case .seasonal: Seasons(3, period: 100, amplitude: 0.9)
    case .markov: Visits.markov(stay: 0.9, rows: 300, of: 3, seed: seed.derived("generator-schedule"))
    case .gaussian: Presences(middles: [50, 150, 250], width: 25)
    case .periodicGaussian:
      Presences(middles: [100.0 / 6, 50, 500.0 / 6], width: 100.0 / 12, period: 100)
    case .blip: Visits.blips(at: [70, 220], length: 10, rows: 300, of: 3)
    default: nil
    }
  }

  private func habit(
    _ composition: CompositionSettings = CompositionSettings(), _ change: (inout HabitPhases) -> Void = { _ in }
  ) -> HabitPhases {
    var habit = HabitPhases()
    (habit.jointCeiling, habit.calibration, habit.context) = (.none, .table, .hidden)
    (habit.users, habit.days, habit.testUsers, habit.phases) = (4, 25, 3, [0, 1, 3])
    (habit.identity, habit.composition) = (.hidden, composition)
    change(&habit)
    return habit
  }

  private func stream(_ habit: HabitPhases, seed: UInt64 = 3) throws -> any DriftStream {
    try habit.prepare(from: EmptyLibrary()).makeStream(seed: Seed(seed))
  }

  /// A phase that comes for the n-th time shows the n-th of its rows: of people 0 to 3, then of further ones, none twice.
  @Test(arguments: compositions) func `a row is the next one of the phase in force`(composition: CompositionSettings)
    throws
  {
    let composed = try stream(habit(composition))
    // With more people the first ones are the same.
    let plain = try stream(habit { $0.users = 12 })
    let schedule = try #require(course(composition, seed: Seed(3)))
    var shown = [0, 0, 0]
    for task in 0..<3 {
      let rows = composed.trainingRows(for: task)
      let concepts = try #require(composed.concepts(for: task))
      #expect(rows.count == 100 && rows.experience == task && concepts.count == 100)
      for row in 0..<100 {
        let draws = RowDraws(Seed(3).derived("composition"), row: 100 * task + row)
        let phase = schedule.concept(at: 100 * task + row, drawing: draws.uniform(.concept))
        let other = plain.trainingRows(for: phase)
        let place = shown[phase]
        shown[phase] += 1
        #expect(concepts[row] == phase)
        #expect(rows.batch.inputs.row(row) == other.batch.inputs.row(place), "task \(task), row \(row)")
        #expect(rows.labels[row] == other.labels[place] && rows.truth?[row] == other.truth?[place])
      }
    }
  }

  @Test(arguments: compositions) func `tasks, test rows and truth are those without a schedule`(
    composition: CompositionSettings
  ) throws {
    let (composed, plain) = (try stream(habit(composition)), try stream(habit()))
    #expect(composed.experiences == plain.experiences)
    // J* is not asked for: it is no number.
    #expect(composed.truth?.crossAccuracy == plain.truth?.crossAccuracy && composed.truth?.jointCeiling.isNaN == true)
    #expect(composed.taskConcepts == plain.taskConcepts && composed.inputs == plain.inputs)
    for task in 0..<3 {
      let (own, other) = (composed.evaluationSet(for: task), plain.evaluationSet(for: task))
      #expect(own.rows.batch.inputs == other.rows.batch.inputs && own.rows.truth == other.rows.truth)
      #expect(own.knownExperience == nil && other.knownExperience == nil)
    }
  }

  @Test(arguments: compositions) func `a composed habit keeps the laws of scenarios`(
    composition: CompositionSettings
  ) throws {
    let violations = try ScenarioLaws.violations(
      of: habit(composition) { ($0.users, $0.days, $0.testUsers) = (4, 25, 30) })
    #expect(violations == [])
  }

  @Test(arguments: compositions) func `a composed habit declares its schedule's events`(
    composition: CompositionSettings
  ) throws {
    let events = try #require(course(composition, seed: Seed(3))).events(in: 300)
    #expect(try stream(habit(composition)).events == events && !events.isEmpty)
  }

  @Test func `between two visits of one phase nothing happens`() throws {
    var composition = CompositionSettings()
    (composition.schedule.name, composition.schedule.order) = (.recurring, [0, 2, 1])
    let stream = try stream(habit(composition) { $0.phases = [0, 1, 0] })
    // Visits of 100 rows at 0, 33, 66: phases 0, 0, 1, then 0 again.
    #expect(stream.events?.map(\.rows.lowerBound) == [66, 100, 166, 200, 266])
    #expect(stream.taskConcepts == [0, 1, 0])
    // Their people are others.
    let (first, second) = (stream.trainingRows(for: 0).truth ?? [], try #require(stream.concepts(for: 0)))
    #expect(second[0] == 0 && second[33] == 2 && first[0..<25] != first[33..<58])
  }

  @Test func `phases in turn are what they were`() throws {
    var composition = CompositionSettings()
    composition.schedule.name = .inTurn
    let (composed, plain) = (try stream(habit(composition)), try stream(habit()))
    for task in 0..<3 {
      let (own, other) = (composed.trainingRows(for: task), plain.trainingRows(for: task))
      #expect(own.batch.inputs == other.batch.inputs && own.labels == other.labels && own.truth == other.truth)
      #expect(composed.streamedRows(for: task).labels == own.labels)
    }
    #expect(plain.events == nil && plain.concepts(for: 1) == nil && plain.mixture(for: 1) == nil)
    #expect(composed.events == [DriftEvent](changesAt: [0, 100, 200]))
  }

  @Test func `what a schedule tells is p* where nothing is left to chance, and unknown else`() throws {
    for composition in HabitScheduleTests.compositions {
      let stream = try stream(habit(composition))
      let isTold =
        composition.transition == .abrupt && [.inTurn, .recurring, .markov, .blip].contains(composition.schedule.name)
      let truth = try #require(stream.trainingRows(for: 1).truth)
      #expect(stream.mixture(for: 1) == (isTold ? Matrix(truth.map { [1 - $0, $0] }) : nil))
    }
  }

  @Test func `what may not be looked at again may not be composed either`() throws {
    let stream = try stream(habit(HabitScheduleTests.compositions[2]) { $0.revisit = .none })
    #expect(stream.revisitableRows(for: 0).count == 0 && stream.trainingRows(for: 0).count == 100)
  }

  @Test func `seeds have paths and people of their own`() throws {
    let habit = habit(HabitScheduleTests.compositions[5])
    let (one, other) = (try stream(habit, seed: 1), try stream(habit, seed: 2))
    #expect(one.concepts(for: 1) != other.concepts(for: 1) && one.events != other.events)
    #expect(one.trainingRows(for: 0).batch.inputs != other.trainingRows(for: 0).batch.inputs)
  }

  // MARK: - Messages

  private func error(_ change: (inout HabitPhases) -> Void) -> String? {
    Classic.error(habit(CompositionSettings(), change)).map { "\($0.parameter ?? ""): \($0.description)" }
  }

  @Test func `settings that do not go together are named`() {
    #expect(
      error { ($0.composition.schedule.name, $0.composition.schedule.order) = (.recurring, [0, 3]) }
        == "schedule.order: 3 is no place among 3 concepts. There are 0 to 2.")
    #expect(
      error { ($0.composition.schedule.name, $0.identity) = (.seasonal, .given) }
        == #"identity: rows of one part of the stream are made by several concepts, so none can be told. It must be "hidden"."#
    )
    #expect(
      error { $0.composition.schedule.name = .incremental }
        == "schedule.name: \"incremental\" moves parameters from one concept to the next, and people of habit-phases live "
        + "all their days under one law. Take \"gaussian\", or a transition.")
    #expect(
      error { $0.composition.transition = .sigmoid }
        == "width: a sigmoid transition takes some rows. Say how many, at most those of a task.")
    #expect(
      error { $0.composition.width = 5 }
        == "width: 5 is given, and an abrupt transition has no width. Leave it out, or take \"sigmoid\".")
    #expect(
      error { ($0.composition.transition, $0.composition.width) = (.linear, 101) }
        == "width: 101 rows are more than the 100 of the shortest task. Take at most 100.")
    #expect(
      error { $0.composition.schedule.stay = 0.9 }
        == #"schedule.stay: it counts where "name" is "markov" alone. Take it away."#)
  }

  @Test func `a transition needs no schedule, and the phase of a judged row may be told`() throws {
    var composition = CompositionSettings()
    (composition.transition, composition.width) = (.sigmoid, 40)
    let stream = try stream(habit(composition) { $0.identity = .given })
    #expect(stream.evaluationSet(for: 2).knownExperience == 2)
    #expect(Set(try #require(stream.concepts(for: 0))).count > 1)
  }
}
