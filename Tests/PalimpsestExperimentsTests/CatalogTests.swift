import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestStrategies
import TestFixtures
import Testing

/// What is no part, or two at once, is a mistake in the program and stops it; a name that is taken is said.
@Suite struct CatalogTests {
  @Test func `a part that plays two roles is refused`() async {
    await #expect(processExitsWith: .failure) { _ = Catalog.standard.adding(TwoRoles.self) }
  }

  @Test func `a part under a name that is taken is refused, and what has the name stays`() {
    let catalog = Catalog.standard.adding(OtherEWC.self)
    #expect(
      catalog.problems == [
        "gradient transform \"ewc\": a part of the catalogue has this name. Give it one of its own, such as \"own_ewc\"."
      ])
    #expect(catalog.parts["ewc"] is EWC.Type && Catalog.standard.problems.isEmpty)
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

  @Test(arguments: ["forgetting", "expected_forgetting", "accuracy", "task", "ewc", "evaluation", "bytes_model"])
  func `a metric under a name that is taken is refused`(name: String) throws {
    let catalog = Catalog.standard.adding(metric(name))
    let problem = try #require(catalog.problems.first)
    #expect(catalog.problems.count == 1 && catalog.accuracyMetrics.count == Catalog.standard.accuracyMetrics.count)
    #expect(problem.hasPrefix("metric \"\(name)\": ") && problem.hasSuffix("such as \"own_\(name)\"."))
  }

  @Test(arguments: ["Kept", "my-metric", ""])
  func `a metric under what is no name stops the program`(name: String) async {
    await #expect(processExitsWith: .failure) { [name = name as String] in
      _ = Catalog.standard.adding(metric(name))
    }
  }

  @Test func `two metrics, or a metric and a measure, do not share a name`() {
    let kept = Catalog.standard.adding(metric("kept"))
    #expect(kept.problems.isEmpty && kept.adding(metric("kept")).problems.count == 1)
    #expect(kept.observing(probe("expected_kept")).problems.count == 1)
  }

  /// The file is not to blame, but it cannot be read as it is meant.
  @Test func `a measure of one's own under the name of a standard one is refused with what to do`() {
    let catalog = Catalog.standard.observing(probe("weight_norm"), probe("own_norm"))
    let problem =
      "measure \"weight_norm\": the measure \"Norm of a layer's weights\" has this name. Give it one of its own, such as "
      + "\"own_weight_norm\"."
    #expect(catalog.problems == [problem] && catalog.probes.last?.measure.name == "own_norm")
    #expect(Fixture.problems(Fixture.text(strategies: #""a": []"#), catalog: catalog).contains(problem))
  }

  @Test func `an axis under the name of a measure is refused`() {
    let catalog = Catalog.standard.observing(probe("own", along: "similarity"), probe("other", along: "other"))
    #expect(
      catalog.problems.map { $0.prefix(42) } == [
        "axis of the measure \"own\", \"similarity\": t", "axis of the measure \"other\": the measure i",
      ])
  }
}

private func probe(_ name: String, along axis: String? = nil) -> Probe {
  let axes = axis.map { [MeasureAxis($0, nil)] } ?? []
  return Probe(Measure(ObservationName(name), "A test's", definition: "1", along: axes)) { _ in Reading(1) }
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
