import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import TestFixtures
import Testing

/// What is no part, or two at once, is a mistake in the program and stops it.
@Suite struct CatalogTests {
  @Test func `a part that plays two roles is refused`() async {
    await #expect(processExitsWith: .failure) { _ = Catalog.standard.adding(TwoRoles.self) }
  }

  @Test func `a name that is taken is refused`() async {
    await #expect(processExitsWith: .failure) { _ = Catalog.standard.adding(OtherEWC.self) }
  }

  @Test func `a part of one role and a new name is taken`() async {
    await #expect(processExitsWith: .success) {
      #expect(Catalog.standard.adding(OneRole.self).parts[OneRole.name] != nil)
    }
  }

  @Test func `a metric is listed, described, and can decide`() throws {
    let catalog = Catalog.standard.adding(metric("kept"), metric("needy", needs: [.joint]))
    #expect(catalog.accuracyMetrics.map(\.name).suffix(2) == ["kept", "needy"])
    #expect(catalog.metrics.contains { $0.name == "kept" } && !Catalog.standard.metrics.contains { $0.name == "kept" })
    #expect(catalog.description(of: "expected_kept")?.definition == "1")
    #expect(catalog.criteria.last?.name == "kept")
    let schema = ExperimentSchema(catalog).json["$defs"]?["select"]?["properties"]?["criterion"]?["enum"]
    #expect(schema?.array?.last?.string == "kept")
    let text = Fixture.text(
      strategies: #""a": [{ "name": "ewc" }]"#, "\"seeds\": 1",
      #""select": { "seeds": 1, "criterion": "kept", "over": { "grid": { "strategies.a.ewc.strength": [0, 1] } } }"#)
    #expect(try Experiment.read(text, file: "x.json", catalog: catalog).select?.criterion.name == "kept")
    #expect(Fixture.problems(text).contains("no metric is called \"kept\""))
  }

  @Test(arguments: [
    "forgetting", "expected_forgetting", "accuracy", "task", "ewc", "evaluation", "Kept", "my-metric", "",
  ])
  func `a metric under a name that is taken or is no name is refused`(name: String) async {
    await #expect(processExitsWith: .failure) { [name = name as String] in
      _ = Catalog.standard.adding(metric(name))
    }
  }

  @Test func `two metrics, or a metric and a measure, do not share a name`() async {
    await #expect(processExitsWith: .failure) { _ = Catalog.standard.adding(metric("kept")).adding(metric("kept")) }
    await #expect(processExitsWith: .failure) {
      _ = Catalog.standard.adding(metric("kept"))
        .observing(Probe(Measure("expected_kept", "Kept", definition: "1")) { _ in Reading(1) })
    }
    await #expect(processExitsWith: .success) { _ = Catalog.standard.adding(metric("kept")) }
  }
}

private func metric(_ name: String, needs: [Requirement] = []) -> Metric {
  Metric(name, "A test's", definition: "1", source: "A test.", .higher, needs: needs) { _ in 1 }
}

private struct OneRole: GradientTransform {
  static let name = "one-role"
  static let summary = "Changes nothing."
  static let source = "For tests only."

  mutating func transform(_ gradient: inout FloatBuffer, _ lender: inout Lender, _ context: StepContext) {}
}

private struct TwoRoles: GradientTransform, Penalty {
  static let name = "two-roles"
  static let summary = "Changes nothing, twice."
  static let source = "For tests only."

  mutating func transform(_ gradient: inout FloatBuffer, _ lender: inout Lender, _ context: StepContext) {}
  mutating func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float { 0 }
}

private struct OtherEWC: GradientTransform {
  static let name = "ewc"
  static let summary = "Bears a name that is taken."
  static let source = "For tests only."

  mutating func transform(_ gradient: inout FloatBuffer, _ lender: inout Lender, _ context: StepContext) {}
}
