import PalimpsestCore
import PalimpsestScenarios
import Testing

/// Settings of schedules that contradict each other, by their whole messages.
@Suite struct ScheduleMessageTests {
  private func error(_ change: (inout GeneratorSettings) -> Void) -> String? {
    var sea = SEA()
    (sea.thresholds, sea.rows.rowsPerTask) = ([8, 9, 7], 100)
    change(&sea.rows)
    return Classic.error(sea).map { "\($0.parameter ?? ""): \($0.description)" }
  }

  private func error(_ name: ScheduleSettings.Name?, _ change: (inout ScheduleSettings) -> Void = { _ in }) -> String? {
    error {
      $0.schedule.name = name
      change(&$0.schedule)
    }
  }

  @Test func `every schedule has defaults that go together`() {
    for name in ScheduleSettings.Name.allCases {
      let isWide = name == .sigmoid || name == .linear
      #expect(error(name) { $0.width = isWide ? 10 : nil } == nil, "\(name)")
    }
  }

  @Test func `keys that do not count are named`() {
    #expect(
      error(nil) { $0.stay = 0.5 } == #"schedule.stay: it counts where "name" is "markov" alone. Take it away."#)
    #expect(
      error(.blip) { $0.period = 3 }
        == #"schedule.period: it counts where "name" is "recurring", "seasonal", "periodic-gaussian" alone. Take it away."#
    )
    #expect(
      error { ($0.schedule.name, $0.transition, $0.width) = (.markov, .linear, 10) }
        == #"transition: a "markov" schedule has no transitions. Leave it out, or take "in-turn" or "recurring"."#)
    #expect(
      error { ($0.schedule.name, $0.identity) = (.seasonal, .given) }
        == #"identity: rows of one part of the stream are made by several concepts, so none can be told. It must be "hidden"."#
    )
  }

  @Test func `a transition that a name says stands within the schedule`() {
    #expect(error(.sigmoid) == "schedule.width: a sigmoid transition takes some rows. Say how many.")
    #expect(
      error(.linear) { $0.width = 2.5 }
        == "schedule.width: 2.5 is no number of rows. A linear transition takes whole ones.")
    #expect(
      error(.sigmoid) { ($0.width, $0.at) = (21, [20, 220]) }
        == "schedule.width: 21 rows are more than the 20 of the shortest visit to a concept. Take at most 20.")
    #expect(error(.sigmoid) { ($0.width, $0.at) = (140, [140, 290]) } == nil)
    #expect(
      error(.abrupt) { $0.width = 3 }
        == #"schedule.width: it counts where "name" is "gaussian", "periodic-gaussian", "sigmoid", "linear" alone. Take it away."#
    )
    #expect(
      error(.abrupt) { $0.at = [50] } == "schedule.at: 1 rows for 3 concepts. Say where each but the first begins: 2.")
    #expect(
      error { ($0.schedule.name, $0.schedule.width, $0.transition) = (.sigmoid, 10, .sigmoid) }
        == #"transition: a "sigmoid" schedule is one already. Leave it out, or take "in-turn"."#)
    #expect(
      error { ($0.schedule.name, $0.schedule.width, $0.width) = (.linear, 10, 20) }
        == #"width: that of a "linear" schedule is said within it: "schedule": {"width": 20}."#)
    #expect(
      error { ($0.schedule.name, $0.width) = (.abrupt, 20) }
        == #"width: 20 is given, and an "abrupt" schedule has no width. Leave it out, or take "sigmoid"."#)
  }

  @Test func `rows that are none, or in no order, are named`() {
    #expect(
      error(.inTurn) { $0.at = [50] }
        == "schedule.at: 1 rows for 3 concepts. Say where each but the first begins: 2.")
    #expect(
      error(.inTurn) { $0.at = [50, 300] }
        == "schedule.at: 300 is no row behind the first of 300. There are 1 to 299.")
    #expect(error(.blip) { $0.at = [50, 20] } == "schedule.at: 20 stands behind 50. Rows are to ascend.")
    #expect(error(.gaussian) { $0.at = [50, 20] } == "schedule.at: 2 middles for 3 concepts. Give each one.")
    #expect(
      error(.periodicGaussian) { $0.at = [50, 20, 150] }
        == "schedule.at: two concepts have the same middle: neither would ever give way to the other. Part them.")
    #expect(error(.gaussian) { $0.at = [50, 20, 150] } == nil)
  }

  @Test func `rounds and visits that are too short are named`() {
    #expect(
      error(.recurring) { $0.order = [0, 3] } == "schedule.order: 3 is no place among 3 concepts. There are 0 to 2.")
    #expect(
      error(.recurring) { ($0.order, $0.period) = ([0, 1, 0, 2], 3) }
        == "schedule.period: 3 rows are too few for 4 concepts to come. Take at least 4.")
    #expect(
      error(.seasonal) { $0.period = 2 }
        == "schedule.period: 2 rows are too few for 3 concepts to come. Take at least 3.")
    #expect(
      error { ($0.schedule.name, $0.transition, $0.width) = (.recurring, .sigmoid, 40) }
        == "width: 40 rows are more than the 33 of the shortest visit to a concept. Take at most 33.")
    #expect(
      error { ($0.schedule.name, $0.schedule.at, $0.transition, $0.width) = (.inTurn, [20, 220], .sigmoid, 21) }
        == "width: 21 rows are more than the 20 of the shortest visit to a concept. Take at most 20.")
    #expect(
      error { ($0.schedule.name, $0.schedule.at, $0.transition, $0.width) = (.inTurn, [140, 290], .sigmoid, 140) }
        == nil)
  }

  @Test func `blips that reach too far are named`() {
    #expect(
      error(.blip) { ($0.at, $0.length) = ([20, 30], 10) }
        == "schedule.length: 10 rows from row 20 on reach up to the next blip at 30. Take fewer.")
    #expect(
      error(.blip) { $0.at = [145] }
        == "schedule.at: the 10 rows from row 145 on reach row 150, where the part of a concept ends. A blip lies within one."
    )
    #expect(
      error(.blip) { $0.at = [140] }
        == "schedule.at: the 10 rows from row 140 on reach row 150, where the part of a concept ends. A blip lies within one."
    )
    #expect(error(.blip) { $0.at = [290] } == nil)
    var alone = SEA()
    (alone.thresholds, alone.rows.schedule.name) = ([8], .blip)
    #expect(
      Classic.error(alone)
        == ScenarioError(
          parameter: "schedule.name",
          "a blip is another concept for a while, and there is one alone. List two."))
  }

  @Test func `parameters that cannot move are named`() {
    #expect(
      error(.incremental) { ($0.from, $0.to) = (60, 60) }
        == "schedule.from: parameters move from row 60 to row 60 of a part: none. Part them.")
    #expect(
      error(.incremental) { $0.to = 101 }
        == "schedule.to: 101 rows are more than the 100 of a task. It must be at most that.")
    var stagger = Stagger()
    stagger.rows.schedule.name = .incremental
    #expect(
      Classic.error(stagger)
        == ScenarioError(
          parameter: "schedule.name",
          "\"incremental\" moves parameters from one concept to the next, and nothing stands between two concepts of "
            + "stagger. Take \"gaussian\", or a transition."))
  }
}
