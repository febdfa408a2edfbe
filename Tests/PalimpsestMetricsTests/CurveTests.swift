import PalimpsestMetrics
import Testing

/// Metrics that take the evaluations within tasks.
@Suite struct CurveTests {
  /// Three tasks; the untouched numbers of the matrix are those of `example`.
  func run(_ points: [(task: Int, accuracy: [Double])]) -> RunRecord {
    var run = example
    run.curve = points.enumerated().map { i, point in
      CurvePoint(task: point.task, examples: i * 10, accuracy: point.accuracy, expectedAccuracy: nil)
    }
    return run
  }

  var dips: RunRecord {
    run([
      (0, [0.3, 0.0, 0.0]), (0, [0.7, 0.0, 0.0]),
      (1, [0.4, 0.3, 0.0]), (1, [0.6, 0.7, 0.0]),
      (2, [0.35, 0.3, 0.4]), (2, [0.6, 0.5, 0.8]),
    ])
  }

  @Test func `minimum accuracy takes every evaluation since the task ended`() {
    // Task 0: 0.35 within task 2 (0.4 within task 1). Task 1: 0.3 within task 2. What was seen while a task was learned does not count.
    #expect(close(number(.minAccuracy, dips), 0.325))
    // 1/3 · 0.92 + 2/3 · 0.325
    #expect(close(number(.worstCaseAccuracy, dips), (0.92 + 0.65) / 3))
  }

  @Test func `the ends of tasks are evaluations too`() {
    let high = run([(1, [0.95, 0.9, 0]), (2, [0.95, 0.95, 0])])
    // Task 0: R[2, 0] = 0.70; task 1: R[2, 1] = 0.60.
    #expect(close(number(.minAccuracy, high), 0.65))
  }

  @Test func `worst-case accuracy is at most average accuracy`() {
    #expect(number(.worstCaseAccuracy, dips) <= number(.averageAccuracy, dips))
    let without = number(.worstCaseAccuracy, run([(1, [1, 1, 1]), (2, [1, 1, 1])]))
    #expect(without <= number(.averageAccuracy, example) + 1e-12)
  }

  @Test func `the stability gap is the dip of the mean over the tasks learned before`() {
    let switches = dips.switches(.sampled)
    #expect(switches.map(\.task) == [1, 2])
    // Switch to task 1: 0.80, down to 0.4, 0.90 after it. Switch to task 2: (0.90 + 0.85)/2 down to (0.35 + 0.3)/2.
    #expect(close(switches[0].before, 0.80) && close(switches[0].lowest, 0.4) && close(switches[0].after, 0.90))
    #expect(close(switches[1].before, 0.875) && close(switches[1].lowest, 0.325) && close(switches[1].after, 0.65))
    #expect(close(switches[1].recovery, 0.325))
    #expect(close(number(.stabilityGap, dips), (0.4 + 0.55) / 2))
  }

  @Test func `the end of a task counts as its last evaluation`() {
    let flat = run([(1, [0.95, 0.9, 0]), (2, [0.9, 0.9, 0])])
    // Switch to task 1: 0.80 − 0.90 = −0.10. Switch to task 2: 0.875 − (0.70 + 0.60)/2.
    #expect(close(number(.stabilityGap, flat), (-0.10 + 0.225) / 2))
  }

  /// Rows at the evaluations 0, 10 … 50, at the tasks' ends 15, 35, 60. Switch to task 1: under .95 · .80 = .76 at its evaluations, .90 at
  /// its end, 20 rows in. Switch to task 2: .325, .55 and .65 are all under .95 · .875.
  @Test func `what a switch cost is regained after so many rows`() {
    var run = dips
    run.cost.examplesTask = [15, 20, 25]
    #expect(number(.regainSteps, run) == 20 && number(.regainedShare, run) == 0.5)
  }

  /// .95 and .9 at the evaluations, .90 and (.70 + .60)/2 at the ends: task 1 costs nothing, what task 2 costs stays.
  @Test func `a switch that costs nothing is regained at once`() {
    var flat = run([(1, [0.95, 0.9, 0]), (2, [0.9, 0.9, 0])])
    flat.cost.examplesTask = [0, 5, 10]
    #expect(number(.regainSteps, flat) == 0 && number(.regainedShare, flat) == 0.5)
  }

  @Test func `nothing is known of regaining where rows were not counted`() {
    let value = Metric.regainSteps.value(of: dips, kind: .sampled)
    #expect(value.reason == "training rows were not counted task by task")
  }

  @Test func `windowed changes are the largest drop and rise inside ten evaluations`() {
    // Task 0: 0.3 0.7 0.4 0.6 0.35 0.6, drop 0.35, rise 0.4. Task 1: 0.3 0.7 0.3 0.5, drop 0.4, rise 0.4. Task 2: 0, 0.4.
    #expect(close(number(.windowedForgetting, dips), (0.35 + 0.4 + 0) / 3))
    #expect(close(number(.windowedPlasticity, dips), (0.4 + 0.4 + 0.4) / 3))
  }

  @Test func `a window holds ten evaluations and no more`() {
    // 0.9, 0.8, … 0.0 in one task: ten in a row fall by 0.9; an eleventh, one lower, is outside.
    let points = (0..<11).map { (task: 1, accuracy: [1 - Double($0) / 10, 0.5, 0]) }
    let falling = run(points + [(2, [0, 0.5, 0.5])])
    // Task 0 falls by 9/10 within a window, the others not at all.
    #expect(close(number(.windowedForgetting, falling), 0.9 / 3))
  }

  /// Within task 0: .3, .7; within task 1: (.4 + .3)/2, (.6 + .7)/2; within task 2: (.35 + .3 + .4)/3, (.6 + .5 + .8)/3.
  @Test func `anytime accuracy is that of the tasks begun so far, whatever else was looked at`() {
    #expect(close(number(.anytimeAccuracy, dips), (0.3 + 0.7 + 0.35 + 0.65 + 0.35 + 1.9 / 3) / 6))
    var all = dips
    all.curve[0].accuracy[2] = 1
    #expect(number(.anytimeAccuracy, all) == number(.anytimeAccuracy, dips))
    #expect(number(.anytimeAccuracy, example).isNaN)
  }

  @Test func `noise-free metrics read the noise-free curve`() {
    var run = dips
    #expect(Metric.stabilityGap.value(of: run, kind: .expected).number.isNaN)
    for i in run.curve.indices { run.curve[i].expectedAccuracy = [0.7, 0.7, 0.7] }
    // 0.80 − 0.7, and 0.875 − the end's 0.65.
    #expect(close(Metric.stabilityGap.value(of: run, kind: .expected).number, (0.10 + 0.225) / 2))
  }
}
