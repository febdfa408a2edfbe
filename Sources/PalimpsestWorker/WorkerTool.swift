import ArgumentParser
import Foundation
import PalimpsestCore
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestLaunch
import PalimpsestRuns
import Synchronization

/// The worker as a program: `palimpsest worker …`, and `palimpsest-worker …` without HDF5.
public enum WorkerTool {
  /// Runs the command that the process's arguments name and ends the process.
  @MainActor public static func main(catalog: Catalog = .standard) async {
    // A file that may not grow is an error like a full disk, and a pipe without a reader one like a closed file.
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "worker" { arguments.removeFirst() }
    do {
      let command = try WorkerProgram.parse(arguments)
      try chooseInstructionSet()
      exit(await work(command.options, catalog: catalog).rawValue)
    } catch {
      let code = WorkerProgram.exitCode(for: error)
      let message = WorkerProgram.fullMessage(for: error)
      if code == .success { print(message) } else { say(message) }
      exit((code == .success ? ExitStatus.done : .usage).rawValue)
    }
  }

  private static func chooseInstructionSet() throws {
    guard let name = ProcessInfo.processInfo.environment["PALIMPSEST_ISA"], !name.isEmpty else { return }
    guard KernelTable.compiled.contains(name), KernelTable.select(name) else {
      throw ValidationError("PALIMPSEST_ISA: this program or this processor has no \"\(name)\"; unset the variable.")
    }
  }

  /// Works until nothing is left to take or a signal asks for the end, and says so on standard error.
  /// - Returns: what the process is to end with.
  package static func work(_ options: WorkerOptions, catalog: Catalog) async -> ExitStatus {
    do {
      return try await end(of: options, catalog)
    } catch {
      say("\(error)")
      return ExitStatus(ofRuns: error) ?? .badFile
    }
  }

  private static func end(of options: WorkerOptions, _ catalog: Catalog) async throws -> ExitStatus {
    let place = options.place()
    if place.restart > WorkerPlace.mostRestarts {
      say(
        "task \(place.task): started anew \(place.restart) times, which is enough; the log tells what ended it. Submit again"
      )
      return .unfinished
    }
    let stop = WorkerStop()
    let signals = WorkerSignals(stop) { say($0) }
    defer { withExtendedLifetime(signals) {} }
    let worker = try Worker(
      ResultsFolder(options.results), place, catalog: catalog, calibrations: .standard(), note: { say($0) })
    if worker.record.isCancelled {
      say("launch \(place.launch): it was cancelled")
      return .done
    }
    say("launch \(place.launch), task \(place.task), process \(getpid()) on \(Files.hostName): \(place.jobs) at a time")
    let end = try await worker.run(stop: stop) {
      say("terminated: the blocks in hand are given back, the runs in hand are not finished")
      _exit(ExitStatus.terminated.rawValue)
    }
    say(summary(end))
    return await status(after: end, worker.record, ResultsFolder(options.results), place)
  }

  private static func summary(_ end: WorkerEnd) -> String {
    let failed = end.failed == 0 ? "" : " (\(end.failed) failed or diverged)"
    let why =
      end.stopped != nil
      ? "stopped; what was in hand is given back"
      : end.isLaunchDone ? "the launch is done" : "others have in hand what is left"
    return "\(end.runs) runs\(failed), \(end.blocks) blocks; \(why)"
  }

  /// A task of Slurm that ran out of time or was preempted asks to be started anew.
  private static func status(
    after end: WorkerEnd, _ record: LaunchRecord, _ folder: ResultsFolder, _ place: WorkerPlace
  ) async -> ExitStatus {
    let isSlurm = record.engine == "slurm"
    guard let reason = end.stopped else {
      if isSlurm && end.isLaunchDone { await IdleTasks(folder, place.launch) { say($0) }.end(besides: place.task) }
      return .done
    }
    let requeue = Requeue()
    if reason == .termination {
      guard isSlurm, await requeue.isPreempted() else { return .terminated }
    }
    if isSlurm, let problem = await requeue.ask() { say(problem) }
    return .unfinished
  }

  /// A line for the task's log, with the time (UTC).
  static func say(_ message: String) {
    let text = visibleLines(message).split(separator: "\n").map { "\(Date().formatted(.iso8601)) \($0)\n" }.joined()
    StandardDescriptors.offer(Array(text.utf8), to: STDERR_FILENO)
  }
}

/// The command line of the program without HDF5.
private struct WorkerProgram: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "palimpsest-worker", abstract: WorkerTool.abstract, version: Provenance.programVersion)
  @OptionGroup var options: WorkerOptions
}

extension WorkerTool {
  public static let abstract = "Do runs of a launch until none is left to take: what an engine's tasks run."
}
