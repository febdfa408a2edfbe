import Palimpsest
import Testing
import custom_measures

struct FirstTaskKeptTests {
  private let catalog = Catalog.standard.adding(firstTaskKept)

  @Test func `it is the last accuracy on the first task over the first`() throws {
    let text = """
      {"name": "n", "scenarios": {"v": {"name": "habit-phases", "phases": [0, 1], "users": 4, "days": 10, "testUsers": 4}},
       "training": {"epochs": 1}, "strategies": {"naive": []}, "seeds": 1}
      """
    let configuration = try Plan(Experiment.read(text, file: "n.json")).configurations[0].resolved
    var run = try Run(
      configuration, data: Run.data(of: try configuration.scenario.prepare(from: EmptyLibrary()), seed: 0), seed: 0)
    let record = run.execute()
    let accuracy = try #require(record["accuracy"]).numbers
    #expect(firstTaskKept.value(of: record, kind: .sampled).number == accuracy[2] / accuracy[0])
  }

  @Test func `the catalogue lists it, describes it and lets it decide`() throws {
    #expect(catalog.metrics.contains { $0.name == "first_task_kept" })
    #expect(catalog.description(of: "expected_first_task_kept")?.definition == "R[T-1, 0] / R[0, 0]")
    #expect(catalog.criteria.last?.name == "first_task_kept")
  }
}
