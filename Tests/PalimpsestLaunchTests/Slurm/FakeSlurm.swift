import Foundation
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestLaunch
import PalimpsestRuns
import TestFixtures

/// Programs with the names of Slurm's, in a folder of their own that stands first on PATH. Each keeps its arguments and what it
/// reads, and answers as it is told.
final class FakeSlurm: Sendable {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try answer("scontrol", "echo 'MaxArraySize            = 1001'")
    try answer("sacct", "echo 'Slurm accounting storage is disabled' >&2; exit 1")
    try answer("squeue", "true")
    try answer("scancel", "true")
    try submitting(from: 35)
  }

  /// A program is the lines of a shell's script; `$n` counts its calls from 1.
  func answer(_ program: String, _ script: String) throws {
    let path = folder.path + "/bin/" + program
    try FileManager.default.createDirectory(atPath: folder.path + "/bin", withIntermediateDirectories: true)
    let log = folder.path + "/" + program
    let text = """
      #!/bin/sh
      n=$(($(cat '\(log).count' 2>/dev/null || echo 0) + 1))
      echo "$n" > '\(log).count'
      printf '%s\\n' "$*" >> '\(log).calls'
      if [ "${0##*/}" = sbatch ]; then cat > '\(log)'."$n".script; fi
      \(script)

      """
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  /// `sbatch` takes every job and gives it the next number.
  func submitting(from first: Int) throws { try answer("sbatch", "echo $((\(first) + n - 1))") }

  /// The arguments of each call, as one line.
  func calls(_ program: String) -> [String] {
    let text = (try? String(contentsOfFile: folder.path + "/\(program).calls", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  /// What the n-th `sbatch` read.
  func script(_ number: Int) throws -> String {
    try String(contentsOfFile: folder.path + "/sbatch.\(number).script", encoding: .utf8)
  }

  func calling(limit: Duration = .seconds(600)) -> EngineCalls {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return EngineCalls(limit: limit, environment: ["PATH": folder.path + "/bin:" + path, "LD_PRELOAD": ""])
  }

  func launcher(limit: Duration = .seconds(600), note: @escaping @Sendable (String) -> Void = { _ in }) -> SlurmLauncher
  {
    SlurmLauncher(calls: calling(limit: limit), pause: .milliseconds(10), note: note)
  }

  /// A launch of so many tasks in this folder.
  func work(_ tasks: Int, results: String = "a", atOnce: Int = 64) throws -> SubmittedWork {
    var settings = ExecutionSettings()
    settings.slurm.atOnce = atOnce
    return try Work.work(ResultsFolder(folder.path + "/" + results), tasks, settings)
  }
}

/// Launches as they are handed over.
enum Work {
  /// Other tests count allocations by a library that is loaded before others, for a moment.
  static let calls = EngineCalls(limit: .seconds(600), environment: ["LD_PRELOAD": ""])

  static func record(_ tasks: Int, program: String = "/r/bin/palimpsest-9c41") -> LaunchRecord {
    LaunchRecord(
      number: 3, generation: 0, engine: "slurm", blocks: 400, runs: 4000, tasks: tasks, program: program,
      dataFolder: "/data", inputs: [:], checkpointEvery: nil, retryFailed: false, resources: .null, command: "",
      user: "somebody", host: "login", time: 1000, version: "0.1.0")
  }

  static func work(
    _ folder: ResultsFolder, _ tasks: Int, _ settings: ExecutionSettings = ExecutionSettings(),
    program: String = "/r/bin/palimpsest-9c41"
  ) throws -> SubmittedWork {
    SubmittedWork(
      folder: folder, record: record(tasks, program: program), settings: settings,
      needs: TaskNeeds(cpus: 2, megabytes: 500, minutes: 240), experiment: "strategies")
  }
}
