import PalimpsestCore
import PalimpsestStrategies
import Testing

private func distance(_ a: [Float], _ b: [Float]) -> Double {
  zip(a, b).reduce(0) { $0 + (Double($1.0) - Double($1.1)) * (Double($1.0) - Double($1.1)) }.squareRoot()
}

/// Greedy farthest point, all distances anew for every centre.
private func directCentres(_ m: Int, of points: Matrix) -> [Int] {
  let rows = (0..<points.rows).map { points.row($0) }
  let mean = (0..<points.columns).map { c in
    Float(rows.reduce(0) { $0 + Double($1[c]) } / Double(rows.count))
  }
  var chosen: [Int] = []
  while chosen.count < m {
    let left = rows.indices.filter { !chosen.contains($0) }
    let score = { (x: Int) -> Double in
      chosen.isEmpty ? -distance(rows[x], mean) : chosen.map { distance(rows[x], rows[$0]) }.min() ?? 0
    }
    chosen.append(left.max { (score($0), -$0) < (score($1), -$1) } ?? 0)
  }
  return chosen
}

/// The largest distance of a row to its nearest centre.
private func radius(_ centres: [Int], _ points: Matrix) -> Double {
  (0..<points.rows).map { x in centres.map { distance(points.row(x), points.row($0)) }.min() ?? .infinity }.max() ?? 0
}

/// All subsets of m of 0..<n.
private func subsets(_ n: Int, _ m: Int) -> [[Int]] {
  if m == 0 { return [[]] }
  return (0..<n).flatMap { last in subsets(last, m - 1).map { $0 + [last] } }
}

@Suite struct KCentreTests {
  @Test func `the order is greedy farthest point, evaluated directly`() {
    var rng = Random(key: 1)
    for _ in 0..<300 {
      let n = 1 + rng.index(below: 12)
      let points = Fixture.points(n, 1 + rng.index(below: 6), using: &rng)
      #expect(KCentre.choose(n, of: points) == directCentres(n, of: points))
    }
  }

  @Test func `the radius is at most twice the smallest possible`() {
    var rng = Random(key: 2)
    for _ in 0..<40 {
      let n = 6 + rng.index(below: 5)
      let points = Fixture.points(n, 2, using: &rng)
      for m in 1...4 {
        let smallest = subsets(n, m).map { radius($0, points) }.min() ?? 0
        #expect(radius(KCentre.choose(m, of: points), points) <= 2 * smallest + 1e-6)
      }
    }
  }

  @Test func `four rows by hand`() {
    // The mean is 3.25: row 2 comes first. Distances to it are 2, 1, 0, 8: row 3; then row 0 at 2, then row 1.
    let points = Matrix([[0], [1], [2], [10]])
    #expect(KCentre.choose(4, of: points) == [2, 3, 0, 1])
    // A quarter of four rows: row 3 is farthest from the mean and is never chosen.
    #expect(KCentre.choose(3, of: points, outliers: 0.25) == [2, 0, 1])
  }

  @Test func `duplicates, zeros and numbers that are none are chosen once each`() {
    #expect(KCentre.choose(4, of: Matrix(rows: 4, columns: 3)) == [0, 1, 2, 3])
    #expect(KCentre.choose(4, of: Matrix([[1, 0], [1, 0], [0, 1], [0, 1]])) == [0, 2, 1, 3])
    #expect(KCentre.choose(4, of: Matrix([[0, 0], [1, 1], [.nan, 1], [.infinity, 0]])).sorted() == [0, 1, 2, 3])
  }

  @Test func `outliers leave at least one row`() throws {
    var memory = try KCentre(settings: ["outliers": .number("0.99"), "space": .string("input")])
    var rng = Random(key: 3)
    memory.consolidate(Fixture.ended(Fixture.numbered([0, 1, 1, 1]), task: 0), using: &rng)
    // Class 1 is 1, 2, 3 with mean 2; ⌊0.99 · 3⌋ = 2 rows go.
    #expect(Fixture.numbers(memory) == [0, 2])
  }
}
