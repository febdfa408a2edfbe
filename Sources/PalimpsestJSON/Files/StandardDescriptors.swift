import Foundation

/// The three descriptors a process is started with: 0, 1 and 2. Any may be closed, full, or a pipe that nobody reads.
package enum StandardDescriptors {
  /// Writes all bytes, and waits for whoever takes them.
  /// - Returns: 0, or the system's number for what went wrong.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var written = 0
    while written < bytes.count {
      let count = SystemCalls.write(descriptor, bytes, from: written)
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        _ = SystemCalls.isWritable(descriptor, within: -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }

  /// Writes bytes that may be lost: not where somebody would have to be waited for.
  package static func offer(_ bytes: [UInt8], to descriptor: Int32) {
    if SystemCalls.isWritable(descriptor, within: 0) { _ = SystemCalls.write(descriptor, bytes) }
  }
}
