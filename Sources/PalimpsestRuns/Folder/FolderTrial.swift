import Foundation
import PalimpsestJSON

/// Tries on a file system what workers on several machines ask of it: names that are made once, a new file in the place of an old one,
/// one clock, and files of others that are soon seen.
///
///     let trial = try FolderTrial(for: ResultsFolder("results/a.h5"))
///     trial.checks; try await trial.roundTrips(20, patience: 60)   // the latter while another process calls FolderTrial.answer
///
/// Everything stands in a hidden folder of its own beside or in the results, which goes with the value.
public final class FolderTrial: Sendable {
  /// What was tried, what came of it, and whether workers can live with it.
  public struct Check: Sendable, Equatable {
    public let key: String
    public let name: String
    public let finding: String
    public let isRight: Bool

    /// The second process gave no answer.
    public static func unanswered(_ why: String) -> Check {
      Check(key: "folder_visible", name: "seen by another", finding: why, isRight: false)
    }
  }

  /// Where it is tried.
  public let place: String
  private let folder: String
  private static let prefix = ".doctor-"

  /// - Throws: ``PalimpsestJSON/FileError`` where no file can be made there.
  public init(for results: ResultsFolder) throws(FileError) {
    place = FolderTrial.place(of: results)
    folder = Files.temporaryPath("\(place)/\(FolderTrial.prefix)")
    guard SystemCalls.makeFolder(folder) == 0 else { throw .system(.unwritable, "make a folder here", place) }
    do throws(FileError) {
      try Files.replace(path("old"), with: Array("old".utf8))
    } catch {
      remove()
      throw error
    }
  }

  deinit { remove() }

  /// The results folder, or where there is none the folder that it would be made in.
  private static func place(of results: ResultsFolder) -> String {
    var place = results.folder
    while !Files.exists(place) {
      guard let slash = place.lastIndex(of: "/") else { return "." }
      place = slash == place.startIndex ? "/" : String(place[..<slash])
    }
    return place
  }

  private func path(_ name: String) -> String { "\(folder)/\(name)" }

  private func remove() {
    for name in SystemCalls.names(in: folder) ?? [] { SystemCalls.unlink(path(name)) }
    SystemCalls.removeFolder(folder)
  }

  // MARK: - Alone

  /// What one process can try.
  public var checks: [Check] { [link, rename, time, clock] }

  /// A lease is a name that only one process can make.
  private var link: Check {
    let first = SystemCalls.link(path("old"), path("lease"))
    let code = errno
    let second = SystemCalls.link(path("old"), path("lease"))
    let isRight = first == 0 && second != 0 && errno == EEXIST && SystemCalls.names(of: path("old")) == 2
    let wrong = first == 0 ? "a name that is taken was made once more" : systemMessage(code)
    return Check(
      key: "folder_link", name: "link", finding: isRight ? "makes a name once" : "\(wrong): leases need it",
      isRight: isRight)
  }

  private var rename: Check {
    do throws(FileError) {
      try Files.replace(path("new"), with: Array("first".utf8))
      try Files.replace(path("new"), with: Array("second".utf8))
      let isRight = try Files.read(path("new")) == Array("second".utf8)
      return Check(
        key: "folder_rename", name: "rename",
        finding: isRight ? "puts a new file in the place of the old one" : "the old file is still read afterwards",
        isRight: isRight)
    } catch {
      return Check(key: "folder_rename", name: "rename", finding: error.description, isRight: false)
    }
  }

  /// A lease that is given back has the time 0, and one that is kept another time each 10 s.
  private var time: Check {
    let file = path("old")
    let wasSet = SystemCalls.backdate(file) == 0 && SystemCalls.changedExactly(file) == 0
    guard wasSet && SystemCalls.touch(file) == 0 else {
      return Check(key: "folder_times", name: "times", finding: "a file's time cannot be set", isRight: false)
    }
    let start = SystemCalls.changedExactly(file)
    for wait in [0.001, 0.01, 0.1, 1, 2] {
      Thread.sleep(forTimeInterval: wait)
      if SystemCalls.touch(file) == 0 && SystemCalls.changedExactly(file) > start {
        return Check(
          key: "folder_times", name: "times", finding: "can be set; two touches \(wait) s apart differ", isRight: true)
      }
    }
    return Check(
      key: "folder_times", name: "times",
      finding: "a file that is touched keeps its time: no lease would be seen to live",
      isRight: false)
  }

  /// Leases go by the server's clock alone, so that a difference does no harm.
  private var clock: Check {
    let before = Date().timeIntervalSince1970
    _ = SystemCalls.touch(path("old"))
    let after = Date().timeIntervalSince1970
    let server = SystemCalls.changedExactly(path("old"))
    let ahead = server > after ? server - after : min(0, server - before)
    let words =
      abs(ahead) < 0.1
      ? "that of this machine"
      : "\(tenths(abs(ahead))) s \(ahead > 0 ? "ahead of" : "behind") this machine's, which does no harm"
    return Check(key: "folder_clock", name: "file clock", finding: words, isRight: server > 0)
  }

  // MARK: - With another process

  /// Makes one file after the other and waits for the other process's answer to each. One more goes before them, whose time does not
  /// count: the other process may still be starting.
  /// - Parameter patience: seconds to wait for one answer.
  public func roundTrips(_ count: Int, patience: Double) async throws -> Check {
    var times: [Double] = []
    let clock = ContinuousClock()
    for number in 0...count {
      let start = clock.now
      guard SystemCalls.link(path("old"), path("ping-\(number)")) == 0 else { break }
      while !(SystemCalls.names(in: folder) ?? []).contains("pong-\(number)") {
        if clock.now - start > .seconds(patience) { return silent(after: number, patience) }
        try await Task.sleep(for: .seconds(FolderTrial.pause))
      }
      if number > 0 { times.append((clock.now - start) / .seconds(1)) }
    }
    guard times.count == count, let worst = times.max() else {
      return .unanswered("no more files could be made here")
    }
    let median = times.sorted()[count / 2]
    let isRight = worst < FolderTrial.slowest
    return Check(
      key: "folder_visible", name: "seen by another",
      finding:
        "a new file and its answer within \(tenths(1000 * worst)) ms at worst of \(count), \(tenths(1000 * median)) ms mostly"
        + (isRight ? "" : ": a lease is taken over after 60 s, and must have been seen by then"), isRight: isRight)
  }

  private static let pause = 0.001
  /// Half the time after which a holder counts as lost, in seconds.
  private static let slowest = 30.0

  private func silent(after count: Int, _ patience: Double) -> Check {
    .unanswered(
      "no answer within \(tenths(patience)) s to file \(count + 1) of another process: its files are not seen here, or ours there"
    )
  }

  /// Answers a trial that another process has begun on the same results, until it is over.
  /// - Parameter patience: seconds to wait for one.
  /// - Returns: how many files were answered; 0 where nobody began a trial.
  /// - Throws: `CancellationError` where the task is cancelled.
  public static func answer(_ results: ResultsFolder, patience: Double) async throws -> Int {
    let place = place(of: results)
    let clock = ContinuousClock()
    var last = clock.now
    var answered: Set<String> = []
    while clock.now - last < .seconds(patience) {
      let trials = (SystemCalls.names(in: place) ?? []).filter { $0.hasPrefix(prefix) }.map { "\(place)/\($0)" }
      if trials.isEmpty && !answered.isEmpty { break }
      for trial in trials {
        for name in SystemCalls.names(in: trial) ?? [] where name.hasPrefix("ping-") {
          let pong = "\(trial)/pong-\(name.dropFirst("ping-".count))"
          guard !answered.contains(pong), SystemCalls.link("\(trial)/\(name)", pong) == 0 else { continue }
          answered.insert(pong)
          last = clock.now
        }
      }
      try await Task.sleep(for: .seconds(pause))
    }
    return answered.count
  }
}

/// `12.3`
private func tenths(_ x: Double) -> String { String((10 * x).rounded() / 10) }
