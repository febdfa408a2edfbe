import PalimpsestCore

/// Rows of ten numbers and whether each was answered with yes.
public struct Day {
  public let rows: [[Float]]
  public let labels: [Int32]
}

/// Somebody whose answers follow three of ten numbers, one of them the other way round after a move; the last says where they live.
public struct Person {
  private let seed: Seed

  public init(seed: UInt64) { self.seed = Seed(seed).derived("person") }

  /// The twelve rows of one day.
  public func day(_ number: Int, hasMoved: Bool = false) -> Day {
    var rng = seed.stream(hasMoved ? "moved" : "day", number)
    let rows = (0..<12).map { _ in (0..<9).map { _ in Float(rng.normal()) } + [hasMoved ? 1 : 0] }
    let labels = rows.map { row in Int32(row[0] + row[1] + (hasMoved ? -2 : 2) * row[2] > 0 ? 1 : 0) }
    return Day(rows: rows, labels: labels)
  }

  public func days(_ numbers: Range<Int>, hasMoved: Bool = false) -> [Day] {
    numbers.map { day($0, hasMoved: hasMoved) }
  }
}
