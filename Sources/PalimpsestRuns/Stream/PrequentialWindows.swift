import PalimpsestCore

/// What predictions were worth that were made before their rows were learned, in tumbling windows; the last one may be short.
public struct PrequentialWindows: Sendable, Equatable, Codable {
  /// One window's sums.
  public struct Window: Sendable, Equatable, Codable {
    public internal(set) var rows = 0
    /// Right answers.
    public internal(set) var hits = 0
    /// Σ −ln p(label); NaN where a label could not be answered.
    var loss = 0.0
    /// Σ p*(answer), and the same of the best answers; NaN where p* is not known.
    var expected = 0.0
    var best = 0.0

    public var accuracy: Double { Double(hits) / Double(rows) }
    public var logLoss: Double { loss / Double(rows) }
    public var expectedAccuracy: Double { expected / Double(rows) }
    /// What the best rule has more, in expected accuracy.
    public var regret: Double { (best - expected) / Double(rows) }
  }

  /// Rows of a full one.
  public let length: Int
  public private(set) var windows: [Window] = []

  public init(length: Int) { self.length = length }

  /// Rows in all.
  public var rows: Int { windows.reduce(0) { $0 + $1.rows } }

  /// The number of the first row behind each window.
  public var rightEdges: [Int] { windows.indices.map { min(($0 + 1) * length, rows) } }

  /// Share of right answers over all rows; NaN before the first.
  public var meanAccuracy: Double { Double(windows.reduce(0) { $0 + $1.hits }) / Double(rows) }

  /// Adds one row.
  /// - Parameter worth: p* of the answer and of the best one, where it is known.
  mutating func add(_ outcome: Outcome, worth: (answer: Double, best: Double)?) {
    if windows.last.map({ $0.rows == length }) ?? true { windows.append(Window()) }
    let last = windows.count - 1
    windows[last].rows += 1
    windows[last].hits += outcome.error == 0 ? 1 : 0
    windows[last].loss += outcome.loss
    windows[last].expected += worth?.answer ?? .nan
    windows[last].best += worth?.best ?? .nan
  }
}
