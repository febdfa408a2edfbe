import Foundation
import Subprocess
import TestFixtures
import Testing

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// The built tool, started as a user starts it, in a working folder of its own that goes away with it.
final class Tool: Sendable {
  /// What a command said and how it ended.
  struct Answer: Sendable {
    let status: Int
    let output: String
    let errors: String
  }

  let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("palimpsest-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  // MARK: - Running

  /// Runs `palimpsest` with these arguments.
  func callAsFunction(_ arguments: String..., environment: [String: String] = [:]) async throws -> Answer {
    try await Tool.run(Tool.executable, arguments, environment: environment, in: folder)
  }

  /// Runs `palimpsest` and a shell's script beside it, so that other tests delay nothing. The script knows `$tool`, the
  /// process, `running`, true while it lives, `lines`, which counts those of the journals of `results`, and the file
  /// `errors`, what the tool has said so far.
  func accompanied(by script: String, _ results: String, _ arguments: [String]) async throws -> Answer {
    let command = ([Tool.executable] + arguments).map { "'\($0)'" }.joined(separator: " ")
    let whole = """
      exec 3>&2 2>/dev/null
      set -m
      results=\(results).palimpsest
      running() { kill -0 $tool; }
      lines() { cat $results/journal/*.jsonl | wc -l; }
      \(command) 2>errors & tool=$!
      \(script)
      wait $tool; status=$?
      while running; do wait $tool; status=$?; done
      cat errors >&3
      exit $status
      """
    return try await Tool.run("/bin/bash", ["-c", whole], in: folder)
  }

  /// Runs `palimpsest` and sends it a signal once the journal of `results` has two runs.
  func signalled(_ signal: String, _ results: String, _ arguments: String...) async throws -> Answer {
    let script = """
      while running && [ $(lines) -lt 2 ]; do sleep 0.01; done
      kill -s \(signal) $tool
      """
    return try await accompanied(by: script, results, arguments)
  }

  static func run(
    _ executable: String, _ arguments: [String], environment: [String: String] = [:], in folder: String
  ) async throws -> Answer {
    let program: Executable = executable.contains("/") ? .path(FilePath(executable)) : .name(executable)
    let result = try await Subprocess.run(
      program, arguments: Arguments(arguments), environment: Tool.environment(environment),
      workingDirectory: FilePath(folder), output: .string(limit: 8 << 20), error: .string(limit: 1 << 20))
    return Answer(
      status: code(result.terminationStatus), output: result.standardOutput, errors: result.standardError)
  }

  private static func code(_ status: TerminationStatus) -> Int {
    switch status {
    case .exited(let code): Int(code)
    case .signaled(let number): 128 + Int(number)
    }
  }

  /// Nothing of the caller's that changes what the tool says.
  private static func environment(_ changes: [String: String]) -> Environment {
    var values: [Environment.Key: String?] = [
      "PALIMPSEST_ISA": nil, "PALIMPSEST_DATASETS": nil, "NO_COLOR": nil, "LD_PRELOAD": nil,
      "PALIMPSEST_CACHE": "off",
    ]
    for (key, value) in changes { values[Environment.Key(stringLiteral: key)] = value }
    return .inherit.updating(values)
  }

  // MARK: - Files

  @discardableResult
  func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }

  @discardableResult
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    let url = URL(fileURLWithPath: folder).appendingPathComponent(name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return name
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder + "/" + name) }

  /// The package's folder.
  static let root = House.root

  static let executable = House.tool

  static func experiment(_ name: String) -> String { "\(root)/Experiments/\(name)" }
}

/// Experiments small enough for a test.
enum Small {
  /// Six runs in well under a second.
  static func experiment(
    name: String = "small", strategies: String = #""naive": [], "replay": [{ "name": "reservoir", "capacity": 20 }]"#,
    training: String = #""epochs": 2, "batch": 16"#, seeds: Int = 3, users: Int = 3
  ) -> String {
    """
    {
      "name": "\(name)",
      "scenarios": {
        "visible": {
          "name": "habit-phases", "phases": [0, 1, 3], "users": \(users), "days": 20, "burnIn": 5, "testUsers": 5,
          "calibrationUsers": 50, "jointCeiling": "none"
        }
      },
      "training": { \(training) },
      "strategies": { \(strategies) },
      "seeds": \(seeds)
    }
    """
  }
}
