import Foundation
import Synchronization

/// Pieces of work of some milliseconds on all cores, for whoever waits.
package enum Cores {
  /// What `part` makes of the ranges that the cores share 0..<count in, in order.
  /// - Parameter least: ranges are not shorter.
  package static func map<Value: Sendable>(
    _ count: Int, atLeast least: Int, _ part: @Sendable (Range<Int>) -> Value
  ) -> [Value] {
    let parts = max(1, min(ProcessInfo.processInfo.activeProcessorCount, count / max(1, least)))
    if parts == 1 { return [part(0..<count)] }
    let results = Mutex([Value?](repeating: nil, count: parts))
    DispatchQueue.concurrentPerform(iterations: parts) { number in
      let value = part(number * count / parts..<(number + 1) * count / parts)
      results.withLock { $0[number] = value }
    }
    return results.withLock { $0.compactMap(\.self) }
  }
}
