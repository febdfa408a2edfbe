import PalimpsestScenarios
import Synchronization

/// The data of runs that follow each other, made once for all of them: they depend on the scenario's settings and the seed
/// alone. A worker that needs what another is making waits for it.
///
/// - Memory: the latest streams, one a worker and one more.
package final class SharedStreams: Sendable {
  private struct Key: Sendable, Equatable {
    let scenario: Int32
    let seed: Int
  }

  private final class Slot: Sendable {
    let key: Key
    let stream = Mutex<(any DriftStream)?>(nil)

    init(_ key: Key) { self.key = key }
  }

  private let capacity: Int
  /// The one used last stands last.
  private let slots = Mutex<[Slot]>([])

  package init(workers: Int) { capacity = workers + 1 }

  /// - Parameters:
  ///   - scenario: equal numbers are equal settings.
  ///   - make: called where none is kept.
  package func stream(scenario: Int32, seed: Int, _ make: () -> any DriftStream) -> any DriftStream {
    let slot = slot(Key(scenario: scenario, seed: seed))
    return slot.stream.withLock { stream in
      let made = stream ?? make()
      stream = made
      return made
    }
  }

  private func slot(_ key: Key) -> Slot {
    slots.withLock { slots in
      let known = slots.firstIndex { $0.key == key }.map { slots.remove(at: $0) }
      let slot = known ?? Slot(key)
      slots.append(slot)
      if slots.count > capacity { slots.removeFirst() }
      return slot
    }
  }
}
