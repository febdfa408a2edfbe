import PalimpsestCore
import PalimpsestScenarios
import Testing

/// The generator against the numbers of the prototype it follows, on large samples.
@Suite struct HabitFitTests {
  private func check(_ stream: HabitStream?) throws -> ScenarioTruth {
    let stream = try #require(stream)
    let truth = try #require(stream.truth)
    for task in 0..<5 {
      let p = try #require(stream.evaluationSet(for: task).rows.truth).map(Double.init)
      #expect(abs(mean(p) - 0.5) < 0.01, "base rate \(mean(p)) in task \(task)")
      #expect(abs(truth.bayesAccuracy[task] - 0.86) < 0.005, "B = \(truth.bayesAccuracy[task]) in task \(task)")
    }
    return truth
  }

  @Test func `calibration holds for users never seen, visible`() throws {
    let truth = try check(Habit.visible)
    #expect(abs(truth.trackerAccuracy - 0.61) < 0.02)
    #expect(abs(truth.trackerForgetting - 0.31) < 0.02)
    let pairs = (0..<5).flatMap { j in
      (0..<j).map { (truth.totalVariation[j][$0] + truth.totalVariation[$0][j]) / 2 }
    }
    #expect(abs((pairs.min() ?? 0) - 0.23) < 0.02 && abs((pairs.max() ?? 0) - 0.60) < 0.02)
    #expect(abs(truth.crossAccuracy[0][1] - 0.285) < 0.03)
    #expect(abs(truth.crossAccuracy[0][3] - 0.779) < 0.02)
  }

  @Test func `calibration holds for users never seen, hidden`() throws {
    let truth = try check(Habit.hidden)
    #expect(abs(truth.trackerAccuracy - 0.60) < 0.015)
    #expect(abs(truth.trackerForgetting - 0.325) < 0.02)
    #expect(abs(truth.mean(truth.totalVariation) - 0.423) < 0.015)
    #expect(abs(truth.mean(truth.hellinger) - 0.363) < 0.015)
  }

  @Test func `cross accuracies of the published table are the prototype's, visible`() throws {
    let expected = [
      [0.859, 0.284, 0.644, 0.771, 0.535], [0.320, 0.860, 0.380, 0.427, 0.469], [0.676, 0.365, 0.858, 0.542, 0.658],
      [0.679, 0.485, 0.501, 0.863, 0.464], [0.537, 0.531, 0.650, 0.458, 0.857],
    ]
    try compare(Habit.visibleTable, expected)
  }

  @Test func `cross accuracies of the published table are the prototype's, hidden`() throws {
    let expected = [
      [0.858, 0.229, 0.675, 0.716, 0.498], [0.248, 0.861, 0.377, 0.450, 0.526], [0.672, 0.364, 0.859, 0.486, 0.646],
      [0.714, 0.431, 0.494, 0.860, 0.320], [0.539, 0.527, 0.656, 0.414, 0.859],
    ]
    try compare(Habit.hiddenTable, expected)
  }

  private func compare(_ stream: HabitStream?, _ expected: [[Double]]) throws {
    let truth = try #require(stream?.truth)
    for j in 0..<5 {
      for k in 0..<5 { #expect(abs(truth.crossAccuracy[j][k] - expected[j][k]) < 0.015, "C of rule \(j) on task \(k)") }
    }
  }

  @Test(arguments: [
    (0, 0, 0, 0), (0.25, 0.138, 0.124, 0.065), (0.5, 0.285, 0.249, 0.183), (0.75, 0.380, 0.327, 0.272),
    (1, 0.423, 0.363, 0.316),
  ]) func `distance and tracker forgetting follow the dose`(
    dose: Double, variation: Double, hellinger: Double, forgetting: Double
  ) throws {
    let truth = try #require(
      Habit.large {
        $0.context = .hidden
        $0.dose = dose
      }?.truth)
    #expect(abs(truth.mean(truth.totalVariation) - variation) < 0.015)
    #expect(abs(truth.mean(truth.hellinger) - hellinger) < 0.015)
    #expect(abs(truth.trackerForgetting - forgetting) < 0.02)
  }

  @Test func `the asked distance is reached`() throws {
    let truth = try #require(
      Habit.large {
        $0.context = .hidden
        $0.driftTV = 0.25
        $0.calibrationUsers = 200
      }?.truth)
    #expect(abs(truth.mean(truth.totalVariation) - 0.25) < 0.01)
  }

  @Test func `other targets are reached too`() throws {
    let stream = try #require(
      Habit.large {
        $0.baseRate = 0.42
        $0.bayesAccuracy = 0.75
        $0.phases = [0, 3]
        $0.noise = 0.05
      })
    for task in 0..<2 {
      let p = try #require(stream.evaluationSet(for: task).rows.truth).map(Double.init)
      #expect(abs(mean(p) - 0.42) < 0.012)
      #expect(abs(mean(p.map { max($0, 1 - $0) }) - 0.75) < 0.006)
    }
  }

  @Test func `the joint ceiling tells visible from hidden context`() throws {
    let visible = try gap(.visible)
    let hidden = try gap(.hidden)
    #expect(visible.gap <= 0.03 && abs(visible.ceiling - 0.847) < 0.008)
    #expect(hidden.gap >= 0.12 && abs(hidden.ceiling - 0.707) < 0.012)
  }

  private func gap(_ context: HabitPhases.Context) throws -> (gap: Double, ceiling: Double) {
    let course = try Habit.course {
      $0.context = context
      $0.jointCeiling = .estimate
      $0.testUsers = 400
    }
    let truth = try #require(course.makeStream(seed: Seed(12)).truth)
    return (truth.ambiguityGap, truth.jointCeiling)
  }

  /// One law for all: its own rule is the best joint function.
  @Test func `without drift the joint ceiling is the Bayes accuracy`() throws {
    let course = try Habit.course {
      $0.context = .hidden
      $0.dose = 0
      $0.jointCeiling = .estimate
    }
    #expect(abs(course.jointCeiling - 0.86) < 1e-6)
  }
}
