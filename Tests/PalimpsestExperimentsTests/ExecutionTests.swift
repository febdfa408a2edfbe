import PalimpsestCore
import PalimpsestExperiments
import PalimpsestJSON
import Testing

/// Where runs are done, as files say it.
struct ExecutionTests {
  private func profile(_ text: String) throws -> ExecutionSettings {
    try ExecutionSettings([ExecutionProfile(Array(text.utf8), file: "p.json").given])
  }

  private func problems(_ text: String) -> String {
    #expect(throws: Problems.self) { try profile(text) }.map { "\($0)" } ?? ""
  }

  @Test func `a profile sets what it names and leaves the rest`() throws {
    let settings = try profile(
      #"{ "launcher": "slurm", "task": { "cpus": 4, "memory": "2G" }, "slurm": { "extra": ["--constraint=avx2"] } }"#)
    #expect(settings.launcher == "slurm" && settings.task.cpus == 4 && settings.task.memory == "2G")
    #expect(
      settings.task.time == "auto" && settings.slurm.extra == ["--constraint=avx2"] && settings.block.seconds == 120)
  }

  @Test func `an experiment's block may be the profile, and later layers count`() throws {
    let first = try ExecutionProfile(
      Array(#"{"execution": {"launcher": "local", "slurm": {"tasks": 3}}}"#.utf8), file: "p")
    let settings = try ExecutionSettings([first.given, Component(given: ["launcher": .string("slurm")])])
    #expect(settings.launcher == "slurm" && settings.slurm.tasks == 3)
  }

  @Test(arguments: [
    (
      #"{ "launcher": "pbs" }"#,
      #"p.json:1:15: launcher: expected "none", "local", "slurm" or "script:" and a template, found "pbs""#
    ),
    (
      #"{ "task": { "memory": "lots" } }"#,
      #"p.json:1:23: task.memory: expected "auto" or an amount with its unit, such as "500M" or "2G", found "lots""#
    ),
    (
      #"{ "task": { "time": "4" } }"#,
      #"p.json:1:21: task.time: expected "auto" or a time with its unit, such as "30min" or "4h", found "4""#
    ),
    (
      #"{ "slurm": { "partition": "a b" } }"#,
      #"p.json:1:27: slurm.partition: expected a name without spaces, found "a b""#
    ),
    (
      #"{ "slurm": { "extra": ["--array=0-3"] } }"#,
      #"p.json:1:24: slurm.extra.0: expected an option that the launcher does not set itself, found "--array=0-3""#
    ),
    (#"{ "task": { "cpus": 0 } }"#, "p.json:1:21: task.cpus: expected a whole number in [1, 4096], found 0"),
    (#"{ "tasks": 3 }"#, #"p.json:1:3: tasks: unknown key; did you mean "task"?"#),
    ("[]", #"p.json:1:1: expected an object with settings of "execution", found an empty array"#),
  ])
  func `what is wrong is told with its place`(text: String, message: String) {
    #expect(problems(text) == message)
  }

  @Test(arguments: [("500M", 500), ("2G", 2048), ("1.5 GB", 1536), ("1TiB", 1 << 20), ("10K", 1)])
  func `memory is read in megabytes`(text: String, megabytes: Int) {
    #expect(MemoryAmount(text)?.megabytes == megabytes)
  }

  @Test(arguments: ["", "0M", "-1G", "5", "2X", "1e99T", "nanG", "M"])
  func `what is no amount is none`(text: String) { #expect(MemoryAmount(text) == nil) }

  @Test(arguments: [("30min", 30), ("4h", 240), ("90s", 2), ("2d", 2880), ("1-12:00:00", 2160), ("0:20:30", 21)])
  func `times are read in whole minutes, rounded up`(text: String, minutes: Int) {
    #expect(TimeLimit(text)?.minutes == minutes)
  }

  @Test(arguments: ["", "0h", "4", "400d", "1:00", "1-2-3", "::", "99999999:0:0"])
  func `what is no time is none`(text: String) { #expect(TimeLimit(text) == nil) }

  @Test func `the block changes no run's identity`() throws {
    let text = """
      { "name": "a", "scenarios": { "v": { "name": "habit-phases" } }, "strategies": { "naive": [] }, "seeds": 2 }
      """
    let more = text.replacing(
      "\"seeds\"", with: #""execution": { "launcher": "slurm", "task": { "cpus": 8 } }, "seeds""#)
    let plans = try [text, more].map { try Plan(Experiment.read($0, file: "a.json")) }
    #expect(plans[0].runs.map(\.id) == plans[1].runs.map(\.id))
    #expect(plans[1].experiment.execution.given["task.cpus"] == .number("8"))
  }
}
