import PalimpsestCore
import PalimpsestExperiments
import PalimpsestScenarios

/// The rows of a stream, numbered through all tasks.
struct StreamRows: Sendable {
  /// Each in the order in which it is streamed.
  private let tasks: [Rows]
  /// Places of a task's rows that may be looked at again when it is over; nil: of all.
  private let revisitable: [Set<Int32>?]
  /// The number of each task's first row, and the count of all.
  let starts: [Int]
  /// They are the stream's rows in its order, of whose numbers its events speak.
  let areAsDeclared: Bool
  /// p* stands beside the rows of all tasks.
  private let knowsTruth: Bool

  /// - Parameters:
  ///   - keepsTests: the rows that tasks are judged on are no part of the stream, where they would be.
  ///   - needsOrigins: rows have owners and times, where they are known, even if the scenario's own do not carry them.
  init(
    _ stream: any DriftStream, _ order: StreamSettings.Order, keepsTests: Bool = false, needsOrigins: Bool = false,
    seed: Seed
  ) {
    tasks = stream.experiences.map { task in
      let own = keepsTests ? stream.trainingRows(for: task.index) : stream.streamedRows(for: task.index)
      let origins = needsOrigins ? stream.origins(for: task.index) : nil
      let rows = origins.map { own.with(owners: $0.owners, times: $0.times) } ?? own
      guard order == .shuffled else { return rows }
      var (positions, rng) = ((0..<Int32(rows.count)).map { $0 }, seed.stream("order", task.index))
      rng.shuffle(&positions)
      return rows.selecting(positions)
    }
    revisitable = stream.experiences.map { task in
      let (all, allowed) = (stream.trainingRows(for: task.index), stream.revisitableRows(for: task.index))
      return allowed.count == all.count ? nil : Set(allowed.places)
    }
    let counts = keepsTests ? stream.experiences.map { stream.streamedRows(for: $0.index).count } : tasks.map(\.count)
    areAsDeclared = order == .given && counts == tasks.map(\.count)
    knowsTruth = tasks.allSatisfy(\.knowsTruth)
    starts = tasks.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
  }

  var count: Int { starts[starts.count - 1] }
  var columns: Int { tasks[0].columns }

  /// The task that a row is of.
  func task(of row: Int) -> Int {
    var (task, end) = (0, starts.count)
    while task + 1 < end {
      let middle = (task + end) / 2
      if starts[middle] <= row { task = middle } else { end = middle }
    }
    return task
  }

  /// The batch becomes these rows, as ones of an experience that the learner knows.
  func fill(_ batch: inout Batch, _ range: Range<Int>, experience: Int) {
    let task = task(of: range.lowerBound)
    if range.upperBound <= starts[task + 1] {
      batch.fill(tasks[task], range: range.lowerBound - starts[task]..<range.upperBound - starts[task])
    } else {
      batch.removeAll()
      forEachPart(of: range) { task, part in batch.append(tasks[task], range: part) }
    }
    batch.setExperience(experience)
  }

  /// Those of these rows that the scenario allows to be looked at again, as ones of an experience.
  /// - Parameter labels: rows whose label never arrives are none of them, others have the one that arrived.
  func revisitable(_ range: Range<Int>, experience: Int, _ labels: StreamLabels) -> Rows {
    var batch = Batch(columns: columns, capacity: range.count)
    forEachPart(of: range) { task, part in
      if revisitable[task] == nil && labels.areAtOnce { return batch.append(tasks[task], range: part) }
      let positions = part.filter { mayRevisit($0, of: task) && shown(labels, starts[task] + $0) != nil }
      batch.append(tasks[task], at: positions.map { Int32($0) }[...])
    }
    batch.setExperience(experience)
    if !labels.areAtOnce { show(labels, in: &batch, range.filter { shown(labels, $0) != nil && mayRevisit($0) }) }
    let (owners, times) = (batch.tags.owners, batch.tags.times)
    return Rows(
      batch.inputs, batch.values.map { .values($0) } ?? .labels(batch.labels), experience: experience,
      owners: owners.isEmpty ? nil : owners, times: times.isEmpty ? nil : times)
  }

  /// The batch becomes those of these rows whose labels arrive, with the labels that do.
  /// - Parameter experience: the one they are learned in; nil: each row's own task.
  func fillShown(_ batch: inout Batch, _ range: Range<Int>, _ labels: StreamLabels, experience: Int?) {
    batch.removeAll()
    for row in range { append(row, to: &batch, labels) }
    if let experience { batch.setExperience(experience) }
  }

  /// Appends rows drawn from all before one, with replacement, where their label arrives: a draw of a row whose label never does adds none.
  func appendDrawn(
    _ count: Int, before row: Int, to batch: inout Batch, _ labels: StreamLabels, using rng: inout Random
  ) {
    guard row > 0 else { return }
    for _ in 0..<count { append(rng.index(below: row), to: &batch, labels) }
  }

  private func append(_ row: Int, to batch: inout Batch, _ labels: StreamLabels) {
    guard let label = shown(labels, row) else { return }
    let task = task(of: row)
    let position = row - starts[task]
    batch.append(tasks[task], range: position..<position + 1)
    batch.setLabel(label, ofRow: batch.count - 1)
  }

  /// When each row arose, in seconds; nil where that is not known of all.
  var times: [Int64]? {
    let times = tasks.compactMap(\.times)
    return times.count == tasks.count ? times.flatMap { $0 } : nil
  }

  /// What happens to the world by the numbers of the rows: what the stream says; where rows come in another order than it has them, changes
  /// where tasks begin, and none where tasks are no concepts.
  func events(of stream: any DriftStream) -> [DriftEvent] {
    if areAsDeclared, let events = stream.events { return events }
    let isMixed = !areAsDeclared && stream.experiences.contains { stream.concepts(for: $0.index) != nil }
    return isMixed ? [] : [DriftEvent](changesAt: Array(starts.dropLast()))
  }

  /// They never go backwards.
  var areInOrderOfTime: Bool {
    guard let times else { return false }
    return zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
  }

  /// The first row behind so many moments, from a row on; rows that follow each other and have one time are one moment's.
  func end(ofTimes count: Int, from first: Int) -> Int {
    var (row, left) = (first, count)
    while row < self.count {
      let moment = time(of: row)
      if left == 0 { return row }
      left -= 1
      repeat { row += 1 } while row < self.count && time(of: row) == moment
    }
    return row
  }

  private func time(of row: Int) -> Int64 {
    let task = task(of: row)
    return tasks[task].times?[row - starts[task]] ?? Int64(row)
  }

  /// Those of all rows before one.
  func labels(before row: Int) -> Set<Int32> {
    var labels: Set<Int32> = []
    forEachPart(of: 0..<row) { task, part in labels.formUnion(tasks[task].labels[part]) }
    return labels
  }

  /// Whether it is known whose each row is.
  var haveOwners: Bool { tasks.allSatisfy { $0.owners != nil } }

  /// What an answer to a row is worth, and what the best one is, by p*; nil where a task doesn't know it.
  func worth(of answer: Int, to row: Int) -> (answer: Double, best: Double)? {
    guard knowsTruth else { return nil }
    let task = task(of: row)
    return tasks[task].worth(of: answer, toRow: row - starts[task])
  }

  private func mayRevisit(_ position: Int, of task: Int) -> Bool {
    revisitable[task]?.contains(tasks[task].places[position]) ?? true
  }

  private func mayRevisit(_ row: Int) -> Bool {
    let task = task(of: row)
    return mayRevisit(row - starts[task], of: task)
  }

  /// The label of a row that arrives; nil: none ever does.
  func shown(_ labels: StreamLabels, _ row: Int) -> Int? {
    let task = task(of: row)
    let position = row - starts[task]
    return labels.shown(
      Int(tasks[task].labels[position]), ofRow: row, owner: Int(tasks[task].owners?[position] ?? 0))
  }

  /// Rows of a batch, which are those at `numbers`, get the labels that arrived.
  func show(_ labels: StreamLabels, in batch: inout Batch, _ numbers: [Int]) {
    for (i, row) in numbers.enumerated() { batch.setLabel(shown(labels, row) ?? 0, ofRow: i) }
  }

  /// - Parameter body: called with a task and the positions among its rows.
  private func forEachPart(of range: Range<Int>, _ body: (Int, Range<Int>) -> Void) {
    var task = task(of: range.lowerBound)
    while task < tasks.count && starts[task] < range.upperBound {
      let part = range.clamped(to: starts[task]..<starts[task + 1])
      if !part.isEmpty { body(task, (part.lowerBound - starts[task])..<(part.upperBound - starts[task])) }
      task += 1
    }
  }
}
