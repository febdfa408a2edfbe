import PalimpsestCore
import PalimpsestScenarios
import PalimpsestTesting
import Testing

/// Events of `habit-personal` that move rows or law alone: p* once more, of the formula in scenarios.md and the weights of each kind, where
/// no weight deviates from its kind's.
@Suite struct PureEventTests {
  private func people(_ name: LifeEvent.Name?) throws -> any PeopleStream {
    var settings = HabitPersonal()
    (settings.population, settings.populationDays, settings.users, settings.days) = (4, 10, 30, 40)
    (settings.burnIn, settings.testReplicates, settings.testDays, settings.spread) = (10, 3, 8, 0)
    if let name {
      var event = LifeEvent()
      (event.name, event.day) = (name, 20)
      settings.events = [event]
    }
    let stream = try settings.prepare(from: EmptyLibrary()).makeStream(seed: Seed(5))
    return try #require(stream as? any PeopleStream)
  }

  /// Hour that favours the habit; weights of streak, rate, launches, reminders, weekend.
  private struct Kind {
    var hour: Double
    var b: [Double]
  }

  private let kinds = [
    Kind(hour: 7.5, b: [0.8, 0.8, 0.5, 1.5, -0.8]), Kind(hour: 19, b: [0.8, 0.8, 1.2, 1, -0.5]),
    Kind(hour: 22.5, b: [0.8, 0.8, -1, -1.5, 1.2]), Kind(hour: 12, b: [0.5, 0.8, 0.5, 1, 2]),
    Kind(hour: 14, b: [0.8, 0.8, -0.8, 3, -0.3]),
  ]

  /// b0 of each row whose p* says enough of z.
  private func intercepts(_ rows: Rows, _ days: Range<Int>, _ kind: Kind) throws -> [Double] {
    let (truth, inputs, b) = (try #require(rows.truth), rows.batch.inputs, kind.b)
    return days.filter { (0.05...0.95).contains(truth[$0]) }.map { day in
      let x = inputs.row(day).map { Double($0) }
      var z = b[0] * (2 * x[0] - 0.6) + b[1] * (2 * x[1] - 1) + b[2] * (4 * x[2] - 1.5)
      z += b[3] * (3 * x[3] - 0.5) + Elementary.cos(2 * .pi * (x[4] - kind.hour / 24))
      z += b[4] * (2 * x[5] - 1) - 0.5 * (2 * x[6] - 0.3)
      let p = (Double(truth[day]) - 0.02) / 0.96
      return Elementary.log(p / (1 - p)) / 1.3 - z
    }
  }

  @Test func `a virtual event moves rows, and the law stays`() throws {
    let (moved, settled) = (try people(.virtual), try people(nil))
    var (launches, still) = (0.0, 0.0)
    for number in 0..<30 {
      let (life, other) = (moved.life(of: number), settled.life(of: number))
      #expect(life.concepts == [0..<20, 20..<40])
      let kind = kinds[life.archetype]
      let b0 = try intercepts(life.rows, 0..<20, kind) + intercepts(life.rows, 20..<40, kind)
      #expect(b0.allSatisfy { abs($0 - b0[0]) < 1e-4 }, "\(b0)")
      for day in 20..<40 {
        launches += Double(life.rows.batch.inputs.row(day)[2])
        still += Double(other.rows.batch.inputs.row(day)[2])
      }
    }
    // Half the visits.
    #expect(launches < 0.75 * still, "\(launches), \(still)")
  }

  @Test func `a real event moves the law, and what does not hang on the habit stays bit for bit`() throws {
    let (moved, settled) = (try people(.real), try people(nil))
    for number in 0..<30 {
      let (life, other) = (moved.life(of: number), settled.life(of: number))
      var kind = kinds[life.archetype]
      let b0 = try intercepts(life.rows, 0..<20, kind)
      (kind.b[2], kind.b[3], kind.b[4]) = (-0.7 * kind.b[2], -0.7 * kind.b[3], -kind.b[4])
      // Eight hours earlier or later.
      let after = try [-8.0, 8].map { hours in
        kind.hour = kinds[life.archetype].hour + hours
        return try intercepts(life.rows, 20..<40, kind)
      }
      let start = try #require(b0.first ?? after[0].first)
      #expect(after.contains { $0.allSatisfy { abs($0 - start) < 1e-4 } }, "\(start), \(after)")
      for day in 0..<40 {
        let (one, two) = (life.rows.batch.inputs.row(day), other.rows.batch.inputs.row(day))
        // Launches, the hour, the weekend and the season; reminders hang on what was opened before, streak and rate on the habit.
        for column in [2, 4, 5, 9] { #expect(one[column] == two[column], "day \(day), column \(column)") }
      }
      #expect(life.rows.truth?[20...] != other.rows.truth?[20...])
    }
  }
}
