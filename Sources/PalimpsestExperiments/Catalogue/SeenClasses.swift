import PalimpsestCore
import PalimpsestMetrics
import PalimpsestScenarios

/// What is known of the classes that were shown so far, where classes arrive one by one and not task by task.
extension Probe {
  static let seenClassCurve = Probe(
    .seenClassCurve, ofAny: [BlurryClasses.self, RandomlyBlurryClasses.self, RecurringClasses.self]
  ) { run in
    Reading(ClassAnswers.seen(run))
  }
}

extension Measure {
  static let seenClassCurve = Measure(
    .seenClassCurve, "Accuracy on the classes shown so far, at evaluations within tasks",
    definition:
      "share of right answers to the test rows of the classes of all rows so far (in runs over tasks: of the task at hand and those before)",
    direction: .higher, along: [.evaluation])
}
