import Foundation
import PalimpsestCore
import PalimpsestScenarios
import Testing

/// Shares by the formulas of the documentation, written out anew.
@Suite struct ScheduleShapeTests {
  private func expect(_ schedule: any ConceptSchedule, rows: Int, _ expected: (Int) -> [Double]) {
    for row in 0..<rows {
      let shares = schedule.shares(at: row)
      #expect(abs(shares.reduce(0, +) - 1) < 1e-12 && shares.allSatisfy { (0...1).contains($0) }, "row \(row)")
      let right = expected(row)
      #expect(zip(shares, right).allSatisfy { abs($0 - $1) < 1e-12 } && shares.count == right.count, "row \(row)")
    }
  }

  private func one(_ concept: Int, of count: Int) -> [Double] { (0..<count).map { $0 == concept ? 1 : 0 } }

  /// A round of 10 rows with four visits: they begin at 0, 2, 5 and 7.
  @Test func `concepts come round in their order`() {
    let round = [0, 0, 2, 2, 2, 0, 0, 1, 1, 1]
    expect(Visits.recurring([0, 2, 0, 1], period: 10, rows: 34, of: 3), rows: 34) { one(round[$0 % 10], of: 3) }
  }

  @Test func `recurring concepts may give way to each other by chance`() {
    let schedule = Visits.recurring([0, 1], period: 40, rows: 200, of: 2, .sigmoid, width: 8)
    expect(schedule, rows: 200) { row in
      // Joiners are nested; visit v is of concept v mod 2.
      var (shares, rest) = ([0.0, 0.0], 1.0)
      for visit in stride(from: 9, through: 1, by: -1) {
        let chance = 1 / (1 + exp(-4 * Double(row + 1 - 20 * visit) / 8))
        shares[visit % 2] += rest * chance
        rest *= 1 - chance
      }
      shares[0] += rest
      return shares
    }
    #expect(abs(schedule.shares(at: 19)[1] - 0.5) < 1e-3)
  }

  @Test(arguments: [1, 2, 3, 5]) func `seasons swing about equal shares`(concepts: Int) {
    expect(Seasons(concepts, period: 50, amplitude: 0.8), rows: 130) { row in
      if concepts == 1 { return [1] }
      return (0..<concepts).map {
        (1 + 0.8 * cos(2 * .pi * (Double(row) / 50 - Double($0) / Double(concepts)))) / Double(concepts)
      }
    }
  }

  @Test func `two concepts change places altogether in half a year`() {
    let year = Seasons(2, period: 40, amplitude: 1)
    #expect(year.shares(at: 0) == [1, 0])
    #expect(abs(year.shares(at: 20)[1] - 1) < 1e-12 && abs(year.shares(at: 10)[0] - 0.5) < 1e-12)
  }

  @Test func `presences are normal in time`() {
    let middles = [30.0, 10, 70]
    expect(Presences(middles: middles, width: 9), rows: 200) { row in
      let weights = middles.map { exp(-pow(Double(row) - $0, 2) / 162 + pow(Double(row) - 70, 2) / 162) }
      return weights.map { $0 / weights.reduce(0, +) }
    }
    expect(Presences(middles: middles, width: 9, period: 80), rows: 400) { row in
      let weights = middles.map { middle in
        let d = (-6...6).map { abs(Double(row) - middle - 80 * Double($0)) }.min() ?? .nan
        return exp(-d * d / 162)
      }
      return weights.map { $0 / weights.reduce(0, +) }
    }
  }

  /// Three concepts, 30 rows: the parts of the first two begin at 0 and 15.
  @Test func `blips are the last concept's, and then what was before comes back`() {
    let schedule = Visits.blips(at: [3, 20], length: 4, rows: 30, of: 3)
    expect(schedule, rows: 30) { one((3..<7).contains($0) || (20..<24).contains($0) ? 2 : $0 < 15 ? 0 : 1, of: 3) }
    #expect(
      schedule.events(in: 30) == [
        DriftEvent(.blip, 3...6, before: 0, behind: 2), DriftEvent(.change, 15...15, before: 0, behind: 1),
        DriftEvent(.blip, 20...23, before: 1, behind: 2),
      ])
    let late = Visits.blips(at: [26], length: 4, rows: 30, of: 2)
    #expect(late.events(in: 30) == [DriftEvent(.blip, 26...29, before: 0, behind: 1)])
  }

  /// Parts of 10 rows; parameters move in rows 2 to 5 of a part: a quarter of the way with each.
  @Test func `parameters move in a straight line`() {
    let schedule = Incremental(3, part: 10, moving: 2..<6)
    let way = [0, 0, 0.25, 0.5, 0.75, 1, 1, 1, 1, 1]
    expect(schedule, rows: 30) { row in
      if row < 10 { return [1, 0, 0] }
      let (own, rest) = (way[row % 10], 1 - way[row % 10])
      return row < 20 ? [rest, own, 0] : [0, rest, own]
    }
    #expect(
      schedule.moment(at: 13, drawing: 0.9)
        == ConceptMoment(concept: 1, row: 13, blend: ConceptBlend(concept: 0, share: 0.5)))
    #expect(schedule.moment(at: 15, drawing: 0.9) == ConceptMoment(concept: 1, row: 15))
    #expect(schedule.moment(at: 4, drawing: 0.9) == ConceptMoment(concept: 0, row: 4))
    #expect(
      schedule.events(in: 30) == [
        DriftEvent(.change, 12...15, before: 0, behind: 1), DriftEvent(.change, 22...25, before: 1, behind: 2),
      ])
  }

  /// 200,000 rows with a stay of .98: about 4,000 visits, whose mean of 50 varies by .8; each of the three concepts has a third of
  /// the rows, which varies by .0064.
  @Test func `a Markov path stays as long as is said, and goes everywhere`() {
    let rows = 200_000
    let path = Visits.markov(stay: 0.98, rows: rows, of: 3, seed: Seed(5))
    let changes = path.events(in: rows)
    #expect(abs(Double(rows) / Double(changes.count + 1) - 50) < 4.5 * 0.8)
    #expect(changes.allSatisfy { $0.before != $0.behind && $0.rows.count == 1 && $0.kind == .change })
    let onward = changes.count { ($0.before ?? 0) + 1 == $0.behind || ($0.before == 2 && $0.behind == 0) }
    #expect(abs(Double(onward) / Double(changes.count) - 0.5) < 4.5 * 0.008)
    for concept in 0..<3 {
      let share = Double((0..<rows).count { path.concept(at: $0, drawing: 0.5) == concept }) / Double(rows)
      #expect(abs(share - 1.0 / 3) < 4.5 * 0.0064, "concept \(concept)")
    }
    #expect(path.concept(at: 0, drawing: 0.5) == 0)
    expect(path, rows: 300) { one(path.concept(at: $0, drawing: 0), of: 3) }
    let other = Visits.markov(stay: 0.98, rows: rows, of: 3, seed: Seed(6))
    #expect(other.order != path.order)
    #expect(Visits.markov(stay: 1, rows: 100, of: 3, seed: Seed(1)).events(in: 100).isEmpty)
    #expect(Visits.markov(stay: 0, rows: 100, of: 2, seed: Seed(1)).events(in: 100).count == 99)
    #expect(Visits.markov(stay: 0, rows: 100, of: 1, seed: Seed(1)).events(in: 100).isEmpty)
  }
}
