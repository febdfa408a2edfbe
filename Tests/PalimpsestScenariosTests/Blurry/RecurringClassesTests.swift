import PalimpsestCore
import PalimpsestScenarios
import PalimpsestTesting
import Testing

@Suite struct RecurringClassesTests {
  /// Ten classes of 60 training rows and 30 test rows; the one column holds the row's number.
  private static let library = TinyLibrary.table(classes: 10, rows: 60)

  private func cir(_ change: (inout RecurringClasses) -> Void = { _ in }) -> RecurringClasses {
    with(RecurringClasses()) {
      ($0.data, $0.rowsPerTask) = (unscaled(), 100)
      change(&$0)
    }
  }

  private func stream(_ scenario: RecurringClasses, seed: UInt64 = 1) throws -> any DriftStream {
    try scenario.prepare(from: RecurringClassesTests.library).makeStream(seed: Seed(seed))
  }

  /// Classes that each task shows.
  private func shown(_ stream: any DriftStream) -> [Set<Int>] {
    stream.experiences.map { Set(stream.trainingRows(for: $0.index).places.map { Int($0) % 10 }) }
  }

  @Test func `a task's rows are split evenly, and none comes twice in it`() throws {
    for seed in UInt64(0)..<5 {
      let stream = try stream(cir(), seed: seed)
      #expect(stream.experiences.count == 10)
      for task in 0..<10 {
        let places = stream.trainingRows(for: task).places
        #expect(Set(places).count == places.count)
        let counts = Dictionary(grouping: places) { $0 % 10 }.mapValues(\.count)
        let even = 100 / counts.count
        #expect(counts.values.allSatisfy { $0 == min(60, even) || $0 == min(60, even + 1) })
        #expect(places.count == (counts.count == 1 ? 60 : 100))
        let judged = Set(stream.evaluationSet(for: task).rows.places.map { $0 % 10 })
        #expect(judged == Set(counts.keys))
      }
    }
  }

  /// With no return a class has one task, its arrival: P(k) ∝ .5^k over 4 tasks is 8/15, 4/15, 2/15, 1/15. 3,000 classes over
  /// 300 seeds: deviations .0091 at most. (A first task without any is given one, which 10 classes hardly ever need.)
  @Test func `classes arrive as often as the law says`() throws {
    var counts = [Double](repeating: 0, count: 4)
    for seed in UInt64(0)..<300 {
      let shown = shown(try stream(cir { ($0.tasks, $0.arrival, $0.recurrence) = (4, 0.5, 0) }, seed: seed))
      var seen = Set<Int>()
      for task in 0..<4 {
        counts[task] += Double(shown[task].subtracting(seen).count)
        seen.formUnion(shown[task])
      }
    }
    let shares = counts.map { $0 / 3000 }
    #expect(close(shares, [8, 4, 2, 1].map { $0 / 15 }, 0.041), "\(shares)")
  }

  /// Arrival .999: all come first. Then each of 10 classes returns in each of 9 tasks: 90 chances a seed, 60 seeds, deviation
  /// √(.3 · .7 / 5400) = .0062.
  @Test func `classes come back as often as is said`() throws {
    var (returns, rare) = (0, [Int](repeating: 0, count: 10))
    for seed in UInt64(0)..<60 {
      let shown = shown(try stream(cir { ($0.arrival, $0.recurrence) = (0.999, 0.3) }, seed: seed))
      returns += shown.dropFirst().reduce(0) { $0 + $1.count }
      let two = self.shown(
        try stream(
          cir { ($0.arrival, $0.recurrence, $0.rareRecurrence, $0.rareShare) = (0.999, 1, 0, 0.3) }, seed: seed))
      for task in two.dropFirst() { rare[task.count] += 1 }
    }
    #expect(abs(Double(returns) / 5400 - 0.3) < 0.035)
    #expect(rare[7] > 500)
  }

  @Test func `a task that would be empty shows a class that was there`() throws {
    let scenario = cir { ($0.arrival, $0.recurrence) = (0.999, 0) }
    let all = shown(try stream(scenario))
    #expect(all[0].count >= 9 && all[2...].allSatisfy { $0.count == 1 })
    for seed in UInt64(0)..<4 {
      let late = shown(try stream(cir { ($0.arrival, $0.recurrence, $0.tasks) = (0, 0, 30) }, seed: seed))
      #expect(late.allSatisfy { !$0.isEmpty })
    }
  }

  @Test func `more rows a task keep who arrives and who returns`() throws {
    let (few, many) = (try stream(cir()), try stream(cir { $0.rowsPerTask = 300 }))
    #expect(shown(few) == shown(many))
    #expect(shown(few) != shown(try stream(cir(), seed: 2)))
  }

  @Test func `the laws of scenarios hold`() throws {
    #expect(try ScenarioLaws.violations(of: cir(), library: RecurringClassesTests.library) == [])
  }

  @Test func `fewer rows than classes are refused`() {
    #expect(
      refusal(cir { $0.rowsPerTask = 9 }, RecurringClassesTests.library)
        == "rowsPerTask: 9 rows do not show the 10 classes of \"mnist\". Take at least 10.")
  }
}
