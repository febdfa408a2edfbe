import PalimpsestCore
import PalimpsestScenarios
import Testing

@Suite struct PermutedTests {
  private let library = TinyLibrary.images(height: 2, width: 3)
  private let permuted = with(Permuted()) {
    $0.data = unscaled()
    $0.tasks = 4
  }

  private func stream(_ permuted: Permuted, seed: UInt64 = 1) throws -> any DriftStream {
    try permuted.prepare(from: library).makeStream(seed: Seed(seed))
  }

  @Test func `a permutation is a bijection, the same for training and test`() throws {
    let stream = try stream(with(permuted) { $0.permuteFirst = true })
    for task in 0..<4 {
      let order = try #require(stream.trainingRows(for: task).columnOrder)
      #expect(order.sorted() == [0, 1, 2, 3, 4, 5])
      #expect(stream.evaluationSet(for: task).rows.columnOrder == order)
      // Pixel p of image 0 is p + 1, of the first test image (number 4) 41 + p.
      #expect(stream.trainingRows(for: task).batch.inputs.row(0) == order.map { Float($0 + 1) })
      #expect(stream.evaluationSet(for: task).rows.batch.inputs.row(0) == order.map { Float($0 + 41) })
    }
  }

  @Test func `the first task is permuted only if asked for, and the others do not change`() throws {
    let plain = try stream(permuted)
    let all = try stream(with(permuted) { $0.permuteFirst = true })
    #expect(plain.trainingRows(for: 0).columnOrder == nil)
    #expect(all.trainingRows(for: 0).columnOrder != nil)
    for task in 1..<4 { #expect(plain.trainingRows(for: task).columnOrder == all.trainingRows(for: task).columnOrder) }
  }

  @Test func `orders depend on seed and task`() throws {
    let orders = try (0..<5 as Range<UInt64>).flatMap { seed in
      let stream = try stream(permuted, seed: seed)
      return (1..<4).map { stream.trainingRows(for: $0).columnOrder }
    }
    #expect(Set(orders).count > 12)  // 15 draws of 720
    #expect(try stream(permuted, seed: 2).trainingRows(for: 1).columnOrder == orders[6])
  }

  @Test func `padding puts the image into the middle before it is permuted`() throws {
    let padded = with(permuted) { $0.pad = 4 }
    let stream = try stream(padded)
    #expect(stream.shape == TaskShape(inputs: 16, outputs: 2))
    // 2 × 3 in 4 × 4: one row above and below, no column on the left, one on the right.
    #expect(
      stream.trainingRows(for: 0).batch.inputs.row(0) == [0, 0, 0, 0, 1, 2, 3, 0, 4, 5, 6, 0, 0, 0, 0, 0])
    let order = try #require(stream.trainingRows(for: 1).columnOrder)
    #expect(order.filter { $0 >= 0 }.sorted() == [0, 1, 2, 3, 4, 5])
    #expect(order.count == 16)
  }

  @Test func `all tasks share labels and outputs, and the task is told if asked for`() throws {
    let hidden = try stream(permuted)
    #expect(hidden.experiences.map(\.outputs) == [0..<2, 0..<2, 0..<2, 0..<2])
    #expect(hidden.experiences.map(\.rows) == [4, 4, 4, 4])
    #expect(hidden.experiences[1].name == "permutation 2")
    #expect(hidden.evaluationSet(for: 3).knownExperience == nil)
    let told = try stream(with(permuted) { $0.identity = .given })
    #expect(told.evaluationSet(for: 3).knownExperience == 3)
    #expect(told.evaluationSet(for: 3).candidates == 0..<2)
  }

  @Test func `capped rows are drawn anew for every task`() throws {
    let capped = with(permuted) {
      $0.rowsPerTask = 2
      $0.tasks = 30
      $0.data.testRows = 1
    }
    let stream = try stream(capped)
    let places = (0..<30).map { stream.trainingRows(for: $0).places }
    #expect(places.allSatisfy { $0.count == 2 && $0 == $0.sorted() })
    #expect(Set(places).count == 6)  // all pairs of 4 rows
    #expect(stream.evaluationSet(for: 0).rows.count == 1)
    #expect(try self.stream(capped).trainingRows(for: 9).places == places[9])
  }

  @Test func `contradictions name the parameter`() {
    #expect(
      refusal(with(permuted) { $0.pad = 2 }, library)
        == "pad: images of 2 × 3 do not fit into 2 × 2. Choose at least 3, or 0 for none")
    #expect(
      refusal(with(permuted) { $0.pad = 4 }, .table(classes: 2))
        == "pad: \"tiny\" holds no images of bytes to pad. Leave pad at 0")
    #expect(
      refusal(
        with(permuted) {
          $0.pad = 4096
          $0.tasks = 15
        }, library)
        == "tasks: the orders of 15 tasks × 16777216 columns are more than 250000000 numbers. Take at most 14 tasks, or "
        + "fewer columns")
    #expect(refusal(permuted, .table(classes: 1)) == "dataset: \"tiny\" has 1 class; at least 2 are needed")
    #expect(
      refusal(permuted, .table(classes: 2, rows: 1)) == "dataset: \"tiny\" has no rows to test on")
  }
}
