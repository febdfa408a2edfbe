import ArgumentParser
import Foundation
import Palimpsest

/// Everything that is no result: messages, notes, progress.
enum StandardError {
  /// One message and a line end.
  static func write(_ message: String) { writeRaw(message + "\n") }

  static func writeRaw(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}

/// Options of commands whose results a program may read.
struct JSONOption: ParsableArguments {
  @Flag(help: "Print JSON instead of text.") var json = false

  /// Prints one or the other.
  func print(_ text: @autoclosure () -> String, or value: @autoclosure () -> JSONValue) {
    Swift.print(json ? value().prettyText : text())
  }
}

/// Whether progress may be coloured.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never

  /// `NO_COLOR` (see no-color.org) and a dumb terminal count where nothing was said on the command line.
  func isOn(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto: (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
  }
}

/// Results as they are, without a line end of their own.
enum StandardOutput {
  static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}
