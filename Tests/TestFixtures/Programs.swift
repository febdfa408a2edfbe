import Foundation

/// What a program printed, and how it ended.
package func output(_ arguments: [String]) throws -> (text: String, errors: String, status: Int32) {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = arguments
  process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "LD_PRELOAD" }
  let (text, errors) = (Pipe(), Pipe())
  process.standardOutput = text
  process.standardError = errors
  try process.run()
  let data = text.fileHandleForReading.readDataToEndOfFile()
  let said = errors.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return (String(decoding: data, as: UTF8.self), String(decoding: said, as: UTF8.self), process.terminationStatus)
}

package func works(_ arguments: [String]) -> Bool { (try? output(arguments).status) == 0 }

/// This package and what was built of it.
package enum House {
  /// The package's folder.
  package static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// The built tool, beside the test bundle or in the package's release folder.
  package static let tool: String = {
    let beside = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/palimpsest"
    return FileManager.default.isExecutableFile(atPath: beside) ? beside : root + "/.build/release/palimpsest"
  }()
}
