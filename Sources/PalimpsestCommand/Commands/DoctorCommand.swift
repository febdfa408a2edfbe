import ArgumentParser
import Foundation
import HDF5
import Palimpsest
import PalimpsestCube
import PalimpsestLaunch

/// `palimpsest doctor`, `palimpsest doctor RESULTS`.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "What this machine has: HDF5, instruction set, cores, disk, data; 69 if something is missing.",
    discussion: """
      With RESULTS the file system under them is tried as well, with a second process: whether names are made once and files \
      replaced, whose clock files have, and how soon another process sees a file. For two machines start "doctor RESULTS --apart" on one \
      and "doctor RESULTS --answer" on the other.
      """)

  @Argument(help: "Results, which need not be there yet: is their file system fit for workers on several machines?")
  var results: String?
  @Flag(help: "Wait a minute for the second process to be started elsewhere.") var apart = false
  @Flag(help: "Be the second process.") var answer = false
  @OptionGroup var json: JSONOption

  func validate() throws {
    if results == nil && (apart || answer) { throw ValidationError("--apart and --answer need RESULTS") }
    if apart && answer { throw ValidationError("--apart and --answer are for two processes") }
  }

  func run() async throws {
    let folder = results.map { ResultsFolder($0) }
    if let folder, answer { return try beAnswered(await FolderTrial.answer(folder, patience: DoctorCommand.patience)) }
    var checks = Checkup().checks
    if let folder { checks += try await tried(folder) }
    json.print(
      aligned(checks.map { [$0.isRight ? "ok" : "missing", $0.name, $0.finding] }, leftColumns: 3),
      or: JSONValue(JSONObject(checks.map { ($0.key, $0.json) })))
    if !checks.allSatisfy(\.isRight) { throw End(.unavailable) }
  }

  /// Seconds that two processes wait for each other.
  private static let patience = 60.0
  private static let files = 20

  private func beAnswered(_ count: Int) throws {
    json.print("answered \(counted(count, "file"))", or: ["answered": JSONValue(count)])
    if count == 0 { throw End(.unavailable) }
  }

  /// The file system under the results.
  private func tried(_ folder: ResultsFolder) async throws -> [Check] {
    let trial = try FolderTrial(for: folder)
    let found = trial.checks + [try await seen(trial, folder)]
    let place = Check(key: "folder", name: "results", finding: trial.place)
    return [place] + found.map { Check(key: $0.key, name: $0.name, finding: $0.finding, isRight: $0.isRight) }
  }

  /// What comes of a trial with another process, which is started here unless it is to be elsewhere.
  private func seen(_ trial: FolderTrial, _ folder: ResultsFolder) async throws -> FolderTrial.Check {
    try await withThrowingTaskGroup(of: FolderTrial.Check?.self) { group in
      if !apart { group.addTask { try await second(folder) } }
      group.addTask { try await trial.roundTrips(DoctorCommand.files, patience: DoctorCommand.patience) }
      for try await case let check? in group {
        group.cancelAll()
        return check
      }
      throw End(.unavailable)
    }
  }

  /// - Returns: nil where it has answered.
  private func second(_ folder: ResultsFolder) async throws -> FolderTrial.Check? {
    let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
    let calls = EngineCalls(limit: .seconds(2 * DoctorCommand.patience))
    let answer = try await calls.answer(program, ["doctor", folder.cube, "--answer"])
    return answer.status == 0 ? nil : .unanswered("the second process ended with \(answer.status): \(answer.errors)")
  }
}

/// One thing looked at.
private struct Check {
  let key: String
  let name: String
  let finding: String
  var isRight = true

  var json: JSONValue { ["ok": JSONValue(isRight), "finding": JSONValue(finding)] }
}

/// The machine as it is now.
private struct Checkup {
  private let process = ProcessInfo.processInfo

  var checks: [Check] {
    [program, hdf5, crypto, instructionSet, cores, memory, disk, cache] + datasets
  }

  private var program: Check {
    let commit = Provenance.current.gitCommit
    let place = commit.isEmpty ? "" : ", working folder at commit \(commit.prefix(12))"
    return Check(key: "version", name: "palimpsest", finding: Provenance.programVersion + place)
  }

  private var hdf5: Check {
    let headers = HDF5Version.headers
    let library = HDF5Version.library
    let fits = headers.major == library.major && headers.minor == library.minor
    return Check(
      key: "hdf5", name: "HDF5",
      finding: fits
        ? "\(library)"
        : "the program was built for \(headers) and finds \(library): rebuild it, or install libhdf5-dev",
      isRight: fits)
  }

  private var crypto: Check { Check(key: "crypto", name: "SHA-256", finding: SHA256.library) }

  private var instructionSet: Check {
    let others = KernelTable.compiled.filter { $0 != KernelTable.name }.joined(separator: ", ")
    return Check(
      key: "instruction_set", name: "instruction set", finding: "\(KernelTable.name) (also compiled: \(others))")
  }

  private var cores: Check { Check(key: "cores", name: "cores", finding: "\(process.activeProcessorCount)") }

  private var memory: Check {
    Check(key: "memory", name: "memory", finding: "\(process.physicalMemory >> 20) MiB")
  }

  /// Where results go by default: the free space, and that a file can be made there.
  private var disk: Check {
    let folder = Files.exists("results") ? "results" : "."
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
    let free =
      (attributes?[.systemFreeSize] as? NSNumber).map { "\($0.uint64Value >> 20) MiB free" } ?? "free space unknown"
    let canWrite = FileManager.default.isWritableFile(atPath: folder)
    return Check(
      key: "disk", name: "disk", finding: "\(free) at \(folder)" + (canWrite ? "" : ", which cannot be written"),
      isRight: canWrite)
  }

  /// Calibrations that are kept. Nothing needs them, so a folder that cannot be written is no fault.
  private var cache: Check {
    let kept = CalibrationCache.standard()
    guard let folder = kept.folder else {
      return Check(key: "cache", name: "cache", finding: "off; every run calibrates its scenarios anew")
    }
    let extent = kept.extent
    let canWrite = !Files.exists(folder) || FileManager.default.isWritableFile(atPath: folder)
    return Check(
      key: "cache", name: "cache",
      finding: "\(folder): \(counted(extent.files, "calibration")), \((extent.bytes + 1023) / 1024) KB"
        + (canWrite ? "" : "; it cannot be written"))
  }

  /// Data sets are wanted by some experiments alone: a missing one is no fault of the machine.
  private var datasets: [Check] {
    let library = DatasetFolder.standard()
    let there = library.describe().filter { $0.folder != nil }.map(\.name)
    return [
      Check(key: "dataset_folders", name: "data folders", finding: library.folders.joined(separator: ", ")),
      Check(
        key: "datasets", name: "data sets",
        finding: there.isEmpty ? "none (see \"palimpsest datasets\")" : there.joined(separator: ", ")),
    ]
  }
}
