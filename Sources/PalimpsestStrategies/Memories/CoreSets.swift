import PalimpsestCore

/// Where a core-set compares rows.
public struct CoreSetSpace: ParameterGroup {
  public enum Space: String, ParameterChoice {
    /// The input columns.
    case input
    /// What enters the output layer, in the network as it is when the task ends.
    case features
  }

  @Parameter("Whether rows are compared by their inputs or by what enters the output layer when the task ends.")
  public var space: Space = .features

  public init() {}

  /// rows × inputs or rows × penultimate width.
  func points(_ inputs: Matrix, _ ended: EndedExperience) -> Matrix {
    space == .input ? inputs : ended.features(inputs)
  }
}

/// The rows of a core-set memory: one ordered set for each class of each ended task, the best rows first.
///
/// The sets that share a capacity share it evenly (`Quotas`). When further sets arrive, the earlier ones keep a prefix,
/// so what is left of a set is what a smaller choice would have been. Before any task has ended nothing is held.
/// - Memory: the rows, and 4 bytes a row. While a task is added, twice that and the rows of one of its classes.
struct CoreSets: Sendable, Codable {
  private struct Choice: Sendable, Codable {
    let experience: Int32
    let label: Int32
    /// Rows there are to choose from; of a set that is held already, its rows.
    let available: Int
    /// Rows held.
    var count = 0
  }

  private(set) var rows = StoredRows()
  private var sets: [Choice] = []

  /// Chooses from the rows of a task that has ended. A task that ends again gets a new choice.
  /// - Parameters:
  ///   - available: how many of a class's rows may be chosen, given their number.
  ///   - choose: the given number of row positions, best first.
  mutating func add(
    _ ended: EndedExperience, _ limits: MemoryCapacity, _ space: CoreSetSpace, available: (Int) -> Int = { $0 },
    choose: (Matrix, Int) -> [Int]
  ) {
    let data = ended.data
    if data.count == 0 { return }
    let groups = CoreSets.classes(of: data)
    let earlier = sets.filter { $0.experience != Int32(data.experience) }
    var next = earlier.map { Choice(experience: $0.experience, label: $0.label, available: $0.count) }
    next += groups.map {
      Choice(experience: Int32(data.experience), label: $0.label, available: available($0.positions.count))
    }
    share(limits.rows(of: data.rowBytes + ended.answerBytes), limits, among: &next)

    var batch = Batch(columns: data.columns, capacity: next.reduce(0) { $0 + $1.count })
    appendPrefixes(next[..<earlier.count], to: &batch)
    for (group, set) in zip(groups, next[earlier.count...]) where set.count > 0 {
      let members = data.selecting(group.positions)
      let chosen = choose(space.points(members.batch.inputs, ended), set.count)
      var rows = members.selecting(chosen.map { Int32($0) }).batch
      ended.setAnswers(&rows)
      batch.append(rows)
    }
    rows = StoredRows(batch)
    sets = next
  }

  mutating func draw(_ n: Int, into batch: inout Batch, using rng: inout Random) {
    rows.draw(n, into: &batch, using: &rng)
  }

  /// Gives each set its share of the capacity it belongs to.
  private func share(_ room: Int, _ limits: MemoryCapacity, among sets: inout [Choice]) {
    let keys = sets.map { limits.store(experience: $0.experience, label: $0.label) }
    for key in Set(keys) {
      let members = sets.indices.filter { keys[$0] == key }
      let quotas = Quotas.even(room, among: members.map { sets[$0].available })
      for (member, quota) in zip(members, quotas) { sets[member].count = quota }
    }
  }

  /// Appends the first rows of the sets held that go on.
  private func appendPrefixes(_ kept: ArraySlice<Choice>, to batch: inout Batch) {
    var first = 0
    for set in sets {
      if let next = kept.first(where: { $0.experience == set.experience && $0.label == set.label }) {
        for row in first..<(first + next.count) { batch.append(row: row, of: rows.batch) }
      }
      first += set.count
    }
  }

  /// The classes of some rows in order of their labels, each with the positions of its rows. Rows that have values instead of
  /// labels are one class.
  private static func classes(of data: Rows) -> [(label: Int32, positions: [Int32])] {
    guard case .labels(let labels) = data.targets else { return [(-1, (0..<Int32(data.count)).map { $0 })] }
    var positions: [Int32: [Int32]] = [:]
    for row in 0..<data.count { positions[labels[row], default: []].append(Int32(row)) }
    return positions.sorted { $0.key < $1.key }.map { (label: $0.key, positions: $0.value) }
  }
}

extension CoreSets: CheckedState {
  func problem(within limits: StateLimits) -> String? {
    let counts = sets.map(\.count)
    let areCounts = counts.allSatisfy { (0...rows.count).contains($0) }
    return areCounts && counts.reduce(0, +) == rows.count ? nil : "sets of \(counts) in \(rows.count) rows"
  }
}

/// Division of a capacity among sets.
package enum Quotas {
  /// Even shares: the quotient to each, the remainder to the first ones; what a small set leaves over is shared again.
  ///
  /// - Parameter available: rows each set has; no share is larger.
  /// - Returns: shares that add up to at most `room`: quotas are rounded down, never up.
  package static func even(_ room: Int, among available: [Int]) -> [Int] {
    var shares = available.map { _ in 0 }
    var left = room
    while left > 0 {
      let open = available.indices.filter { shares[$0] < available[$0] }
      if open.isEmpty { break }
      let (quotient, remainder) = left.quotientAndRemainder(dividingBy: open.count)
      for (place, set) in open.enumerated() {
        let more = min(quotient + (place < remainder ? 1 : 0), available[set] - shares[set])
        shares[set] += more
        left -= more
      }
    }
    return shares
  }
}
