import Foundation
import PalimpsestCore
import PalimpsestPersonal
import Testing
import habit_app
import habit_life

/// A folder of a person's that goes away with its owner.
final class PersonFolder: Sendable {
  /// A small population model, and the log of somebody whose life changes on day 90.
  static let shipped = Result { try Maker(seed: Seed(1), population: 60, days: 1).shipped() }
  static let log = Result { try Maker(seed: Seed(1), population: 1, days: 150).log(of: 3) }

  let path: String

  init(log: String? = nil) throws {
    path = FileManager.default.temporaryDirectory.appending(path: "habit-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try write(PersonFolder.shipped.get(), "shipped")
    try write([UInt8]((log ?? PersonFolder.log.get()).utf8), "log")
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ bytes: [UInt8], _ name: String) throws { try Data(bytes).write(to: URL(filePath: path + "/" + name)) }

  func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path + "/" + name))) }

  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }

  /// What the newest generation that is whole holds.
  func newest() throws -> [UInt8]? {
    var problems: [String] = []
    return try StateFolder(path).saved(problems: &problems).first?.payload
  }

  /// Goes through all of the log.
  @discardableResult
  func live(days: Int = .max) throws -> (lines: [String], loop: HabitLoop) {
    var (session, lines) = (try HabitSession(path), [String]())
    _ = try session.goOn(days: days, isDaily: true) { lines.append($0) }
    return (lines, session.loop)
  }
}

/// The built app, started as a user starts it.
struct App {
  static let executable = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/habit-app"

  struct Answer {
    let status: Int32
    let wasKilled: Bool
    let output: String
    let errors: String
  }

  /// - Parameter seconds: until it is ended with SIGKILL; nil: it ends by itself.
  static func run(_ arguments: [String], killedAfter seconds: Double? = nil) throws -> Answer {
    let (process, output, errors) = (Process(), Pipe(), Pipe())
    process.executableURL = URL(filePath: executable)
    process.arguments = arguments
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    if let seconds {
      Thread.sleep(forTimeInterval: seconds)
      kill(process.processIdentifier, SIGKILL)
    }
    let said = output.fileHandleForReading.readDataToEndOfFile()
    let complained = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Answer(
      status: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal,
      output: String(decoding: said, as: UTF8.self), errors: String(decoding: complained, as: UTF8.self))
  }
}
