import Foundation
import Palimpsest
import PalimpsestLaunch

/// Waits for the workers of a folder's launches.
struct LaunchWait {
  let folder: ResultsFolder
  let quiet: Bool

  /// Seconds between two questions to the engine: its controller answers everybody.
  static let secondsBetweenQuestions = 10.0

  /// - Throws: ``End`` where the user leaves: the workers stay.
  func untilOver(_ interruption: Interruption) async throws -> LaunchedRun.Outcome {
    var watch = try SweepWatch(folder)
    var launches = LaunchLook(folder)
    var shown = ""
    while true {
      let status = try watch.look(at: Date().timeIntervalSince1970)
      let looked = try await launches.look()
      let lines = [status.line(workers: looked.workers)] + looked.remarks
      let text = lines.joined(separator: "\n")
      if !quiet && text != shown { StandardError.say(text) }
      shown = text
      if status.missing == 0 || looked.isOver { return .ended }
      if interruption.isAsked { try leave() }
      try await Task.sleep(for: .seconds(1))
    }
  }

  private func leave() throws {
    let results = shellQuoted(folder.cube)
    StandardError.write(
      "the workers go on. To watch them: palimpsest status \(results) --watch. To stop them: palimpsest cancel \(results)"
    )
    throw End(.interrupted)
  }
}

/// What the launches of a folder do: leases at each look, the engine now and then.
struct LaunchLook {
  private let folder: ResultsFolder
  private var known: [LaunchStatus] = []
  private var asked = -Double.infinity

  init(_ folder: ResultsFolder) { self.folder = folder }

  var remarks: [String] { known.flatMap(\.remarks) }
  /// Workers that are heard of.
  var workers: Int { known.reduce(0) { $0 + $1.live.count } }
  var isOver: Bool { known.allSatisfy(\.isOver) }
  var lines: [String] { known.flatMap { [$0.line] + $0.remarks.map { "  " + $0 } } }
  var json: JSONValue { JSONValue(known.map(\.json)) }
  var isEmpty: Bool { known.isEmpty }

  mutating func look() async throws -> LaunchLook {
    let now = ProcessInfo.processInfo.systemUptime
    if now - asked >= LaunchWait.secondsBetweenQuestions {
      known = try await LaunchStatus.all(folder)
      asked = ProcessInfo.processInfo.systemUptime
    } else {
      known = try known.map { status in
        LaunchStatus(
          record: status.record, tasks: status.tasks, unanswered: status.unanswered,
          leases: try folder.leases(ofLaunch: status.record.number))
      }
    }
    return self
  }
}
