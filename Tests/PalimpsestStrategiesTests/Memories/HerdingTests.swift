import PalimpsestCore
import PalimpsestStrategies
import Testing

/// iCaRL's algorithm 4 by direct evaluation of its formula.
private struct DirectHerding {
  let rows: [[Double]]
  let mean: [Double]

  init(_ points: Matrix, normalising: Bool = true) {
    let rows = (0..<points.rows).map { r -> [Double] in
      let row = points.row(r).map(Double.init)
      let length = row.reduce(0) { $0 + $1 * $1 }.squareRoot()
      return normalising && length > 0 ? row.map { $0 / length } : row
    }
    self.rows = rows
    mean = (0..<points.columns).map { c in rows.reduce(0) { $0 + $1[c] } / Double(rows.count) }
  }

  /// ‖μ − (φ(x) + Σ φ(p_j)) / k‖²
  func cost(of x: Int, after chosen: ArraySlice<Int>) -> Double {
    let k = Double(chosen.count + 1)
    return mean.indices.reduce(0) { sum, c in
      let difference = mean[c] - (rows[x][c] + chosen.reduce(0) { $0 + rows[$1][c] }) / k
      return sum + difference * difference
    }
  }

  /// Each row is, when it is chosen, the best one left: up to rounding, as rows can be equally good.
  func accepts(_ order: [Int]) -> Bool {
    Set(order).count == order.count
      && order.indices.allSatisfy { k in
        let left = rows.indices.filter { !order[..<k].contains($0) }
        let least = left.map { cost(of: $0, after: order[..<k]) }.min() ?? 0
        return cost(of: order[k], after: order[..<k]) <= least + 1e-6
      }
  }
}

@Suite struct HerdingTests {
  @Test func `the order is that of the formula, evaluated directly`() {
    var rng = Random(key: 1)
    var differs = 0
    for _ in 0..<300 {
      let n = 1 + rng.index(below: 12)
      let points = Fixture.points(n, 1 + rng.index(below: 6), using: &rng)
      let order = Herding.choose(n, of: points)
      #expect(DirectHerding(points).accepts(order))
      if !DirectHerding(points, normalising: false).accepts(order) { differs += 1 }
    }
    #expect(differs > 100, "these points show whether rows are normalised")
  }

  @Test func `three rows by hand`() {
    // Directions 0°, 90° and 45°; the mean points to 45°, so row 2 comes first. Rows 0 and 1 are then equally good: the
    // first wins.
    #expect(Herding.choose(3, of: Matrix([[3, 0], [0, 5], [0.1, 0.1]])) == [2, 0, 1])
  }

  @Test func `a smaller choice is the beginning of a larger one`() {
    var rng = Random(key: 2)
    let points = Fixture.points(40, 3, using: &rng)
    let whole = Herding.choose(40, of: points)
    #expect(whole.sorted() == Array(0..<40))
    for m in [0, 1, 7, 39] { #expect(Herding.choose(m, of: points) == Array(whole[..<m])) }
  }

  @Test func `duplicates, zeros and numbers that are none are chosen once each`() {
    let zeros = Matrix(rows: 4, columns: 3)
    #expect(Herding.choose(4, of: zeros) == [0, 1, 2, 3])
    let mixed = Matrix([[0, 0], [1, 1], [1, 1], [.nan, 1], [.infinity, 0]])
    #expect(Herding.choose(5, of: mixed).sorted() == [0, 1, 2, 3, 4])
    let duplicates = Matrix([[1, 0], [1, 0], [0, 1], [0, 1]])
    // μ = (½, ½): rows 0 and 2 in turn bring the mean onto it; then the other pair.
    #expect(Herding.choose(4, of: duplicates) == [0, 2, 1, 3])
  }

  @Test(arguments: ["input", "features"])
  func `the rows held are those of each class's own order`(space: String) throws {
    var rng = Random(key: 3)
    let model = Fixture.network(inputs: 4)
    var network = Network(model)
    let points = Fixture.points(24, 4, using: &rng)
    let labels: [Int32] = (0..<24).map { _ in Int32(rng.index(below: 2)) }
    var memory = try Herding(settings: ["capacity": .number("5"), "per": .string("class"), "space": .string(space)])
    memory.consolidate(Fixture.ended(Rows(points, labels: labels, experience: 0), task: 0, model: model), using: &rng)

    let compared = space == "input" ? points : network.features(points, model.plainProgram)
    let held = Fixture.content(memory, columns: 4)
    let rows = Set((0..<held.count).map { held.inputs.row($0) })
    for label: Int32 in [0, 1] {
      let members = labels.indices.filter { labels[$0] == label }
      let order = Herding.choose(5, of: Matrix(members.map { compared.row($0) }))
      #expect(DirectHerding(Matrix(members.map { compared.row($0) })).accepts(order))
      #expect(order.allSatisfy { rows.contains(points.row(members[$0])) }, "class \(label)")
    }
    #expect(rows.count == 10)
  }
}
