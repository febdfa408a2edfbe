import PalimpsestCore
import PalimpsestScenarios
import Testing

/// Schedules that are called by their transition.
@Suite struct NamedTransitionTests {
  typealias Names = (name: ScheduleSettings.Name, transition: Transition)

  static let names: [Names] = [(.abrupt, .abrupt), (.sigmoid, .sigmoid), (.linear, .linear)]

  /// Two ways to say the same, width 60 unless abrupt.
  private func spelled(_ names: Names, at: [Int]) -> (short: CompositionSettings, long: CompositionSettings) {
    let isAbrupt = names.transition == .abrupt
    var (short, long) = (CompositionSettings(), CompositionSettings())
    (short.schedule.name, short.schedule.at, short.schedule.width) = (names.name, at, isAbrupt ? nil : 60)
    (long.schedule.name, long.schedule.at) = (.inTurn, at)
    (long.transition, long.width) = (names.transition, isAbrupt ? nil : 60)
    return (short, long)
  }

  private func areSame(_ a: any DriftStream, _ b: any DriftStream) -> Bool {
    a.events == b.events
      && a.experiences.allSatisfy { task in
        let (one, other) = (a.trainingRows(for: task.index), b.trainingRows(for: task.index))
        return one.batch.inputs == other.batch.inputs && one.labels == other.labels && one.truth == other.truth
          && a.concepts(for: task.index) == b.concepts(for: task.index)
          && a.evaluationSet(for: task.index).rows.labels == b.evaluationSet(for: task.index).rows.labels
      }
  }

  @Test(arguments: names, [[], [100, 250]]) func `a generator's rows are those of in-turn`(
    names: Names, at: [Int]
  ) throws {
    let streams = try [spelled(names, at: at).short, spelled(names, at: at).long].map { settings in
      var sea = SEA()
      (sea.thresholds, sea.rows.rowsPerTask, sea.rows.testRows) = ([8, 9, 7], 100, 50)
      (sea.rows.schedule, sea.rows.transition, sea.rows.width) = (
        settings.schedule, settings.transition, settings.width
      )
      return try Classic.stream(sea)
    }
    #expect(areSame(streams[0], streams[1]) && streams[0].events?.isEmpty == false)
  }

  @Test(arguments: names) func `so are those of a habit`(names: Names) throws {
    let streams = try [spelled(names, at: [100, 200]).short, spelled(names, at: [100, 200]).long].map { settings in
      var habit = HabitPhases()
      (habit.jointCeiling, habit.calibration, habit.context) = (.none, .table, .hidden)
      (habit.users, habit.days, habit.testUsers, habit.phases) = (4, 25, 3, [0, 1, 3])
      (habit.identity, habit.composition) = (.hidden, settings)
      return try Classic.stream(habit)
    }
    #expect(areSame(streams[0], streams[1]))
    #expect((streams[0].concepts(for: 0).map { Set($0).count } ?? 0) == (names.transition == .abrupt ? 1 : 2))
  }
}
