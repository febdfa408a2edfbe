import PalimpsestCore

/// What predictions were worth that were made before their rows were learned, in tumbling windows; the last one may be short.
public struct PrequentialWindows: Sendable, Equatable, Codable {
  /// One row that was predicted.
  struct Answered {
    /// −1: nothing could be answered.
    let answer: Int
    let label: Int
    let outcome: Outcome
    /// Where there is one output its logit, else the probability of the answer; NaN where nothing could be answered.
    let score: Float
    let isBinary: Bool
    /// p* of the answer and of the best one, where it is known.
    let worth: (answer: Double, best: Double)?
    /// What the most frequent label so far and the last one would have answered.
    let majority: Int
    let last: Int
  }

  /// One window's sums.
  public struct Window: Sendable, Equatable, Codable {
    public internal(set) var rows = 0
    /// Right answers.
    public internal(set) var hits = 0
    /// The same of the most frequent label so far, and of the last one.
    public internal(set) var majorityHits = 0
    public internal(set) var repeatHits = 0
    /// Σ −ln p(label); NaN where a label could not be answered.
    var loss = 0.0
    /// Σ p*(answer), and the same of the best answers; NaN where p* is not known.
    var expected = 0.0
    var best = 0.0
    /// Σ (p(1) − label)²; NaN where there are more than two labels.
    var squares = 0.0
    /// Rows with each label, with each answer, and those where both are the same.
    var labelled: [Int] = []
    var answered: [Int] = []
    var right: [Int] = []
    /// Of a window that is over: the share of pairs of a row of label 1 and one of label 0 that the logits put in order.
    public internal(set) var area = Double.nan
    /// Of a window that is over: Σ over 15 bins, of as many rows each by p(1), of their share times |mean of labels − mean p(1)|.
    /// Where there are more than two labels: of right answers and the probability of the answer.
    public internal(set) var calibrationError = Double.nan

    public var accuracy: Double { Double(hits) / Double(rows) }
    public var logLoss: Double { loss / Double(rows) }
    public var expectedAccuracy: Double { expected / Double(rows) }
    /// What the best rule has more, in expected accuracy.
    public var regret: Double { (best - expected) / Double(rows) }
    public var majorityAccuracy: Double { Double(majorityHits) / Double(rows) }
    public var repeatLastAccuracy: Double { Double(repeatHits) / Double(rows) }
    public var brier: Double { squares / Double(rows) }

    /// (p0 − pc) / (1 − pc) with pc = Σ share answered · share labelled; NaN where chance is always right.
    public var kappa: Double {
      let chance = zip(labelled, answered).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
      return above(chance / Double(rows) / Double(rows))
    }

    /// The same against the most frequent label so far, and against the last one.
    public var kappaM: Double { above(majorityAccuracy) }
    public var kappaTemporal: Double { above(repeatLastAccuracy) }

    /// Mean recall over the labels that the window has.
    public var balancedAccuracy: Double {
      let recalls = zip(right, labelled).filter { $0.1 > 0 }.map { Double($0.0) / Double($0.1) }
      return recalls.reduce(0, +) / Double(recalls.count)
    }

    private func above(_ reference: Double) -> Double {
      reference < 1 ? (accuracy - reference) / (1 - reference) : .nan
    }

    mutating func add(_ row: Answered) {
      rows += 1
      hits += row.outcome.error == 0 ? 1 : 0
      majorityHits += row.majority == row.label ? 1 : 0
      repeatHits += row.last == row.label ? 1 : 0
      loss += row.outcome.loss
      expected += row.worth?.answer ?? .nan
      best += row.worth?.best ?? .nan
      let distance = row.isBinary ? Elementary.logistic(Double(row.score)) - Double(row.label) : .nan
      squares += distance * distance
      count(row)
    }

    private mutating func count(_ row: Answered) {
      let classes = max(row.label, row.answer) + 1
      if classes > labelled.count {
        let more = [Int](repeating: 0, count: classes - labelled.count)
        labelled += more
        answered += more
        right += more
      }
      labelled[row.label] += 1
      if row.answer >= 0 { answered[row.answer] += 1 }
      if row.answer == row.label { right[row.label] += 1 }
    }
  }

  /// Share of the fading mean that stays from row to row.
  static let fading = 0.999

  /// Rows of a full one.
  public let length: Int
  private var past: [Window] = []
  private var open = ScoredRows()
  /// S ← hit + αS and N ← 1 + αN; their quotient behind each window.
  private var fadingHits = 0.0
  private var fadingRows = 0.0
  public private(set) var fadingAccuracy: [Double] = []

  public init(length: Int) { self.length = length }

  public var windows: [Window] {
    guard open.count > 0, let last = past.last else { return past }
    return past.dropLast() + [open.judged(last)]
  }

  /// Rows in all.
  public var rows: Int { past.reduce(0) { $0 + $1.rows } }

  /// The number of the first row behind each window.
  public var rightEdges: [Int] { past.indices.map { min(($0 + 1) * length, rows) } }

  /// Share of right answers over all rows; NaN before the first.
  public var meanAccuracy: Double { Double(past.reduce(0) { $0 + $1.hits }) / Double(rows) }

  /// Adds one row.
  mutating func add(_ row: Answered) {
    if past.last.map({ $0.rows == length }) ?? true { beginWindow() }
    let last = past.count - 1
    past[last].add(row)
    open.append(row)
    fadingHits = (row.outcome.error == 0 ? 1 : 0) + PrequentialWindows.fading * fadingHits
    fadingRows = 1 + PrequentialWindows.fading * fadingRows
    fadingAccuracy[last] = fadingHits / fadingRows
  }

  private mutating func beginWindow() {
    if let last = past.last { past[past.count - 1] = open.judged(last) }
    open.removeAll()
    past.append(Window())
    fadingAccuracy.append(0)
  }

  /// What is no way to have divided so many rows.
  func problem(rows: Int, length: Int) -> String? {
    let full = past.dropLast().allSatisfy { $0.rows == length }
    let last = past.last.map { (1...length).contains($0.rows) } ?? true
    let isDivided =
      self.length == length && full && last && self.rows == rows && fadingAccuracy.count == past.count
      && (open.count == 0 || open.count == past.last?.rows) && past.allSatisfy(\.isConsistent)
    return isDivided ? nil : "\(past.count) windows of \(self.length) for \(rows) rows"
  }
}

extension PrequentialWindows.Window {
  fileprivate var isConsistent: Bool {
    let counts = labelled + answered + right
    return [hits, majorityHits, repeatHits].allSatisfy { (0...rows).contains($0) }
      && answered.count == labelled.count && right.count == labelled.count
      && counts.allSatisfy { (0...rows).contains($0) }
  }
}
