import PalimpsestCore
import PalimpsestScenarios
import Testing

/// What schedules declare of their changes.
@Suite struct ScheduleEventTests {
  private func rows(_ schedule: any ConceptSchedule, in rows: Int) -> [ClosedRange<Int>] {
    schedule.events(in: rows).map(\.rows)
  }

  @Test func `an abrupt change is one row`() {
    #expect(
      Transitions(starts: [0, 30, 70]).events(in: 100) == [
        DriftEvent(.change, 30...30, before: 0, behind: 1), DriftEvent(.change, 70...70, before: 1, behind: 2),
      ])
    #expect(rows(Transitions(starts: [0, 30, 70]), in: 60) == [30...30])
    #expect(rows(Visits.recurring([0, 1, 0], period: 9, rows: 20, of: 2), in: 20) == [3...3, 6...6, 12...12, 15...15])
  }

  static let mixtures: [any ConceptSchedule] = [
    Transitions(starts: [0, 300], .sigmoid, width: 90), Transitions(starts: [0, 300], .linear, width: 90),
    Transitions(starts: [0, 300], .sigmoid, width: 1), Transitions(starts: [0, 300], .linear, width: 1),
    Presences(middles: [200, 401], width: 40), Presences(middles: [400, 200], width: 3),
    Visits.recurring([0, 1], period: 600, rows: 600, of: 2, .sigmoid, width: 90),
  ]

  /// By looking at every row.
  @Test(arguments: mixtures) func `a change happens where the new concept has between 5 and 95 %`(
    schedule: any ConceptSchedule
  ) throws {
    let event = try #require(schedule.events(in: 600).first)
    #expect(schedule.events(in: 600).count == 1)
    let behind = try #require(event.behind)
    let mixed = (0..<600).filter { (0.05...0.95).contains(schedule.shares(at: $0)[behind]) }
    if let first = mixed.first, let last = mixed.last {
      #expect(event.rows == first...last)
    } else {
      let first = try #require((0..<600).first { schedule.shares(at: $0)[behind] > 0.95 })
      #expect(event.rows == first...first)
    }
  }

  @Test func `no change is in another, and none behind the rows`() {
    let schedules: [any ConceptSchedule] = [
      Transitions(starts: [0, 100, 200, 300], .sigmoid, width: 100),
      Presences(middles: [10, 40, 41, 90], width: 30), Presences(middles: [10, 40, 41, 90], width: 30, period: 95),
      Presences(middles: [300, 600, 900], width: 80), Seasons(3, period: 40, amplitude: 0.5),
      Presences(middles: [1, 2], width: 4, period: 3), Incremental(4, part: 100, moving: 0..<100),
    ]
    for schedule in schedules {
      for count in [1, 17, 90, 400] {
        let events = schedule.events(in: count)
        for (event, next) in zip(events, events.dropFirst()) {
          #expect(event.rows.upperBound < next.rows.lowerBound && event.behind == next.before, "\(schedule)")
        }
        #expect(events.allSatisfy { $0.rows.upperBound < count })
      }
    }
  }

  /// Middles 5, 25, 45, 65 … of concepts 0, 1, 0, 1: halfway between them they change places.
  @Test func `presences that come again change places again and again`() {
    let events = Presences(middles: [5, 25], width: 2, period: 40).events(in: 100)
    #expect(events.map { ($0.rows.lowerBound + $0.rows.upperBound) / 2 } == [15, 35, 55, 75, 95])
    #expect(events.map(\.behind) == [1, 0, 1, 0, 1])
  }

  @Test func `seasons change all the time, and not without amplitude`() {
    let events = Seasons(2, period: 40, amplitude: 1).events(in: 50)
    #expect(events.map(\.rows) == [0...19, 20...39, 40...49] && events.map(\.behind) == [1, 0, 1])
    #expect(Seasons(2, period: 40, amplitude: 0).events(in: 50).isEmpty)
    #expect(Seasons(1, period: 40, amplitude: 1).events(in: 50).isEmpty)
  }
}
