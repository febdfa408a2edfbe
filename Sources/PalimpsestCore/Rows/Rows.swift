/// Rows of numbers that are shared, never copied: the storage behind data sets and generated scenarios.
public struct Table: Sendable {
  enum Storage: Sendable {
    case floats(FloatBuffer)
    /// A value is offset + scale · byte: images stay bytes until they are gathered into a batch.
    case bytes([UInt8], scale: Float, offset: Float)
  }

  let storage: Storage
  public let rows: Int
  public let columns: Int

  /// A table of floats, row-major.
  public init(_ values: FloatBuffer, columns: Int) {
    precondition(columns > 0 && values.count % columns == 0, "\(values.count) values in rows of \(columns)")
    storage = .floats(values)
    rows = values.count / columns
    self.columns = columns
  }

  public init(_ values: Matrix) { self.init(values.values, columns: values.columns) }

  /// A table of bytes, row-major, read as offset + scale · byte.
  public init(bytes: [UInt8], columns: Int, scale: Float = 1 / 255, offset: Float = 0) {
    precondition(columns > 0 && bytes.count % columns == 0, "\(bytes.count) bytes in rows of \(columns)")
    storage = .bytes(bytes, scale: scale, offset: offset)
    rows = bytes.count / columns
    self.columns = columns
  }

  /// Memory of the values.
  public var bytes: Int {
    switch storage {
    case .floats(let buffer): buffer.bytes
    case .bytes(let bytes, _, _): bytes.count
    }
  }

  /// The bytes where the table holds bytes: for scenarios that transform images.
  public var rawBytes: [UInt8]? {
    if case .bytes(let bytes, _, _) = storage { return bytes }
    return nil
  }

  /// The values where the table holds floats, row by row: for scenarios that scale columns.
  public var rawFloats: FloatBuffer? {
    if case .floats(let buffer) = storage { return buffer }
    return nil
  }
}

/// Labelled rows of one experience: places in a shared ``Table``, with labels and, where it is known, the exact probability
/// of label 1. A permutation of the columns is applied when rows are gathered.
public struct Rows: Sendable {
  public let table: Table
  /// The experience these rows belong to, counted from 0.
  public let experience: Int
  /// Row numbers in the table.
  public let places: [Int32]
  /// One a row: the output that is right (0 or 1 where there is one output).
  public let labels: [Int32]
  /// For each column of a gathered row the column of the table; −1 gives byte 0, or 0 for floats. Nil leaves the order.
  public let columnOrder: [Int32]?
  /// p*(1 | x) of each row, where the scenario knows it (binary labels only).
  public let truth: [Float]?

  public init(
    table: Table, experience: Int, places: [Int32], labels: [Int32], columnOrder: [Int32]? = nil, truth: [Float]? = nil
  ) {
    precondition(places.count == labels.count, "\(places.count) rows and \(labels.count) labels")
    precondition(places.allSatisfy { $0 >= 0 && Int($0) < table.rows }, "a row outside the table of \(table.rows)")
    precondition(truth == nil || truth?.count == labels.count, "a truth for every row or none")
    precondition(
      columnOrder?.allSatisfy { $0 >= -1 && Int($0) < table.columns } ?? true, "a column outside \(table.columns)")
    self.table = table
    self.experience = experience
    self.places = places
    self.labels = labels
    self.columnOrder = columnOrder
    self.truth = truth
  }

  /// All rows of a matrix.
  public init(_ inputs: Matrix, labels: [Int32], experience: Int, truth: [Float]? = nil) {
    self.init(
      table: Table(inputs), experience: experience, places: (0..<Int32(inputs.rows)).map { $0 }, labels: labels,
      truth: truth)
  }

  public var count: Int { places.count }
  public var columns: Int { columnOrder?.count ?? table.columns }

  /// The same rows in part: positions count within these rows.
  public func selecting(_ positions: [Int32]) -> Rows {
    Rows(
      table: table, experience: experience, places: positions.map { places[Int($0)] },
      labels: positions.map { labels[Int($0)] }, columnOrder: columnOrder,
      truth: truth.map { truth in positions.map { truth[Int($0)] } })
  }

  /// All of them as one batch.
  public var batch: Batch {
    var batch = Batch(columns: columns, capacity: count)
    batch.append(self, range: 0..<count)
    return batch
  }
}

/// Rows in the learner's hands: inputs, labels, where each row comes from and how much it counts.
///
/// A batch is reused from step to step: removing its rows keeps the memory.
public struct Batch: Sendable, Codable {
  /// rows × columns.
  public internal(set) var inputs: Matrix
  public internal(set) var labels: [Int32] = []
  /// The experience each row belongs to.
  public internal(set) var experiences: [Int32] = []
  /// How much each row's loss counts.
  public var weights: [Float] = []
  /// Table rows of the last append: kept for its memory.
  private var gathered: [Int32] = []

  /// An empty batch of that many columns, with memory for `capacity` rows.
  public init(columns: Int, capacity: Int = 0) {
    inputs = Matrix(rows: capacity, columns: columns)
    inputs.setRows(0)
    labels.reserveCapacity(capacity)
    experiences.reserveCapacity(capacity)
    weights.reserveCapacity(capacity)
  }

  public var count: Int { labels.count }
  public var columns: Int { inputs.columns }
  /// Memory of the rows, in bytes.
  public var bytes: Int { Batch.bytes(rows: count, columns: columns) }

  /// Memory of stored rows, in bytes: the inputs as floats, and 4 each for label and experience.
  static func bytes(rows: Int, columns: Int) -> Int { rows * (columns + 2) * 4 }

  public mutating func removeAll() {
    inputs.setRows(0)
    labels.removeAll(keepingCapacity: true)
    experiences.removeAll(keepingCapacity: true)
    weights.removeAll(keepingCapacity: true)
  }

  /// Becomes the rows of `rows` at a range of `positions`, each with weight 1.
  mutating func fill(_ rows: borrowing Rows, at positions: [Int32], _ range: Range<Int>) {
    setCount(range.count)
    labels.take(rows.labels, at: positions, range)
    gathered.take(rows.places, at: positions, range)
    experiences.setAll(Int32(rows.experience))
    weights.setAll(1)
    inputs.gather(rows.table, places: gathered, order: rows.columnOrder, toRow: 0)
  }

  /// Becomes a run of rows, each with weight 1. Nothing is allocated or cleared where it had as many rows before.
  public mutating func fill(_ rows: Rows, range: Range<Int>) {
    setCount(range.count)
    labels.copy(rows.labels.span.extracting(range))
    gathered.copy(rows.places.span.extracting(range))
    experiences.setAll(Int32(rows.experience))
    weights.setAll(1)
    inputs.gather(rows.table, places: gathered, order: rows.columnOrder, toRow: 0)
  }

  /// Appends those of the numbers that fall among `rows`, whose first row has the number `start`, each with weight 1.
  mutating func append(_ rows: Rows, numberedFrom start: Int, among numbers: ArraySlice<Int32>) {
    gathered.removeAll(keepingCapacity: true)
    for number in numbers {
      let position = Int(number) - start
      guard rows.places.indices.contains(position) else { continue }
      labels.append(rows.labels[position])
      gathered.append(rows.places[position])
    }
    gather(rows)
  }

  /// Appends the rows at the given positions of `rows`, each with weight 1.
  public mutating func append(_ rows: Rows, at positions: ArraySlice<Int32>) {
    labels.append(rows.labels, at: positions)
    gathered.removeAll(keepingCapacity: true)
    gathered.append(rows.places, at: positions)
    gather(rows)
  }

  /// Appends a run of rows, each with weight 1.
  public mutating func append(_ rows: Rows, range: Range<Int>) {
    labels.append(contentsOf: rows.labels[range])
    gathered.removeAll(keepingCapacity: true)
    gathered.append(contentsOf: rows.places[range])
    gather(rows)
  }

  /// Appends one row of another batch of the same columns, with its weight.
  public mutating func append(row: Int, of other: Batch) {
    precondition(other.columns == columns, "a row of \(other.columns) columns in a batch of \(columns)")
    let first = count
    labels.append(other.labels[row])
    experiences.append(other.experiences[row])
    weights.append(other.weights[row])
    inputs.setRows(count)
    inputs.copyRows(row..<(row + 1), of: other.inputs, toRow: first)
  }

  /// Appends the rows of another batch of the same columns that stand at the given positions, with their weights.
  public mutating func append(_ other: Batch, at positions: ArraySlice<Int32>) {
    precondition(other.columns == columns, "rows of \(other.columns) columns in a batch of \(columns)")
    let first = count
    labels.append(other.labels, at: positions)
    experiences.append(other.experiences, at: positions)
    weights.append(other.weights, at: positions)
    inputs.setRows(count)
    inputs.gather(other.inputs, rows: positions, toRow: first)
  }

  /// Appends all rows of another batch of the same columns.
  public mutating func append(_ other: Batch) {
    precondition(other.columns == columns, "rows of \(other.columns) columns in a batch of \(columns)")
    let first = count
    labels.append(contentsOf: other.labels)
    experiences.append(contentsOf: other.experiences)
    weights.append(contentsOf: other.weights)
    inputs.setRows(count)
    inputs.copyRows(0..<other.count, of: other.inputs, toRow: first)
  }

  /// Takes over the rows of another batch of the same columns; the memory stays this one's own.
  mutating func become(_ other: borrowing Batch) {
    precondition(other.columns == columns, "rows of \(other.columns) columns in a batch of \(columns)")
    labels.copy(other.labels.span)
    experiences.copy(other.experiences.span)
    weights.copy(other.weights.span)
    inputs.setRows(other.count)
    inputs.copyRows(0..<other.count, of: other.inputs, toRow: 0)
  }

  /// Multiplies the weights of some rows.
  public mutating func scaleWeights(_ rows: Range<Int>, by factor: Float) {
    var weights = self.weights.mutableSpan
    for row in rows { weights[row] *= factor }
  }

  /// Puts one row of another batch in the place of a row.
  public mutating func replace(row: Int, with other: Batch, row otherRow: Int) {
    precondition(other.columns == columns, "a row of \(other.columns) columns in a batch of \(columns)")
    labels[row] = other.labels[otherRow]
    experiences[row] = other.experiences[otherRow]
    weights[row] = other.weights[otherRow]
    inputs.copyRows(otherRow..<(otherRow + 1), of: other.inputs, toRow: row)
  }

  /// Keeps the rows at those positions, in that order.
  public mutating func keep(_ positions: [Int]) {
    var kept = Batch(columns: columns, capacity: positions.count)
    for position in positions { kept.append(row: position, of: self) }
    self = kept
  }

  private mutating func setCount(_ count: Int) {
    guard count != self.count || count != gathered.count else { return }
    labels.setCount(count)
    gathered.setCount(count)
    experiences.setCount(count)
    weights.setCount(count)
    inputs.setRows(count)
  }

  /// What is left of an append once labels and table rows are there.
  private mutating func gather(_ rows: Rows) {
    experiences.append(contentsOf: repeatElement(Int32(rows.experience), count: gathered.count))
    weights.append(contentsOf: repeatElement(1, count: gathered.count))
    let first = inputs.rows
    inputs.setRows(count)
    inputs.gather(rows.table, places: gathered, order: rows.columnOrder, toRow: first)
  }
}

extension Array where Element: Numeric {
  /// Appends the elements of another array at the given positions.
  fileprivate mutating func append(_ source: [Element], at positions: ArraySlice<Int32>) {
    let first = count
    setCount(first + positions.count)
    let (from, places) = (source.span, positions.span)
    var to = mutableSpan
    for i in places.indices { to[first + i] = from[Int(places[i])] }
  }

  /// Becomes the elements of another array at a range of positions; it has the length of the range already.
  @inline(__always)
  fileprivate mutating func take(_ source: [Element], at positions: [Int32], _ range: Range<Int>) {
    let (from, places) = (source.span, positions.span.extracting(range))
    var to = mutableSpan
    for i in to.indices { to[i] = from[Int(places[i])] }
  }

  /// Takes over other elements.
  fileprivate mutating func copy(_ other: Span<Element>) {
    setCount(other.count)
    var own = mutableSpan
    for i in own.indices { own[i] = other[i] }
  }

  /// Changes the length; new elements are 0. Nothing is allocated within a length the array had before.
  mutating func setCount(_ newCount: Int) {
    if newCount < count { removeLast(count - newCount) }
    if newCount > count { append(contentsOf: repeatElement(0, count: newCount - count)) }
  }

  fileprivate mutating func setAll(_ value: Element) {
    var span = mutableSpan
    for i in span.indices { span[i] = value }
  }
}
