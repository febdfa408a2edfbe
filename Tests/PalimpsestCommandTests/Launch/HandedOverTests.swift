import Foundation
import Palimpsest
import TestFixtures
import Testing

/// Sweeps that are handed to engines which go on without the tool.
struct HandedOverTests {
  private func small() throws -> Tool {
    let tool = try Tool()
    try tool.write(Small.experiment(), to: "small.json")
    return tool
  }

  @Test func `a printed script does the runs, and their bits are those of one process`() async throws {
    let tool = try small()
    let answer = try await tool("run", "small.json", "--launcher", "script:shell", "--tasks", "2", "--output", "r.h5")
    #expect(answer.status == 0 && answer.errors == "launch 1: this is its script; hand it to your engine\n")
    try tool.write(answer.output, to: "job.sh")
    let again = try await tool("run", "small.json", "--launcher", "script:shell", "--output", "r.h5")
    #expect(again.errors == "nothing to submit: 6 runs are in hand of another launch\n" && again.output == "")
    #expect(try await Tool.run("sh", ["job.sh"], in: tool.folder).status == 0)
    #expect(try await tool("collect", "r").status == 0)
    #expect(try await tool("run", "small.json", "--output", "alone.h5").status == 0)
    #expect(try await tool("compare", "r.h5", "alone.h5", "--same-bits").status == 0)
    let log = try await tool("logs", "r", "--task", "1")
    #expect(log.output.hasPrefix("== 1.log\n") && log.output.contains("launch 1, task 1, process "))
  }

  @Test func `beside a live launch a run of one process is refused, and once it is cancelled it is not`() async throws {
    let tool = try small()
    _ = try await tool("run", "small.json", "--launcher", "script:shell", "--tasks", "2", "--output", "r.h5")
    let refused = try await tool("run", "small.json", "--output", "r.h5")
    #expect(refused.status == 75)
    #expect(
      refused.errors.hasSuffix(
        "r.palimpsest: 6 of the runs to do are in hand of launch 1 (script). \"palimpsest status r.h5\" shows how far it "
          + "is, \"palimpsest cancel r.h5 --launch 1\" frees its runs for this command; --launcher local does what is in "
          + "nobody's hand.\n"))
    #expect(try ResultsFolder(tool.folder + "/r").journal().entries.isEmpty)
    #expect(try await tool("cancel", "r").status == 0)
    #expect(try await tool("run", "small.json", "--quiet", "--output", "r.h5").status == 0)
  }

  @Test func `a launch beside a process that does the runs itself is refused`() async throws {
    let tool = try Tool()
    try tool.write(
      Small.experiment(strategies: #""naive": []"#, training: #""epochs": 3000, "batch": 4"#, seeds: 12),
      to: "small.json")
    let script = """
      while running && [ $(lines) -lt 1 ]; do sleep 0.05; done
      \(Tool.executable) run small.json --launcher script:shell 2>refused; echo $? >status
      kill -INT $tool
      """
    _ = try await tool.accompanied(by: script, "results/small", ["run", "small.json", "--jobs", "1"])
    func said(_ name: String) throws -> String {
      String(decoding: try Files.read(tool.folder + "/" + name), as: UTF8.self)
    }
    #expect(try said("status") == "75\n")
    #expect(try said("refused").contains(" is at work here. Stop it first, or choose another --output."))
  }

  @Test func `a script that is only printed leaves nothing behind`() async throws {
    let tool = try small()
    for launcher in ["slurm", "script:pbs"] {
      let arguments = ["run", "small.json", "--launcher", launcher, "--memory", "300M", "--print-script"]
      let answer = try await Tool.run(
        Tool.executable, arguments, environment: ["PATH": "/nonexistent"], in: tool.folder)
      #expect(answer.status == 0 && answer.errors == "" && answer.output.contains(" --launch 1 --task "))
      #expect(!tool.exists("results"))
    }
  }

  @Test func `without Slurm a submission ends with 69, and its runs are free`() async throws {
    let tool = try small()
    let arguments = ["run", "small.json", "--launcher", "slurm", "--output", "r.h5"]
    let answer = try await Tool.run(Tool.executable, arguments, environment: ["PATH": "/nonexistent"], in: tool.folder)
    #expect(answer.status == 69 && answer.errors == "scontrol: this program is not on PATH\n")
    #expect(try await tool("status", "r").output.hasSuffix("blocks done, 0 in hand; cancelled\n"))
    let resubmitted = try await tool("resubmit", "r", "--launcher", "local", "--tasks", "1")
    #expect(resubmitted.status == 0 && resubmitted.output == "r.h5: all runs of the plan are there\n")
  }

  @Test func `a cancelled launch frees its runs`() async throws {
    let tool = try small()
    _ = try await tool("run", "small.json", "--launcher", "script:shell", "--output", "r.h5")
    let answer = try await tool("cancel", "r")
    #expect(answer.status == 0 && answer.output == "launch 1: cancelled\n")
    #expect(try await tool("cancel", "r").output == "r.palimpsest: no launch is under way\n")
    #expect(try await tool("run", "small.json", "--launcher", "script:shell", "--output", "r.h5").output != "")
  }

  @Test(arguments: [
    (
      ["run", "small.json", "--tasks", "3"], 64,
      "--tasks: nobody starts workers here; add --launcher local, --launcher slurm or --launcher script:FILE\n"
    ),
    (
      ["run", "small.json", "--launcher", "pbs"], 64,
      "--launcher \"pbs\": expected \"none\", \"local\", \"slurm\" or \"script:\" and a template\n"
    ),
    (
      ["run", "small.json", "--launcher", "slurm", "--memory", "much"], 64,
      "--memory \"much\": expected \"auto\" or an amount with its unit, such as \"500M\" or \"2G\"\n"
    ),
    (
      ["run", "small.json", "--launcher", "slurm", "--slurm-extra=-a"], 64,
      "--slurm-extra \"-a\": expected an option that the launcher does not set itself\n"
    ),
    (
      ["run", "small.json", "--launcher", "local", "--print-script"], 64,
      "--print-script: local workers are started by no script; --launcher script:shell prints one\n"
    ),
    (
      ["run", "small.json", "--launcher", "script:nine", "--print-script"], 66,
      "nine: there is no such template; those that are shipped are gridengine, htcondor, lsf, parallel, pbs, shell\n"
    ),
    (
      ["cancel", "none"], 66,
      "none.palimpsest: nothing was launched here; \"palimpsest run FILE --launcher slurm\" does that\n"
    ),
    (
      ["run", "small.json", "--profile", "site.json"], 65,
      "site.json:1:3: lancher: unknown key; did you mean \"launcher\"?\n"
    ),
  ])
  func `what is wrong is said in a sentence`(arguments: [String], status: Int, message: String) async throws {
    let tool = try small()
    try tool.write(#"{ "lancher": "slurm" }"#, to: "site.json")
    let answer = try await Tool.run(Tool.executable, arguments, in: tool.folder)
    #expect(answer.errors == message)
    #expect(answer.status == status)
  }
}
