import Foundation
import PalimpsestCore
import PalimpsestScenarios
import PalimpsestTesting
import Testing

/// The classics of several classes: laws written anew here.
@Suite struct DigitAndWaveTests {
  /// Top, upper left, upper right, middle, lower left, lower right, bottom.
  private static let segments: [[Int]] = [
    [1, 1, 1, 0, 1, 1, 1], [0, 0, 1, 0, 0, 1, 0], [1, 0, 1, 1, 1, 0, 1], [1, 0, 1, 1, 0, 1, 1], [0, 1, 1, 1, 0, 1, 0],
    [1, 1, 0, 1, 0, 1, 1], [1, 1, 0, 1, 1, 1, 1], [1, 0, 1, 0, 0, 1, 0], [1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 0, 1, 1],
  ]

  private func led(_ concepts: [Int], noise: Double = 0.1, rows: Int = 300) throws -> any DriftStream {
    var led = LEDDigits()
    (led.concepts, led.noise, led.rows.rowsPerTask, led.rows.testRows) = (concepts, noise, rows, rows)
    return try Classic.stream(led)
  }

  /// Where a segment stands under a concept of seed 3, and the exchange found from the rows of concept 7 themselves.
  private func column(of segment: Int, exchanged: Int) throws -> Int {
    let (first, idle) = try exchange(seed: 3)
    let pair = (segment - first + 7) % 7
    return pair < exchanged ? 7 + (pair + idle) % 17 : segment
  }

  /// r₁ and r₂ of a seed, read off rows without noise: under concept 1 one segment alone is elsewhere, in the column that tells it.
  private func exchange(seed: UInt64) throws -> (first: Int, idle: Int) {
    var led = LEDDigits()
    (led.concepts, led.noise, led.rows.rowsPerTask, led.rows.testRows) = ([1], 0, 400, 1)
    let rows = try Classic.stream(led, seed: seed).trainingRows(for: 0)
    func shows(_ column: Int, _ segment: Int) -> Bool {
      zip(rows.inputRows, rows.labels).allSatisfy { row, label in
        row[column] == Double(DigitAndWaveTests.segments[Int(label)][segment])
      }
    }
    let first = try #require((0..<7).first { !shows($0, $0) })
    let idle = try #require((0..<17).first { shows(7 + $0, first) })
    return (first, idle)
  }

  /// Of 40 seeds: a place that is never drawn has the chance (6/7)⁴⁰ = .002, or (16/17)⁴⁰ = .09.
  @Test func `each seed draws where the exchange begins`() throws {
    let found = try (0..<40).map { try exchange(seed: $0) }
    #expect(Set(found.map(\.first)) == Set(0..<7) && Set(found.map(\.idle)).count >= 11)
    let truths = try (0..<4).map { seed -> ScenarioTruth in
      var led = LEDDigits()
      (led.concepts, led.rows.rowsPerTask, led.rows.testRows) = ([0, 1, 7], 10, 10)
      return try #require(try Classic.stream(led, seed: UInt64(seed)).truth)
    }
    // What a segment tells differs; the best rule and all segments together do not.
    for (i, j) in [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)] where found[i].first == found[j].first {
      #expect(truths[i].totalVariation == truths[j].totalVariation)
    }
    #expect(Set(truths.map { $0.totalVariation[0][1] }).count > 1)
    #expect(truths.allSatisfy { abs($0.bayesAccuracy[1] - truths[0].bayesAccuracy[0]) < 1e-12 })
    #expect(truths.allSatisfy { abs($0.totalVariation[0][2] - truths[0].totalVariation[0][2]) < 1e-12 })
  }

  private func waves(_ concepts: [Int], rows: Int = 300) throws -> any DriftStream {
    var waves = Waveforms()
    (waves.concepts, waves.rows.rowsPerTask, waves.rows.testRows) = (concepts, rows, rows)
    return try Classic.stream(waves)
  }

  /// Σ over 128 patterns of the largest of ten probabilities / 10.
  @Test(arguments: zip([0.1, 0.09, 0.05], [0.74002, 0.76483, 0.86703])) func `LED's Bayes accuracy is a sum`(
    noise: Double, expected: Double
  ) throws {
    let truth = try #require(try led([0, 7], noise: noise).truth)
    #expect(abs(truth.bayesAccuracy[0] - expected) < 5e-6 && abs(truth.bayesAccuracy[1] - expected) < 5e-6)
  }

  @Test func `LED's p* multiplies segments that agree and differ`() throws {
    let stream = try led([2, 7], noise: 0.1)
    for (task, exchanged) in [2, 7].enumerated() {
      let columns = try (0..<7).map { try column(of: $0, exchanged: exchanged) }
      for rows in [stream.trainingRows(for: task), stream.evaluationSet(for: task).rows] {
        let p = try #require(rows.probabilities)
        for (place, row) in rows.inputRows.enumerated() {
          let weights = DigitAndWaveTests.segments.map { digit in
            (0..<7).reduce(1.0) { product, s in
              product * (row[columns[s]] == Double(digit[s]) ? 0.9 : 0.1)
            }
          }
          let sum = weights.reduce(0, +)
          #expect(close(p.row(place).map(Double.init), weights.map { $0 / sum }, 1e-6))
        }
      }
    }
  }

  /// 60,000 rows: a bit's share of errors varies by .0012, an irrelevant bit's share of ones by .002.
  @Test func `each segment errs as often as is said, and other bits are fair coins`() throws {
    let rows = try led([3], rows: 60_000).evaluationSet(for: 0).rows
    let columns = try (0..<7).map { try column(of: $0, exchanged: 3) }
    var (wrong, ones) = ([Double](repeating: 0, count: 7), [Double](repeating: 0, count: 24))
    for (row, label) in zip(rows.inputRows, rows.labels) {
      for s in 0..<7 where row[columns[s]] != Double(DigitAndWaveTests.segments[Int(label)][s]) { wrong[s] += 1 }
      for column in 0..<24 { ones[column] += row[column] }
    }
    #expect(wrong.allSatisfy { abs($0 / 60_000 - 0.1) < 4.5 * 0.00123 })
    let idle = Set(0..<24).subtracting(columns)
    #expect(idle.allSatisfy { abs(ones[$0] / 60_000 - 0.5) < 4.5 * 0.00205 })
    for digit in 0..<10 {
      #expect(abs(Double(rows.labels.count { $0 == Int32(digit) }) / 60_000 - 0.1) < 4.5 * 0.00123)
    }
  }

  /// Nothing is known but by chance where all seven segments are coins and all that is seen of the other is as well.
  @Test func `LED's concepts lie apart by the segments that moved`() throws {
    let truth = try #require(try led([0, 0, 1, 7]).truth)
    #expect(truth.totalVariation[0][1] == 0 && abs(truth.crossAccuracy[0][1] - truth.bayesAccuracy[0]) < 1e-12)
    #expect(truth.totalVariation[0][2] < truth.totalVariation[0][3])
    #expect(abs(truth.crossAccuracy[0][3] - 0.1) < 1e-12)
    #expect(truth.crossAccuracy[2][3] > truth.crossAccuracy[0][3])
    #expect(truth.jointCeiling < 0.740 && truth.jointCeiling > 0.5)
    let one = try #require(try led([4, 4]).truth)
    #expect(abs(one.jointCeiling - one.bayesAccuracy[0]) < 1e-12)
  }

  /// A seventh of the truth by brute force: every rule on 2²⁴ rows would be exact; 2¹⁴ columns that matter are.
  @Test func `LED's joint ceiling is the best label of every row`() throws {
    let truth = try #require(try led([0, 2]).truth)
    let first = try exchange(seed: 3).first
    var sum = 0.0
    for bits in 0..<(1 << 9) {
      func chance(_ digit: [Int], _ exchanged: Int) -> Double {
        (0..<7).reduce(0.1) { product, s in
          let pair = (s - first + 7) % 7
          let shown = bits >> (pair < exchanged ? 7 + pair : s) & 1
          return product * (shown == digit[s] ? 0.9 : 0.1)
        } / 4
      }
      sum += DigitAndWaveTests.segments.map { (chance($0, 0) + chance($0, 2)) / 2 }.max() ?? 0
    }
    #expect(abs(truth.jointCeiling - sum) < 1e-12)
  }

  @Test func `areas of the normal law keep their digits in the tails`() {
    for (low, high) in [(-1.0, 2.0), (0, 0.1), (3, 3.5), (-9, -8), (6.9, 7.2), (12, 13), (-40, 40)] {
      let expected =
        low >= 0
        ? (erfc(low / 2.0.squareRoot()) - erfc(high / 2.0.squareRoot())) / 2
        : (erfc(-high / 2.0.squareRoot()) - erfc(-low / 2.0.squareRoot())) / 2
      let found = NormalArea.between(low, high)
      #expect(abs(found / expected - 1) < 1e-8, "\(low) to \(high): \(found) for \(expected)")
    }
  }

  @Test func `waveform's Bayes accuracy is the published one`() throws {
    let truth = try #require(try waves([0, 19], rows: 10).truth)
    #expect(truth.bayesAccuracy.allSatisfy { abs($0 - 0.866) < 0.002 })
    #expect(truth.jointCeiling.isNaN)
    #expect(try #require(try waves([3, 3], rows: 10).truth).jointCeiling == truth.bayesAccuracy[0])
  }

  /// p(x | class) = ∫ N(x; u a + (1 − u) b, I) du over all 21 columns, by 2,000 midpoints.
  @Test func `waveform's p* is the integral over the mixtures`() throws {
    let stream = try waves([5], rows: 40)
    let rows = stream.trainingRows(for: 0)
    let p = try #require(rows.probabilities)
    let waves = [6, 14, 10].map { peak in (0..<21).map { Double(max(6 - abs($0 - peak), 0)) } }
    for (place, row) in rows.inputRows.enumerated() {
      let shown = (0..<21).map { row[$0 < 5 ? 21 + $0 : $0] }
      let densities = [(0, 1), (0, 2), (1, 2)].map { a, b in
        (0..<2000).reduce(0.0) { sum, step in
          let u = (Double(step) + 0.5) / 2000
          let square = (0..<21).reduce(0.0) { square, i in
            let gap = shown[i] - u * waves[a][i] - (1 - u) * waves[b][i]
            return square + gap * gap
          }
          return sum + exp(-square / 2)
        }
      }
      let sum = densities.reduce(0, +)
      #expect(close(p.row(place).map(Double.init), densities.map { $0 / sum }, 1e-5))
    }
  }

  @Test(arguments: [Transition.abrupt, .linear]) func `the laws of scenarios hold`(transition: Transition) throws {
    var (led, waves) = (LEDDigits(), Waveforms())
    (led.concepts, waves.concepts) = ([1, 4], [0, 9])
    func changed(_ scenario: some GeneratorScenario) -> any GeneratorScenario {
      scenario.with {
        ($0.rowsPerTask, $0.testRows, $0.transition) = (1000, 2000, transition)
        $0.width = transition == .abrupt ? nil : 400
      }
    }
    #expect(try ScenarioLaws.violations(of: changed(led)) == [])
    #expect(try ScenarioLaws.violations(of: changed(waves)) == [])
  }
}
