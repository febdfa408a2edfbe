import PalimpsestCore

/// Keeps, for each class, the rows whose mean follows the class mean most closely.
///
/// With φ the points at length 1 and μ their mean, the k-th row is
///
///     p_k = arg min over the rows left of ‖μ − (φ(x) + Σ_{j<k} φ(p_j)) / k‖
///
/// The order is kept, so a set that shrinks keeps its best rows.
/// - Inputs: the rows of a task that has ended, as far as they may be revisited.
/// - Time: O(N · m · d) a class, for m of N rows in d dimensions.
/// - Source: iCaRL, algorithm 4. Means are not brought back to length 1. A row of length 0 stays 0. Of equal scores the
///   first wins.
public struct Herding: Memory, SizedMemory, RevisitingPart {
  public static let name = "herding"
  public static let summary = "Replays, for each class of a task, the rows whose mean is closest to the class mean."
  public static let source =
    "Rebuffi et al., \"iCaRL\", CVPR 2017, algorithm 4, without replacement; means are not normalised again, and the "
    + "capacity that small classes leave over goes to the others."

  public var limits = MemoryCapacity()
  public var space = CoreSetSpace()
  public var replay = ReplayOptions()
  private var sets = CoreSets()

  public init() {}

  public var count: Int { sets.rows.count }
  public var bytes: Int { sets.rows.bytes }

  public mutating func consolidate(_ ended: EndedExperience, using rng: inout Random) {
    sets.add(ended, limits, space) { points, m in
      ended.charge(Work(multiplyAdds: Herding.work(m, of: points)))
      return Herding.choose(m, of: points)
    }
  }

  /// Rows are chosen at the end of a task.
  public mutating func insert(_ batch: Batch, _ context: StepContext, using rng: inout Random) {}

  public mutating func draw(_ n: Int, into batch: inout Batch, using rng: inout Random) {
    sets.draw(n, into: &batch, using: &rng)
  }

  /// Multiply-adds of ``choose(_:of:)``: each row's length before and after, then a product with every row that is left.
  private static func work(_ m: Int, of points: Matrix) -> Int {
    points.columns * (2 * points.rows + m * points.rows - m * (m - 1) / 2)
  }

  /// The first m rows of the herding order, m ≤ rows.
  ///
  /// ‖kμ − Σφ(p_j) − φ(x)‖² is smallest where r·φ(x) − ½‖φ(x)‖² is largest, with r = kμ − Σφ(p_j).
  package static func choose(_ m: Int, of points: Matrix) -> [Int] {
    let unit = points.withUnitRows()
    let halfSquares = (0..<unit.rows).map { 0.5 * unit.squaredDistance(row: $0, to: FloatBuffer(count: unit.columns)) }
    let mean = unit.meanRow()
    var rest = mean.map { _ in 0.0 }
    var left = RemainingRows(unit.rows)
    for _ in 0..<m {
      for c in mean.indices { rest[c] += mean[c] }
      let direction = FloatBuffer(rest.map { Float($0) })
      let best = left.takeLargest { unit.dot(row: $0, direction) - halfSquares[$0] }
      for c in rest.indices { rest[c] -= Double(unit[best, c]) }
    }
    return left.taken
  }
}
