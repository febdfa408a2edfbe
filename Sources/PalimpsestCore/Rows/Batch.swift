/// Rows in the learner's hands: inputs, what each is tagged with, and beside them the values to be predicted and stored
/// answers, where there are any.
///
/// A batch is reused from step to step: removing its rows keeps the memory.
public struct Batch: Sendable {
  /// rows × columns.
  public internal(set) var inputs: Matrix
  /// One a row.
  public internal(set) var tags = RowTags()
  var valueRows = SideRows()
  var answerRows = SideRows()
  /// Positions among rows at rest, and their rows in the table: kept for their memory.
  private var numbers: [Int32] = []
  private var places: [Int32] = []

  /// An empty batch of that many columns, with memory for `capacity` rows.
  public init(columns: Int, capacity: Int = 0) {
    inputs = Matrix(rows: 0, columns: columns)
    setCount(capacity)
    setCount(0)
  }

  public var count: Int { tags.count }
  public var columns: Int { inputs.columns }

  /// The values to be predicted, rows × outputs; NaN where one is not known. Nil: rows have labels.
  public var values: Matrix? { valueRows.isEmpty ? nil : valueRows.matrix }

  /// Logits that were stored with the rows, rows × the scenario's outputs. NaN stands for an output that did not exist or took
  /// no part when the row was stored, and for all outputs of a row that was stored without. Nil: no row has any.
  public var answers: Matrix? { answerRows.isEmpty ? nil : answerRows.matrix }

  /// The rows' labels.
  public var labels: [Int32] { tags.labels }
  /// The experience each row belongs to.
  public var experiences: [Int32] { tags.experiences }
  /// How much each row's loss counts.
  public var weights: [Float] {
    get { tags.weights }
    set {
      precondition(newValue.count == count, "\(newValue.count) weights for \(count) rows")
      tags.weights = newValue
    }
  }

  /// Memory of the rows, in bytes.
  public var bytes: Int { count * rowBytes }

  /// Memory of one stored row, in bytes: the inputs as floats, 4 each for label and experience (a float for each value instead
  /// of the label), 4 for an owner, 8 for a time and 4 an output for answers, where rows have them.
  public var rowBytes: Int {
    let values = valueRows.isEmpty ? 1 : valueRows.matrix.columns
    return 4 * (columns + 1 + values + answerRows.matrix.columns) + tags.extraBytes
  }

  public mutating func removeAll() {
    setCount(0)
  }

  /// Changes the number of rows; what they hold is to be set.
  mutating func setCount(_ count: Int) {
    guard count != self.count else { return }
    tags.setCount(count)
    inputs.setRows(count)
    valueRows.setRows(count)
    answerRows.setRows(count)
  }

  // MARK: - Rows at rest

  /// Becomes a run of rows, each with weight 1. Nothing is allocated or cleared where it had as many rows before.
  public mutating func fill(_ rows: Rows, range: Range<Int>) {
    setCount(range.count)
    numbers.count(range)
    take(rows, at: numbers[...], toRow: 0)
  }

  /// Appends the rows at the given positions of `rows`, each with weight 1.
  public mutating func append(_ rows: Rows, at positions: ArraySlice<Int32>) {
    let first = count
    setCount(first + positions.count)
    take(rows, at: positions, toRow: first)
  }

  /// Appends a run of rows, each with weight 1.
  public mutating func append(_ rows: Rows, range: Range<Int>) {
    numbers.count(range)
    append(rows, at: numbers[...])
  }

  /// Rows from `first` on become those at some positions; from there to the end others may be overwritten.
  mutating func take(_ rows: borrowing Rows, at positions: ArraySlice<Int32>, toRow first: Int) {
    tags.mark(rows, at: positions, fromRow: first)
    if rows.areInTableOrder {
      inputs.gather(rows.table, places: positions, order: rows.columnOrder, toRow: first)
    } else {
      places.setCount(positions.count)
      places.pick(rows.places, at: positions, to: 0)
      inputs.gather(rows.table, places: places[...], order: rows.columnOrder, toRow: first)
    }
    if rows.labels.isEmpty || !valueRows.isEmpty || !answerRows.isEmpty { takeSides(rows, at: positions, toRow: first) }
  }

  /// Values of rows at rest; they have no answers.
  private mutating func takeSides(_ rows: borrowing Rows, at positions: ArraySlice<Int32>, toRow first: Int) {
    let values = if case .values(let values) = rows.targets { SideRows(values) } else { SideRows() }
    valueRows.take(positions, of: values, toRow: first, of: count)
    answerRows.take(positions, of: SideRows(), toRow: first, of: count)
  }

  // MARK: - Rows of other batches

  /// Appends one row of another batch of the same columns, with all that belongs to it.
  public mutating func append(row: Int, of other: Batch) {
    tags.append(row, of: other.tags)
    inputs.setRows(count)
    valueRows.setRows(count)
    answerRows.setRows(count)
    takeNumbers(row, of: other, toRow: count - 1)
  }

  /// Appends all rows of another batch of the same columns.
  public mutating func append(_ other: Batch) {
    let first = count
    setCount(first + other.count)
    take(0..<other.count, of: other, toRow: first)
  }

  /// Appends the rows of another batch of the same columns that stand at the given positions, with all that belongs to them.
  public mutating func append(_ other: Batch, at positions: ArraySlice<Int32>) {
    let first = count
    setCount(first + positions.count)
    take(positions, of: other, toRow: first)
  }

  /// Takes over the rows of another batch of the same columns; the memory stays this one's own.
  mutating func become(_ other: borrowing Batch) {
    setCount(other.count)
    take(0..<other.count, of: other, toRow: 0)
  }

  /// Puts one row of another batch in the place of a row.
  public mutating func replace(row: Int, with other: Batch, row otherRow: Int) {
    tags.take(otherRow, of: other.tags, toRow: row)
    takeNumbers(otherRow, of: other, toRow: row)
  }

  /// Inputs, values and answers of one row.
  private mutating func takeNumbers(_ row: Int, of other: borrowing Batch, toRow own: Int) {
    precondition(other.columns == columns, "a row of \(other.columns) columns in a batch of \(columns)")
    let rows = row..<(row + 1)
    inputs.copyRows(rows, of: other.inputs, toRow: own)
    if hasSides(beside: other) { takeSides(rows, of: other, toRow: own) }
  }

  /// Keeps the rows at those positions, in that order.
  public mutating func keep(_ positions: [Int]) {
    var kept = Batch(columns: columns, capacity: positions.count)
    for position in positions { kept.append(row: position, of: self) }
    self = kept
  }

  /// Rows from `first` on become rows of another batch.
  private mutating func take(_ rows: Range<Int>, of other: borrowing Batch, toRow first: Int) {
    precondition(other.columns == columns, "rows of \(other.columns) columns in a batch of \(columns)")
    tags.take(rows, of: other.tags, toRow: first)
    inputs.copyRows(rows, of: other.inputs, toRow: first)
    if hasSides(beside: other) { takeSides(rows, of: other, toRow: first) }
  }

  /// The same for rows at some positions.
  private mutating func take(_ positions: ArraySlice<Int32>, of other: borrowing Batch, toRow first: Int) {
    precondition(other.columns == columns, "rows of \(other.columns) columns in a batch of \(columns)")
    tags.take(positions, of: other.tags, toRow: first)
    inputs.gather(other.inputs, rows: positions, toRow: first)
    guard hasSides(beside: other) else { return }
    valueRows.take(positions, of: other.valueRows, toRow: first, of: count)
    answerRows.take(positions, of: other.answerRows, toRow: first, of: count)
  }

  @inline(__always)
  private func hasSides(beside other: borrowing Batch) -> Bool {
    !(valueRows.isEmpty && answerRows.isEmpty && other.valueRows.isEmpty && other.answerRows.isEmpty)
  }

  private mutating func takeSides(_ rows: Range<Int>, of other: borrowing Batch, toRow first: Int) {
    valueRows.take(rows, of: other.valueRows, toRow: first, of: count)
    answerRows.take(rows, of: other.answerRows, toRow: first, of: count)
  }

  // MARK: - What rows carry

  /// Lets every row be one of an experience: where a run tells its learners other boundaries than the rows have.
  public mutating func setExperience(_ experience: Int) { tags.experiences.set(Int32(experience), from: 0) }

  /// Sets how much a row's loss counts.
  public mutating func setLabel(_ label: Int, ofRow row: Int) { tags.labels[row] = Int32(label) }

  /// How much the loss of a row counts.
  public mutating func setWeight(_ weight: Float, ofRow row: Int) { tags.weights[row] = weight }

  /// Multiplies the weights of some rows.
  public mutating func scaleWeights(_ rows: Range<Int>, by factor: Float) {
    var weights = tags.weights.mutableSpan
    for row in rows { weights[row] *= factor }
  }

  /// Lets every row carry its logits. Nothing is allocated where rows of as many did before.
  /// - Parameter logits: rows × the scenario's outputs; NaN where an output does not exist or takes no part.
  public mutating func setAnswers(_ logits: Matrix) {
    precondition(logits.rows == count, "answers of \(logits.rows) rows for \(count)")
    answerRows.take(0..<count, of: SideRows(logits), toRow: 0, of: count)
  }
}

extension RowTags {
  /// Sets the tags from `first` on to those of the rows at some positions: what a ``RowTag`` says comes from rows at rest here and
  /// nowhere else.
  fileprivate mutating func mark(_ rows: borrowing Rows, at positions: ArraySlice<Int32>, fromRow first: Int) {
    if rows.labels.isEmpty {
      precondition(positions.allSatisfy { $0 >= 0 && Int($0) < rows.count }, "a row outside \(rows.count)")
      labels.set(-1, from: first)
    } else {
      labels.pick(rows.labels, at: positions, to: first)
    }
    experiences.set(Int32(rows.experience), from: first)
    weights.set(1, from: first)
    let count = count
    RowTags.mark(&owners, rows.owners, at: positions, from: first, of: count)
    RowTags.mark(&times, rows.times, at: positions, from: first, of: count)
  }

  private static func mark<T: Numeric & BitwiseCopyable>(
    _ column: inout [T], _ rows: [T]?, at positions: ArraySlice<Int32>, from first: Int, of count: Int
  ) {
    guard rows != nil || !column.isEmpty else { return }
    if column.isEmpty { column.setCount(count) }
    if let rows { column.pick(rows, at: positions, to: first) } else { column.set(0, from: first) }
  }
}

extension Array where Element: Numeric {
  /// All elements from `first` on become equal.
  fileprivate mutating func set(_ value: Element, from first: Int) {
    var own = mutableSpan
    for i in first..<own.count { own[i] = value }
  }
}

extension [Int32] {
  /// Becomes the numbers of a range.
  fileprivate mutating func count(_ range: Range<Int>) {
    setCount(range.count)
    var own = mutableSpan
    for i in own.indices { own[i] = Int32(truncatingIfNeeded: range.lowerBound &+ i) }
  }
}
