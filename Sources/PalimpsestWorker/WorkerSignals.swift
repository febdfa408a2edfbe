import Dispatch
import Foundation
import PalimpsestRuns

/// `SIGUSR1` is a limit that comes near; `SIGTERM`, `SIGUSR2` (Grid Engine's notice of a kill) and Ctrl-C ask for the end.
final class WorkerSignals {
  private let sources: [any DispatchSourceSignal]

  init(_ stop: WorkerStop, say: @escaping @Sendable (String) -> Void) {
    let reasons: [(Int32, WorkerStop.Reason, String)] = [
      (SIGUSR1, .limit, "SIGUSR1: the time is almost over; no other run begins"),
      (SIGTERM, .termination, "SIGTERM: no other run begins"), (SIGINT, .termination, "SIGINT: no other run begins"),
      (SIGUSR2, .termination, "SIGUSR2: no other run begins"),
    ]
    sources = reasons.map { number, reason, words in
      #if canImport(Darwin)
        signal(number, SIG_IGN)
      #endif
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        stop.ask(reason)
        say(words)
      }
      source.resume()
      return source
    }
  }

  deinit { for source in sources { source.cancel() } }
}
