import ArgumentParser
import Foundation
import Palimpsest
import PalimpsestLaunch

/// `palimpsest status RESULTS`.
struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "How far a sweep is, who works on it, and what it says so far.",
    discussion: """
      Reads the plan, the journals (their sums, NAME.sum, where they have any) and the progress files, never the .h5 file; \
      nothing is locked or changed. Ends with 75 \
      while runs of the plan are missing, with 0 once all have ended. A line is a configuration with the settings that tell \
      it from others, as in "report"; intervals are 95 %, Student's t, over its seeds. Of more than 50 those are shown \
      that ended a run last.
      """)

  @Argument(help: "Results: the .h5 file, the .palimpsest folder, or either without its ending.") var results: String
  @Flag(help: "Look again and again until all runs have ended, or Ctrl-C.") var watch = false
  @Option(help: "Seconds between two looks with --watch.") var every = 1.0
  @OptionGroup var json: JSONOption

  func validate() throws {
    try OptionChecks.seconds(every, "--every")
  }

  func run() async throws {
    var watching = try SweepWatch(ResultsFolder(results))
    var launches = LaunchLook(ResultsFolder(results))
    var shown: (status: SweepStatus, lines: [String])?
    var rates: [Double] = []
    while true {
      let status = try watching.look(at: Date().timeIntervalSince1970)
      rates = rates.suffix(StatusCommand.mostRates - 1) + [status.runsPerSecond]
      let look = try await launches.look()
      if shown.map({ $0.status != status || $0.lines != look.lines }) ?? true {
        show(status, look, rates, isFirst: shown == nil)
      }
      try StandardOutput.check()
      shown = (status, look.lines)
      if status.missing == 0 { return }
      guard watch else { throw End(.unfinished) }
      try await Task.sleep(for: .seconds(every))
    }
  }

  /// Looks whose rates are drawn.
  private static let mostRates = 40

  /// On a terminal the picture is drawn over the last one, with the rates of the last looks; elsewhere what changed is a line, or an
  /// object on a line.
  private func show(_ status: SweepStatus, _ launches: LaunchLook, _ rates: [Double], isFirst: Bool) {
    let whole = ([status.text(workers: launches.workers)] + launches.lines).joined(separator: "\n")
    let object = launches.isEmpty ? status.json : status.json.with("launches", launches.json)
    if !watch {
      json.print(whole, or: object)
    } else if json.json {
      print(object.compactText)
    } else if isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb" {
      let marks = TerminalMarks(isASCII: false, environment: ProcessInfo.processInfo.environment)
      let rate = rateLine(rates, marks).map { "\n\n" + $0 } ?? ""
      print("\u{1B}[H\u{1B}[2J" + visibleLines(whole + rate))
    } else {
      let lines = [status.line(workers: launches.workers)] + launches.remarks
      print(visibleLines(status.missing == 0 || isFirst ? whole : lines.joined(separator: "\n")))
    }
  }
}
