import CHDF5
import Synchronization

/// The numbers of a dataset to be, taken a few rows at a time: a chunk is compressed as soon as it is whole, so that of all values only the
/// compressed ones are in memory. The file becomes the same as with all values at once.
///
///     let rows = HDF5Rows<Float>(shape: [1_000_000, 5], storage: .rows(4096))
///     rows.append(values)                              // as often as need be, from one thread at a time
///     try root.write("accuracy", rows, fill: .nan)
public final class HDF5Rows<T: HDF5Number>: Sendable {
  private struct State {
    var chunks: [[UInt8]?] = []
    /// Values that fill no chunk yet.
    var rest: [T] = []
  }

  /// The extent of each axis.
  public let shape: [Int]
  fileprivate let storage: HDF5Storage
  /// Rows of a chunk; nil where values wait as they are.
  fileprivate let rowsPerChunk: Int?
  private let state = Mutex(State())

  public init(shape: [Int], storage: HDF5Storage) {
    self.shape = shape
    self.storage = storage
    let isAsInMemory = HDF5.sync { H5Tequal(T.hdf5.memory(), T.hdf5.file()) > 0 }
    rowsPerChunk = shape.contains(0) || !isAsInMemory ? nil : storage.rowsPerChunk(of: shape)
  }

  private var width: Int { shape.dropFirst().reduce(1, *) }
  fileprivate var filter: ChunkFilter { ChunkFilter(shuffles: storage.shuffle, level: storage.deflate) }
  /// Values of a chunk.
  fileprivate var valuesPerChunk: Int? { rowsPerChunk.map { $0 * width } }

  /// Takes the next rows: row-major, whole ones.
  public func append(_ values: [T]) {
    state.withLock { state in
      state.rest += values
      guard let length = valuesPerChunk, state.rest.count >= length else { return }
      var first = 0
      while state.rest.count - first >= length {
        let bytes = filter.apply(state.rest[first..<first + length], paddedTo: length, with: nil)
        state.chunks.append(bytes.map(exact))
        first += length
      }
      state.rest.removeFirst(first)
    }
  }

  /// Hands out what was taken and forgets it.
  fileprivate func take() -> (chunks: [[UInt8]?], rest: [T]) {
    state.withLock { state in
      defer { state = State() }
      return (state.chunks, state.rest)
    }
  }
}

/// The bytes in an array that has no room for more: compressed ones leave most of theirs empty.
private func exact(_ bytes: [UInt8]) -> [UInt8] {
  var copy: [UInt8] = []
  copy.reserveCapacity(bytes.count)
  copy += bytes
  return copy
}

extension HDF5Group {
  /// Creates a dataset of rows that were taken before, and writes them; they are gone then.
  ///
  /// - Parameters:
  ///   - name: new in this group.
  ///   - fill: the value that means "missing"; also written as the attribute `_FillValue`, as netCDF-4 does.
  /// - Errors: rows that do not fill the shape, a name that is taken, a file opened for reading.
  @discardableResult
  public func write<T: HDF5Number>(
    _ name: String, _ rows: HDF5Rows<T>, fill: T? = nil
  ) throws(HDF5Error) -> HDF5Dataset {
    var (chunks, rest) = rows.take()
    guard let length = rows.valuesPerChunk, let rowsPerChunk = rows.rowsPerChunk else {
      return try write(name, rest, shape: rows.shape, storage: rows.storage, fill: fill)
    }
    let task = handle.task("write dataset \(handle.path(of: name))")
    return try HDF5.sync { () throws(HDF5Error) in
      try checkCount(chunks.count * length + rest.count, fills: rows.shape, task)
      if !rest.isEmpty { chunks.append(rows.filter.apply(rest[...], paddedTo: length, with: fill)) }
      defer { pal_trim() }
      return try makeNumbers(name, rows.shape, rows.storage, fill, task) { (dataset) throws(HDF5Error) in
        for number in chunks.indices {
          let bytes = chunks[number]
          chunks[number] = nil
          try handle.chunks.add(.ready(bytes), number * rowsPerChunk, dataset, rows.shape, task)
        }
      }
    }
  }
}
