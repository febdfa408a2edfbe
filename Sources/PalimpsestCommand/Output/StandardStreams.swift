import ArgumentParser
import Foundation
import Palimpsest
import Synchronization

/// Everything that is no result: messages, notes, progress. It may be closed or its disk full: nothing stops for that.
enum StandardError {
  private static let log = Mutex<SaidLog?>(nil)

  /// From now on all messages go into a file too.
  static func keep(in log: SaidLog) { self.log.withLock { $0 = log } }

  /// Puts a line into that file alone.
  static func note(_ message: String) { log.withLock { $0 }?.add(message) }

  /// One message and a line end. What it holds of files and arguments can be seen and does nothing.
  static func write(_ message: String) {
    let message = visibleLines(message)
    note(message)
    _ = StandardDescriptors.write(Array((message + "\n").utf8), to: STDERR_FILENO)
  }

  /// The same while runs go on: the screen goes without where nobody takes it at once, for they do not wait.
  static func say(_ message: String) {
    let message = visibleLines(message)
    note(message)
    offer(message + "\n")
  }

  /// What is only drawn, by the same rule.
  static func offer(_ text: String) { StandardDescriptors.offer(Array(text.utf8), to: STDERR_FILENO) }

  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}

/// Results, the only way to standard output. The first error stays and becomes the process's exit code; what follows is
/// dropped.
enum StandardOutput {
  private struct State {
    var failure: Int32 = 0
    var advice = ""
  }

  private static let state = Mutex(State())

  /// Text as it is, without a line end of its own.
  static func write(_ text: String) { write(Array(text.utf8)) }

  static func write(_ bytes: [UInt8]) {
    state.withLock { state in
      if state.failure == 0 { state.failure = StandardDescriptors.write(bytes, to: STDOUT_FILENO) }
    }
  }

  /// What to do where this result cannot be written.
  static func advise(_ advice: String) { state.withLock { $0.advice = advice } }

  /// For commands with much to write: ends one whose reader has gone.
  static func check() throws(End) {
    if state.withLock({ $0.failure != 0 }) { throw End(.cannotWrite) }
  }

  /// What the process ends with, once everything is written. A reader that has gone is told nothing, as `head` leaves any
  /// program; all else is said.
  static func status(after end: ExitStatus) -> ExitStatus {
    let state = state.withLock { $0 }
    switch state.failure {
    case 0: return end
    case EPIPE: return .closedPipe
    default:
      let advice = state.advice.isEmpty ? "" : ". " + state.advice
      StandardError.write("standard output: cannot write: \(systemMessage(state.failure))\(advice)")
      return .cannotWrite
    }
  }
}

/// Takes the place of Swift's own in this module, which notices no error.
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
  StandardOutput.write(items.map { "\($0)" }.joined(separator: separator) + terminator)
}

/// Options of commands whose results a program may read.
struct JSONOption: ParsableArguments {
  @Flag(help: "Print JSON instead of text.") var json = false

  /// Prints one or the other.
  func print(_ text: @autoclosure () -> String, or value: @autoclosure () -> JSONValue) {
    StandardOutput.write((json ? value().prettyText : visibleLines(text())) + "\n")
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
