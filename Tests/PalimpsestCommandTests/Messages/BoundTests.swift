import Testing

/// The ends of what flags, files and paths may say.
struct BoundTests {
  private func small() throws -> Tool {
    let tool = try Tool()
    try tool.write(Small.experiment(seeds: 1), to: "small.json")
    return tool
  }

  @Test func `a file or folder may have a name of one letter`() async throws {
    let tool = try small()
    for output in ["r/x.h5", "k"] {
      #expect(try await tool("run", "small.json", "--quiet", "--output", output).status == 0)
    }
    for output in ["m", "n/m.h5"] {
      #expect(try await tool("merge", "r/x.h5", "k.h5", "-o", output).status == 0)
      #expect(tool.exists(output))
    }
    for output in ["t", "u/t"] {
      #expect(try await tool("export", "k", "--what", "all", "--output", output).status == 0)
      #expect(tool.exists(output + "/runs.csv"))
    }
    #expect(try await tool("report", "k").status == 0)
    #expect(try await tool("status", "k").status == 0)
    #expect(try await tool("collect", "k").status == 0)
  }

  @Test(arguments: ["", ".", "..", "ab/", "ab//", ".h5", "ab/.h5", "ab/.palimpsest"])
  func `results go to a file with a name`(output: String) async throws {
    let tool = try small()
    for command in ["run", "expand"] {
      let answer = try await tool(command, "small.json", "--output", output)
      #expect(answer.status == 64)
      #expect(answer.errors == "--output \"\(output)\": a file name is wanted, such as results/small.h5\n")
    }
    let merge = try await tool("merge", "a.h5", "b.h5", "--output", output)
    #expect(merge.status == 64)
    #expect(merge.errors == "--output \"\(output)\": a file name is wanted, such as merged.h5\n")
    let predict = try await tool("predict", "x.model", "--input", "x.csv", "--output", output)
    #expect(predict.status == 64)
    #expect(predict.errors == "--output \"\(output)\": a file name is wanted, such as predictions.csv\n")
  }

  @Test func `the folder of results may be named as a shell completes it`() async throws {
    let tool = try small()
    #expect(try await tool("run", "small.json", "--quiet", "--output", "k.palimpsest/").status == 0)
    #expect(tool.exists("k.h5"))
  }

  @Test(arguments: ["inf", "nan", "1e300", "0"])
  func `seconds have an end`(seconds: String) async throws {
    let tool = try small()
    let found = seconds == "1e300" ? "1e+300" : seconds == "0" ? "0.0" : seconds
    let wanted = "expected more than 0 s and at most 1000000000 s, found \(found).\n"
    let run = try await tool("run", "small.json", "--collect-every", seconds)
    #expect(run.status == 64)
    #expect(run.errors.hasPrefix("Error: --collect-every: " + wanted))
    let status = try await tool("status", "k", "--watch", "--every", seconds)
    #expect(status.status == 64)
    #expect(status.errors.hasPrefix("Error: --every: " + wanted))
  }

  @Test func `counts have an end`() async throws {
    let tool = try small()
    let many = "\(Int.max)"
    let jobs = try await tool("run", "small.json", "--jobs", many)
    #expect(jobs.status == 64)
    #expect(jobs.errors.hasPrefix("Error: --jobs: \(many) runs at a time are too many; at most 4096.\n"))
    #expect(try await tool("expand", "small.json", "--jobs", many).status == 64)
    #expect(try await tool("bench", "--repeats", many).status == 64)
    let open = try await tool("run", "small.json", "--quiet", "--limit", many, "--checkpoint-every", many)
    #expect(open.status == 0)
  }

  @Test(arguments: [
    "training.batch", "training.steps", "training.epochs", "training.tasks", "evaluation.everySteps",
    "strategies.ewc.ewc.fisherBatch", "strategies.ewc.ewc.fisherSamples", "strategies.replay.reservoir.draw",
    "strategies.replay.reservoir.capacity",
  ])
  func `the largest value of a setting is told, and can be estimated`(path: String) async throws {
    let tool = try Tool()
    let strategies = """
      "replay": [{ "name": "reservoir" }], "ewc": [{ "name": "ewc", "fisherReduction": "batch" }]
      """
    try tool.write(Small.experiment(strategies: strategies, seeds: 1), to: "small.json")
    let most = path.hasSuffix("capacity") ? "1000000000000" : "1000000000"
    let beyond = try await tool("validate", "small.json", "--set", "\(path)=\(Int.max)")
    #expect(beyond.status == 65)
    #expect(
      beyond.errors.hasPrefix("--set \"\(path)=\(Int.max)\": expected a whole number in [1, \(most)]"),
      "\(beyond.errors)")
    #expect(try await tool("expand", "small.json", "--set", "\(path)=\(most)").status == 0)
  }

  @Test func `a network too large for any memory is refused before it is made`() async throws {
    let tool = try small()
    for command in ["run", "expand"] {
      let answer = try await tool(command, "small.json", "--set", "model.hidden=[1000000, 1000000]")
      #expect(answer.status == 65)
      #expect(
        answer.errors.contains("model.hidden: [1000000, 1000000] makes a network of 1000013000001 parameters"),
        "\(answer.errors)")
    }
  }
}
