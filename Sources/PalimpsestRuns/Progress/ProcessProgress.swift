import Foundation
import PalimpsestJSON

/// What one process is doing (`progress/<host>-<pid>.json`): which runs its workers have in hand, and which it has claimed
/// for the next moments, so that others take different ones.
public struct ProcessProgress: Sendable, Equatable {
  /// One worker and the run it has in hand.
  public struct Worker: Sendable, Equatable {
    public var number: Int
    public var runID: String
    /// Tasks done.
    public var task: Int
    /// Tasks of the run; 0 where that is not known yet.
    public var of: Int
    /// Training rows a second, each pass counted; nil until it can be said.
    public var examplesPerSecond: Double?
    /// Seconds since 1970, when the run began.
    public var started: Double
  }

  /// Whether somebody is behind it.
  public enum State: String, Sendable {
    case working
    /// Not heard of for a minute; or heard of in the future, by a clock that was set back since.
    case stale
    /// The process of this machine is gone.
    case dead
  }

  public var host: String
  public var process: Int
  /// Seconds since 1970, when the process began to run.
  public var started: Double
  /// Seconds since 1970.
  public var updated: Double
  public var completed = 0
  public var failed = 0
  public var diverged = 0
  /// Runs a second, over the last half minute.
  public var runsPerSecond = 0.0
  public var workers: [Worker] = []
  /// Ids of runs that it will begin next, or has begun.
  public var claims: [String] = []

  /// Seconds after which a process that says nothing counts as gone.
  public static let patience = 60.0

  public var name: String { "\(host)-\(process)" }

  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - host: the machine that asks.
  public func state(at now: Double, on host: String = Provenance.hostName) -> State {
    if host == self.host && !Processes.isAlive(process) { return .dead }
    return abs(now - updated) > ProcessProgress.patience ? .stale : .working
  }
}

/// Processes of this machine.
package enum Processes {
  package static func isAlive(_ process: Int) -> Bool {
    guard let id = pid_t(exactly: process), id > 0 else { return false }
    return kill(id, 0) == 0 || errno != ESRCH
  }

  /// When a process began, in the system's own unit: it tells apart processes that had one number after each other. Nil
  /// where the system does not say (no `/proc`).
  package static func started(_ process: Int) -> String? {
    guard let bytes = try? Files.read("/proc/\(process)/stat") else { return nil }
    // The program's name stands in brackets and may hold anything; the time is the 20th field behind it.
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 19 ? String(fields[19]) : nil
  }
}

// MARK: - JSON

extension ProcessProgress {
  var json: JSONValue {
    [
      "format": 1, "host": JSONValue(host), "process": JSONValue(process), "started": JSONValue(started),
      "updated": JSONValue(updated), "completed": JSONValue(completed), "failed": JSONValue(failed),
      "diverged": JSONValue(diverged), "runs_per_s": JSONValue(runsPerSecond),
      "workers": JSONValue(workers.map(\.json)), "claims": JSONValue(claims.map { JSONValue($0) }),
    ]
  }

  /// - Returns: nil where the JSON is no progress file.
  init?(_ json: JSONValue) {
    guard json["format"]?.int == 1, let host = json["host"]?.string, let process = json["process"]?.int,
      let updated = json["updated"]?.double
    else { return nil }
    self.init(host: host, process: process, started: json["started"]?.double ?? updated, updated: updated)
    completed = json["completed"]?.int ?? 0
    failed = json["failed"]?.int ?? 0
    diverged = json["diverged"]?.int ?? 0
    runsPerSecond = json["runs_per_s"]?.double ?? 0
    workers = (json["workers"]?.array ?? []).compactMap(Worker.init)
    claims = json["claims"]?.array?.compactMap(\.string) ?? []
  }
}

extension ProcessProgress.Worker {
  /// Stable names: programs read them.
  public var json: JSONValue {
    [
      "worker": JSONValue(number), "run_id": JSONValue(runID), "task": JSONValue(task), "of": JSONValue(of),
      "examples_per_s": examplesPerSecond.map { JSONValue($0) } ?? .null, "started": JSONValue(started),
    ]
  }

  fileprivate init?(_ json: JSONValue) {
    guard let number = json["worker"]?.int, let run = json["run_id"]?.string else { return nil }
    self.init(
      number: number, runID: run, task: json["task"]?.int ?? 0, of: json["of"]?.int ?? 0,
      examplesPerSecond: json["examples_per_s"]?.double, started: json["started"]?.double ?? 0)
  }
}

// MARK: - Files

extension ResultsFolder {
  /// What all processes say that are or were at work here; files that cannot be read are passed over.
  public var processes: [ProcessProgress] {
    get throws(FileError) {
      try Files.names(in: progressFolder).filter { $0.hasSuffix(".json") }.compactMap { name in
        let path = progressFolder + "/" + name
        guard let bytes = try? Files.read(path) else { return nil }
        return JSONReader.read(bytes, file: path).root.flatMap(ProcessProgress.init)
      }
    }
  }

  func progressFile(_ name: String) -> String { "\(progressFolder)/\(name).json" }

  /// Takes away what processes left behind that are gone: progress files of this machine, those of others after a day,
  /// and half-written files.
  func removeTraces(of host: String, at now: Double) throws(FileError) {
    for process in try processes {
      let age = now - process.updated
      if process.state(at: now, on: host) == .dead || age > 86_400 { SystemCalls.unlink(progressFile(process.name)) }
    }
    removeStrayFiles()
  }
}
