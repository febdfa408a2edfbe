import PalimpsestCore
import PalimpsestScenarios
import PalimpsestTesting
import Testing

@Suite struct BlurryTests {
  /// Ten classes of 40 training rows and 20 test rows; the one column holds the row's number.
  private static let library = TinyLibrary.table(classes: 10, rows: 40)
  private static let training = 0..<400

  private func stream(_ scenario: some Scenario, seed: UInt64 = 1) throws -> any DriftStream {
    try scenario.prepare(from: BlurryTests.library).makeStream(seed: Seed(seed))
  }

  private func koh(_ change: (inout BlurryClasses) -> Void = { _ in }) -> BlurryClasses {
    with(BlurryClasses()) {
      $0.data = unscaled()
      change(&$0)
    }
  }

  private func moon(_ change: (inout RandomlyBlurryClasses) -> Void = { _ in }) -> RandomlyBlurryClasses {
    with(RandomlyBlurryClasses()) {
      $0.data = unscaled()
      change(&$0)
    }
  }

  /// How many training rows of each class (column) each task (row) has.
  private func counts(_ stream: any DriftStream) -> [[Int]] {
    stream.experiences.map { task in
      var counts = [Int](repeating: 0, count: 10)
      for place in stream.trainingRows(for: task.index).places { counts[Int(place) % 10] += 1 }
      return counts
    }
  }

  /// Classes that a task is judged on.
  private func judged(_ stream: any DriftStream, _ task: Int) -> Set<Int> {
    Set(stream.evaluationSet(for: task).rows.places.map { Int($0) % 10 })
  }

  @Test(arguments: [0, 1, 2, 3]) func `every row comes once, in all settings`(kind: Int) throws {
    for (tasks, disjoint, blur) in [(5, 50.0, 10.0), (3, 0, 100), (4, 100, 50), (7, 30, 37)] {
      for seed in UInt64(0)..<3 {
        let stream: any DriftStream =
          kind % 2 == 0
          ? try stream(koh { ($0.tasks, $0.disjoint, $0.blur) = (tasks, disjoint, blur) }, seed: seed)
          : try stream(moon { ($0.tasks, $0.disjoint, $0.blur) = (tasks, disjoint, blur) }, seed: seed)
        let places = stream.experiences.flatMap { stream.trainingRows(for: $0.index).places }
        #expect(places.sorted() == BlurryTests.training.map { Int32($0) })
        let tests = stream.experiences.flatMap { stream.evaluationSet(for: $0.index).rows.places }
        #expect(tests.count == 200 && Set(tests).count == 200)
      }
    }
  }

  /// Five classes are disjoint and five blurry: of 40 rows 10 % stray, 36 stay.
  @Test func `disjoint classes have one task, and a tenth of the others strays`() throws {
    for seed in UInt64(0)..<4 {
      let stream = try stream(koh(), seed: seed)
      let counts = counts(stream)
      #expect(stream.experiences.count == 5 && stream.experiences.allSatisfy { $0.rows > 60 })
      let columns = (0..<10).map { number in counts.map { $0[number] } }
      #expect(columns.count { $0.sorted() == [0, 0, 0, 0, 40] } == 5)
      #expect(columns.count { $0.max() == 36 && $0.reduce(0, +) == 40 } == 5)
      for task in 0..<5 {
        let own = judged(stream, task)
        #expect(own.count == 2 && own.allSatisfy { counts[task][$0] >= 36 })
        #expect(own.count { counts[task][$0] == 40 } == 1)
      }
    }
  }

  /// 20 blurry classes would be needed to see it in one seed: over 40 seeds 800 rows stray from their task to four others.
  @Test func `stray rows go to each of the other tasks alike`() throws {
    var steps = [Int](repeating: 0, count: 5)
    var first = 0
    for seed in UInt64(0)..<40 {
      let stream = try stream(koh { $0.disjoint = 0 }, seed: seed)
      let homes = (0..<5).map { judged(stream, $0) }
      for task in 0..<5 {
        for place in stream.trainingRows(for: task).places {
          let home = homes.firstIndex { $0.contains(Int(place) % 10) } ?? task
          guard home != task else { continue }
          steps[(task - home + 5) % 5] += 1
          first += place < 40 ? 1 : 0
        }
      }
    }
    #expect(steps[0] == 0 && steps.reduce(0, +) == 40 * 40)
    // 400 each, deviation √(1600 · ¼ · ¾) = 17.3; of each class the first 4 of 40 rows: a tenth of 1,600, deviation 12.
    #expect(steps[1...].allSatisfy { abs($0 - 400) < 78 })
    #expect(abs(first - 160) < 54)
  }

  @Test func `nothing strays at 0, and all but one row of a class at 100`() throws {
    let still = counts(try stream(koh { $0.blur = 0 }))
    #expect((0..<10).allSatisfy { number in still.map { $0[number] }.sorted() == [0, 0, 0, 0, 40] })
    let stream = try stream(koh { ($0.disjoint, $0.blur) = (0, 100) })
    let counts = counts(stream)
    for task in 0..<5 { #expect(judged(stream, task).allSatisfy { counts[task][$0] == 1 }) }
  }

  @Test func `what does not divide is dealt out as evenly as can be`() throws {
    let stream = try stream(koh { ($0.tasks, $0.disjoint) = (4, 50) })
    #expect((0..<4).map { judged(stream, $0).count }.sorted() == [2, 2, 3, 3])
  }

  @Test func `a stochastic stream has other counts of classes for every seed, and none without`() throws {
    let sizes = try (UInt64(0)..<12).map { seed in
      let stream = try stream(moon(), seed: seed)
      return (0..<5).map { judged(stream, $0).count }
    }
    #expect(sizes.allSatisfy { $0.reduce(0, +) == 10 && ($0.min() ?? 0) >= 1 })
    #expect(Set(sizes).count > 6 && sizes.contains { ($0.max() ?? 0) > 3 })
    for seed in UInt64(0)..<6 {
      let columns = { (counts: [[Int]]) in (0..<10).map { number in counts.map { $0[number] } } }(
        counts(try stream(moon(), seed: seed)))
      #expect(columns.count { $0.count { $0 > 0 } == 1 } >= 5)
      #expect(columns.allSatisfy { ($0.max() ?? 0) >= 36 })
    }
  }

  @Test func `outputs are numbered as classes appear`() throws {
    for seed in UInt64(0)..<3 {
      let stream = try stream(koh { $0.blur = 30 }, seed: seed)
      var seen = Set<Int32>()
      for task in stream.experiences {
        let rows = stream.trainingRows(for: task.index)
        seen.formUnion(rows.labels)
        #expect(task.seenOutputs == 0..<seen.count && seen == Set(0..<Int32(seen.count)))
        for (place, label) in zip(rows.places, rows.labels) {
          #expect(stream.inputs?.outputs[Int(label)] == "c\(place % 10)")
        }
      }
    }
  }

  @Test func `a setting moves nothing but what it governs`() throws {
    let (few, many) = (try stream(koh { $0.blur = 10 }), try stream(koh { $0.blur = 20 }))
    for task in 0..<5 { #expect(judged(few, task) == judged(many, task)) }
    let (a, b) = (try stream(koh(), seed: 1), try stream(koh(), seed: 2))
    #expect(a.trainingRows(for: 0).places != b.trainingRows(for: 0).places)
    #expect(a.trainingRows(for: 0).places != a.trainingRows(for: 0).places.sorted())
  }

  @Test func `the laws of scenarios hold`() throws {
    #expect(try ScenarioLaws.violations(of: koh(), library: BlurryTests.library) == [])
    #expect(try ScenarioLaws.violations(of: moon { $0.data.testRows = 15 }, library: BlurryTests.library) == [])
  }

  @Test func `more tasks than classes are refused`() {
    #expect(
      refusal(koh { $0.tasks = 11 }, BlurryTests.library)
        == "tasks: 11 tasks need 11 classes, and \"mnist\" has 10. Take at most 10.")
    #expect(refusal(moon { $0.tasks = 11 }, BlurryTests.library)?.hasPrefix("tasks: 11 tasks need") == true)
  }
}
