import PalimpsestCore
import PalimpsestScenarios
import Testing

/// What all streams of generators have in common, on SEA.
@Suite struct GeneratorStreamTests {
  private func stream(seed: UInt64 = 3, _ change: (inout SEA) -> Void = { _ in }) throws -> any DriftStream {
    var sea = SEA()
    (sea.rows.rowsPerTask, sea.rows.testRows) = (400, 300)
    change(&sea)
    return try Classic.stream(sea, seed: seed)
  }

  private func all(_ stream: any DriftStream) -> [[Double]] {
    stream.experiences.flatMap { stream.trainingRows(for: $0.index).inputRows }
  }

  @Test func `tasks have their shapes and names`() throws {
    let stream = try stream { $0.thresholds = [8, 9, 8] }
    #expect(stream.shape == TaskShape(inputs: 3, outputs: 1))
    #expect(stream.experiences.map(\.name) == ["θ 8", "θ 9", "θ 8 (2)"])
    #expect(stream.experiences.map(\.rows) == [400, 400, 400])
    #expect(stream.evaluationSet(for: 2).rows.count == 300)
    #expect(stream.evaluationSet(for: 2).knownExperience == nil)
    #expect(stream.inputs?.columns == ["x1", "x2", "x3"])
    #expect(stream.truth?.totalVariation[0][2] == 0)
  }

  @Test func `a task is told where it is asked for`() throws {
    #expect(try stream { $0.rows.identity = .given }.evaluationSet(for: 2).knownExperience == 2)
  }

  @Test func `a row does not depend on the rows before it nor on the cut into tasks`() throws {
    let (whole, cut) = (try stream(), try stream { $0.rows.rowsPerTask = 100 })
    #expect(Array(all(whole).prefix(400)) == all(cut))
    let generator = SEA().generator(seed: Seed(3))
    let (seed, rows) = (Seed(9), [17, 3, 250, 3])
    func drawn(_ row: Int) -> [Float] {
      var inputs: [Float] = [0, 0, 0]
      let label = generator.draw(RowDraws(seed, row: row), ConceptMoment(concept: 1, row: row), into: &inputs)
      return inputs + [Float(label)]
    }
    let once = rows.map(drawn)
    #expect(once == Array(rows.reversed().map(drawn).reversed()) && once[1] == once[3] && once[0] != once[1])
  }

  @Test func `no two rows of a stream are equal and no test row is a training row`() throws {
    let stream = try stream()
    let tests = stream.experiences.flatMap { stream.evaluationSet(for: $0.index).rows.inputRows }
    #expect(Set(all(stream) + tests).count == 4 * 700)
  }

  @Test func `more test rows keep the first ones`() throws {
    let (few, many) = (try stream(), try stream { $0.rows.testRows = 500 })
    #expect(Array(many.evaluationSet(for: 3).rows.inputRows.prefix(300)) == few.evaluationSet(for: 3).rows.inputRows)
    #expect(all(few) == all(many))
  }

  @Test func `thresholds and noise move labels alone`() throws {
    let plain = try stream { $0.noise = 0 }
    let (moved, noisy) = (try stream { $0.thresholds = [3, 4, 5, 6] }, try stream())
    #expect(all(plain) == all(moved) && all(plain) == all(noisy))
    let noisier = try stream { $0.noise = 0.3 }
    for task in 0..<4 {
      func labels(_ stream: any DriftStream) -> [Int32] { stream.trainingRows(for: task).labels }
      let (little, much) = (zip(labels(plain), labels(noisy)), zip(labels(plain), labels(noisier)))
      let turned = zip(little.map { $0 != $1 }, much.map { $0 != $1 })
      #expect(turned.contains { $0.1 } && turned.allSatisfy { $0.1 || !$0.0 })
    }
  }

  @Test func `a transition moves labels about a boundary alone`() throws {
    let abrupt = try stream { $0.thresholds = [0, 20] }
    let ramp = try stream { ($0.thresholds, $0.rows.transition, $0.rows.width) = ([0, 20], .linear, 100) }
    #expect(all(abrupt) == all(ramp))
    for task in 0..<2 {
      let (before, after) = (abrupt.trainingRows(for: task).truth ?? [], ramp.trainingRows(for: task).truth ?? [])
      let moved = before.indices.filter { before[$0] != after[$0] }.map { $0 + 400 * task }
      #expect(moved.count > 5 && moved.allSatisfy { (350..<450).contains($0) })
      #expect(abrupt.evaluationSet(for: task).rows.truth == ramp.evaluationSet(for: task).rows.truth)
    }
  }

  /// Thresholds 0 and 20 answer always and never, so p* tells which concept made a row. P(new) of row r is σ(4 (r + 1 − at)/w);
  /// the number of new ones among rows at − 100 … at + 99 has at most deviation √(200/4) = 7.1 about Σ P.
  @Test func `a mixture's rows are made as often as the joiner says`() throws {
    let rows = 2000
    let mixed = try stream {
      ($0.thresholds, $0.rows.rowsPerTask, $0.rows.transition, $0.rows.width) = ([0, 20], rows, .sigmoid, 150)
    }
    let truth = (0..<2).flatMap { mixed.trainingRows(for: $0).truth ?? [] }
    var (expected, found, variance) = (0.0, 0.0, 0.0)
    for row in rows - 100..<rows + 100 {
      let p = Elementary.logistic(4 * Double(row + 1 - rows) / 150)
      expected += p
      variance += p * (1 - p)
      found += truth[row] < 0.5 ? 1 : 0
    }
    #expect(abs(found - expected) < 4 * variance.squareRoot())
    #expect(truth[..<(rows - 1000)].allSatisfy { $0 > 0.5 } && truth[(rows + 1000)...].allSatisfy { $0 < 0.5 })
  }

  @Test func `scaled rows are the same rows`() throws {
    let (scaled, plain) = (try stream(), try stream { $0.scale = .none })
    #expect(scaled.trainingRows(for: 1).labels == plain.trainingRows(for: 1).labels)
    #expect(close(all(scaled).joined().map { 10 * $0 }, all(plain).flatMap { $0 }, 1e-5))
    #expect(all(scaled).joined().allSatisfy { (0...1).contains($0) })
    #expect(plain.inputs?.scales == [])
  }
}
