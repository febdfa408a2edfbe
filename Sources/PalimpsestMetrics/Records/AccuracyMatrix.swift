/// R[i, j], tasks × tasks: row i after learning task i, column j evaluated on task j. Entries not measured are NaN; in JSON
/// they are null.
///
/// Rows from a file may have any length: such a matrix keeps them as they are, is not square, and gives NaN for every
/// entry.
public struct AccuracyMatrix: Sendable, Equatable, Codable {
  /// Number of rows, T.
  public private(set) var tasks: Int
  /// Row by row, T · T numbers; none where the matrix is not square.
  package private(set) var values: [Double]
  /// The rows where one of them is not T long.
  private var odd: [[Double]]?

  public init(tasks: Int) { self.init(tasks: tasks, values: [Double](repeating: .nan, count: tasks * tasks)) }

  public init(_ rows: [[Double]]) {
    tasks = rows.count
    let isSquare = rows.allSatisfy { $0.count == rows.count }
    values = isSquare ? Array(rows.joined()) : []
    odd = isSquare ? nil : rows
  }

  /// - Precondition: `values` are `tasks`² numbers, row by row.
  package init(tasks: Int, values: [Double]) {
    precondition(values.count == tasks * tasks, "\(values.count) values are not \(tasks) × \(tasks)")
    self.tasks = tasks
    self.values = values
  }

  public var isSquare: Bool { odd == nil }

  public var rows: [[Double]] {
    get { odd ?? (0..<tasks).map { Array(values[$0 * tasks..<($0 + 1) * tasks]) } }
    set { self = AccuracyMatrix(newValue) }
  }

  public subscript(after: Int, task: Int) -> Double {
    get { isSquare ? values[after * tasks + task] : .nan }
    set { if isSquare { values[after * tasks + task] = newValue } }
  }

  public init(from decoder: any Decoder) throws {
    if decoder.userInfo.keepsEveryBit {
      self.init(try decoder.singleValueContainer().decode([[Double]].self))
    } else {
      self.init(try decoder.singleValueContainer().decode([[Double?]].self).map { $0.map { $0 ?? .nan } })
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if encoder.userInfo.keepsEveryBit { return try container.encode(rows) }
    try container.encode(rows.map { $0.map { $0.isFinite ? $0 : nil } })
  }

  /// Equal bits, so that NaN equals NaN.
  public static func == (a: AccuracyMatrix, b: AccuracyMatrix) -> Bool {
    a.tasks == b.tasks && a.values.elementsEqual(b.values) { $0.bitPattern == $1.bitPattern }
      && a.odd?.map { $0.map(\.bitPattern) } == b.odd?.map { $0.map(\.bitPattern) }
  }
}
