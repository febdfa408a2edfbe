import PalimpsestCore

/// What a run through tasks observes, by its types: each is one or several observations.
extension RunRecord {
  /// The observations of a run through tasks.
  public init(_ record: TaskRecord) {
    self.init(status: record.status, tasks: record.tasks, observations: [])
    error = record.error
    observe(record)
    truth = record.truth
    cost = record.cost
  }

  /// Accuracies on the tasks' test rows.
  mutating func observe(_ record: TaskRecord) {
    zeroShotUnmeasured = record.zeroShotUnmeasured
    accuracy = record.accuracy
    expectedAccuracy = record.expectedAccuracy
    logLoss = record.logLoss
    if let errors = record.errors { set(errors) }
    accuracyBefore = record.accuracyBefore
    expectedAccuracyBefore = record.expectedAccuracyBefore
    curve = record.curve
  }

  /// R[i, j]: share of right answers on task j's test rows after learning task i. Full: j > i is zero-shot.
  public var accuracy: AccuracyMatrix {
    get { matrix(.accuracy) ?? AccuracyMatrix(tasks: 0) }
    set { set(.accuracy, newValue) }
  }

  /// The same without the noise of labels, where p* is known: mean of p* of the answers given.
  public var expectedAccuracy: AccuracyMatrix? {
    get { matrix(.expectedAccuracy) }
    set { set(.expectedAccuracy, newValue) }
  }

  /// Mean −ln p(label).
  public var logLoss: AccuracyMatrix {
    get { matrix(.logLoss) ?? AccuracyMatrix(tasks: 0) }
    set { set(.logLoss, newValue) }
  }

  /// Root mean square errors as ``accuracy`` stands, where values are to be predicted.
  public var rootMeanSquareErrors: AccuracyMatrix? { matrix(.rmse) }

  private mutating func set(_ errors: ErrorMatrices) {
    set(.rmse, errors.rootMeanSquare)
    set(.mae, errors.meanMagnitude)
    let (rmse, mae) = (errors.rootMeanSquare, errors.meanMagnitude)
    let last = rmse.tasks - 1
    observe(Observation(.averageRMSE, mean(0..<rmse.tasks) { rmse[last, $0] }))
    observe(Observation(.averageMAE, mean(0..<mae.tasks) { mae[last, $0] }))
    let rises = mean(0..<max(0, last)) { j in rmse[last, j] - smallest((j..<last).map { rmse[$0, j] }) }
    observe(Observation(.rmseForgetting, rises))
  }

  /// One a task: accuracy of the untrained network.
  public var accuracyBefore: [Double] {
    get { self[.accuracyBefore]?.numbers ?? [] }
    set { set(.accuracyBefore, .task, newValue) }
  }

  public var expectedAccuracyBefore: [Double]? {
    get { self[.expectedAccuracyBefore]?.numbers }
    set { set(.expectedAccuracyBefore, .task, newValue) }
  }

  /// True where p* is known.
  package var knowsExpected: Bool { self[.expectedAccuracy] != nil }

  /// C[j, k]: the accuracy on task k of the best rule for task j, where it is known.
  var crossAccuracy: AccuracyMatrix? { matrix(.crossAccuracy) }

  private func matrix(_ name: ObservationName) -> AccuracyMatrix? {
    guard let observation = self[name], observation.axes.count == 2 else { return nil }
    let (height, width) = (observation.axes[0].length, observation.axes[1].length)
    if height == width { return AccuracyMatrix(tasks: height, values: observation.numbers) }
    return AccuracyMatrix(observation.rows)
  }

  /// Rows of a matrix that is not square are filled up with NaN.
  private mutating func set(_ name: ObservationName, _ matrix: AccuracyMatrix?) {
    guard let matrix else { return forget(name) }
    if matrix.isSquare {
      let axes = [Axis(MeasureAxis.afterTask.name, matrix.tasks), Axis(MeasureAxis.task.name, matrix.tasks)]
      observe(Observation(name, along: axes, .numbers(matrix.values)))
    } else {
      observe(Observation(name, .afterTask, .task, rows: matrix.rows))
    }
  }

  private mutating func set(_ name: ObservationName, _ axis: MeasureAxis, _ list: [Double]?) {
    guard let list else { return forget(name) }
    observe(Observation(name, along: [Axis(axis.name, list.count)], .numbers(list)))
  }
}

extension RunRecord {
  private mutating func set(_ name: ObservationName, _ axis: MeasureAxis, _ list: [Int]?) {
    guard let list else { return forget(name) }
    observe(Observation(name, along: [Axis(axis.name, list.count)], .integers(list)))
  }
}

// MARK: - Curve

extension RunRecord {
  /// Evaluations within tasks, where they were asked for.
  public var curve: [CurvePoint] {
    get {
      guard let tasks = self[.curveTask]?.integers, let examples = self[.curveExamples]?.integers,
        let accuracy = self[.curveAccuracy]?.rows, accuracy.count == tasks.count, examples.count == tasks.count
      else { return [] }
      let (expected, losses) = (self[.expectedCurveAccuracy]?.rows, self[.curveLogLoss]?.rows)
      return tasks.indices.map { i in
        let known = expected.flatMap { $0.indices.contains(i) && $0[i].contains { !$0.isNaN } ? $0[i] : nil }
        return CurvePoint(
          task: tasks[i], examples: examples[i], accuracy: accuracy[i], expectedAccuracy: known,
          logLoss: losses.flatMap { $0.indices.contains(i) ? $0[i] : nil })
      }
    }
    set { setCurve(newValue) }
  }

  private mutating func setCurve(_ points: [CurvePoint]) {
    let names: [ObservationName] = [.curveAccuracy, .expectedCurveAccuracy, .curveLogLoss, .curveExamples, .curveTask]
    for name in names { forget(name) }
    if points.isEmpty { return }
    let axis = [Axis(MeasureAxis.evaluation.name, points.count)]
    observe(Observation(.curveAccuracy, .evaluation, .task, rows: points.map(\.accuracy)))
    if points.contains(where: { $0.expectedAccuracy != nil }) {
      observe(Observation(.expectedCurveAccuracy, .evaluation, .task, rows: points.map { $0.expectedAccuracy ?? [] }))
    }
    if points.contains(where: { $0.logLoss?.contains { !$0.isNaN } ?? false }) {
      observe(Observation(.curveLogLoss, .evaluation, .task, rows: points.map { $0.logLoss ?? [] }))
    }
    observe(Observation(.curveExamples, along: axis, .integers(points.map(\.examples))))
    observe(Observation(.curveTask, along: axis, .integers(points.map(\.task))))
  }
}

extension Observation {
  /// A matrix whose rows are filled up with NaN to the longest.
  init(_ name: ObservationName, _ first: MeasureAxis, _ second: MeasureAxis, rows: [[Double]]) {
    let width = rows.map(\.count).max() ?? 0
    let values = rows.flatMap { $0 + repeatElement(.nan, count: width - $0.count) }
    self.init(name, along: [Axis(first.name, rows.count), Axis(second.name, width)], .numbers(values))
  }

  /// The rows of a matrix.
  var rows: [[Double]] {
    guard axes.count == 2 else { return [] }
    let (numbers, width) = (numbers, axes[1].length)
    return (0..<axes[0].length).map { Array(numbers[$0 * width..<($0 + 1) * width]) }
  }
}

// MARK: - Truth

extension RunRecord {
  /// What is known of the scenario.
  public var truth: ScenarioTruth? {
    get {
      guard let bayes = self[.bayesAccuracy]?.numbers, let cross = self[.crossAccuracy]?.rows,
        let variation = self[.driftTV]?.rows, let hellinger = self[.driftHellinger]?.rows
      else { return nil }
      return ScenarioTruth(
        bayesAccuracy: bayes, crossAccuracy: cross, totalVariation: variation, hellinger: hellinger,
        jointCeiling: number(.jointCeiling), distances: distances)
    }
    set { setTruth(newValue) }
  }

  private var distances: DriftDistances? {
    guard let inputs = self[.driftInputs]?.rows, let labels = self[.driftLabels]?.rows,
      let conditional = self[.driftConditional]?.rows
    else { return nil }
    var distances = DriftDistances(inputs: inputs, labels: labels, inputsOfLabels: conditional)
    distances.twoSample = self[.driftTwoSample]?.rows
    return distances
  }

  private mutating func setTruth(_ truth: ScenarioTruth?) {
    guard let truth else {
      let names: [ObservationName] = [
        .bayesAccuracy, .crossAccuracy, .driftTV, .driftHellinger, .driftInputs, .driftLabels, .driftConditional,
        .driftTwoSample, .jointCeiling, .trackerAccuracy, .ambiguityGap,
      ]
      return names.forEach { forget($0) }
    }
    set(.bayesAccuracy, .task, truth.bayesAccuracy)
    observe(Observation(.crossAccuracy, .task, .otherTask, rows: truth.crossAccuracy))
    observe(Observation(.driftTV, .task, .otherTask, rows: truth.totalVariation))
    observe(Observation(.driftHellinger, .task, .otherTask, rows: truth.hellinger))
    if let distances = truth.distances {
      observe(Observation(.driftInputs, .task, .otherTask, rows: distances.inputs))
      observe(Observation(.driftLabels, .task, .otherTask, rows: distances.labels))
      observe(Observation(.driftConditional, .task, .otherTask, rows: distances.inputsOfLabels))
      if let accuracies = distances.twoSample {
        observe(Observation(.driftTwoSample, .task, .otherTask, rows: accuracies))
      }
    }
    observe(Observation(.jointCeiling, truth.jointCeiling))
    observe(Observation(.trackerAccuracy, truth.trackerAccuracy))
    observe(Observation(.ambiguityGap, truth.ambiguityGap))
  }
}

// MARK: - Cost

extension RunRecord {
  public var cost: RunCost {
    get {
      var cost = RunCost()
      cost.revision = integer(.costRevision) ?? 1
      cost.timeTotal = number(.timeTotal)
      cost.timeTrain = number(.timeTrain)
      cost.timeEvaluate = number(.timeEvaluate)
      cost.timeTask = self[.timeTask]?.numbers ?? []
      cost.steps = integer(.steps) ?? 0
      cost.examples = integer(.examples) ?? 0
      cost.examplesTask = self[.examplesTask]?.integers
      cost.multiplyAddsTask = self[.multiplyAddsTask]?.integers
      cost.multiplyAddsEvaluation = integer(.multiplyAddsEvaluation)
      cost.learner.multiplyAdds = integer(.multiplyAdds) ?? 0
      cost.learner.bytesModel = integer(.bytesModel) ?? 0
      cost.learner.bytesOptimizer = integer(.bytesOptimizer) ?? 0
      cost.learner.bytesImportance = integer(.bytesImportance) ?? 0
      cost.learner.bytesMemory = integer(.bytesMemory) ?? 0
      cost.learner.parts = parts
      return cost
    }
    set { setCost(newValue) }
  }

  private func integer(_ name: ObservationName) -> Int? { self[name]?.integers?.first }

  private mutating func setCost(_ cost: RunCost) {
    observe(Observation(.timeTotal, cost.timeTotal))
    observe(Observation(.timeTrain, cost.timeTrain))
    observe(Observation(.timeEvaluate, cost.timeEvaluate))
    set(.timeTask, .afterTask, cost.timeTask)
    observe(Observation(.steps, cost.steps))
    observe(Observation(.examples, cost.examples))
    set(.examplesTask, .afterTask, cost.examplesTask)
    observe(Observation(.multiplyAdds, cost.learner.multiplyAdds))
    set(.multiplyAddsTask, .afterTask, cost.multiplyAddsTask)
    if let work = cost.multiplyAddsEvaluation {
      observe(Observation(.multiplyAddsEvaluation, work))
    } else {
      forget(.multiplyAddsEvaluation)
    }
    observe(Observation(.bytesModel, cost.learner.bytesModel))
    observe(Observation(.bytesOptimizer, cost.learner.bytesOptimizer))
    observe(Observation(.bytesImportance, cost.learner.bytesImportance))
    observe(Observation(.bytesMemory, cost.learner.bytesMemory))
    setParts(cost.learner.parts)
    observe(Observation(.costRevision, cost.revision))
  }

  /// Cost by part; none where it was not observed.
  private var parts: [PartCost] {
    guard case .labels(let names)? = ticks[MeasureAxis.part.name], let work = self[.multiplyAddsPart]?.integers,
      let bytes = self[.bytesPart]?.integers, work.count == names.count, bytes.count == names.count
    else { return [] }
    return names.indices.map { PartCost(names[$0], multiplyAdds: work[$0], bytes: bytes[$0]) }
  }

  private mutating func setParts(_ parts: [PartCost]) {
    let axis = MeasureAxis.part.name
    if parts.isEmpty {
      ticks[axis] = nil
      forget(.multiplyAddsPart)
      return forget(.bytesPart)
    }
    ticks[axis] = .labels(parts.map(\.name))
    observe(Observation(.multiplyAddsPart, along: [Axis(axis, parts.count)], .integers(parts.map(\.multiplyAdds))))
    observe(Observation(.bytesPart, along: [Axis(axis, parts.count)], .integers(parts.map(\.bytes))))
  }
}
