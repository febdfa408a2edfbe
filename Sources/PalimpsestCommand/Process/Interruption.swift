import Dispatch
import Foundation
import Palimpsest
import Synchronization

/// Ctrl-C and SIGTERM: the first asks the runs in hand to be the last, the second ends the process at once.
final class Interruption: Sendable {
  private let count = Atomic<Int>(0)
  private let sources = Mutex<[any DispatchSourceSignal]>([])
  /// What becomes of the runs in hand.
  private let answer: String

  /// - Parameter savesRuns: runs in hand are saved as they are, not finished.
  init(savesRuns: Bool = false) {
    answer = savesRuns ? "the runs in hand are saved" : "the runs in hand are finished first"
  }

  /// Of a process that waits for workers elsewhere.
  init(leaving workers: String) { answer = "\(workers) go on" }

  var isAsked: Bool { count.load(ordering: .relaxed) > 0 }

  func watch() {
    for number in [SIGINT, SIGTERM] {
      #if canImport(Darwin)
        signal(number, SIG_IGN)
      #endif
      sources.withLock { sources in
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { [self] in receive() }
        source.resume()
        sources.append(source)
      }
    }
  }

  private func receive() {
    if count.wrappingAdd(1, ordering: .relaxed).oldValue > 0 { _exit(ExitStatus.interrupted.rawValue) }
    StandardError.say("\ninterrupted: \(answer); once more ends at once")
  }
}
