import PalimpsestCore

/// Keeps, for each class, rows that leave no other row far away.
///
/// It begins with the row nearest the class mean and goes on with arg max_x min_{s ∈ S} ‖φ(x) − φ(s)‖: the radius is
/// then at most twice the smallest that so many rows can have.
/// - Inputs: the rows of a task that has ended, as far as they may be revisited.
/// - Time: O(N · m · d) a class, for m of N rows in d dimensions: each row's distance to the set is kept. Outliers cost
///   O(N) each.
/// - Source: Gonzalez 1985; Sener & Savarese 2018. Of equal distances the first wins.
public struct KCentre: Memory, SizedMemory, RevisitingPart {
  public static let name = "k-centre"
  public static let summary = "Replays, for each class of a task, rows that cover all its rows (greedy farthest point)."
  public static let source =
    "Gonzalez, \"Clustering to minimize the maximum intercluster distance\", 1985; Sener & Savarese, ICLR 2018. It "
    + "starts from the row nearest the mean; the rows farthest from the mean can be left out; the capacity that small "
    + "classes leave over goes to the others."

  public var limits = MemoryCapacity()
  public var space = CoreSetSpace()
  @Parameter("Share of a class's rows that are never chosen: those farthest from its mean.", .within(0..<1))
  public var outliers: Double = 0
  public var replay = ReplayOptions()
  private var sets = CoreSets()

  public init() {}

  public var count: Int { sets.rows.count }
  public var bytes: Int { sets.rows.bytes }

  public mutating func consolidate(_ ended: EndedExperience, using rng: inout Random) {
    let outliers = outliers
    sets.add(
      ended, limits, space, available: { $0 - KCentre.dropped(outliers, of: $0) },
      choose: { points, m in
        ended.charge(Work(multiplyAdds: points.columns * points.rows * (1 + m)))  // To the mean, then to every centre.
        return KCentre.choose(m, of: points, outliers: outliers)
      })
  }

  /// Rows are chosen at the end of a task.
  public mutating func insert(_ batch: Batch, _ context: StepContext, using rng: inout Random) {}

  public mutating func draw(_ n: Int, into batch: inout Batch, using rng: inout Random) {
    sets.draw(n, into: &batch, using: &rng)
  }

  /// The first m centres, m ≤ rows less outliers.
  package static func choose(_ m: Int, of points: Matrix, outliers: Double = 0) -> [Int] {
    let mean = FloatBuffer(points.meanRow().map { Float($0) })
    let fromMean = (0..<points.rows).map { points.squaredDistance(row: $0, to: mean) }
    var left = RemainingRows(points.rows)
    for _ in 0..<dropped(outliers, of: points.rows) { left.leaveOutLargest { fromMean[$0] } }

    var nearest = fromMean.map { _ in Double.infinity }
    for k in 0..<m {
      let centre = left.takeLargest { k == 0 ? -fromMean[$0] : nearest[$0] }
      let point = FloatBuffer(points.row(centre))
      for row in nearest.indices { nearest[row] = min(nearest[row], points.squaredDistance(row: row, to: point)) }
    }
    return left.taken
  }

  /// Rows left out of n: the share, rounded down, so at least one row remains.
  private static func dropped(_ outliers: Double, of n: Int) -> Int { Int(outliers * Double(n)) }
}
