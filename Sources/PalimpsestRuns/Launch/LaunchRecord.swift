import Foundation
import PalimpsestExperiments
import PalimpsestJSON

/// What was submitted: `launch/N.json`, sealed. Workers read it and change nothing in it.
public struct LaunchRecord: Sendable, Equatable {
  /// 1, 2, … within its results.
  public var number: Int
  /// Of the plan.
  public var generation: Int
  /// `local`, `slurm`, `script`.
  public var engine: String
  /// The engine's ids of the arrays, filled in after submission.
  public var jobs: [String] = []
  public var blocks: Int
  public var runs: Int
  public var tasks: Int
  /// The pinned program, absolute.
  public var program: String
  /// Where data sets are looked for, absolute; several are separated by colons.
  public var dataFolder: String
  /// SHA-256 of the data sets by name, as they were at submission.
  public var inputs: [String: String]
  /// As `--checkpoint-every` takes it; nil: runs in hand are not saved.
  public var checkpointEvery: String?
  public var retryFailed: Bool
  /// As submitted.
  public var resources: JSONValue
  /// The script that was submitted; empty where there is none.
  public var script = ""
  /// The command line that made it.
  public var command: String
  public var user: String
  public var host: String
  /// Seconds since 1970.
  public var time: Double
  public var version: String
  /// Seconds without a sign of life after which a block is another worker's.
  public var patience = LaunchRecord.standardPatience

  public static let standardPatience = 60.0
  static let format = 1

  package init(
    number: Int, generation: Int, engine: String, blocks: Int, runs: Int, tasks: Int, program: String,
    dataFolder: String, inputs: [String: String], checkpointEvery: String?, retryFailed: Bool, resources: JSONValue,
    command: String, user: String, host: String, time: Double, version: String
  ) {
    (self.number, self.generation, self.engine) = (number, generation, engine)
    (self.blocks, self.runs, self.tasks) = (blocks, runs, tasks)
    (self.program, self.dataFolder, self.inputs) = (program, dataFolder, inputs)
    (self.checkpointEvery, self.retryFailed, self.resources) = (checkpointEvery, retryFailed, resources)
    (self.command, self.user, self.host, self.time, self.version) = (command, user, host, time, version)
  }
}

extension LaunchRecord {
  /// Somebody took it back.
  public var isCancelled: Bool { resources["cancelled"] != nil }

  /// A launch without the engine's ids is being submitted; after so many seconds whoever did that has died over it.
  static let secondsToMake = 300.0

  /// It has no jobs yet, and may get some.
  public var isBeingSubmitted: Bool {
    jobs.isEmpty && abs(Date().timeIntervalSince1970 - time) < LaunchRecord.secondsToMake
  }
}

// MARK: - File

extension LaunchRecord {
  /// Reads the record of a launch.
  /// - Throws: ``PalimpsestJSON/FileError`` where it is not there; ``PalimpsestJSON/Problems`` where it is damaged or of a later version.
  public init(_ folder: ResultsFolder, number: Int) throws {
    let file = folder.launchFile(number)
    let bytes = try LaunchRecord.bytes(folder, number)
    guard let json = JSONReader.read(bytes, file: file).root, let format = json["format"]?.int else {
      throw LaunchRecord.damaged(file)
    }
    if format > LaunchRecord.format { throw LaunchRecord.later(file, format, known: LaunchRecord.format) }
    guard SealedJSON.isIntact(bytes) == true, let record = LaunchRecord(json), record.number == number else {
      throw LaunchRecord.damaged(file)
    }
    self = record
  }

  private static func bytes(_ folder: ResultsFolder, _ number: Int) throws(FileError) -> [UInt8] {
    do {
      return try Files.read(folder.launchFile(number))
    } catch {
      guard error.kind == .missing else { throw error }
      let known = ((try? folder.launchNumbers()) ?? []).map(String.init).joined(separator: ", ")
      throw FileError(
        .missing,
        "\(folder.folder): there is no launch \(number) here"
          + (known.isEmpty ? "; \"palimpsest run FILE --launcher …\" makes one" : "; there is \(known)"))
    }
  }

  /// Puts the record in the place of the one that is there.
  public func write(to folder: ResultsFolder) throws(FileError) {
    try Files.makeFolder(folder.launchFolder)
    try Files.replace(folder.launchFile(number), with: SealedJSON.sealed(json))
  }

  static func damaged(_ file: String) -> Problems {
    Problems([
      Problem(
        file: file, place: nil,
        message: "this file is damaged. No finished run is lost: cancel the launch and submit again (\"palimpsest run "
          + "FILE --launcher …\"), which takes what is still to do")
    ])
  }

  static func later(_ file: String, _ format: Int, known: Int) -> Problems {
    let message = "this is a launch of format \(format), of a later version; 1 to \(known) are known here"
    return Problems([Problem(file: file, place: nil, message: message)])
  }
}

// MARK: - JSON

extension LaunchRecord {
  private var json: JSONObject {
    let inputs = inputs.sorted { $0.key < $1.key }.map { ($0.key, JSONValue($0.value)) }
    return JSONObject([
      ("format", JSONValue(LaunchRecord.format)), ("launch", JSONValue(number)),
      ("generation", JSONValue(generation)), ("engine", JSONValue(engine)),
      ("jobs", JSONValue(jobs.map { JSONValue($0) })), ("blocks", JSONValue(blocks)), ("runs", JSONValue(runs)),
      ("tasks", JSONValue(tasks)), ("program", JSONValue(program)), ("data_folder", JSONValue(dataFolder)),
      ("inputs", JSONValue(JSONObject(inputs))),
      ("checkpoint_every", checkpointEvery.map { JSONValue($0) } ?? .null), ("retry_failed", JSONValue(retryFailed)),
      ("resources", resources), ("script", JSONValue(script)), ("command", JSONValue(command)),
      ("user", JSONValue(user)), ("host", JSONValue(host)), ("time", JSONValue(time)),
      ("version", JSONValue(version)), ("patience", JSONValue(patience)),
    ])
  }

  /// - Returns: nil where the JSON is no record.
  private init?(_ json: JSONValue) {
    guard let number = json["launch"]?.int, let generation = json["generation"]?.int,
      let engine = json["engine"]?.string, let jobs = json["jobs"]?.list(\.string), let blocks = json["blocks"]?.int,
      let runs = json["runs"]?.int, let tasks = json["tasks"]?.int, let program = json["program"]?.string,
      let data = json["data_folder"]?.string, let inputs = json["inputs"]?.object,
      let every = json["checkpoint_every"], every.isNull || every.string != nil,
      let retry = json["retry_failed"]?.bool, let resources = json["resources"], let script = json["script"]?.string,
      let command = json["command"]?.string, let user = json["user"]?.string, let host = json["host"]?.string,
      let time = json["time"]?.double, let version = json["version"]?.string,
      let patience = json["patience"]?.double, patience > 0
    else { return nil }
    self.init(
      number: number, generation: generation, engine: engine, blocks: blocks, runs: runs, tasks: tasks,
      program: program, dataFolder: data,
      inputs: inputs.members.elements.reduce(into: [:]) { $0[$1.key] = $1.value.value.string },
      checkpointEvery: every.string, retryFailed: retry, resources: resources, command: command, user: user,
      host: host, time: time, version: version)
    (self.jobs, self.script, self.patience) = (jobs, script, patience)
  }
}
