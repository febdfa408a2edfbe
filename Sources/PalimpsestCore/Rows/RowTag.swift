/// What is known of a row beside its numbers. A further fact about rows is a property here; it is set where ``Batch`` marks
/// rows, and checkpoints keep it as a column where `Batch+State.swift` says so.
public struct RowTag: Sendable, Hashable, BitwiseCopyable {
  /// The output that is right (0 or 1 where there is one output); −1 where the row has values instead.
  public var label: Int32
  /// The experience the row belongs to.
  public var experience: Int32
  /// How much its loss counts.
  public var weight: Float
  /// Whose row it is, a user or a device, counted from 0; 0 where all rows are of one.
  public var owner: Int32
  /// When it arose, in seconds from the stream's beginning; 0 where nothing is known.
  public var time: Int64

  public init(label: Int32, experience: Int32, weight: Float = 1, owner: Int32 = 0, time: Int64 = 0) {
    self.label = label
    self.experience = experience
    self.weight = weight
    self.owner = owner
    self.time = time
  }
}

/// The tags of some rows, column after column: what kernels read lies together, and a column that no row needs takes nothing.
///
/// A further fact about rows is a property of ``RowTag`` and a column here, named once in `forEachColumn`, in the subscript, and where
/// checkpoints are to keep it in `Batch+State.swift`.
public struct RowTags: Sendable, RandomAccessCollection {
  public internal(set) var labels: [Int32] = []
  public internal(set) var experiences: [Int32] = []
  public internal(set) var weights: [Float] = []
  /// None where all rows are of owner 0.
  public internal(set) var owners: [Int32] = []
  /// None where nothing is known.
  public internal(set) var times: [Int64] = []

  public var startIndex: Int { 0 }
  public var endIndex: Int { labels.count }

  public subscript(row: Int) -> RowTag {
    RowTag(
      label: labels[row], experience: experiences[row], weight: weights[row], owner: owners.isEmpty ? 0 : owners[row],
      time: times.isEmpty ? 0 : times[row])
  }

  /// Memory of a row beyond label, experience and weight, in bytes.
  var extraBytes: Int { (owners.isEmpty ? 0 : 4) + (times.isEmpty ? 0 : 8) }

  /// Changes every column, with the same column of others beside it.
  @inline(__always)
  private mutating func forEachColumn(_ other: borrowing RowTags, _ change: some ColumnChange) {
    change.apply(to: &labels, other.labels)
    change.apply(to: &experiences, other.experiences)
    change.apply(to: &weights, other.weights)
    change.apply(toOptional: &owners, other.owners)
    change.apply(toOptional: &times, other.times)
  }

  /// Changes the number of rows; what new ones say is to be set.
  mutating func setCount(_ count: Int) { forEachColumn(RowTags(), SetCount(count: count)) }

  /// Rows from `first` on become rows of others, of which there is room for.
  mutating func take(_ rows: Range<Int>, of other: borrowing RowTags, toRow first: Int) {
    forEachColumn(other, CopyRows(rows: rows, first: first, count: count))
  }

  /// Adds a row of others at the end.
  mutating func append(_ row: Int, of other: borrowing RowTags) {
    forEachColumn(other, AppendRow(row: row, count: count))
  }

  /// One row becomes a row of others.
  mutating func take(_ row: Int, of other: borrowing RowTags, toRow own: Int) {
    forEachColumn(other, CopyRow(row: row, own: own, count: count))
  }

  /// The same for rows at some positions.
  mutating func take(_ positions: ArraySlice<Int32>, of other: borrowing RowTags, toRow first: Int) {
    forEachColumn(other, PickRows(positions: positions, first: first, count: count))
  }
}

/// What becomes of a column of tags.
private protocol ColumnChange {
  /// Rows in all.
  var count: Int { get }
  /// - Parameter other: the column of others.
  func apply<T: Numeric & BitwiseCopyable>(to own: inout [T], _ other: [T])
  /// The same beside others that say nothing, which is 0.
  func clear<T: Numeric & BitwiseCopyable>(_ own: inout [T])
}

extension ColumnChange {
  /// Of a column that need not be there: it is made beside one that is.
  @inline(__always)
  fileprivate func apply<T: Numeric & BitwiseCopyable>(toOptional own: inout [T], _ other: [T]) {
    if own.isEmpty && other.isEmpty { return }
    if own.isEmpty { own.setCount(count) }
    if other.isEmpty { clear(&own) } else { apply(to: &own, other) }
  }
}

private struct SetCount: ColumnChange {
  let count: Int

  @inline(__always)
  func apply<T: Numeric & BitwiseCopyable>(to own: inout [T], _ other: [T]) { own.setCount(count) }
  func clear<T: Numeric & BitwiseCopyable>(_ own: inout [T]) { own.setCount(count) }
}

private struct AppendRow: ColumnChange {
  let row: Int
  let count: Int

  @inline(__always)
  func apply<T: Numeric & BitwiseCopyable>(to column: inout [T], _ other: [T]) { column.append(other[row]) }
  func clear<T: Numeric & BitwiseCopyable>(_ column: inout [T]) { column.append(0) }
}

private struct CopyRow: ColumnChange {
  let row: Int
  let own: Int
  let count: Int

  @inline(__always)
  func apply<T: Numeric & BitwiseCopyable>(to column: inout [T], _ other: [T]) { column[own] = other[row] }
  func clear<T: Numeric & BitwiseCopyable>(_ column: inout [T]) { column[own] = 0 }
}

private struct CopyRows: ColumnChange {
  let rows: Range<Int>
  let first: Int
  let count: Int

  @inline(__always)
  func apply<T: Numeric & BitwiseCopyable>(to own: inout [T], _ other: [T]) { own.copy(rows, of: other, to: first) }
  func clear<T: Numeric & BitwiseCopyable>(_ own: inout [T]) { own.clear(first, rows.count) }
}

private struct PickRows: ColumnChange {
  let positions: ArraySlice<Int32>
  let first: Int
  let count: Int

  @inline(__always)
  func apply<T: Numeric & BitwiseCopyable>(to own: inout [T], _ other: [T]) {
    own.pick(other, at: positions, to: first)
  }
  func clear<T: Numeric & BitwiseCopyable>(_ own: inout [T]) { own.clear(first, positions.count) }
}

extension Array where Element: Numeric & BitwiseCopyable {
  /// Changes the length; new elements are 0. Nothing is allocated within a length the array had before.
  mutating func setCount(_ newCount: Int) {
    if newCount < count { removeLast(count - newCount) }
    if newCount > count { append(contentsOf: repeatElement(0, count: newCount - count)) }
  }

  fileprivate mutating func clear(_ first: Int, _ count: Int) {
    var own = mutableSpan
    for i in first..<(first + count) { own[i] = 0 }
  }
}
