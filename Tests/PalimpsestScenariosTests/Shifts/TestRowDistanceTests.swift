import PalimpsestCore
import PalimpsestScenarios
import Testing

/// What rows, labels and rows of a label differ by in habits: measured on test rows.
@Suite struct TestRowDistanceTests {
  private func truth(_ phases: [Int], _ context: HabitPhases.Context) throws -> (ScenarioTruth, any DriftStream) {
    var habits = HabitPhases()
    (habits.phases, habits.context, habits.jointCeiling, habits.users) = (phases, context, .none, 2)
    let stream = try habits.prepare(from: EmptyLibrary()).makeStream(seed: Seed(5))
    return (try #require(stream.truth), stream)
  }

  /// The definition, spelled out for one column: 20 equal bins from least to largest, √(½ Σ (√p − √q)²), rows weighed by `weight`.
  private func apart(_ a: [(Float, Double)], _ b: [(Float, Double)]) -> Double {
    let values = (a + b).map(\.0)
    let (least, most) = (values.min() ?? 0, values.max() ?? 0)
    func shares(_ rows: [(Float, Double)]) -> [Double] {
      let sum = rows.reduce(0) { $0 + $1.1 }
      return rows.reduce(into: [Double](repeating: 0, count: 20)) { bins, row in
        let place = most > least ? Int((row.0 - least) / (most - least) * 20) : 0
        bins[min(19, place)] += row.1 / sum
      }
    }
    let squares = zip(shares(a), shares(b)).map {
      ($0.squareRoot() - $1.squareRoot()) * ($0.squareRoot() - $1.squareRoot())
    }
    return (squares.reduce(0, +) / 2).squareRoot()
  }

  @Test func `distances are those of the test rows' histograms`() throws {
    let (truth, stream) = try truth([0, 1], .visible)
    let found = try #require(truth.distances)
    let tasks = (0..<2).map { stream.evaluationSet(for: $0).rows }
    let (batches, p) = (tasks.map(\.batch), tasks.map { ($0.truth ?? []).map(Double.init) })
    func largest(_ weight: (Double) -> Double) -> Double {
      (0..<10).map { column in
        let columns = (0..<2).map { task in
          p[task].indices.map { (batches[task].inputs[$0, column], weight(p[task][$0])) }
        }
        return apart(columns[0], columns[1])
      }.max() ?? 0
    }
    let rates = p.map { $0.reduce(0, +) / Double($0.count) }
    #expect(abs(found.inputs[0][1] - largest { _ in 1 }) < 1e-6 && found.inputs[0][1] > 0.3)
    #expect(abs(found.labels[0][1] - abs(rates[0] - rates[1])) < 1e-9)
    let yes = (rates[0] + rates[1]) / 2
    let expected = yes * largest { $0 } + (1 - yes) * largest { 1 - $0 }
    #expect(abs(found.inputsOfLabels[0][1] - expected) < 1e-6)
    #expect(found.inputs[0][0] == 0 && found.inputs[0][1] == found.inputs[1][0])
  }

  /// Sixty people are not the same sixty.
  @Test func `hidden contexts show the same rows, visible ones others`() throws {
    let (hidden, _) = try truth([0, 1, 0], .hidden)
    let (visible, _) = try truth([0, 1, 0], .visible)
    #expect(hidden.distances?.inputs[0][2] ?? 1 < 0.2)
    #expect(visible.distances?.inputs[0][1] ?? 0 > 2 * (hidden.distances?.inputs[0][2] ?? 1))
  }
}
