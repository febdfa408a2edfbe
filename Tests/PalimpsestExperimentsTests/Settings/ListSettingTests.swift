import PalimpsestCore
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestScenarios
import TestFixtures
import Testing

/// Settings that are lists of objects: what happens in lives.
@Suite struct ListSettingTests {
  private func text(_ events: String, _ more: String = "") -> String {
    #"{ "name": "x", "scenarios": { "h": { "name": "habit-personal", "events": \#(events) } }, "strategies": { "naive": [] }\#(more) }"#
  }

  private func ids(_ text: String) throws -> [String] { try Plan(Fixture.experiment(text)).runs.map(\.id) }

  private func scenario(_ text: String) throws -> HabitPersonal {
    let configuration = try #require(Plan(Fixture.experiment(text)).configurations.first)
    return try #require(configuration.resolved.scenario as? HabitPersonal)
  }

  @Test func `entries are read, and what is as declared makes no other run`() throws {
    let events = try scenario(text(#"[{ "day": 30, "lastDay": 40 }, {}, { "name": "return", "day": 120 }]"#)).events
    #expect(events.map(\.day) == [30, 90, 120] && events.map(\.lastDay) == [40, nil, nil])
    #expect(events.map(\.name) == [.lifeEvent, .lifeEvent, .firstLife] && events.map(\.share) == [1, 1, 1])
    let one = try ids(text(#"[{ "name": "life-event", "day": 90, "share": 1 }]"#))
    #expect(try ids(text("[{}]")) == one && ids(text(#"[{ "day": 9e1 }]"#)) == one)
    #expect(try ids(text(#"[{ "day": 91 }]"#)) != one && ids(text("[]")) != one)
    let plain = #"{ "name": "x", "scenarios": { "h": { "name": "habit-personal" } }, "strategies": { "naive": [] } }"#
    #expect(try ids(text("[]")) == ids(plain))
  }

  @Test func `a sweep goes over an entry, which has columns of its own`() throws {
    let swept = text(
      #"[{ "day": 30 }, { "day": 90 }]"#, #", "sweep": { "grid": { "scenarios.h.events.1.day": [60, 90, 120] } }"#)
    let plan = try Plan(Fixture.experiment(swept))
    let stored = StoredPlan(plan)
    #expect(stored.configurations.map { $0.values["scenario_events_1_day"]?.int } == [60, 90, 120])
    #expect(stored.configurations.map { $0.values["scenario_events_0_day"]?.int } == [30, 30, 30])
    #expect(stored.configurations[0].values["scenario_events"]?.int == 2)
    #expect(stored.variedColumns == ["scenario_events_1_day"])
    #expect(try ids(text(#"[{ "day": 30 }, { "day": 120 }]"#))[0] == plan.runs[2].id)
    for (configuration, stored) in zip(plan.configurations, stored.configurations) {
      #expect(stored.record == .init(configuration.resolved.record))
    }
    let read = try StoredPlan(stored.json, file: "plan.json")
    #expect(read == stored && read.firstWrong(isSealed: false) == nil)
  }

  @Test func `a star names the entries that are there, and the command line one`() throws {
    let two = #"""
      { "name": "x", "scenarios": { "a": { "name": "habit-personal", "events": [{}] }, "b": { "name": "habit-personal" } },
        "strategies": { "naive": [] }, "sweep": { "grid": { "scenarios.*.events.0.day": [20, 30] } } }
      """#
    #expect(try Plan(Fixture.experiment(two)).configurations.map(\.scenarioLabel) == ["a", "a", "b"])
    let set = try Fixture.experiment(text("[{}]")).overridden(by: Overrides(set: ["scenarios.h.events.0.day=33"]))
    #expect(try Plan(set).runs.map(\.id) == ids(text(#"[{ "day": 33 }]"#)))
  }

  @Test(arguments: [
    ("5", "x.json:1:74: scenarios.h.events: expected a list of objects, at most 20, found 5"),
    (
      "[" + [String](repeating: "{}", count: 21).joined(separator: ", ") + "]",
      "x.json:1:74: scenarios.h.events: expected a list of objects, at most 20, found a list of 21"
    ),
    ("[{}, 3]", "x.json:1:79: scenarios.h.events.1: expected an object, found 3"),
    (
      #"[{ "day": 0 }]"#,
      "x.json:1:84: scenarios.h.events.0.day: expected a whole number in [1, 10000], found 0"
    ),
    (#"[{}, { "dai": 3 }]"#, "x.json:1:81: scenarios.h.events.1.dai: unknown key; did you mean \"day\"?"),
    (
      #"[{ "day": 30 }, { "day": 30 }]"#,
      "x.json:1:99: scenarios.h.events.1.day: 30 is not behind day 30, on which the event before may still change a life. "
        + "Take 31 or later."
    ),
    (
      #"[{ "name": "holiday" }]"#,
      "x.json:1:75: scenarios.h.events.0.returnsAfter: a holiday ends. Say after how many days."
    ),
  ])
  func `what is wrong with an entry is told at its place`(events: String, message: String) {
    #expect(Fixture.problems(text(events)) == message)
  }

  @Test(arguments: [
    (
      "scenarios.h.events.1.day",
      #""scenarios.h.events.1.day": "events" has one entry here, and places count from 0: there is no 1"#
    ),
    (
      "scenarios.h.events",
      #""scenarios.h.events": "events" is a list of objects; name a setting of one of them, as in "scenarios.h.events.0.name""#
    ),
    (
      "scenarios.h.events.0.dai",
      #""scenarios.h.events.0.dai": "habit-personal" has no parameter "events.0.dai"; did you mean "events.0.day"?"#
    ),
  ])
  func `a path to no entry is refused`(path: String, message: String) {
    let swept = text("[{}]", #", "sweep": { "grid": { "\#(path)": [1] } }"#)
    #expect(Fixture.problems(swept).contains(message), "\(Fixture.problems(swept))")
  }

  @Test func `the schema has the entries' settings, and their paths in sweeps`() throws {
    let schema = ExperimentSchema().json
    let list = schema["$defs"]?["scenario.habit-personal"]?["properties"]?["events"]
    #expect(list?["type"]?.string == "array" && list?["maxItems"]?.int == 20 && list?["default"]?.array == [])
    #expect(list?["items"]?["properties"]?["day"]?["default"]?.int == 90)
    #expect(list?["items"]?["additionalProperties"]?.bool == false)
    let patterns = schema["$defs"]?["sweep.lists"]?["patternProperties"]?.object
    #expect(patterns?[#"^scenarios\.[^.]+\.events\.[0-9]+\.day$"#] != nil)
    #expect(patterns?[#"^scenarios\.[^.]+\.events$"#] == nil)
  }
}
