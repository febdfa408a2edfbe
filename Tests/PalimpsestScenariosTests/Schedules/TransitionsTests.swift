import Foundation
import PalimpsestScenarios
import Testing

@Suite struct TransitionsTests {
  @Test(arguments: [Transition.abrupt, .sigmoid, .linear]) func `shares are probabilities that sum to 1`(
    transition: Transition
  ) {
    let schedule = Transitions(starts: [0, 100, 130, 400], transition, width: 60)
    for row in 0..<500 {
      let shares = schedule.shares(at: row)
      #expect(shares.count == 4 && shares.allSatisfy { (0...1).contains($0) })
      #expect(abs(shares.reduce(0, +) - 1) < 1e-12, "row \(row)")
    }
  }

  @Test func `an abrupt change leaves nothing of the old concept`() {
    let schedule = Transitions(starts: [0, 3, 5])
    #expect((0..<7).map { schedule.concept(at: $0, drawing: 0.7) } == [0, 0, 0, 1, 1, 2, 2])
    #expect(schedule.shares(at: 2) == [1, 0, 0] && schedule.shares(at: 3) == [0, 1, 0])
  }

  /// MOA's joiner: t counts from 1, so row 9 has t = at = 10. σ(4/20) = 1/(1 + e^-0.2) = .549834, σ(-4·9/20) = .141851.
  @Test func `a sigmoid is one half at its place`() {
    let schedule = Transitions(starts: [0, 10], .sigmoid, width: 20)
    #expect(schedule.shares(at: 9) == [0.5, 0.5])
    #expect(abs(schedule.shares(at: 10)[1] - 0.549834) < 1e-6)
    #expect(abs(schedule.shares(at: 0)[1] - 0.141851) < 1e-6)
  }

  /// (t − (at − w/2)) / w with t from 1, at 10, w 8: rows 5, 9, 11 and 13 have t = 6, 10, 12 and 14.
  @Test func `a ramp is linear`() {
    let schedule = Transitions(starts: [0, 10], .linear, width: 8)
    #expect([5, 9, 11, 13, 14].map { schedule.shares(at: $0)[1] } == [0, 0.5, 0.75, 1, 1])
  }

  /// The share of the middle concept is P₁ (1 − P₂), of the first (1 − P₁)(1 − P₂).
  @Test func `joiners are nested`() {
    let schedule = Transitions(starts: [0, 20, 30], .sigmoid, width: 30)
    func chance(_ row: Int, _ at: Int) -> Double { 1 / (1 + exp(-4 * Double(row + 1 - at) / 30)) }
    for row in [0, 15, 24, 31, 50] {
      let (p, q) = (chance(row, 20), chance(row, 30))
      let expected = [(1 - p) * (1 - q), p * (1 - q), q]
      #expect(zip(schedule.shares(at: row), expected).allSatisfy { abs($0 - $1) < 1e-12 })
    }
  }

  /// 20,000 numbers: a share's deviation is at most .0036.
  @Test func `concepts come as often as their shares say`() {
    let schedule = Transitions(starts: [0, 20, 30], .sigmoid, width: 30)
    for row in [3, 24, 40] {
      let drawn = (0..<20_000).map { schedule.concept(at: row, drawing: (Double($0) + 0.5) / 20_000) }
      for (concept, share) in schedule.shares(at: row).enumerated() {
        #expect(abs(Double(drawn.count { $0 == concept }) / 20_000 - share) < 2e-4)
      }
    }
  }

  /// The default of the protocol reads shares alone.
  @Test func `any schedule draws its concepts in the same way`() {
    struct Fixed: ConceptSchedule {
      let concepts = 3
      func shares(at row: Int) -> [Double] { [0.25, 0.5, 0.25] }
    }
    #expect([0, 0.2, 0.3, 0.7, 0.8, 0.999].map { Fixed().concept(at: 0, drawing: $0) } == [2, 2, 1, 1, 0, 0])
    let joined = Transitions(starts: [0, 20, 30], .sigmoid, width: 30)
    struct Through: ConceptSchedule {
      let joined: Transitions
      var concepts: Int { joined.concepts }
      func shares(at row: Int) -> [Double] { joined.shares(at: row) }
    }
    for row in 0..<60 {
      for u in [0.01, 0.3, 0.62, 0.97] {
        #expect(joined.concept(at: row, drawing: u) == Through(joined: joined).concept(at: row, drawing: u))
      }
    }
  }
}
