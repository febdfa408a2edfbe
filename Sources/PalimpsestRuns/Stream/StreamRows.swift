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
  /// p* stands beside the rows of all tasks.
  private let knowsTruth: Bool

  init(_ stream: any DriftStream, _ order: StreamSettings.Order, seed: Seed) {
    tasks = stream.experiences.map { task in
      let rows = stream.trainingRows(for: task.index)
      guard order == .shuffled else { return rows }
      var (positions, rng) = ((0..<Int32(rows.count)).map { $0 }, seed.stream("order", task.index))
      rng.shuffle(&positions)
      return rows.selecting(positions)
    }
    revisitable = stream.experiences.map { task in
      let (all, allowed) = (stream.trainingRows(for: task.index), stream.revisitableRows(for: task.index))
      return allowed.count == all.count ? nil : Set(allowed.places)
    }
    knowsTruth = tasks.allSatisfy(\.knowsTruth)
    starts = tasks.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
  }

  var count: Int { starts[starts.count - 1] }
  var columns: Int { tasks[0].columns }

  /// The task that a row is of.
  func task(of row: Int) -> Int { (starts.firstIndex { $0 > row } ?? starts.count) - 1 }

  /// The batch becomes these rows, as ones of an experience that the learner knows.
  func fill(_ batch: inout Batch, _ range: Range<Int>, experience: Int) {
    batch.removeAll()
    forEachPart(of: range) { task, part in batch.append(tasks[task], range: part) }
    batch.setExperience(experience)
  }

  /// Those of these rows that the scenario allows to be looked at again, as ones of an experience.
  func revisitable(_ range: Range<Int>, experience: Int) -> Rows {
    var batch = Batch(columns: columns, capacity: range.count)
    forEachPart(of: range) { task, part in
      guard let allowed = revisitable[task] else { return batch.append(tasks[task], range: part) }
      let positions = part.filter { allowed.contains(tasks[task].places[$0]) }.map { Int32($0) }
      batch.append(tasks[task], at: positions[...])
    }
    batch.setExperience(experience)
    let (owners, times) = (batch.tags.owners, batch.tags.times)
    return Rows(
      batch.inputs, batch.values.map { .values($0) } ?? .labels(batch.labels), experience: experience,
      owners: owners.isEmpty ? nil : owners, times: times.isEmpty ? nil : times)
  }

  /// What an answer to a row is worth, and what the best one is, by p*; nil where a task doesn't know it.
  func worth(of answer: Int, to row: Int) -> (answer: Double, best: Double)? {
    guard knowsTruth else { return nil }
    let task = task(of: row)
    return tasks[task].worth(of: answer, toRow: row - starts[task])
  }

  /// - Parameter body: called with a task and the positions among its rows.
  private func forEachPart(of range: Range<Int>, _ body: (Int, Range<Int>) -> Void) {
    for task in tasks.indices {
      let part = range.clamped(to: starts[task]..<starts[task + 1])
      if !part.isEmpty { body(task, (part.lowerBound - starts[task])..<(part.upperBound - starts[task])) }
    }
  }
}
