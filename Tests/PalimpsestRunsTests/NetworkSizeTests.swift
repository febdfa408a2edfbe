import PalimpsestCore
import PalimpsestExperiments
import PalimpsestRuns
import TestFixtures
import Testing

@Suite struct NetworkSizeTests {
  private let shape = TaskShape(inputs: 10, outputs: 1)

  /// Three tasks of 80 rows.
  private func size(_ strategy: String, hidden: String = "[16, 8]", batch: Int = 16) throws -> NetworkSize {
    let text = Fixture.text(
      strategies: "\"s\": [\(strategy)]", "\"model\": { \"hidden\": \(hidden) }",
      "\"training\": { \"batch\": \(batch) }")
    let plan = try Plan(Fixture.experiment(text))
    let tasks = (0..<3).map {
      ExperienceInfo(index: $0, name: "\($0)", outputs: 0..<1, seenOutputs: 0..<1, rows: 80)
    }
    return NetworkSize(plan.configurations[0].resolved, shape, tasks)
  }

  /// 10·16 + 16 + 16·8 + 8 + 8 + 1 of the layers; 9 of each head; rank · (26 + 24 + 9) of each task's tensors.
  @Test func `the parameters of the network and of what tasks add are counted`() throws {
    #expect(try size("").parameters == 321)
    #expect(try size("{ \"name\": \"heads\" }").parameters == 321 + 27)
    #expect(try size("{ \"name\": \"low-rank\", \"rank\": 3 }").parameters == 321 + 27 + 3 * 3 * 59)
    #expect(try size("", hidden: "[]").parameters == 11)
  }

  @Test func `a network that the memory cannot hold is told with what to change`() throws {
    let wide = try size("", hidden: "[1000000, 1000000]")
    #expect(
      wide.problem(memory: 0x1p34) == """
        model.hidden: [1000000, 1000000] makes a network of 1000013000001 parameters for strategy "s", which takes about \
        18631 GiB to train; this machine has 16 GiB. Take narrower layers.
        """)
    #expect(wide.problem(memory: 1e15) == nil)
    let ranked = try size("{ \"name\": \"adapters\", \"rank\": 1000000 }", hidden: "[1000, 1000]")
    #expect(ranked.problem(memory: 0x1p34)?.hasSuffix("Take smaller modules of \"adapters\", or fewer tasks.") == true)
    #expect(try size("", batch: 1_000_000_000).problem(memory: 0x1p24) == nil)
  }

  @Test func `a plan warns of networks that no data make small enough, each once`() throws {
    func warnings(_ hidden: String, sweep: String = "{}") throws -> [String] {
      let text = Fixture.text(
        strategies: "\"a\": [], \"b\": []", "\"model\": { \"hidden\": \(hidden) }", "\"sweep\": \(sweep)")
      return try Plan(Fixture.experiment(text)).networkWarnings(file: "x.json", memory: 0x1p34).map(\.problem.message)
    }
    let told = """
      [1000000, 1000000] makes a network of at least 1000004000001 parameters, which takes 18630 GiB or more to train; this \
      machine has 16 GiB and refuses to run it. Take narrower layers, or a larger machine.
      """
    #expect(try warnings("[1000000, 1000000]") == [told])
    #expect(try warnings("[16, 8]").isEmpty)
    #expect(
      try warnings(
        "[16, 8]", sweep: #"{ "grid": { "model.hidden": [[8], [1000000, 1000000]], "training.batch": [1, 2] } }"#)
        == [told])
  }

  @Test func `no product of settings is too large`() throws {
    let layers = "[" + repeatElement("1000000", count: 100).joined(separator: ", ") + "]"
    #expect(
      try size("{ \"name\": \"low-rank\", \"rank\": 1000000 }", hidden: layers, batch: 1_000_000_000)
        .problem(memory: 1e15)?.hasPrefix("model.hidden: 100 layers makes a network of ") == true)
  }
}
