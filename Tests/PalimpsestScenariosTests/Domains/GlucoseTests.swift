import Foundation
import PalimpsestCore
import PalimpsestScenarios
import PalimpsestTesting
import Testing

/// The meals' law, written anew.
@Suite struct GlucoseTests {
  /// isf, csf, activity, carbohydrates, dawn.
  private static let regimes: [[Double]] = [
    [1, 1, 0.2, 50, 0.3], [1.7, 0.9, 1.2, 70, 0.1], [0.5, 1.25, 0.05, 30, 0.5], [0.8, 1, 0.15, 90, 0.2],
    [1.3, 0.8, 0.6, 40, 0.8],
  ]
  /// Units for 10 g that give .400 in 400,000 meals of a second program; the design's table has .74 .34 1.78 1.23 .30.
  private static let doses = [0.7458, 0.3412, 1.7963, 1.2367, 0.3009]

  /// A row as it was drawn.
  private struct Meal {
    let before, carb, bolus, hour, activity, fat, sleep, onBoard, ill, morning: Double

    init(_ x: [Double]) {
      (before, carb, bolus, hour) = (30 * x[0] + 120, 30 * x[1] + 55, 3 * x[2] + 5.5, 12 * x[3] + 12)
      (activity, fat, sleep, onBoard, ill, morning) = (x[4], 30 * x[5], 2 * x[6], 3 * x[7], x[8], x[9])
    }

    func chance(_ task: Int) -> Double {
      let r = GlucoseTests.regimes[task]
      let mean =
        before + 3.8 * r[1] * carb * (1 - 0.004 * fat) + 60 * r[4] * morning - 30 * r[0] * bolus - 12 * r[0] * onBoard
        - 25 * activity + 4 * sleep
      return Domain.normalArea((mean - 180) / 28)
    }

    /// p(x) but for what all regimes share; values at a limit by the probability beyond it.
    func density(_ task: Int) -> Double {
      let r = GlucoseTests.regimes[task]
      if (ill == 1) != (task == 2) { return 0 }
      func part(_ x: Double, _ mean: Double, _ deviation: Double, _ low: Double, _ high: Double) -> Double {
        if x < low + 1e-5 { return Domain.normalArea((low - mean) / deviation) }
        if x > high - 1e-5 { return Domain.normalArea((mean - high) / deviation) }
        return exp(-pow((x - mean) / deviation, 2) / 2)
      }
      return part(carb, r[3], 20, 5, 140) * part(activity, r[2], 0.25, 0, 2)
        * part(log(bolus), log(GlucoseTests.doses[task] * carb / 10), 0.35, -99, log(25))
    }
  }

  private func stream(_ test: Int = 20_000) throws -> any DriftStream {
    try Classic.stream(Domain.sized(GlucoseRegimes(), test: test))
  }

  /// A column in thirtieths of a milligram: 2e-6 · 30 mg of 28.
  @Test func `p* is the chance that the value passes 180`() throws {
    let stream = try stream(500)
    for task in 0..<5 {
      for rows in [stream.trainingRows(for: task), stream.evaluationSet(for: task).rows] {
        #expect(close(rows.chances, rows.inputRows.map { Meal($0).chance(task) }, 1e-5))
      }
    }
  }

  @Test func `labels follow p*`() throws {
    let stream = try stream()
    for task in 0..<5 { #expect(stream.evaluationSet(for: task).rows.labelsExcess < 35.6) }
  }

  /// 20,000 rows: p* has deviation .33, so its mean varies by .0024; the titration itself is off by .003 at most.
  @Test(arguments: [0.4, 0.25]) func `doses are titrated to the share of high values`(rate: Double) throws {
    var glucose = Domain.sized(GlucoseRegimes())
    glucose.highRate = rate
    let stream = try Classic.stream(glucose)
    for task in 0..<5 {
      #expect(abs(Domain.mean(stream.evaluationSet(for: task).rows.chances) - rate) < 5 * 0.0024 + 0.003)
    }
  }

  /// ln bolus = ln(dose · carb/10) + .35 N below the limit of 25 units: the median of bolus · 10/carb is the dose, ± .35 · 1.25/√20,000.
  @Test func `doses are those of the published table`() throws {
    let stream = try stream()
    for (task, published) in [0.74, 0.34, 1.78, 1.23, 0.30].enumerated() {
      let rows = stream.evaluationSet(for: task).rows.inputRows.map { Meal($0) }
      let ratios = rows.map { 10 * $0.bolus / $0.carb }.sorted()
      let dose = ratios[10_000]
      #expect(abs(dose / GlucoseTests.doses[task] - 1) < 0.02 && abs(dose / published - 1) < 0.03)
    }
  }

  /// 20,000 rows: a mean varies by .0071 deviations. Γ(2, 8) has mean 16, deviation 11.3, and hardly any above 60.
  @Test func `meals have their laws`() throws {
    let stream = try stream()
    for task in 0..<5 {
      let rows = stream.evaluationSet(for: task).rows.inputRows.map { Meal($0) }
      func near(_ value: (Meal) -> Double, _ mean: Double, _ deviation: Double, _ what: String) {
        let values = rows.map(value)
        #expect(abs(Domain.mean(values) - mean) < 5 * 0.0071 * deviation, "\(what) of task \(task)")
        #expect(abs(Domain.deviation(values) / deviation - 1) < 0.05, "\(what) of task \(task)")
      }
      near({ $0.before }, 120, 18, "before")
      near({ $0.sleep }, 0, 1, "sleep")
      near({ $0.fat }, 15.96, 11.15, "fat")
      near({ $0.onBoard }, 1.193, 1.07, "on board")
      near({ $0.morning }, 1.0 / 3, (2.0 / 9).squareRoot(), "morning")
      #expect(rows.allSatisfy { $0.ill == (task == 2 ? 1 : 0) && ($0.hour < 10) == ($0.morning == 1) })
      #expect(rows.allSatisfy { $0.carb > 4.99 && $0.carb < 140.01 && $0.activity > -0.01 && $0.bolus < 25.01 })
      let middle = rows.map(\.carb).sorted()[10_000]
      #expect(abs(middle - GlucoseTests.regimes[task][3]) < 1)
    }
  }

  @Test func `the joint ceiling is the rule of the posteriors' mean by density`() throws {
    let stream = try stream(3000)
    let scores = (0..<5).map { task in
      let rows = stream.evaluationSet(for: task).rows
      return Domain.mean(
        zip(rows.inputRows, rows.chances).map { row, p in
          let meal = Meal(row)
          let sum = (0..<5).reduce(0) { $0 + meal.density($1) * (2 * meal.chance($1) - 1) }
          return sum >= 0 ? p : 1 - p
        })
    }
    let truth = try #require(stream.truth)
    // The doses of the second program differ in the third digit, which turns a few answers near ½.
    #expect(abs(truth.jointCeiling - Domain.mean(scores)) < 0.0003)
    #expect(truth.jointCeiling < Domain.bayes(truth) && truth.jointCeiling > Domain.trackerAccuracy(truth))
  }

  /// 400,000 meals of a second program: .8566 .8677 .8525 .9064 .8477.
  @Test func `the oracles are those of the law`() throws {
    let truth = try #require(try stream().truth)
    #expect(close(truth.bayesAccuracy, [0.8566, 0.8677, 0.8525, 0.9064, 0.8477], 0.006))
  }

  /// SciPy's gamma.ppf.
  @Test func `gamma draws are quantiles`() {
    for (shape, expected) in [
      (1.2, [1.0841480634634282e-05, 0.17189837420329648, 0.887936213474793, 2.641460426150976, 14.4480678719916]),
      (2, [0.0014148806614793436, 0.531811608389612, 1.6783469900166612, 3.889720169867429, 16.68842079082944]),
      (0.5, [7.853981633978593e-13, 0.00789538704671561, 0.227468211559786, 1.352771727047702, 11.964063488439734]),
    ] {
      for (u, x) in zip([1e-6, 0.1, 0.5, 0.9, 0.999999], expected) {
        #expect(abs(Quantile.gamma(u, shape: shape) / x - 1) < 1e-10, "\(shape) at \(u)")
      }
    }
  }

  @Test func `the laws of scenarios hold`() throws {
    #expect(try ScenarioLaws.violations(of: Domain.sized(GlucoseRegimes(), training: 600, test: 1500)) == [])
    var glucose = GlucoseRegimes().with {
      ($0.rowsPerTask, $0.testRows, $0.transition, $0.width) = (600, 800, .linear, 200)
    }
    (glucose.regimes, glucose.highRate, glucose.noise) = ([.illness, .holiday, .illness], 0.3, 60)
    #expect(try ScenarioLaws.violations(of: glucose) == [])
  }

  @Test func `a share that no dose is needed for is refused with its place`() throws {
    var glucose = GlucoseRegimes()
    glucose.highRate = 0.95
    let error = try #require(Classic.error(glucose))
    #expect(error.parameter == "highRate")
    #expect(error.description.hasPrefix("without any dose \"baseline\" has 0."))
    #expect(error.description.hasSuffix(" of high values. Take less than that, or leave the regime out."))
    glucose.regimes = [.holiday]
    #expect(Classic.error(glucose) == nil)
    #expect(throws: ParameterError.self) { try GlucoseRegimes(settings: ["highRate": .number("1")]) }
    #expect(throws: ParameterError.self) { try GlucoseRegimes(settings: ["regimes": .list([.string("diet")])]) }
  }
}
