import Foundation
import PalimpsestLaunch
import PalimpsestRuns
import TestFixtures
import Testing

/// Grid Engine's script by a shell, begun as Grid Engine begins it.
private struct ScriptTrial {
  private let folder: TemporaryFolder
  private let script: String

  /// - Parameter worker: what a shell does in the worker's place.
  init(worker: String) throws {
    folder = try TemporaryFolder()
    for (name, text) in [
      // It tells how long it would sleep, and wakes once the worker is there.
      ("sleep", "echo \"$1\" >> '\(folder.path)/slept'\nuntil [ -e '\(folder.path)/there' ]; do /bin/sleep 0.01; done"),
      ("worker", "shift 4; echo \"$*\" >> '\(folder.path)/begun'\n\(worker)"),
    ] {
      let program = folder.path + "/" + name
      try "#!/bin/sh\n\(text)\n".write(toFile: program, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    }
    let work = try Work.work(ResultsFolder(folder.path + "/r"), 3, program: folder.path + "/worker")
    script = try ScriptTemplate("gridengine").script(work)
  }

  /// Task 2 of 3, by Grid Engine's count, of a job.
  func task(ofJob job: Int) async throws -> Int {
    let path = folder.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
    let environment = ["LD_PRELOAD": "", "SGE_TASK_ID": "2", "JOB_ID": String(job), "PATH": path]
    let calls = EngineCalls(limit: .seconds(600), environment: environment)
    return try await calls.answer("sh", ["-s"], input: script).status
  }

  func lines(_ name: String) throws -> [String] {
    try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8).split(separator: "\n").map(String.init)
  }
}

/// What Grid Engine's script makes of restarts and of the time. `Scripts/gridengine-trial.sh` has it run by Grid Engine itself.
struct GridEngineScriptTests {
  @Test func `a job's starts of a task are counted, another job's are not`() async throws {
    let trial = try ScriptTrial(worker: "exit 0")
    for job in [35, 35, 3, 35] { #expect(try await trial.task(ofJob: job) == 0) }
    #expect(
      try trial.lines("begun")
        == [(35, 0), (35, 1), (3, 0), (35, 2)].map { job, restart in
          "--task 1 --engine-job \(job) --restart \(restart) --jobs 2 --attempt 0"
        })
  }

  /// 20 restarts are enough (`WorkerPlace.mostRestarts`); an exit with 99 would begin it once more.
  @Test func `a task that asks to be begun again is, 20 times`() async throws {
    let trial = try ScriptTrial(worker: "exit 75")
    var ended: [Int] = []
    for _ in 0...20 { ended.append(try await trial.task(ofJob: 35)) }
    #expect(ended == Array(repeating: 99, count: 20) + [75])
  }

  /// 4 h are 14,400 s, and 5 minutes before the end the worker is told.
  @Test func `a worker is told before its time is over`() async throws {
    let trial = try ScriptTrial(
      worker: "trap 'exit 75' USR1\n: > \"${0%/*}/there\"\nwhile :; do /bin/sleep 0.01; done")
    #expect(try await trial.task(ofJob: 35) == 99)
    #expect(try trial.lines("slept") == ["14100"])
  }
}
