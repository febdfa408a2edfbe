/// Rows of one experience with what is to be predicted of them: places in a shared ``Table``, with targets and, where it is
/// known, whose they are, when they arose, and the exact probability of label 1. A permutation of the columns is applied when
/// rows are gathered. Where their order is that of time, a feed `in-order` keeps it.
public struct Rows: Sendable {
  public let table: Table
  /// The experience these rows belong to, counted from 0.
  public let experience: Int
  /// Row numbers in the table.
  public let places: [Int32]
  /// Row i is the table's row i: nobody needs to look its place up.
  let areInTableOrder: Bool
  /// One a row.
  public let targets: Targets
  /// One a row: the output that is right (0 or 1 where there is one output); none where the targets are values.
  public let labels: [Int32]
  /// For each column of a gathered row the column of the table; −1 gives byte 0, or 0 for floats. Nil leaves the order.
  public let columnOrder: [Int32]?
  /// p*(1 | x) of each row, where the scenario knows it (binary labels only).
  public private(set) var truth: [Float]?
  /// p*(class | x) of each row, rows × classes, where the scenario knows it (labels of several classes only).
  public private(set) var probabilities: Matrix?
  /// Whose row each is; nil: all are of owner 0.
  public let owners: [Int32]?
  /// When each arose, in seconds from the stream's beginning; nil: nothing is known.
  public let times: [Int64]?

  public init(
    table: Table, experience: Int, places: [Int32], targets: Targets, columnOrder: [Int32]? = nil,
    truth: [Float]? = nil, probabilities: Matrix? = nil, owners: [Int32]? = nil, times: [Int64]? = nil
  ) {
    let count = places.count
    precondition(targets.count == count, "\(count) rows and \(targets.count) targets")
    precondition(places.allSatisfy { $0 >= 0 && Int($0) < table.rows }, "a row outside the table of \(table.rows)")
    precondition(truth.map { $0.count == count } ?? true, "a truth for every row or none")
    precondition(probabilities.map { $0.rows == count } ?? true, "probabilities for every row or none")
    precondition(owners.map { $0.count == count } ?? true, "an owner for every row or none")
    precondition(times.map { $0.count == count } ?? true, "a time for every row or none")
    precondition(
      columnOrder?.allSatisfy { $0 >= -1 && Int($0) < table.columns } ?? true, "a column outside \(table.columns)")
    self.table = table
    self.experience = experience
    self.places = places
    areInTableOrder = places.indices.allSatisfy { places[$0] == Int32($0) }
    self.targets = targets
    if case .labels(let labels) = targets { self.labels = labels } else { labels = [] }
    self.columnOrder = columnOrder
    self.truth = truth
    self.probabilities = probabilities
    self.owners = owners
    self.times = times
  }

  /// Labelled rows.
  public init(
    table: Table, experience: Int, places: [Int32], labels: [Int32], columnOrder: [Int32]? = nil,
    truth: [Float]? = nil, owners: [Int32]? = nil, times: [Int64]? = nil
  ) {
    self.init(
      table: table, experience: experience, places: places, targets: .labels(labels), columnOrder: columnOrder,
      truth: truth, owners: owners, times: times)
  }

  /// All rows of a matrix.
  public init(
    _ inputs: Matrix, _ targets: Targets, experience: Int, truth: [Float]? = nil, owners: [Int32]? = nil,
    times: [Int64]? = nil
  ) {
    self.init(
      table: Table(inputs), experience: experience, places: (0..<Int32(inputs.rows)).map { $0 }, targets: targets,
      truth: truth, owners: owners, times: times)
  }

  /// All rows of a matrix, labelled.
  public init(_ inputs: Matrix, labels: [Int32], experience: Int, truth: [Float]? = nil) {
    self.init(inputs, .labels(labels), experience: experience, truth: truth)
  }

  /// All rows of a matrix with a label of several classes each, and p* of all classes.
  /// - Parameter probabilities: rows × classes.
  public init(_ inputs: Matrix, labels: [Int32], experience: Int, probabilities: Matrix) {
    self.init(
      table: Table(inputs), experience: experience, places: (0..<Int32(inputs.rows)).map { $0 },
      targets: .labels(labels), probabilities: probabilities)
  }

  public var count: Int { places.count }
  public var columns: Int { columnOrder?.count ?? table.columns }

  /// Memory of one of them in a batch, in bytes: ``Batch/rowBytes``.
  public var rowBytes: Int {
    let targets = if case .values(let values) = targets { values.columns } else { 1 }
    return 4 * (columns + 1 + targets) + (owners == nil ? 0 : 4) + (times == nil ? 0 : 8)
  }

  /// The same rows in part: positions count within these rows.
  public func selecting(_ positions: [Int32]) -> Rows {
    Rows(
      table: table, experience: experience, places: places.at(positions), targets: targets.selecting(positions),
      columnOrder: columnOrder, truth: truth?.at(positions), probabilities: probabilities?.selecting(positions),
      owners: owners?.at(positions), times: times?.at(positions))
  }

  /// The same rows with others' owners and times.
  /// - Parameters:
  ///   - owners: one a row, or nil.
  ///   - times: one a row, or nil.
  public func with(owners: [Int32]?, times: [Int64]?) -> Rows {
    Rows(
      table: table, experience: experience, places: places, targets: targets, columnOrder: columnOrder, truth: truth,
      probabilities: probabilities, owners: owners, times: times)
  }

  /// The same rows without ``truth`` and ``probabilities``: what a learner may see.
  public var withoutTruth: Rows {
    var copy = self
    (copy.truth, copy.probabilities) = (nil, nil)
    return copy
  }

  /// Whether p* stands beside the rows.
  public var knowsTruth: Bool { truth != nil || probabilities != nil }

  /// What an answer to a row is worth under the row's own law, and what the best one is; nil where p* is not known.
  /// - Parameter answer: a label; −1, no answer, is worth nothing.
  public func worth(of answer: Int, toRow row: Int) -> (answer: Double, best: Double)? {
    if let truth {
      let yes = Double(truth[row])
      return (answer == 1 ? yes : 1 - yes, yes < 0.5 ? 1 - yes : yes)
    }
    guard let probabilities else { return nil }
    let best = probabilities.largestColumn(inRow: row, of: 0..<probabilities.columns)
    return (answer < 0 ? 0 : Double(probabilities[row, answer]), Double(probabilities[row, best]))
  }

  /// All of them as one batch.
  public var batch: Batch {
    var batch = Batch(columns: columns, capacity: count)
    batch.append(self, range: 0..<count)
    return batch
  }
}

extension Matrix {
  /// The rows at some positions.
  func selecting(_ positions: [Int32]) -> Matrix {
    var part = Matrix(rows: positions.count, columns: columns)
    part.gather(self, rows: positions[...], toRow: 0)
    return part
  }
}

extension Array {
  /// The elements at some positions.
  fileprivate func at(_ positions: [Int32]) -> [Element] { positions.map { self[Int($0)] } }
}
