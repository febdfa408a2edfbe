import PalimpsestCore
import PalimpsestScenarios
import PalimpsestTesting
import Testing

@Suite struct AgrawalTests {
  private func agrawal(_ change: (inout Agrawal) -> Void) -> Agrawal {
    var agrawal = Agrawal()
    (agrawal.concepts, agrawal.scale) = (Array(1...10), .none)
    (agrawal.rows.rowsPerTask, agrawal.rows.testRows) = (200, 400)
    change(&agrawal)
    return agrawal
  }

  /// Independent draws of 8 million rows, which vary by at most .0002.
  @Test(
    arguments: zip(
      [Agrawal.Variant.moa, .river],
      [
        [0.6722, 0.3847, 0.5344, 0.3847, 0.4, 0.4001, 0.4868, 0.98, 0.4869, 0.9977],
        [0.6723, 0.3848, 0.5344, 0.3848, 0.1988, 0.3809, 0.5006, 0.9828, 0.5006, 0.9979],
      ]))
  func `group A is as frequent as its function says`(variant: Agrawal.Variant, expected: [Double]) throws {
    let rules = try #require(Classic.rules(agrawal { $0.variant = variant }))
    #expect(close(rules.positive, expected, 0.001), "\(rules.positive)")
  }

  @Test func `some pairs of functions drift much and some hardly`() throws {
    let truth = try #require(try Classic.truth(agrawal { _ in }))
    let neighbours = (0..<4).map { truth.totalVariation[$0][$0 + 1] }
    #expect(close(neighbours, [0.5398, 0.5081, 0.5081, 0.4774], 0.001), "\(neighbours)")
    #expect(close([truth.totalVariation[6][8], truth.totalVariation[7][9]], [0.0599, 0.0177], 0.001))
    let five = try #require(Agrawal().severity)
    #expect(abs(five.trackerForgetting - 0.499) < 0.001)
    #expect(five.bayesAccuracy == [1, 1, 1, 1, 1])
    let river = try #require(try Classic.truth(agrawal { ($0.variant, $0.concepts) = (.river, [4, 5, 7, 9, 8, 10]) }))
    #expect(close([river.totalVariation[0][1], river.totalVariation[2][3]], [0.3931, 0.0599], 0.001))
    #expect(abs(river.totalVariation[4][5] - 0.0152) < 0.001)
  }

  /// In thousands, with the rows' numbers as they are drawn.
  private func isGroupA(_ function: Int, _ x: [Double], rivers: Bool) -> Bool {
    let (salary, commission, age, education) = (x[0] / 1000, x[1] / 1000, x[2], Int(x[3]))
    let (house, years, loan) = (x[6] / 1000, x[7], x[8] / 1000)
    let third = age < 40 ? 0 : age < 60 ? 1 : 2
    func within(_ value: Double, _ bounds: [(Double, Double)]) -> Bool {
      bounds[third].0 <= value && value <= bounds[third].1
    }
    let incomes: [(Double, Double)] = [(50, 100), (75, 125), (25, 75)]
    let levels = [0...1, 1...3, 2...4]
    let left = 2 * (salary + commission) / 3
    switch function {
    case 1: return third != 1
    case 2: return within(salary, incomes)
    case 3: return levels[third].contains(education)
    case 4:
      let inside = levels[third].contains(education)
      return within(salary, inside ? [(25, 75), (50, 100), (50, 100)] : [(50, 100), (75, 125), (25, 75)])
    case 5:
      if within(salary, incomes) {
        if rivers && third == 1 { return false }
        return within(loan, [(100, 300), (200, 400), (300, 500)])
      }
      if rivers { return third == 2 && loan >= 75 && loan <= 300 }
      return within(loan, [(200, 400), (300, 500), (100, 300)])
    case 6: return within(salary + commission, incomes)
    case 7: return left - loan / 5 - 20 > (rivers ? 0.001 : 0)
    case 8: return left - 5 * Double(education) - 20 > (rivers ? 0.001 : 0)
    case 9: return left - 5 * Double(education) - loan / 5 - 10 > (rivers ? 0.001 : 0)
    default:
      let equity = max(0, years - 20) / 10 * house
      return left - 5 * Double(education) + equity / 5 - 10 > (rivers ? 0.001 : 0)
    }
  }

  @Test(arguments: [Agrawal.Variant.moa, .river]) func `p* is the function's`(variant: Agrawal.Variant) throws {
    let stream = try Classic.stream(agrawal { ($0.variant, $0.noise) = (variant, 0.125) })
    for task in 0..<10 {
      for rows in [stream.trainingRows(for: task), stream.evaluationSet(for: task).rows] {
        let expected = rows.inputRows.map { row -> Float in
          isGroupA(task + 1, row, rivers: variant == .river) ? 0.875 : 0.125
        }
        #expect(rows.truth == expected, "function \(task + 1)")
      }
    }
  }

  @Test func `columns keep their ranges`() throws {
    for (variant, commission, house) in [(Agrawal.Variant.moa, 75_000.0, 1_350_000.0), (.river, 85_000, 1_200_000)] {
      let rows = try Classic.stream(agrawal { ($0.variant, $0.concepts, $0.rows.testRows) = (variant, [1], 20_000) })
        .evaluationSet(for: 0).rows.inputRows
      func column(_ c: Int) -> [Double] { rows.map { $0[c] } }
      let most = [150_000, commission, 80, 4, 20, 8, house, 30, 500_000]
      let least: [Double] = [20_000, 0, 20, 0, 1, 0, variant == .moa ? 50_000 : 0, 1, 0]
      for c in 0..<9 {
        let (low, high) = (column(c).min() ?? 0, column(c).max() ?? 0)
        let slack = 0.01 * (most[c] - least[c])
        #expect(low >= least[c] && low <= least[c] + slack && high <= most[c] && high >= most[c] - slack, "column \(c)")
      }
      #expect(rows.allSatisfy { ($0[0] >= 75_000) == ($0[1] == 0) && ($0[1] == 0 || $0[1] >= 10_000) })
      #expect(Set(column(2)).count == 61 && Set(column(4)).count == 20 && Set(column(7)).count == 30)
      #expect(variant == .moa || rows.allSatisfy { ($0[5] == 8) == ($0[6] == 0) })
    }
  }

  @Test func `shown over their ranges, columns lie between 0 and 1`() throws {
    for variant in [Agrawal.Variant.moa, .river] {
      let stream = try Classic.stream(agrawal { ($0.variant, $0.scale) = (variant, .unit) })
      #expect(stream.evaluationSet(for: 3).rows.inputRows.joined().allSatisfy { (0...1).contains($0) })
      let plain = try Classic.stream(agrawal { $0.variant = variant })
      #expect(stream.evaluationSet(for: 3).rows.labels == plain.evaluationSet(for: 3).rows.labels)
    }
  }

  /// Numbers move by at most a tenth of their range, labels not at all, and nothing is known of what is left.
  @Test func `a perturbation moves numbers after the label is set`() throws {
    let plain = try Classic.stream(agrawal { _ in })
    let moved = try Classic.stream(agrawal { $0.perturbation = 0.1 })
    let widths: [Double] = [13_000, 6500, 6.5, 0, 0, 0, 0, 3.4, 50_000]
    for task in 0..<10 {
      let (before, after) = (plain.trainingRows(for: task), moved.trainingRows(for: task))
      #expect(before.labels == after.labels && after.truth == nil)
      for (x, z) in zip(before.inputRows, after.inputRows) {
        for c in [0, 1, 2, 3, 4, 5, 7, 8] { #expect(abs(x[c] - z[c]) <= widths[c] + 0.05) }
        let zone = (9 - x[5]) * 100_000
        #expect(abs(x[6] - z[6]) <= 0.1 * zone + 1 && z[6] >= 0.5 * zone - 1 && z[6] <= 1.5 * zone + 1)
        #expect((x[1] == 0) == (z[1] == 0) && z[2] == z[2].rounded() && z[7] == z[7].rounded())
        #expect((20_000...150_000).contains(z[0]) && (20...80).contains(z[2]) && (1...30).contains(z[7]))
      }
      #expect(before.inputRows != after.inputRows)
    }
    #expect(moved.truth == nil)
  }

  @Test func `the laws of scenarios hold`() throws {
    for perturbation in [0, 0.05] {
      let scenario = agrawal {
        ($0.concepts, $0.perturbation, $0.scale, $0.noise) = ([3, 1], perturbation, .unit, 0.1)
        ($0.rows.rowsPerTask, $0.rows.testRows) = (1000, 2000)
      }
      #expect(try ScenarioLaws.violations(of: scenario) == [])
    }
  }

  @Test func `functions that do not exist are named`() {
    #expect(
      Classic.error(agrawal { $0.concepts = [0] })
        == ScenarioError(parameter: "concepts", "0 is no function of agrawal. There are 1 to 10."))
    #expect(throws: ParameterError.self) { try Agrawal(settings: ["concepts": .list([.number("0")])]) }
    #expect(throws: ParameterError.self) { try Agrawal(settings: ["perturbation": .number("1.5")]) }
  }
}
