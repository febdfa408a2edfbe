import PalimpsestCore
import PalimpsestExperiments
import PalimpsestJSON
import TestFixtures
import Testing

/// Settings that are objects of names nobody declared: what columns of a table are.
@Suite struct ObjectSettingTests {
  private func text(_ columns: String, _ more: String = "") -> String {
    #"""
    { "name": "x", "scenarios": { "t": { "name": "table", "dataset": "mine", "columns": \#(columns) } },
      "strategies": { "naive": [] }\#(more) }
    """#
  }

  @Test func `the same object however it is written is the same run, another one another`() throws {
    func id(_ columns: String) throws -> [String] {
      try Plan(Fixture.experiment(text(columns))).configurations.flatMap { configuration in
        StoredPlan(try Plan(Fixture.experiment(text(columns)))).configurations.flatMap(\.runIDs)
          + [configuration.scenarioLabel]
      }
    }
    let one = try id(#"{ "hour": { "kind": "cyclic", "period": 24 }, "a": { "kind": "text" } }"#)
    #expect(try id(#"{"a":{"kind":"text"},"hour":{"period":24.0,"kind":"cyclic"}}"#) == one)
    #expect(try id(#"{"a":{"kind":"text"},"hour":{"period":12,"kind":"cyclic"}}"#) != one)
    #expect(try id("{}") == id("{ }"))
  }

  @Test func `it stands in the stored plan as an object, and comes back`() throws {
    let stored = StoredPlan(try Plan(Fixture.experiment(text(#"{ "hour": { "kind": "cyclic" } }"#))))
    #expect(stored.configurations[0].values["scenario_columns"]?.canonicalText == #"{"hour":{"kind":"cyclic"}}"#)
    let read = try StoredPlan(stored.json, file: "plan.json")
    #expect(read == stored && read.firstWrong(isSealed: false) == nil)
  }

  @Test func `what is no object is refused, and a sweep may go over objects`() throws {
    #expect(
      Fixture.problems(text("5")) == "x.json:1:85: scenarios.t.columns: expected an object, found 5")
    let swept = text(
      "{}", #", "sweep": { "grid": { "scenarios.t.columns": [{ "a": { "kind": "text" } }, {}] } }"#)
    #expect(try Plan(Fixture.experiment(swept)).configurations.count == 2)
  }
}
