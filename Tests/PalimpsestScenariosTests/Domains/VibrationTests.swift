import Foundation
import PalimpsestCore
import PalimpsestScenarios
import PalimpsestTesting
import Testing

/// Machines by what their rows show: p* tells the gain, sound rows tell the baseline.
@Suite struct VibrationTests {
  /// A machine as its rows show it.
  private struct Machine {
    /// Exact up to a float's rounding: .81 w.
    let gain: [Double]
    /// Of p* = σ(wᵀx + b).
    let b: Double
    /// Mean of the sound rows.
    let base: [Double]
    /// The largest error of the fitted log-odds.
    let error: Double

    /// ln p/(1 − p) of rows that are not too certain is linear in x: eleven numbers say all.
    init(_ rows: Rows) {
      let all = rows.inputRows.map { $0.map { 2 * $0 } }
      let known = (0..<rows.count).filter { (0.02...0.98).contains(rows.chances[$0]) }.prefix(400)
      let odds = known.map { log(rows.chances[$0] / (1 - rows.chances[$0])) }
      let inputs = known.map { all[$0] + [1] }
      let fit = leastSquares(inputs, odds)
      var worst = 0.0
      for (row, odd) in zip(inputs, odds) {
        var found = 0.0
        for place in row.indices { found += row[place] * fit[place] }
        worst = max(worst, abs(found - odd))
      }
      error = worst
      (gain, b) = (fit.prefix(10).map { 0.81 * $0 }, fit[10])
      let sound = zip(all, rows.labels).filter { $0.1 == 0 }.map(\.0)
      base = (0..<10).map { column in Domain.mean(sound.map { $0[column] }) }
    }

    var length: Double { gain.reduce(0) { $0 + $1 * $1 }.squareRoot() }
  }

  private func fleet(_ machines: [Int], test: Int) throws -> any DriftStream {
    var fleet = Domain.sized(VibroFleet(), training: 10, test: test)
    fleet.machines = machines
    return try Classic.stream(fleet)
  }

  /// Sound rows: 7,000, so each coordinate of the baseline is off by .011 and b by 1.9/.9 · .011 at one deviation.
  @Test func `p* is a logistic line whose constant follows from baseline, gain and prior`() throws {
    let stream = try fleet([1, 2, 3], test: 10_000)
    for task in 0..<3 {
      let machine = Machine(stream.evaluationSet(for: task).rows)
      #expect(machine.error < 1e-4)
      #expect(abs(machine.length - 1.9 * 0.9) < 1e-4)
      let middle = zip(machine.base, machine.gain).map { $0 + $1 / 2 }
      let b = -zip(machine.gain, middle).reduce(0) { $0 + $1.0 * $1.1 } / 0.81 + log(0.3 / 0.7)
      #expect(abs(machine.b - b) < 5 * 1.9 / 0.9 * 0.011)
    }
  }

  @Test func `labels follow p*, and rows lie about their means with deviation .9`() throws {
    let rows = try fleet([7], test: 20_000).evaluationSet(for: 0).rows
    #expect(rows.labelsExcess < 35.6 && abs(rows.rate - 0.3) < 5 * 0.0032)
    let machine = Machine(rows)
    var rest: [Double] = []
    for (row, label) in zip(rows.inputRows, rows.labels) {
      for column in 0..<10 {
        let fault = label == 1 ? machine.gain[column] : 0
        rest.append(2 * row[column] - machine.base[column] - fault)
      }
    }
    #expect(abs(Domain.deviation(rest) - 0.9) < 0.9 * 5 * 0.0016)
  }

  /// 60 machines: speed and load say nothing; of the other columns RMS, kurtosis, crest and temperature rise, of the bands .35 fall. A share
  /// of 240 bands varies by .031, a sum of 600 squares by .058.
  @Test func `fleets are drawn as is said`() throws {
    let stream = try fleet(Array(1...60), test: 800)
    let machines = (0..<60).map { Machine(stream.evaluationSet(for: $0).rows) }
    #expect(machines.allSatisfy { abs($0.gain[7]) < 1e-3 && abs($0.gain[8]) < 1e-3 })
    for column in [0, 1, 2, 9] { #expect(machines.allSatisfy { $0.gain[column] > 0.01 }) }
    let bands = machines.flatMap { $0.gain[3..<7] }
    #expect(abs(Double(bands.count { $0 < 0 }) / 240 - 0.35) < 5 * 0.031)
    let factors = [1, 0.5, 0.5, 1, 1, 1, 1, 1, 1, 0.5]
    let squares = machines.flatMap { zip($0.base, factors).map { pow($0 / (1.6 * $1), 2) } }
    #expect(abs(Domain.mean(squares) - 1) < 5 * 0.058 + 0.01)
    // Which band a fault shows in most is another one from machine to machine.
    let most = machines.map { machine in (3..<7).max { abs(machine.gain[$0]) < abs(machine.gain[$1]) } }
    for band in 3..<7 { #expect((4...30).contains(most.count { $0 == band })) }
  }

  /// Two clouds 1.9 deviations apart, .3 of the rows in one: .8507 of a second program.
  @Test func `the best rule is that of two clouds 1.9 apart`() throws {
    let truth = try #require(try fleet([1, 2, 3, 4, 5], test: 20_000).truth)
    for accuracy in truth.bayesAccuracy { #expect(abs(accuracy - 0.8507) < 0.006) }
    #expect(truth.jointCeiling < Domain.bayes(truth) && truth.jointCeiling > 0.83)
  }

  @Test func `rows are their machine's, and a machine can come again`() throws {
    let stream = try fleet([4, 9, 4], test: 100)
    #expect(stream.experiences.map(\.name) == ["machine 4", "machine 9", "machine 4 (2)"])
    #expect((0..<3).map { stream.trainingRows(for: $0).owners?.first } == [4, 9, 4])
    #expect(try #require(stream.truth).totalVariation[0][2] == 0)
  }

  // MARK: - Wear

  /// A day a task: ten days a cycle, two cycles.
  private func wear(test: Int = 8000, _ change: (inout VibroWear) -> Void = { _ in }) throws -> any DriftStream {
    var wear = VibroWear()
    (wear.cycleDays, wear.rowsPerDay, wear.rows.rowsPerTask, wear.rows.testRows) = (10, 12, 12, test)
    change(&wear)
    return try Classic.stream(wear)
  }

  /// s = (day/10)². gain(s) = (1 + s/2) ((1 − s) gain + s gain′): the days 0 and 9 give gain and gain′, and days 4 and 7 must follow.
  @Test func `gain and baseline wear by the square of the day`() throws {
    let stream = try wear()
    let days = [0, 4, 7, 9].map { Machine(stream.evaluationSet(for: $0).rows) }
    let wears = [0.0, 0.16, 0.49, 0.81]
    let new = days[0].gain
    let (growth, left) = (1.405, 0.19)
    let worn = zip(days[3].gain, new).map { day, first in (day / growth - left * first) / 0.81 }
    #expect(abs(worn.reduce(0) { $0 + $1 * $1 }.squareRoot() - 1.9 * 0.9) < 1e-3)
    for (machine, s) in zip(days, wears) {
      let (growth, left) = (1 + s / 2, 1 - s)
      let expected = zip(new, worn).map { first, last in growth * (left * first + s * last) }
      #expect(close(machine.gain, expected, 1e-3))
    }
    // 5,600 sound rows: a coordinate of a difference is off by .017.
    let moved = days.map { zip($0.base, days[0].base).map(-) }
    for (shift, s) in zip(moved, wears).dropFirst() {
      #expect(abs(shift.reduce(0) { $0 + $1 * $1 }.squareRoot() - 2.16 * s) < 0.1)
      #expect(abs(shift[7]) < 5 * 0.017 && abs(shift[8]) < 5 * 0.017)
      for (a, b) in zip(shift, moved[3]) { #expect(abs(a / s - b / 0.81) < 5 * 0.017 * (1 / s + 1 / 0.81)) }
    }
  }

  @Test func `maintenance makes the machine as it was`() throws {
    let stream = try wear(test: 200)
    let truth = try #require(stream.truth)
    for day in 0..<10 { #expect(truth.totalVariation[day][day + 10] == 0) }
    #expect(truth.totalVariation[9][10] > 0.2 && truth.totalVariation[0][1] < 0.05)
    #expect(stream.experiences[9].name == "cycle 1 days 10-10" && stream.experiences[13].name == "cycle 2 days 4-4")
  }

  @Test func `wear is a slow change and maintenance a sudden one`() throws {
    let events = try wear(test: 100).events
    #expect(
      events == [
        DriftEvent(.change, 1...119, before: 0, behind: 9), DriftEvent(.change, 120...120, before: 9, behind: 10),
        DriftEvent(.change, 121...239, before: 10, behind: 19),
      ])
    #expect(try fleet([1, 2], test: 10).events == nil)
  }

  @Test func `rows have the time of their day`() throws {
    let stream = try wear(test: 100) { $0.rows.rowsPerTask = 24 }
    #expect(stream.experiences.count == 10)
    let times = try #require(stream.trainingRows(for: 1).times)
    let twoHours: Int64 = 7200
    for (place, time) in times.prefix(13).enumerated() { #expect(time == 172_800 + Int64(place) * twoHours) }
    #expect(times.count == 24 && stream.trainingRows(for: 9).times?.last == 1_720_800)
  }

  /// A task's test rows are drawn as on its last day, not as behind it.
  @Test func `the last task of a cycle is judged on the worn machine`() throws {
    let (long, days) = (try wear { $0.rows.rowsPerTask = 120 }, try wear())
    let (whole, last) = (
      Machine(long.evaluationSet(for: 0).rows), Machine(days.evaluationSet(for: 9).rows)
    )
    #expect(close(whole.gain, last.gain, 1e-3))
  }

  @Test func `the laws of scenarios hold`() throws {
    #expect(try ScenarioLaws.violations(of: Domain.sized(VibroFleet(), training: 600, test: 1500)) == [])
    var wear = VibroWear()
    (wear.cycles, wear.cycleDays, wear.rows.rowsPerTask, wear.rows.testRows) = (1, 100, 240, 800)
    #expect(try ScenarioLaws.violations(of: wear) == [])
  }

  @Test func `bad settings are refused with their place`() throws {
    var wear = VibroWear()
    wear.rows.rowsPerTask = 500
    #expect(
      Classic.error(wear)
        == ScenarioError(
          parameter: "rowsPerTask",
          "2 × 200 days of 12 rows are 4800 rows, no multiple of 500. Take a divisor."))
    let error = #expect(throws: ParameterError.self) { try VibroFleet(settings: ["machines": .list([])]) }
    #expect(error?.parameter == "machines")
    #expect(throws: ParameterError.self) { try VibroFleet(settings: ["faults": .number("1")]) }
    #expect(throws: ParameterError.self) { try VibroWear(settings: ["cycleDays": .number("0")]) }
  }
}
