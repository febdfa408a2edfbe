import Foundation
import PalimpsestCore
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestScenarios
import Synchronization

/// What calibrated scenarios have worked out before: within this process, and in a folder for the processes after it.
///
/// A file is named by the SHA-256 of all that its numbers depend on: the program as the linker numbers it (any other code has
/// another number), the instruction set, and the scenario's name, revision and settings. It holds these in clear, the numbers so
/// that they read back to the last bit, and the SHA-256 of all that. What is not word for word what was asked for, or does not fit
/// its checksum, is as good as not there: the numbers are worked out again and the file is replaced in one step, so processes may
/// read and write as they like. No run fails for want of the folder.
public final class CalibrationCache: Sendable {
  /// Nil: nothing is kept on disk.
  public let folder: String?
  private let program: String?
  private let leastTime: Duration
  private let mostFiles: Int
  private let known = Mutex<[String: [Double]]>([:])
  private let isTidy = Mutex(false)

  /// - Parameter folder: made when the first file is written; nil: nothing is kept on disk, nor by a program that the linker gave
  ///   no number.
  public convenience init(folder: String? = nil) { self.init(folder: folder, program: Provenance.build) }

  /// - Parameters:
  ///   - program: tells this code from any other; nil: nothing is kept on disk.
  ///   - leastTime: what is worked out sooner is not worth a file.
  ///   - mostFiles: files at most, about 20 MB; then the older half of them goes.
  package init(
    folder: String?, program: String?, leastTime: Duration = .milliseconds(20), mostFiles: Int = 10_000
  ) {
    self.folder = program == nil ? nil : folder
    self.program = program
    self.leastTime = leastTime
    self.mostFiles = mostFiles
  }

  /// The folder that `PALIMPSEST_CACHE` names, none where that is `off`; by default `palimpsest` in the user's own folder for
  /// such files: `XDG_CACHE_HOME`, else `~/.cache`, on macOS `~/Library/Caches`.
  public static func standard(environment: [String: String] = ProcessInfo.processInfo.environment) -> CalibrationCache {
    CalibrationCache(folder: folder(environment))
  }

  private static func folder(_ environment: [String: String]) -> String? {
    func path(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let given = path("PALIMPSEST_CACHE") { return given == "off" ? nil : given }
    #if os(macOS)
      return path("HOME").map { $0 + "/Library/Caches/palimpsest" }
    #else
      return path("XDG_CACHE_HOME").map { $0 + "/palimpsest" } ?? path("HOME").map { $0 + "/.cache/palimpsest" }
    #endif
  }

  /// A scenario ready to be drawn from, by numbers known already where there are any.
  /// - Parameter forPeople: whether runs go on with single people, where the scenario has any.
  /// - Throws: ``PalimpsestScenarios/ScenarioError``, ``PalimpsestScenarios/DatasetError``.
  public func prepare(
    _ scenario: any Scenario, from library: any DatasetLibrary, forPeople: Bool = false
  ) throws -> any PreparedScenario {
    if forPeople, let people = scenario as? any PeopleScenario { return try people.preparePeople(from: library) }
    guard let calibrated = scenario as? any CalibratedScenario else { return try scenario.prepare(from: library) }
    return try prepare(calibrated)
  }

  private func prepare(_ scenario: some CalibratedScenario) throws -> any PreparedScenario {
    let settings = scenario.calibrationSettings
    let key = CalibrationFile.head(settings, program: program ?? "")
    let kept = known.withLock { $0[key] } ?? read(key)
    if let kept, let prepared = try scenario.prepared(by: kept) {
      known.withLock { $0[key] = kept }
      return prepared
    }
    let start = ContinuousClock.now
    let numbers = try settings.calibrate()
    known.withLock { $0[key] = numbers }
    if ContinuousClock.now - start >= leastTime { write(key, numbers) }
    guard let prepared = try scenario.prepared(by: numbers) else {
      preconditionFailure("\(type(of: scenario).name) does not take its own calibration")
    }
    return prepared
  }

  /// Works out beside each other, so many at a time, what scenarios need that are about to be prepared one by one.
  func workOut(_ scenarios: [any Scenario], jobs: Int) {
    let calibrated = scenarios.compactMap { $0 as? any CalibratedScenario }
    guard calibrated.count > 1 && jobs > 1 else { return }
    // An error comes again where the scenario is prepared, and is told there.
    _ = Cores.map(calibrated.count, atLeast: (calibrated.count + jobs - 1) / jobs) { part in
      for place in part { _ = try? prepare(calibrated[place]) }
    }
  }

  // MARK: - Files

  private func read(_ key: String) -> [Double]? {
    guard let folder, let bytes = try? Files.read(CalibrationFile.path(key, folder), atMost: CalibrationFile.mostBytes)
    else { return nil }
    return CalibrationFile.numbers(bytes, head: key)
  }

  /// Nobody waits for the disk: a file that a power cut leaves half written does not fit its checksum.
  private func write(_ key: String, _ numbers: [Double]) {
    guard let folder, numbers.allSatisfy(\.isFinite) else { return }
    try? Files.makeFolder(folder)
    tidy(folder)
    try? Files.publish(CalibrationFile.path(key, folder), CalibrationFile.text(key, numbers))
  }

  /// Once a process: where there are too many files the older half goes. What another process looks for at that moment it works
  /// out again.
  private func tidy(_ folder: String) {
    guard isTidy.withLock({ isTidy in !exchange(&isTidy, true) }) else { return }
    let paths = CalibrationFile.paths(in: folder)
    guard paths.count > mostFiles else { return }
    let byAge = paths.map { (path: $0, changed: SystemCalls.changed($0)) }.sorted { $0.changed < $1.changed }
    for file in byAge.prefix(paths.count / 2) { SystemCalls.unlink(file.path) }
  }

  /// How many files are kept, and their bytes.
  public var extent: (files: Int, bytes: Int) {
    let paths = folder.map { CalibrationFile.paths(in: $0) } ?? []
    return (paths.count, paths.reduce(0) { $0 + Int(SystemCalls.status($1)?.st_size ?? 0) })
  }
}

/// One file of the cache: a line of JSON.
private enum CalibrationFile {
  static let mostBytes = 1 << 20
  private static let ending = ".calibration"

  /// The file's beginning: all that the numbers depend on.
  static func head(_ settings: some Scenario, program: String) -> String {
    "{\"format\":\"palimpsest-calibration/1\",\"program\":\(jsonQuoted(program)),"
      + "\"instruction_set\":\(jsonQuoted(KernelTable.name)),\"numerics\":\(ResolvedConfiguration.numericsVersion),"
      + "\"scenario\":\(partRecord(settings).canonicalText),\"numbers\":["
  }

  static func path(_ head: String, _ folder: String) -> String {
    folder + "/" + sha256(Array(head.utf8)).prefix(32) + ending
  }

  static func paths(in folder: String) -> [String] {
    ((try? Files.names(in: folder)) ?? []).filter { $0.hasSuffix(ending) }.map { folder + "/" + $0 }
  }

  static func text(_ head: String, _ numbers: [Double]) -> String {
    let body = head + numbers.map { "\($0)" }.joined(separator: ",") + "],"
    return body + seal(Array(body.utf8))
  }

  private static func seal(_ body: [UInt8]) -> String { "\"sha256\":\"\(sha256(body))\"}\n" }

  /// - Returns: nil where the file is not one of that beginning, or not as it was written.
  static func numbers(_ bytes: [UInt8], head: String) -> [Double]? {
    let (start, sealLength) = (Array(head.utf8), seal([]).utf8.count)
    guard bytes.starts(with: start), bytes.count >= start.count + sealLength + 2 else { return nil }
    let body = Array(bytes.dropLast(sealLength))
    guard Array(seal(body).utf8) == Array(bytes.suffix(sealLength)) else { return nil }
    let texts = String(decoding: body[start.count..<(body.count - 2)], as: UTF8.self).split(separator: ",")
    let numbers = texts.compactMap { Double($0) }
    return numbers.count == texts.count ? numbers : nil
  }
}

/// Puts a value in another's place.
/// - Returns: the one before.
private func exchange<Value>(_ place: inout Value, _ value: Value) -> Value {
  defer { place = value }
  return place
}
