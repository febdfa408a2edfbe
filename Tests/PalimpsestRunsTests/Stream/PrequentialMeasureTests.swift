import PalimpsestCore
import PalimpsestDatasets
import PalimpsestExperiments
import PalimpsestRuns
import PalimpsestScenarios
import TestFixtures
import Testing

private let library = DatasetFolder.standard()

/// Repeats the last label that it learned, and answers 0 before the first.
private struct RepeatsLast: LabelLearner {
  private(set) var logit: Float = -1

  mutating func learn(_ labels: [Int32]) {
    if let label = labels.last { logit = label == 1 ? 1 : -1 }
  }
}

/// f ← .99 f + .01 y from .5; p(1) = f.
private struct Fades: LabelLearner {
  private var f = 0.5

  var logit: Float { Float(Elementary.log(f / (1 - f))) }
  mutating func learn(_ labels: [Int32]) {
    for label in labels { f = 0.99 * f + 0.01 * Double(label) }
  }
}

/// Elec2's rows in order: figures of independent computations, River's and scikit-learn's among them.
@Suite(.enabled(if: library.location(of: "elec2") != nil, "skipped: elec2 is not there; see datasets/README.md"))
struct PrequentialElec2Tests {
  private func windows(_ learner: any Learner, window: Int = 45_312, delay: Int = 0) throws -> PrequentialWindows {
    let stream = try TableLog().prepare(from: library).makeStream(seed: Seed(0))
    var settings = StreamSettings(block: 1, window: window)
    settings.labels.delay = delay
    var run = StreamRun(settings, stream, learner: learner, seed: Seed(0))
    run.finish()
    return run.windows
  }

  @Test func `repeating the last label has its published figures`() throws {
    let result = try windows(RepeatsLast())
    let all = result.windows[0]
    #expect(all.rows == 45_312)
    #expect(abs(all.accuracy - 0.853284) < 6e-7 && abs(all.kappa - 0.699730) < 6e-7)
    #expect(abs(all.kappaM - 0.654488) < 6e-7 && all.kappaTemporal == 0)
    #expect(abs(all.balancedAccuracy - 0.849865) < 6e-7)
    #expect(all.repeatLastAccuracy == all.accuracy && abs(all.majorityAccuracy - 0.575366) < 6e-7)
    #expect(abs(result.fadingAccuracy[0] - 0.845538) < 6e-7)
    let tumbling = try windows(RepeatsLast(), window: 1000).windows
    #expect(abs(tumbling.reduce(0) { $0 + $1.accuracy } / Double(tumbling.count) - 0.852746) < 6e-7)
  }

  /// κ = (p0 − p_c) / (1 − p_c), so p_c = (p0 − κ) / (1 − κ).
  @Test func `chance and fading have their published figures`() throws {
    let all = try windows(RepeatsLast()).windows[0]
    #expect(abs((all.accuracy - all.kappa) / (1 - all.kappa) - 0.511387) < 6e-7)
    let fading = try windows(RepeatsLast(), window: 1).fadingAccuracy
    #expect(fading.count == 45_312)
    #expect(abs(fading.reduce(0, +) / 45_312 - 0.853384) < 6e-7 && abs(fading[45_311] - 0.845538) < 6e-7)
  }

  @Test func `the most frequent label so far has its published figures`() throws {
    let all = try windows(MostFrequent()).windows[0]
    #expect(abs(all.accuracy - 0.575366) < 6e-7 && all.majorityAccuracy == all.accuracy)
    #expect(abs(all.kappa - 0.000153) < 6e-7 && abs(all.kappaTemporal + 1.894254) < 6e-7)
    #expect(all.kappaM == 0)
  }

  @Test func `a fading share has its log-loss, Brier score and area`() throws {
    let all = try windows(Fades()).windows[0]
    #expect(abs(all.logLoss - 0.664472) < 6e-7 && abs(all.brier - 0.235995) < 6e-7)
    #expect(abs(all.area - 0.607658) < 6e-7 && abs(all.calibrationError - 0.008777) < 6e-7)
    let full = try windows(Fades(), window: 1000).windows.filter { $0.rows == 1000 }
    #expect(full.count == 45 && abs(full.reduce(0) { $0 + $1.area } / 45 - 0.575225) < 6e-7)
  }

  /// A label that comes d rows late leaves the one of d + 1 rows ago as the last that is known.
  @Test(arguments: [(0, 0.853284), (1, 0.796367), (47, 0.656140)])
  func `late labels make the last one an old one`(delay: Int, accuracy: Double) throws {
    #expect(abs(try windows(RepeatsLast(), delay: delay).windows[0].accuracy - accuracy) < 6e-7)
  }

  @Test(arguments: [(0, 0.596751), (48, 0.546103)])
  func `the fading share loses by the delay what it should`(delay: Int, accuracy: Double) throws {
    #expect(abs(try windows(Fades(), delay: delay).windows[0].accuracy - accuracy) < 6e-7)
  }
}
