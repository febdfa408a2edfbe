import Foundation
import PalimpsestCore
import PalimpsestScenarios
import PalimpsestTesting
import Testing

/// The camera's law, written anew.
@Suite struct CameraTests {
  /// log width, log height, log aspect, log area, speed, jitter, brightness, edge density.
  private static let blobs: [String: [Double]] = [
    "walk": [-0.2, 1, 1.2, 0.4, 0.2, 0, 0, 0.5], "run": [0, 0.9, 0.9, 0.5, 1.2, 0.5, 0, 0.6],
    "carry": [0.6, 1, 0.5, 0.8, 0, 0, -0.1, 0.8], "tree": [1, 1.4, 0.4, 1.3, -1, 1.2, -0.3, 1.4],
    "pet": [0.2, -0.6, -0.8, -0.2, 0.9, 0.6, 0, 0.3], "lights": [1.2, 0.2, -0.9, 0.8, 1, -0.6, 2, -1.2],
    "snow": [-1, -1, 0, -1, 0.4, 1.2, 1, -0.5],
  ]
  private static let phases: [(nuisances: [String: Double], brightness: Double)] = [
    (["tree": 0.5, "pet": 0.5], 0), (["snow": 0.6, "tree": 0.2, "lights": 0.2], 0.6),
    (["lights": 0.7, "pet": 0.3], -0.4), (["lights": 0.4, "snow": 0.6], 0.2),
    (["tree": 0.5, "pet": 0.2, "lights": 0.3], 0),
  ]

  /// p(x, y) but for (2π .81)⁻⁴.
  private static func density(_ x: [Double], _ parts: [String: Double], _ brightness: Double, _ prior: Double) -> Double
  {
    parts.reduce(0) { sum, part in
      var centre = blobs[part.key] ?? []
      centre[6] += brightness
      let square = zip(x, centre).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
      return sum + prior * part.value * exp(-square / (2 * 0.9 * 0.9))
    }
  }

  private static func densities(_ x: [Double], _ phase: Int) -> (no: Double, yes: Double) {
    let (nuisances, brightness) = phases[phase]
    return (
      density(x, nuisances, brightness, 0.7), density(x, ["walk": 0.5, "run": 0.2, "carry": 0.3], brightness, 0.3)
    )
  }

  private func stream(_ test: Int = 20_000) throws -> any DriftStream {
    try Classic.stream(Domain.sized(CameraAlerts(), test: test))
  }

  @Test func `p* is the posterior of the phase's mixture`() throws {
    let stream = try stream(500)
    for task in 0..<5 {
      for rows in [stream.trainingRows(for: task), stream.evaluationSet(for: task).rows] {
        let expected = rows.inputRows.map { row in
          let (no, yes) = CameraTests.densities(row, task)
          return yes / (no + yes)
        }
        #expect(close(rows.chances, expected, 1e-6))
      }
    }
  }

  @Test func `the joint ceiling is the rule of the posteriors' mean by density`() throws {
    let stream = try stream(1000)
    let scores = (0..<5).map { task in
      let rows = stream.evaluationSet(for: task).rows
      return Domain.mean(
        zip(rows.inputRows, rows.chances).map { row, p in
          let all = (0..<5).map { CameraTests.densities(row, $0) }
          return all.reduce(0) { $0 + $1.yes - $1.no } >= 0 ? p : 1 - p
        })
    }
    #expect(abs(try #require(stream.truth).jointCeiling - Domain.mean(scores)) < 1e-6)
  }

  @Test func `labels follow p*`() throws {
    let stream = try stream()
    for task in 0..<5 { #expect(stream.evaluationSet(for: task).rows.labelsExcess < 35.6) }
  }

  /// 14,000 nuisances: a mean of unit-like numbers (deviation 1.4 at most) varies by .012, a share by .004.
  @Test func `rows have the moments of the mixture`() throws {
    let stream = try stream()
    for task in 0..<5 {
      let rows = stream.evaluationSet(for: task).rows
      #expect(abs(rows.rate - 0.3) < 0.015)
      let (parts, brightness) = CameraTests.phases[task]
      let found = zip(rows.inputRows, rows.labels).filter { $0.1 == 0 }.map(\.0)
      for column in 0..<8 {
        let shift = column == 6 ? brightness : 0
        let centres = parts.map { ($0.value, (CameraTests.blobs[$0.key] ?? [])[column] + shift) }
        let mean = centres.reduce(0) { $0 + $1.0 * $1.1 }
        let variance = 0.81 + centres.reduce(0) { $0 + $1.0 * ($1.1 - mean) * ($1.1 - mean) }
        #expect(abs(Domain.mean(found.map { $0[column] }) - mean) < 5 * (variance / 14_000).squareRoot())
        #expect(abs(Domain.deviation(found.map { $0[column] }) - variance.squareRoot()) < 0.03)
      }
    }
  }

  /// 500,000 rows of a second program: .9285, .9109, .8926, .0449. 100,000 rows here: deviations below .0015.
  @Test func `the oracles are those of the design`() throws {
    let truth = try #require(try stream().truth)
    #expect(abs(Domain.bayes(truth) - 0.9285) < 0.003)
    #expect(abs(truth.jointCeiling - 0.9109) < 0.003 && abs(truth.jointCeiling - 0.910) < 0.005)
    #expect(abs(Domain.trackerAccuracy(truth) - 0.8926) < 0.004)
    #expect(abs(Domain.trackerForgets(truth) - 0.0449) < 0.004)
  }

  @Test func `a phase that comes again is the same concept under other rows`() throws {
    var camera = Domain.sized(CameraAlerts(), test: 300)
    camera.phases = [.yardAutumn, .streetWinter, .yardAutumn]
    let stream = try Classic.stream(camera)
    #expect(stream.experiences.map(\.name) == ["yard-autumn", "street-winter", "yard-autumn (2)"])
    #expect(try #require(stream.truth).totalVariation[0][2] == 0)
    #expect(stream.evaluationSet(for: 0).rows.inputRows != stream.evaluationSet(for: 2).rows.inputRows)
  }

  @Test func `more persons are the same blobs under another label`() throws {
    var camera = Domain.sized(CameraAlerts(), test: 300)
    let few = try Classic.stream(camera).evaluationSet(for: 1).rows
    camera.persons = 0.6
    let many = try Classic.stream(camera).evaluationSet(for: 1).rows
    #expect(zip(few.labels, many.labels).allSatisfy { $0 <= $1 } && many.rate > few.rate + 0.15)
    let kept = (0..<300).filter { few.labels[$0] == many.labels[$0] }
    #expect(kept.allSatisfy { few.inputRows[$0] == many.inputRows[$0] })
  }

  @Test func `the laws of scenarios hold`() throws {
    #expect(try ScenarioLaws.violations(of: Domain.sized(CameraAlerts(), training: 600, test: 2000)) == [])
    var camera = CameraAlerts().with {
      ($0.rowsPerTask, $0.testRows, $0.transition, $0.width) = (600, 800, .linear, 300)
    }
    (camera.phases, camera.persons, camera.spread) = ([.gardenWinter, .gardenSummer], 0.1, 1.5)
    #expect(try ScenarioLaws.violations(of: camera) == [])
  }

  @Test func `bad settings are refused with their place`() throws {
    func message(_ name: String, _ value: ParameterValue) -> String? {
      #expect(throws: ParameterError.self) { try CameraAlerts(settings: [name: value]) }?.description
    }
    #expect(message("persons", .number("1")) == "persons: expected a number in [0.001, 0.999], found 1")
    #expect(message("spread", .number("0")) == "spread: expected a number in [0.01, 100], found 0")
    #expect(message("phases", .list([.string("attic")]))?.hasPrefix("phases: expected a list of words of ") == true)
    #expect(message("phases", .list([])) != nil)
    let camera = try CameraAlerts(settings: ["phases": .list([.string("street-winter")]), "testRows": .number("7")])
    #expect(camera.phases == [.streetWinter] && camera.rows.testRows == 7 && camera.rows.rowsPerTask == 1200)
  }
}
