import Foundation
import PalimpsestLaunch
import PalimpsestRuns
import TestFixtures
import Testing

/// What job scripts do about a worker that was killed alone, by a shell that runs them.
struct RepeatedWorkerTests {
  /// Runs the shell's template for one task whose worker is this script; `$n` counts its starts from 1.
  /// - Returns: the last argument of each start, and what the script ended with.
  private func starts(_ worker: String) async throws -> (attempts: [String], status: Int) {
    let folder = try TemporaryFolder()
    let program = folder.path + "/worker"
    let text = """
      #!/bin/sh
      for last; do :; done
      echo "$last" >> '\(folder.path)/starts'
      n=$(wc -l < '\(folder.path)/starts')
      \(worker)

      """
    try text.write(toFile: program, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let work = try Work.work(ResultsFolder(folder.path + "/r"), 1, program: program)
    let script = try ScriptTemplate("gridengine").script(work)
    let calls = EngineCalls(limit: .seconds(600), environment: ["LD_PRELOAD": "", "SGE_TASK_ID": "1"])
    let answer = try await calls.answer("sh", ["-s"], input: script)
    let starts = try String(contentsOfFile: folder.path + "/starts", encoding: .utf8)
    return (starts.split(separator: "\n").map(String.init), answer.status)
  }

  @Test(arguments: ["KILL", "SEGV", "ABRT", "ILL"])
  func `a worker that a signal ended is begun anew, and counted`(signal: String) async throws {
    let (attempts, status) = try await starts("if [ $n -le 2 ]; then kill -\(signal) $$; fi")
    #expect(attempts == ["0", "1", "2"] && status == 0)
  }

  @Test(arguments: [(0, 0), (65, 65), (73, 73), (75, 99), (143, 143)])
  func `one that ended by itself is not, and its status stays`(worker: Int, script: Int) async throws {
    let (attempts, status) = try await starts("exit \(worker)")
    #expect(attempts == ["0"] && status == script)
  }

  @Test(arguments: ["TERM", "INT", "USR1", "USR2"])
  func `nor is one whose script was asked to end`(signal: String) async throws {
    let (attempts, status) = try await starts("kill -\(signal) $PPID; kill -KILL $$")
    #expect(attempts == ["0"] && status == 137)
  }

  /// The script waits a second before it begins the worker anew.
  @Test func `nor where its script was asked while it waited`() async throws {
    let (attempts, status) = try await starts("(sleep 0.4; kill -TERM $PPID) & kill -KILL $$")
    #expect(attempts == ["0"] && status == 137)
  }
}
