import PalimpsestCore

/// A part of another stream: its first tasks alone, or with rows of its own training data in the test rows' place.
///
/// Both serve the choice of settings: a setting chosen on the first tasks has not seen the later ones, and one chosen on
/// rows kept from training has not seen the test rows.
public struct StreamView: DriftStream {
  private let whole: any DriftStream
  public let experiences: [ExperienceInfo]
  public let truth: ScenarioTruth?
  /// Share of a task's training rows that are evaluated on and not trained on; nil: the stream's own test rows.
  private let heldOut: Double?
  private let seed: Seed

  public var shape: TaskShape { whole.shape }
  public var inputs: InputDescription? { whole.inputs }
  public var taskConcepts: [Int] { Array(whole.taskConcepts.prefix(experiences.count)) }

  /// - Parameters:
  ///   - tasks: how many tasks from the first on; nil, or more than there are: all.
  ///   - heldOut: in 0..<1, above 0. At least one row of a task is kept on either side, where it has two.
  ///   - seed: decides which rows are held out.
  public init(_ whole: any DriftStream, tasks: Int?, heldOut: Double?, seed: Seed) {
    self.whole = whole
    self.heldOut = heldOut
    self.seed = seed
    let count = min(tasks ?? .max, whole.experiences.count)
    let shown = whole.experiences.prefix(count)
    experiences = shown.map { info in
      info.with(rows: heldOut.map { info.rows - StreamView.heldOutCount(of: info.rows, $0) } ?? info.rows)
    }
    truth = heldOut == nil ? whole.truth?.first(count) : nil
  }

  public func trainingRows(for experience: Int) -> Rows {
    let rows = whole.trainingRows(for: experience)
    guard heldOut != nil else { return rows }
    return rows.selecting(split(rows).kept)
  }

  public func streamedRows(for experience: Int) -> Rows {
    heldOut == nil ? whole.streamedRows(for: experience) : trainingRows(for: experience)
  }

  public func concepts(for experience: Int) -> [Int]? {
    let concepts = whole.concepts(for: experience)
    guard let concepts, heldOut != nil else { return concepts }
    return split(whole.trainingRows(for: experience)).kept.map { concepts[Int($0)] }
  }

  public func mixture(for experience: Int) -> Matrix? {
    let mixture = whole.mixture(for: experience)
    guard let mixture, heldOut != nil else { return mixture }
    return Matrix(split(whole.trainingRows(for: experience)).kept.map { Array(mixture.row(Int($0))) })
  }

  public func origins(for experience: Int) -> StreamedOrigins? {
    guard let origins = whole.origins(for: experience), heldOut != nil else { return whole.origins(for: experience) }
    let kept = split(whole.trainingRows(for: experience)).kept
    return StreamedOrigins(
      owners: kept.map { origins.owners[Int($0)] }, times: kept.map { origins.times[Int($0)] })
  }

  /// Those that begin in its tasks, by the rows that are left. A blip none of whose rows is left is gone.
  public var events: [DriftEvent]? {
    guard let events = whole.events else { return nil }
    return StreamView.events(events, amongRows: keptRows)
  }

  /// Numbers in the whole stream of the rows that are streamed here, ascending.
  private var keptRows: [Int] {
    var start = 0
    return experiences.flatMap { task in
      let rows = whole.streamedRows(for: task.index)
      defer { start += rows.count }
      guard heldOut != nil else { return Array(start..<start + rows.count) }
      return split(whole.trainingRows(for: task.index)).kept.map { start + Int($0) }
    }
  }

  /// - Parameter kept: ascending.
  private static func events(_ events: [DriftEvent], amongRows kept: [Int]) -> [DriftEvent] {
    /// How many of them lie before a row.
    func count(before row: Int) -> Int {
      var (low, high) = (0, kept.count)
      while low < high {
        let middle = (low + high) / 2
        if kept[middle] < row { low = middle + 1 } else { high = middle }
      }
      return low
    }
    return events.compactMap { event in
      let (first, end) = (count(before: event.rows.lowerBound), count(before: event.rows.upperBound + 1))
      // What happens between two rows that are left is there at the second one.
      guard event.kind == .change ? first < kept.count : first < end else { return nil }
      return DriftEvent(event.kind, first...max(first, end - 1), before: event.before, behind: event.behind)
    }
  }

  public func revisitableRows(for experience: Int) -> Rows {
    let rows = whole.revisitableRows(for: experience)
    guard heldOut != nil, rows.count > 0 else { return rows }
    let training = whole.trainingRows(for: experience)
    let hidden = Set(split(training).heldOut.map { training.places[Int($0)] })
    return rows.selecting((0..<Int32(rows.count)).filter { !hidden.contains(rows.places[Int($0)]) })
  }

  public func evaluationSet(for experience: Int) -> EvaluationSet {
    let set = whole.evaluationSet(for: experience)
    guard heldOut != nil else { return set }
    let rows = whole.trainingRows(for: experience)
    return EvaluationSet(
      rows: rows.selecting(split(rows).heldOut), knownExperience: set.knownExperience, candidates: set.candidates)
  }

  /// Positions in a task's training rows, each part in the rows' own order.
  private func split(_ rows: Rows) -> (kept: [Int32], heldOut: [Int32]) {
    let count = StreamView.heldOutCount(of: rows.count, heldOut ?? 0)
    var positions = (0..<Int32(rows.count)).map { $0 }
    var rng = seed.stream("held out", rows.experience)
    rng.shuffle(&positions, first: count)
    return (positions[count...].sorted(), positions[..<count].sorted())
  }

  private static func heldOutCount(of rows: Int, _ share: Double) -> Int {
    min(max(1, Int((Double(rows) * share).rounded())), max(0, rows - 1))
  }
}

extension ScenarioTruth {
  /// What is known of the first tasks; the joint ceiling of fewer tasks is not.
  func first(_ tasks: Int) -> ScenarioTruth {
    guard tasks < bayesAccuracy.count else { return self }
    func corner(_ matrix: [[Double]]) -> [[Double]] { matrix.prefix(tasks).map { Array($0.prefix(tasks)) } }
    return ScenarioTruth(
      bayesAccuracy: Array(bayesAccuracy.prefix(tasks)), crossAccuracy: corner(crossAccuracy),
      totalVariation: corner(totalVariation), hellinger: corner(hellinger), jointCeiling: .nan,
      distances: distances?.first(tasks))
  }
}
