import Palimpsest
import Testing

/// What the program says of what it does not know, and of what is hardly wanted.
struct CommandHintTests {
  @Test(arguments: [
    (["runn", "x.json"], #"no command is called "runn"; did you mean "run"?"#),
    (["vaildate"], #"no command is called "vaildate"; did you mean "validate"?"#),
    (["a b.json"], #"no command is called "a b.json"; to run an experiment file: palimpsest run 'a b.json'"#),
    (
      ["frobnicate"],
      """
      no command is called "frobnicate"; the commands are run, sweep, status, collect, report, compare, export, generate, merge, \
      predict, validate, expand, list, describe, schema, datasets, doctor, bench, worker, cancel, \
      resubmit, logs, help
      """
    ),
    (
      ["describe", "rwalk"],
      """
      nothing is called "rwalk"; Riemannian Walk is not there. In its role (penalty) there are "ewc", "si", "mas"
      """
    ),
  ])
  func `an unknown command or name ends with 64 and what may be meant`(
    arguments: [String], expected: String
  ) async throws {
    let tool = try Tool()
    let answer = try await Tool.run(Tool.executable, arguments, in: tool.folder)
    #expect(answer.errors == expected + "\n")
    #expect(answer.status == 64 && answer.output == "")
  }

  @Test func `an unknown option is told the nearest`() async throws {
    let answer = try await Tool()("run", "x.json", "--seds", "3")
    #expect(answer.status == 64)
    #expect(answer.errors.hasPrefix("Error: Unknown option '--seds'. Did you mean '--seeds'?\n"))
  }

  @Test func `describe tells of a parameter everything that has it`() async throws {
    let answer = try await Tool()("describe", "capacity")
    #expect(answer.status == 0)
    let lines = answer.output.split(separator: "\n")
    #expect(lines[0] == "capacity: a parameter")
    #expect(
      lines.dropFirst(2).map { $0.prefix { $0 != " " } }
        == ["reservoir", "ring", "class-balanced", "herding", "k-centre"])
  }

  @Test func `warnings leave a file valid, and stand beside the results`() async throws {
    let tool = try Tool()
    let experiment = Small.experiment().replacing("[0, 1, 3]", with: "[0]")
    try tool.write(experiment, to: "small.json")
    let warning =
      "small.json:4:16: warning: scenarios.visible: one task alone: nothing can be forgotten, and most metrics are "
      + "undefined; take two tasks or more\n"
    let validated = try await tool("validate", "small.json")
    #expect(validated.status == 0)
    #expect(validated.errors == warning)
    #expect(validated.output == "small.json: 2 configurations × 3 seeds = 6 runs\n")
    let json = try JSONReader.read(try await tool("validate", "small.json", "--json").output, file: "").value()
    #expect(json[0]?["valid"]?.bool == true && json[0]?["warnings"]?.array?.count == 1)
    #expect(json[0]?["warnings"]?[0]?["path"]?.string == "scenarios.visible")
    #expect(try await tool("expand", "small.json", "--no-estimate").errors == warning)
    let run = try await tool("run", "small.json")
    #expect(run.status == 0 && run.errors.hasPrefix(warning))
    #expect(run.errors.split(separator: "\n").count { $0.contains("warning") } == 1)
    #expect(try await tool("run", "small.json", "--quiet").errors == "")
  }

  @Test func `validate says on which seeds hyper-parameters are chosen`() async throws {
    let tool = try Tool()
    let select = #""select": { "seeds": 2, "over": { "grid": { "strategies.replay.reservoir.capacity": [5, 10] } } }"#
    try tool.write(String(Small.experiment().dropLast()) + ", \(select) }", to: "small.json")
    #expect(
      try await tool("validate", "small.json").output
        == "small.json: 2 configurations × 3 seeds = 6 runs; hyper-parameters are chosen on seeds 3 to 4\n")
  }
}
