import Palimpsest
import Testing
import custom_measures

struct NormsTests {
  @Test func `the norms of the layers make the norm of all weights, but for the biases`() throws {
    let text = """
      {"name": "n", "scenarios": {"v": {"name": "habit-phases", "phases": [0, 1], "users": 4, "days": 10, "testUsers": 4}},
       "training": {"epochs": 1}, "strategies": {"naive": []}, "seeds": 1}
      """
    let plan = try Plan(Experiment.read(text, file: "n.json"))
    let configuration = plan.configurations[0].resolved
    let data = Run.data(of: try configuration.scenario.prepare(from: EmptyLibrary()), seed: 0)
    var run = try Run(configuration, data: data, seed: 0, probes: [finalNorm, layerNorm])
    let record = run.execute()
    let layers = try #require(record["layer_norm"])
    #expect(layers.axes == [Axis("after_task", 2), Axis("tensor", configuration.model.hidden.count + 1)])
    let last = layers.numbers.suffix(layers.axes[1].length)
    let squares = last.reduce(0) { $0 + $1 * $1 }
    #expect(squares > 0 && squares <= record.number("final_norm") * record.number("final_norm"))
    #expect(squares.squareRoot() > 0.9 * record.number("final_norm"))
  }
}
