/// R[i, j], tasks × tasks: row i after learning task i, column j evaluated on task j. Entries not measured are NaN; in JSON
/// they are null.
public struct AccuracyMatrix: Sendable, Equatable, Codable {
  public var rows: [[Double]]

  public init(tasks: Int) { rows = [[Double]](repeating: [Double](repeating: .nan, count: tasks), count: tasks) }

  public init(_ rows: [[Double]]) { self.rows = rows }

  public var tasks: Int { rows.count }

  public subscript(after: Int, task: Int) -> Double {
    get { rows[after][task] }
    set { rows[after][task] = newValue }
  }

  public init(from decoder: any Decoder) throws {
    rows = try decoder.singleValueContainer().decode([[Double?]].self).map { $0.map { $0 ?? .nan } }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rows.map { $0.map { $0.isFinite ? $0 : nil } })
  }

  /// Equal bits, so that NaN equals NaN.
  public static func == (a: AccuracyMatrix, b: AccuracyMatrix) -> Bool {
    a.rows.map { $0.map(\.bitPattern) } == b.rows.map { $0.map(\.bitPattern) }
  }
}
