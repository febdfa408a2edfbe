import Foundation
import Palimpsest
import PalimpsestCube
import Synchronization

/// Makes the cube now and then while runs go on, so that it can be looked at: when it is due, and the last time took
/// less than a twentieth of the time so far.
final class PeriodicCollect: Sendable {
  private struct State {
    var last = ContinuousClock.now
    var cost = Duration.zero
    var isBroken = false
  }

  private let folder: ResultsFolder
  private let period: Duration
  /// Of the catalogue that counts where it was made: its own thread has none.
  private let metrics = PalimpsestTool.catalog.accuracyMetrics
  private let start = ContinuousClock.now
  private let state = Mutex(State())
  private let ticker = Mutex<Ticker?>(nil)

  init(_ folder: ResultsFolder, every seconds: Double) {
    self.folder = folder
    period = .seconds(seconds)
    ticker.withLock { $0 = Ticker(every: min(1, max(0.01, seconds / 4))) { [weak self] in self?.collectIfDue() } }
  }

  /// Returns when a collect that is at work has ended.
  func stop() { ticker.withLock { $0 }?.stop() }

  private func collectIfDue() {
    let now = ContinuousClock.now
    let isDue = state.withLock { !$0.isBroken && now - $0.last >= period && $0.cost * 20 < now - start }
    guard isDue else { return }
    let failure = collect()
    let end = ContinuousClock.now
    state.withLock { $0 = State(last: end, cost: end - now, isBroken: failure != nil) }
    if let failure { StandardError.say("\(failure)\nthe runs go on; the cube is made at the end") }
  }

  private func collect() -> (any Error)? {
    do {
      try folder.collect(metrics: metrics) { StandardError.write($0) }
      return nil
    } catch {
      return error
    }
  }
}
