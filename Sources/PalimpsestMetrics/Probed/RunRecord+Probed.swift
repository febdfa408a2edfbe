import PalimpsestCore

/// What was probed, as observations.
extension RunRecord {
  package mutating func observe(_ probed: ProbedRecord) {
    if let calibration = probed.calibration { observe(calibration) }
    if let flips = probed.flips { observe(flips) }
    if let slices = probed.slices { observe(slices) }
    if let layers = probed.layers { observe(layers, tasks: tasks.count) }
    if let fresh = probed.fresh { observe(fresh, tasks: tasks.count) }
  }

  private mutating func observe(_ record: CalibrationRecord) {
    observe(.brier, record.brier)
    observe(.calibrationError, record.error)
    observe(.debiasedCalibrationError, record.debiased)
    if record.trueError.values.contains(where: { !$0.isNaN }) { observe(.trueCalibrationError, record.trueError) }
    let (tasks, last) = (record.error.tasks, record.error.tasks - 1)
    observe(Observation(.finalCalibrationError, mean(0..<tasks) { record.error[last, $0] }))
    observe(record.reliability, tasks: tasks)
  }

  private mutating func observe(_ bins: [CalibrationRecord.Bin], tasks: Int) {
    if bins.isEmpty { return }
    let axes = [Axis(MeasureAxis.task.name, tasks), Axis(MeasureAxis.bin.name, 15)]
    var counts = [Int](repeating: -1, count: tasks * 15)
    var confidences = [Double](repeating: .nan, count: tasks * 15)
    var frequencies = confidences
    for bin in bins {
      let place = bin.task * 15 + bin.bin
      (counts[place], confidences[place], frequencies[place]) = (bin.count, bin.confidence, bin.frequency)
    }
    observe(Observation(.reliabilityCount, along: axes, .integers(counts)))
    observe(Observation(.reliabilityConfidence, along: axes, .numbers(confidences)))
    observe(Observation(.reliabilityFrequency, along: axes, .numbers(frequencies)))
  }

  private mutating func observe(_ record: FlipRecord) {
    observe(.negativeFlips, record.negative)
    observe(.positiveFlips, record.positive)
    observe(.answerChurn, record.churn)
    observe(Observation(.negativeFlipRate, record.rate))
  }

  private mutating func observe(_ record: SliceRecord) {
    if !record.classes.isEmpty {
      let axis = [Axis(MeasureAxis.label.name, record.classes.count)]
      observe(Observation(.classAccuracy, along: axis, .numbers(record.classes.map(\.accuracy))))
      observe(Observation(.classRows, along: axis, .integers(record.classes.map(\.rows))))
      observe(Observation(.worstClassAccuracy, Slice.worst(record.classes)))
    }
    if record.users.isEmpty { return }
    let axis = [Axis(MeasureAxis.user.name, record.users.count)]
    observe(Observation(.userTestAccuracy, along: axis, .numbers(record.users.map(\.accuracy))))
    observe(Observation(.userTestRows, along: axis, .integers(record.users.map(\.rows))))
    observe(Observation(.userAccuracyP10, Slice.tenthPercentile(record.users)))
    let best = record.users.map(\.bayesAccuracy)
    if best.contains(where: { !$0.isNaN }) { observe(Observation(.userTestBayesAccuracy, along: axis, .numbers(best))) }
  }

  private mutating func observe(_ name: ObservationName, _ matrix: AccuracyMatrix) {
    let axes = [Axis(MeasureAxis.afterTask.name, matrix.tasks), Axis(MeasureAxis.task.name, matrix.tasks)]
    observe(Observation(name, along: axes, .numbers(matrix.values)))
  }
}
