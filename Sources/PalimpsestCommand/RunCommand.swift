import ArgumentParser
import Foundation
import Palimpsest
import PalimpsestHDF5

/// `palimpsest run FILE`.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run everything an experiment file describes, and report.",
    discussion: """
      Runs that are done are skipped, so running again goes on where it stopped. Ctrl-C once finishes the runs in hand, \
      twice ends at once.
      """, aliases: ["sweep"])

  @Argument(help: "Experiment file; or the name of one in Experiments.") var file: String
  @Option(help: "Runs at a time.") var jobs = ProcessInfo.processInfo.activeProcessorCount
  @Option(help: "Where the results go (default: results/NAME.h5, by the experiment's name).") var output: String?
  @Flag(help: "Forget what is there and run everything again.") var fresh = false
  @Flag(help: "Show no progress.") var quiet = false
  @Option(help: "Colour of the progress bar: auto, always or never.") var color = ColorChoice.auto
  @OptionGroup var json: JSONOption

  func validate() throws {
    if jobs < 1 { throw ValidationError("--jobs: \(jobs) runs at a time are too few; at least 1.") }
  }

  func run() async throws {
    let experiment = try ExperimentFile(file).experiment()
    let results = experiment.output(output)
    if fresh { try results.remove() }
    let interruption = Interruption()
    interruption.watch()
    try await execute(Plan(experiment), results, interruption)
    try results.collect()
    if interruption.isAsked { try stop(results) }
    try report(results)
  }

  private func execute(_ plan: Plan, _ results: ResultsFolder, _ interruption: Interruption) async throws {
    let runner = Runner(plan, output: results, library: DatasetFolder.standard(), jobs: jobs)
    let progress = ProgressReporter(ProgressStyle(quiet: quiet, color: color))
    progress.start()
    let end = try await runner.run(stop: { interruption.isAsked }, report: { progress.update($0) })
    progress.finish(end)
  }

  /// Says what to type to go on.
  private func stop(_ results: ResultsFolder) throws {
    let report = Report(try Results(results))
    let done = report.planned - report.missing
    let command = CommandLine.arguments.filter { $0 != "--fresh" }
    StandardError.write(
      "\(done) of \(report.planned) runs are done and kept in \(results.cube). Go on with:\n  "
        + command.map(shellQuoted).joined(separator: " "))
    throw End(.interrupted)
  }

  private func report(_ folder: ResultsFolder) throws {
    let results = try Results(folder)
    let report = Report(results)
    results.warnOfDamage()
    var object = report.json.object ?? JSONObject()
    object["cube"] = JSONValue(folder.cube)
    json.print(report.text + "\n\n" + folder.cube, or: JSONValue(object))
    if report.failed + report.diverged > 0 { throw End(.someFailed) }
  }
}

extension ResultsFolder {
  /// Takes plan, journals and cube away.
  fileprivate func remove() throws(FileError) {
    for path in [folder, cube] where Files.exists(path) {
      do {
        try FileManager.default.removeItem(atPath: path)
      } catch {
        throw FileError(.unwritable, "\(path): cannot be removed: \(error.localizedDescription)")
      }
    }
  }
}

extension Results {
  /// Torn or damaged lines are left out of the numbers; that must not pass in silence.
  func warnOfDamage() {
    for place in damaged { StandardError.write("\(place): this line is torn or damaged and does not count") }
  }
}

/// A word as a shell takes it unchanged.
func shellQuoted(_ word: String) -> String {
  let isPlain =
    !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./=,:+".contains($0)) }
  return isPlain ? word : "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
}
