import Foundation
import PalimpsestCore
import PalimpsestScenarios
import PalimpsestTesting
import Testing

@Suite struct ActivityTests {
  private func stream(_ change: (inout ActivityUsers) -> Void = { _ in }, seed: UInt64 = 3) throws -> any DriftStream {
    var activity = Domain.sized(ActivityUsers(), test: 6000)
    change(&activity)
    return try Classic.stream(activity, seed: seed)
  }

  /// The centres of a task as its rows show them: 1,000 rows a class, so each coordinate is off by .032.
  private func centres(_ rows: Rows) -> [[Double]] {
    (0..<6).map { label in
      let own = zip(rows.inputRows, rows.labels).filter { $0.1 == Int32(label) }.map(\.0)
      return (0..<12).map { column in 2 * Domain.mean(own.map { $0[column] }) }
    }
  }

  private func distance(_ a: [Double], _ b: [Double]) -> Double {
    zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
  }

  /// Centres from the rows differ from the true ones by .032 a coordinate, so log-odds by about .2 and p* by less than .05; their means
  /// over rows by far less.
  @Test func `p* is the softmax of squared distances to the user's centres`() throws {
    let stream = try stream()
    for task in 0..<5 {
      let rows = stream.evaluationSet(for: task).rows
      let found = centres(rows)
      let p = try #require(rows.probabilities)
      var error = 0.0
      for (place, row) in rows.inputRows.enumerated() {
        let weights = found.map { centre in exp(-pow(distance(row.map { 2 * $0 }, centre), 2) / 2) }
        let sum = weights.reduce(0, +)
        error += abs(Double(p[place, 0]) - weights[0] / sum) / 6000
      }
      #expect(error < 0.004, "task \(task)")
    }
  }

  /// 72,000 numbers: their deviation varies by .0026.
  @Test func `rows lie about their centres with deviation 1`() throws {
    let rows = try stream().evaluationSet(for: 2).rows
    let found = centres(rows)
    let rest = zip(rows.inputRows, rows.labels).flatMap { row, label in
      zip(row, found[Int(label)]).map { 2 * $0 - $1 }
    }
    #expect(abs(Domain.deviation(rest) - 1) < 0.013)
    for label in 0..<6 { #expect(abs(Double(rows.labels.count { $0 == Int32(label) }) - 1000) < 5 * 28.9) }
  }

  /// A rotation about 0 keeps lengths; with an offset of N(0, .25) in 12 columns they change.
  @Test func `users are turned, and moved by their offset`() throws {
    let turned = try stream { $0.offset = 0 }
    let first = centres(turned.evaluationSet(for: 0).rows)
    for task in 1..<5 {
      let own = centres(turned.evaluationSet(for: task).rows)
      for label in 0..<6 {
        let origin = [Double](repeating: 0, count: 12)
        #expect(abs(distance(own[label], origin) - distance(first[label], origin)) < 0.2)
        #expect(distance(own[label], first[label]) > 1)
      }
    }
    let moved = try stream { $0.rotation = 0 }
    let shifts = (0..<6).map { label in
      zip(centres(moved.evaluationSet(for: 3).rows)[label], centres(moved.evaluationSet(for: 0).rows)[label]).map(-)
    }
    for label in 1..<6 { #expect(distance(shifts[label], shifts[0]) < 0.45) }
    #expect((0.3...1.7).contains(distance(shifts[0], [Double](repeating: 0, count: 12))))
  }

  @Test func `equal users have one law, and the joint ceiling is theirs`() throws {
    let truth = try #require(try stream { ($0.rotation, $0.offset, $0.users) = (0, 0, 2) }.truth)
    #expect(truth.totalVariation[0][1] == 0 && abs(truth.jointCeiling - Domain.bayes(truth)) < 1e-12)
  }

  /// exp(K) by SciPy's expm.
  @Test func `a rotation is the exponential of a skew matrix`() {
    let found = SkewExponential([[0, 0.3, -1.2], [-0.3, 0, 0.7], [1.2, -0.7, 0]]).matrix
    let expected = [
      [0.35541001, 0.56261644, -0.74642245], [0.14516865, 0.75564562, 0.63869066],
      [0.92336872, -0.33535419, 0.18688975],
    ]
    for (a, b) in zip(found, expected) { #expect(close(a, b, 1e-8)) }
    let turn = SkewExponential([[0, 3], [-3, 0]]).matrix
    #expect(close(turn.flatMap { $0 }, [cos(3), sin(3), -sin(3), cos(3)], 1e-13))
  }

  @Test func `classes arrive two by two, with all six to be told apart`() throws {
    let stream = try stream { $0.composition = .classes }
    #expect(stream.experiences.map(\.outputs) == [0..<2, 2..<4, 4..<6])
    #expect(stream.experiences.map(\.seenOutputs) == [0..<2, 0..<4, 0..<6])
    #expect(stream.experiences.map(\.name) == ["activities 1-2", "activities 3-4", "activities 5-6"])
    for task in 0..<3 {
      let set = stream.evaluationSet(for: task)
      #expect(set.candidates == 0..<6 && set.rows.labels.allSatisfy { $0 / 2 == Int32(task) })
      let p = try #require(set.rows.probabilities)
      #expect((0..<6000).allSatisfy { abs(p[$0, 2 * task] + p[$0, 2 * task + 1] - 1) < 1e-6 })
    }
    let truth = try #require(stream.truth)
    #expect(abs(truth.totalVariation[0][1] - 1) < 1e-12 && truth.crossAccuracy[0][2] == 0)
    // All six are told apart as one user's are: the best single rule is that of composition "users" on user 0.
    let users = try #require(try self.stream { $0.users = 1 }.truth)
    #expect(abs(truth.jointCeiling - users.bayesAccuracy[0]) < 0.01 && truth.jointCeiling < Domain.bayes(truth))
  }

  @Test func `rows are their user's`() throws {
    #expect(try stream().trainingRows(for: 3).owners?.allSatisfy { $0 == 3 } == true)
    #expect(try stream { $0.composition = .classes }.trainingRows(for: 2).owners?.allSatisfy { $0 == 0 } == true)
  }

  /// A second program with draws of its own, 60 languages: .977, deviation .011 a seed.
  @Test func `the best rule has what a second program finds`() throws {
    let found = try (0..<12).map { seed in
      Domain.bayes(try #require(try stream({ $0.rows.testRows = 1000 }, seed: UInt64(seed)).truth))
    }
    #expect(abs(Domain.mean(found) - 0.977) < 4.5 * 0.0032)
  }

  @Test func `the laws of scenarios hold`() throws {
    let users = Domain.sized(ActivityUsers(), training: 900, test: 1500)
    #expect(try ScenarioLaws.violations(of: users) == [])
    var classes = users
    (classes.composition, classes.classesPerTask, classes.separation) = (.classes, 3, 0.5)
    #expect(try ScenarioLaws.violations(of: classes) == [])
  }

  @Test func `classes do not mix across tasks`() {
    var classes = ActivityUsers().with { ($0.transition, $0.width) = (.linear, 100) }
    #expect(Classic.error(classes) == nil)
    classes.composition = .classes
    let message =
      "tasks would show each other's classes. With \"composition\": \"classes\" transitions are \"abrupt\", and there is no schedule."
    #expect(Classic.error(classes) == ScenarioError(parameter: "transition", message))
    classes = ActivityUsers().with { $0.schedule.name = .recurring }
    #expect(Classic.error(classes) == nil)
    classes.composition = .classes
    #expect(Classic.error(classes) == ScenarioError(parameter: "schedule.name", message))
    #expect(throws: ParameterError.self) { try ActivityUsers(settings: ["classesPerTask": .number("4")]) }
    #expect(throws: ParameterError.self) { try ActivityUsers(settings: ["composition": .string("user")]) }
  }
}
