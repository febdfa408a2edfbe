import PalimpsestCore
import PalimpsestDatasets
import PalimpsestMetrics
import PalimpsestScenarios
import TestFixtures
import Testing

private let library = DatasetFolder.standard()

/// Elec2's labels in order: figures of scikit-learn and of lines written apart from these.
@Suite(.enabled(if: library.location(of: "elec2") != nil, "skipped: elec2 is not there; see datasets/README.md"))
struct Elec2ProbeTests {
  private func labels() throws -> [Int32] {
    let stream = try TableLog().prepare(from: library).makeStream(seed: Seed(0))
    return stream.experiences.flatMap { stream.streamedRows(for: $0.index).labels }
  }

  /// f ← .99 f + .01 y from .5, each row judged before its label counts.
  @Test func `a fading rate of ones has these calibration errors`() throws {
    let labels = try labels().map(Double.init)
    var rate = 0.5
    let scores = labels.map { label in
      defer { rate = 0.99 * rate + 0.01 * label }
      return rate
    }
    let mass = try #require(Calibration(scores, labels))
    #expect(labels.count == 45_312 && abs(mass.brier - 0.235995) < 6e-7)
    #expect(abs(mass.error - 0.008777) < 6e-7 && abs(mass.rootMeanSquare - 0.011913) < 6e-7)
    #expect(abs(mass.debiased - 0.007987) < 6e-7)
    let width = try #require(Calibration(scores, labels, .equalWidth))
    #expect(abs(width.error - 0.008380) < 6e-7)
  }

  @Test func `from the same half hour yesterday to the label before, so many answers flip`() throws {
    let labels = try labels()
    let yesterday = [Int32](repeating: 0, count: 48) + labels.dropLast(48)
    let last = [Int32(0)] + labels.dropLast()
    let flips = try #require(AnswerFlips(before: yesterday, now: last, labels: labels))
    #expect(abs(flips.negative - 0.083995) < 6e-7 && abs(flips.positive - 0.281140) < 6e-7)
  }
}
