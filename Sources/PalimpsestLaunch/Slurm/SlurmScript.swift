import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestRuns

/// The job scripts of a launch: what `sbatch` reads on standard input, and the arguments it is called with.
///
/// Settings of the user's stand in `#SBATCH` lines, so that a script that was printed and saved is submitted by `sbatch FILE`.
public struct SlurmScript: Sendable {
  let work: SubmittedWork
  /// Arrays of the launch, as they are submitted.
  public let arrays: [SlurmArray]

  /// Tasks of an array on a cluster that is set up as Slurm comes.
  public static let usualMostTasks = 1000

  /// - Parameter mostTasks: of one array.
  /// - Throws: ``EngineError`` for a path that no script can hold.
  public init(_ work: SubmittedWork, mostTasks: Int) throws(EngineError) {
    for path in [work.folder.folder, work.record.program] {
      if let reason = SlurmScript.refusal(path) { throw EngineError(.refused, "\(visible(path)): \(reason)") }
    }
    self.work = work
    arrays = SlurmArray.cut(work.record.tasks, atOnce: work.settings.slurm.atOnce, mostTasks: mostTasks)
  }

  /// Why a path cannot stand in a script; nil where it can.
  private static func refusal(_ path: String) -> String? {
    if path.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) {
      return "a path with a line break or another control character cannot stand in a job script; choose another folder"
    }
    return path.contains("\\")
      ? "Slurm fills in no job numbers in names of files under a path with a backslash; choose another folder" : nil
  }

  // MARK: - Names

  /// What the jobs of a launch are called.
  public var name: String {
    let plain = work.experiment.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "_" }
    return "plmp-\(String(plain))-\(work.record.number)"
  }

  /// Knows this launch among all: of its folder, its number and the moment it was made.
  var token: String {
    SlurmScript.tokenStart
      + sha256(Array("\(work.folder.folder)\n\(work.record.number)\n\(work.record.time)".utf8)).prefix(12)
  }

  static let tokenStart = "palimpsest-"

  func comment(_ array: SlurmArray) -> String { "\(token)-\(array.first)" }

  var collectComment: String { token + "-collect" }

  // MARK: - Scripts

  /// What `srun` ends with where Slurm itself has ended the step for its memory: no worker ends so.
  private static let outOfMemory = 1

  /// The script of an array. The worker is a step: Slurm's signals reach it before they reach the script.
  public func script(_ array: SlurmArray) -> String {
    let needs = work.needs
    let options = [
      "--job-name=\(name)", "--array=\(array.range)", "--requeue", "--open-mode=append",
      "--output=\(SlurmScript.pattern(logFolder))/%A_%a.log", "--time=\(needs.minutes)",
      "--cpus-per-task=\(needs.cpus)", "--mem=\(needs.megabytes)M",
      "--signal=USR1@\(min(300, needs.minutes * 15))",
    ]
    let command =
      RepeatedWorker.function(besides: [SlurmScript.outOfMemory])
      + "\nagain srun --ntasks=1 --cpus-per-task=\(needs.cpus) --kill-on-bad-exit=0 \(shellQuoted(work.record.program)) worker "
      + "\(shellQuoted(work.folder.folder)) --launch \(work.record.number) --task \(array.taskExpression) --jobs \(needs.cpus)"
    return SlurmScript.text(options + place + work.settings.slurm.extra, command)
  }

  /// The script of the job that makes the cube once all arrays have ended, however they did.
  public var collectScript: String {
    let memory = 512 + work.record.runs / 128
    let options = [
      "--job-name=\(name)-collect", "--requeue", "--open-mode=append",
      "--output=\(SlurmScript.pattern(logFolder))/collect.log", "--time=\(work.needs.minutes)", "--ntasks=1",
      "--mem=\(memory)M",
    ]
    let command = "exec \(shellQuoted(work.record.program)) collect \(shellQuoted(work.folder.folder))"
    return SlurmScript.text(options + place + work.settings.slurm.extra, command)
  }

  /// Arguments of `sbatch` for an array; the script is its standard input. By the comment a job is known again whose number we did
  /// not hear.
  func arguments(_ array: SlurmArray) -> [String] { ["--parsable", "--comment=\(comment(array))"] }

  /// Arguments of `sbatch` for the collect job.
  func collectArguments(after jobs: [String]) -> [String] {
    ["--parsable", "--comment=\(collectComment)", "--dependency=afterany:" + jobs.joined(separator: ":")]
  }

  /// Scripts and commands as `--print-script` shows them.
  public var text: String {
    let parts = arrays.map { (script($0), arguments($0)) }
    let jobs = arrays.count == 1 ? ["JOB"] : arrays.indices.map { "JOB\($0 + 1)" }
    let all = parts + [(collectScript, collectArguments(after: jobs))]
    return all.map { script, arguments in
      "# sbatch \(arguments.map(shellQuoted).joined(separator: " ")) <<'END'\n\(script)# END\n"
    }.joined(separator: "\n")
  }

  private var logFolder: String { work.folder.launchLogFolder(work.record.number) }

  /// Where the user wants to run.
  private var place: [String] {
    let slurm = work.settings.slurm
    return [("partition", slurm.partition), ("account", slurm.account), ("qos", slurm.qos)].compactMap {
      option, value in
      value.map { "--\(option)=\($0)" }
    }
  }

  private static func text(_ options: [String], _ command: String) -> String {
    (["#!/bin/bash"] + options.map { "#SBATCH " + quoted($0) } + [command]).joined(separator: "\n") + "\n"
  }

  /// A path as a pattern of file names: a percent sign is one.
  private static func pattern(_ path: String) -> String {
    path.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
  }

  /// An option as sbatch reads it from a `#SBATCH` line: between quotes where it would see an end, a quote or a comment in it.
  /// In quotes a backslash takes the next character as it is.
  static func quoted(_ option: String) -> String {
    guard option.contains(where: { " \t\"'\\#".contains($0) }) else { return option }
    return "\"" + option.reduce(into: "") { $0 += ($1 == "\"" || $1 == "\\" ? "\\" : "") + String($1) } + "\""
  }
}

/// Some tasks of a launch that are one job array.
public struct SlurmArray: Sendable, Equatable {
  /// The first task's number in the launch.
  public let first: Int
  public let count: Int
  /// How many run at once.
  public let atOnce: Int

  /// As sbatch takes it: `0-63%64`.
  var range: String { "0-\(count - 1)%\(atOnce)" }

  /// The task's number in the launch, as a shell works it out.
  var taskExpression: String { first == 0 ? "\"$SLURM_ARRAY_TASK_ID\"" : "\"$((SLURM_ARRAY_TASK_ID + \(first)))\"" }

  /// Arrays of at most so many tasks each; what may run at once is shared out among them.
  static func cut(_ tasks: Int, atOnce: Int, mostTasks: Int) -> [SlurmArray] {
    let most = max(1, mostTasks)
    return stride(from: 0, to: tasks, by: most).map { first in
      let count = min(most, tasks - first)
      return SlurmArray(first: first, count: count, atOnce: max(1, min(count, atOnce * count / tasks)))
    }
  }
}
