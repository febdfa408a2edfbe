import Foundation
import PalimpsestCore
import PalimpsestScenarios
import PalimpsestTesting
import Testing

@Suite struct KeyboardTests {
  private func stream(_ change: (inout KeyboardRegisters) -> Void = { _ in }) throws -> any DriftStream {
    var keyboard = KeyboardRegisters()
    keyboard.rows.testRows = 6000
    change(&keyboard)
    return try Classic.stream(keyboard)
  }

  private func lastTokens(_ rows: Rows, of tokens: Int) -> [Int] {
    rows.inputRows.map { row in row.prefix(tokens).firstIndex(of: 1) ?? -1 }
  }

  @Test func `a row shows the token before, and the walk goes on`() throws {
    let stream = try stream()
    #expect(stream.shape == TaskShape(inputs: 40, outputs: 40))
    for task in 0..<5 {
      for rows in [stream.trainingRows(for: task), stream.evaluationSet(for: task).rows] {
        #expect(rows.inputRows.allSatisfy { $0.reduce(0, +) == 1 && $0.max() == 1 })
        #expect(lastTokens(rows, of: 40).dropFirst() == rows.labels.dropLast().map { Int($0) }[...])
      }
    }
  }

  /// Σ (ln p(y) − Σ p ln p) over 6,000 rows beside its deviation √Σ Var.
  @Test func `labels follow p*, which depends on register and last token alone`() throws {
    let stream = try stream()
    for task in 0..<5 {
      var known: [Int: [Float]] = [:]
      var (excess, variance) = (0.0, 0.0)
      for rows in [stream.trainingRows(for: task), stream.evaluationSet(for: task).rows] {
        let p = try #require(rows.probabilities)
        for (place, (last, label)) in zip(lastTokens(rows, of: 40), rows.labels).enumerated() {
          let row = p.row(place)
          #expect(known[last, default: row] == row)
          known[last] = row
          let logs = row.map { $0 > 0 ? log(Double($0)) : 0 }
          let mean = zip(row, logs).reduce(0) { $0 + Double($1.0) * $1.1 }
          excess += logs[Int(label)] - mean
          for (p, log) in zip(row, logs) { variance += Double(p) * (log - mean) * (log - mean) }
        }
      }
      #expect(abs(excess) < 4.5 * variance.squareRoot(), "task \(task)")
    }
  }

  @Test func `a shown register stands beside the token`() throws {
    let stream = try stream { ($0.context, $0.registers) = (.visible, [4, 2, 4]) }
    #expect(stream.shape == TaskShape(inputs: 42, outputs: 40))
    #expect(stream.inputs?.columns.suffix(2) == ["register 2", "register 4"])
    for (task, marks) in [[0, 1.5], [1.5, 0], [0, 1.5]].enumerated() {
      #expect(stream.trainingRows(for: task).inputRows.allSatisfy { Array($0.suffix(2)) == marks })
    }
    let truth = try #require(stream.truth)
    #expect(truth.totalVariation[0][2] == 0 && truth.totalVariation[0][1] > 0.3)
    #expect(abs(truth.jointCeiling - Domain.bayes(truth)) < 1e-12)
  }

  @Test func `contexts show the same walks`() throws {
    let (hidden, visible) = (try stream(), try stream { $0.context = .visible })
    #expect(hidden.trainingRows(for: 3).labels == visible.trainingRows(for: 3).labels)
    #expect(hidden.truth?.bayesAccuracy == visible.truth?.bayesAccuracy)
    #expect(try #require(hidden.truth).jointCeiling < visible.truth?.jointCeiling ?? 0)
  }

  /// Of six tokens all pairs are seen: Σ_x max_y mean_k π_k(x) P_k(x, y) by what the rows show. The frequencies of 40,000 rows that hang
  /// together are off by .01 at most.
  @Test func `the joint ceiling is the best answer to each token`() throws {
    let stream = try stream {
      ($0.tokens, $0.registers, $0.concentration, $0.rows.testRows) = (6, [1, 2, 3], 0.5, 40_000)
    }
    var joint = [[Double]](repeating: [Double](repeating: 0, count: 6), count: 6)
    for task in 0..<3 {
      let rows = stream.evaluationSet(for: task).rows
      let p = try #require(rows.probabilities)
      for (place, last) in lastTokens(rows, of: 6).enumerated() {
        for label in 0..<6 { joint[last][label] += Double(p[place, label]) / (3 * 40_000) }
      }
    }
    let best = joint.reduce(0) { $0 + ($1.max() ?? 0) }
    #expect(abs(try #require(stream.truth).jointCeiling - best) < 0.003)
  }

  @Test func `registers share as much of the language as is said`() throws {
    let one = try #require(try stream { $0.shared = 1 }.truth)
    #expect(one.totalVariation[0].allSatisfy { $0 < 1e-6 })
    let (half, none) = (try #require(try stream().truth), try #require(try stream { $0.shared = 0 }.truth))
    // |½ (own_j − own_k)| is half of what it is without a base, up to which tokens are met.
    #expect((0.4...0.65).contains(half.totalVariation[0][1] / none.totalVariation[0][1]))
  }

  /// Shares of a long walk by π = π P from the p* of the rows; a column is 1 with the share of its token, so two of them are
  /// √(½ ((√a − √b)² + (√(1 − a) − √(1 − b))²)) apart; labels of a long walk come as tokens do.
  @Test func `the distances are those of long walks`() throws {
    let stream = try stream {
      ($0.tokens, $0.registers, $0.concentration, $0.rows.testRows) = (6, [1, 2], 0.5, 5000)
    }
    let laws = try (0..<2).map { task in
      let rows = stream.evaluationSet(for: task).rows
      let p = try #require(rows.probabilities)
      let first = lastTokens(rows, of: 6).enumerated().reduce(into: [Int: Int]()) { $0[$1.element] = $1.offset }
      return try (0..<6).map { p.row(try #require(first[$0])).map { Double($0) } }
    }
    let shares = laws.map { law in
      (0..<2000).reduce([Double](repeating: 1.0 / 6, count: 6)) { shares, _ in
        (0..<6).map { token in (0..<6).reduce(0) { $0 + shares[$1] * law[$1][token] } }
      }
    }
    func apart(_ a: Double, _ b: Double) -> Double {
      let (yes, no) = (a.squareRoot() - b.squareRoot(), (1 - a).squareRoot() - (1 - b).squareRoot())
      return ((yes * yes + no * no) / 2).squareRoot()
    }
    let distances = try #require(stream.truth?.distances)
    let inputs = (0..<6).map { apart(shares[0][$0], shares[1][$0]) }.max() ?? 0
    #expect(abs(distances.inputs[0][1] - inputs) < 1e-5 && inputs > 0.02)
    let labels = zip(shares[0], shares[1]).reduce(0) { $0 + abs($1.0 - $1.1) / 2 }
    #expect(abs(distances.labels[0][1] - labels) < 1e-5)
    var conditional = 0.0
    for label in 0..<6 {
      let largest =
        (0..<6).map { token in
          let parts = (0..<2).map { shares[$0][token] * laws[$0][token][label] / shares[$0][label] }
          return apart(parts[0], parts[1])
        }.max() ?? 0
      conditional += (shares[0][label] + shares[1][label]) / 2 * largest
    }
    #expect(abs(distances.inputsOfLabels[0][1] - conditional) < 1e-5)
  }

  /// Rows no longer follow each other, so the inputs of both tasks are those of register 1's long walk: 6 shares of 20,000 rows.
  @Test func `under an operator rows stand alone, as ones of a long walk`() throws {
    func made(_ shift: Bool) throws -> any DriftStream {
      try stream {
        ($0.tokens, $0.registers, $0.concentration, $0.rows.testRows) = (6, [1, 2], 0.5, 20_000)
        $0.rows.shift.operator = shift ? .concept : nil
      }
    }
    func shares(_ rows: Rows) -> [Double] {
      lastTokens(rows, of: 6).reduce(into: [Double](repeating: 0, count: 6)) { $0[$1] += 1 / Double(rows.count) }
    }
    let (walks, alone) = (try made(false), try made(true))
    let long = shares(walks.evaluationSet(for: 0).rows)
    for task in 0..<2 {
      let rows = alone.evaluationSet(for: task).rows
      #expect(zip(shares(rows), long).allSatisfy { abs($0 - $1) < 0.02 })
      let follow = zip(lastTokens(rows, of: 6).dropFirst(), rows.labels).count { $0 == Int($1) }
      #expect(follow < rows.count / 2)
    }
    let distances = try #require(alone.truth?.distances)
    #expect(distances.inputs[0][1] == 0 && distances.labels[0][1] > 0.02)
  }

  /// Σ p² of a symmetric Dirichlet law with parameter a over V: (a + 1)/(V a + 1).
  @Test(arguments: [(5, 0.5), (40, 0.08), (3, 20)]) func `rows are drawn from a Dirichlet law`(
    tokens: Int, concentration: Double
  ) {
    let draws = (0..<4000).map { Bigrams.dirichlet(tokens, concentration, Seed(5).stream("test", $0)) }
    #expect(draws.allSatisfy { abs($0.reduce(0, +) - 1) < 1e-12 && $0.allSatisfy { (0...1).contains($0) } })
    let squares = draws.map { $0.reduce(0) { $0 + $1 * $1 } }
    let expected = (concentration + 1) / (Double(tokens) * concentration + 1)
    #expect(abs(Domain.mean(squares) - expected) < 5 * Domain.deviation(squares) / 4000.0.squareRoot())
    let first = draws.map { $0[0] }
    #expect(abs(Domain.mean(first) - 1 / Double(tokens)) < 5 * Domain.deviation(first) / 4000.0.squareRoot())
  }

  /// π = π P: five sixths and a sixth; a walk that alternates has a half each.
  @Test func `the stationary walk is found`() {
    #expect(close(Bigrams([[0.9, 0.1], [0.5, 0.5]]).stationary, [5.0 / 6, 1.0 / 6], 1e-11))
    #expect(close(Bigrams([[0, 1], [1, 0]]).stationary, [0.5, 0.5], 1e-11))
  }

  @Test(arguments: [KeyboardRegisters.Context.visible, .hidden]) func `the laws of scenarios hold`(
    context: KeyboardRegisters.Context
  ) throws {
    var keyboard = Domain.sized(KeyboardRegisters(), training: 900, test: 1500)
    (keyboard.context, keyboard.tokens, keyboard.registers) = (context, 12, [1, 2, 1])
    #expect(try ScenarioLaws.violations(of: keyboard) == [])
  }

  @Test func `bad settings are refused with their place`() throws {
    let error = #expect(throws: ParameterError.self) { try KeyboardRegisters(settings: ["tokens": .number("1")]) }
    #expect(error?.description == "tokens: expected a whole number in [2, 1000], found 1")
    #expect(throws: ParameterError.self) { try KeyboardRegisters(settings: ["concentration": .number("0")]) }
    #expect(throws: ParameterError.self) { try KeyboardRegisters(settings: ["context": .string("shown")]) }
  }
}
