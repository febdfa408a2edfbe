import CHDF5
import CZlib
import Synchronization

/// Chunks on their way into a file: shuffled and deflated by other threads, then handed to libhdf5 in the order in which
/// they came, so that equal writes give equal files.
///
/// libhdf5 would do both in the thread that writes, a chunk after the other. Used inside `HDF5.sync` alone; the threads
/// that compress never enter libhdf5.
final class ChunkQueue: Sendable {
  /// More wait for the first of them: about 16 MB of numbers.
  private static let most = 64
  private let waiting = Mutex<[PendingChunk]>([])

  /// Takes over the values of a dataset whose chunks are whole rows.
  ///
  /// - Parameters:
  ///   - dataset: of numbers that lie in the file as in memory.
  ///   - fill: stands in the rows that the last chunk has beyond the dataset.
  func add<T: HDF5Number>(
    _ values: [T], to dataset: HDF5Dataset, shape: [Int], rowsPerChunk: Int, fill: T?, _ filter: ChunkFilter,
    _ task: HDF5Task
  ) throws(HDF5Error) {
    let width = values.count / shape[0]
    let count = rowsPerChunk * width
    for row in stride(from: 0, to: shape[0], by: rowsPerChunk) {
      let range = row * width..<min((row + rowsPerChunk) * width, values.count)
      try add(.later(Later { filter.apply(values[range], paddedTo: count, with: fill) }), row, dataset, shape, task)
    }
  }

  /// Takes over a chunk.
  /// - Parameter row: the first of its rows.
  func add(
    _ bytes: ChunkBytes, _ row: Int, _ dataset: HDF5Dataset, _ shape: [Int], _ task: HDF5Task
  ) throws(HDF5Error) {
    let chunk = PendingChunk(
      dataset: OwnedID(dataset.handle.id), offset: [hsize_t(row)] + shape.dropFirst().map { _ in 0 }, task: task,
      bytes: bytes)
    let first = waiting.withLock { waiting in
      waiting.append(chunk)
      return waiting.count > ChunkQueue.most ? waiting.removeFirst() : nil
    }
    try first?.write()
  }

  /// Returns when all of them are in the file. While other threads are at the next one, this one does some of the last.
  func finish() throws(HDF5Error) {
    let chunks = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    var helped = chunks.endIndex
    for (place, chunk) in chunks.enumerated() {
      while helped > place + 1 && !chunk.bytes.isDone {
        helped -= 1
        chunks[helped].bytes.run()
      }
      try chunk.write()
    }
  }
}

/// What the filters made of a chunk, or are yet to make; nothing where there was no memory.
enum ChunkBytes: Sendable {
  case later(Later<[UInt8]?>)
  case ready([UInt8]?)

  var isDone: Bool {
    switch self {
    case .later(let later): later.isDone
    case .ready: true
    }
  }

  /// Makes it now, unless another thread does.
  func run() { if case .later(let later) = self { later.run() } }

  var value: [UInt8]? {
    switch self {
    case .later(let later): later.value
    case .ready(let bytes): bytes
    }
  }
}

/// One more reference to an open object.
private final class OwnedID: Sendable {
  let id: hid_t

  init(_ id: hid_t) {
    self.id = id
    _ = H5Iinc_ref(id)
  }

  deinit { HDF5.sync { _ = H5Idec_ref(id) } }
}

private struct PendingChunk: Sendable {
  let dataset: OwnedID
  let offset: [hsize_t]
  let task: HDF5Task
  let bytes: ChunkBytes

  func write() throws(HDF5Error) {
    guard let bytes = bytes.value else { throw task.failure("zlib has no memory") }
    let status = unsafe bytes.withUnsafeBytes { unsafe pal_write_chunk(dataset.id, offset, $0.count, $0.baseAddress) }
    try task.check(status)
  }
}

/// The bytes of a chunk as the filters "shuffle" and "deflate" of HDF5 define them.
///
/// Of shuffled measurements nothing repeats but bytes in runs: looking for these alone takes half the time of deflate's
/// level 1 and makes a cube 1–2 % larger. The lower bytes of measured numbers are random; such planes are stored as they are.
struct ChunkFilter: Sendable {
  let shuffles: Bool
  /// 1 to 9.
  let level: Int

  /// - Returns: nil where there is no memory.
  func apply<T: HDF5Number>(_ values: ArraySlice<T>, paddedTo count: Int, with fill: T?) -> [UInt8]? {
    guard values.count < count else { return unsafe values.withUnsafeBytes { unsafe apply($0, size: T.size) } }
    let padded = values + repeatElement(fill ?? .zero, count: count - values.count)
    return unsafe padded.withUnsafeBytes { unsafe apply($0, size: T.size) }
  }

  private func apply(_ bytes: UnsafeRawBufferPointer, size: Int) -> [UInt8]? {
    let source = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    guard shuffles && size > 1 else { return unsafe deflate(source, bytes.count, planes: 1) }
    let planes = unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { planes, filled in
      unsafe pal_shuffle(planes.baseAddress, source, bytes.count / size, size)
      filled = bytes.count
    }
    return unsafe planes.withUnsafeBufferPointer { unsafe deflate($0.baseAddress, $0.count, planes: size) }
  }

  private func deflate(_ source: UnsafePointer<UInt8>?, _ count: Int, planes: Int) -> [UInt8]? {
    let room = pal_deflate_bound(count, planes)
    var length = -1
    let deflated = unsafe [UInt8](unsafeUninitializedCapacity: room) { target, filled in
      length = unsafe pal_deflate_runs(target.baseAddress, room, source, count, planes, Int32(level))
      filled = max(0, length)
    }
    return length < 0 ? nil : deflated
  }
}

extension HDF5Number {
  fileprivate static var size: Int { MemoryLayout<Self>.size }
}
