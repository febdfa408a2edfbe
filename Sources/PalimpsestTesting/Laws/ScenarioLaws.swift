import PalimpsestCore
import PalimpsestScenarios

/// The laws of a scenario, as functions that any test can call:
///
///     #expect(try ScenarioLaws.violations(of: MyScenario()).isEmpty)
///
/// Rows follow from settings, seed and task alone; what the stream says of its tasks is so; rows have the stream's width, labels
/// of their task and finite numbers; nothing is tested on that was trained on; labels follow p\*; the truth agrees with the rows.
public enum ScenarioLaws {
  /// Prepares the scenario twice and draws two seeds of it.
  ///
  /// - Parameters:
  ///   - scenario: with its parameters set; few tasks and some thousand rows are enough.
  ///   - library: where it finds its data.
  /// - Returns: one sentence for each violation; empty where the laws hold.
  /// - Throws: what the scenario throws where it cannot be prepared: ``PalimpsestScenarios/ScenarioError`` or
  ///   ``PalimpsestScenarios/DatasetError``.
  /// - Cost: four times the rows of a seed.
  public static func violations<S: Scenario>(
    of scenario: S, library: any DatasetLibrary = EmptyLibrary()
  ) throws -> [String] {
    let prepared = try scenario.prepare(from: library)
    let stream = prepared.makeStream(seed: Seed(1))
    let again = try scenario.prepare(from: library).makeStream(seed: Seed(1))
    let other = prepared.makeStream(seed: Seed(2))
    let found =
      outlineViolations(scenario.outline, stream) + outlookViolations(prepared, stream) + order(stream, again)
      + seeds(S.self, stream, other) + stream.experiences.flatMap { TaskLaws(stream, $0).violations }
      + TruthLaws(stream, isOfLaw: isOfLaw(scenario, stream, other)).violations
    return found.map { "\(S.name): \($0)" }
  }

  /// Whether the truth is the law's and not that of the test rows: a generator says so, and so do equal numbers for two seeds.
  private static func isOfLaw<S: Scenario>(_ scenario: S, _ stream: some DriftStream, _ other: some DriftStream) -> Bool
  {
    if let generated = scenario as? any GeneratorScenario, case .ofLaw = generated.generator(seed: Seed(1)).truth {
      return true
    }
    return S.drawsTestRows && areEqual(stream.truth, other.truth)
  }

  /// Whether two seeds are told the same of their tasks; a J* that is not known is no number.
  private static func areEqual(_ a: ScenarioTruth?, _ b: ScenarioTruth?) -> Bool {
    a?.bayesAccuracy == b?.bayesAccuracy && a?.crossAccuracy == b?.crossAccuracy
  }

  // MARK: - What is said beforehand

  private static func outlineViolations(_ outline: StreamOutline, _ stream: some DriftStream) -> [String] {
    var found: [String] = []
    if let tasks = outline.tasks, tasks != stream.experiences.count {
      found.append("the outline says \(tasks) tasks, the stream has \(stream.experiences.count)")
    }
    let most = stream.experiences.map(\.rows).max() ?? 0
    if let rows = outline.trainingRows, rows < most {
      found.append("the outline says at most \(rows) training rows a task, the stream has \(most)")
    }
    return found
  }

  private static func outlookViolations(_ prepared: some PreparedScenario, _ stream: some DriftStream) -> [String] {
    let outlook = prepared.outlook
    if outlook.shape != stream.shape { return ["the outlook has another shape than the stream"] }
    return outlook.experiences.count == stream.experiences.count
      ? [] : ["the outlook has \(outlook.experiences.count) tasks, the stream \(stream.experiences.count)"]
  }

  // MARK: - Seeds

  /// Asked from the first task to the last, and of another preparation from the last to the first.
  private static func order(_ stream: some DriftStream, _ again: some DriftStream) -> [String] {
    let tasks = stream.experiences.indices
    if again.experiences != stream.experiences { return ["the same seed gave other tasks"] }
    let forwards = tasks.map { RowsOfTask(stream, $0) }
    let backwards = tasks.reversed().map { RowsOfTask(again, $0) }.reversed()
    return zip(tasks, zip(forwards, backwards)).compactMap { task, rows in
      rows.0 == rows.1 ? nil : "task \(task): the same seed gave other rows when tasks were asked for in another order"
    }
  }

  private static func seeds(
    _ type: (some Scenario).Type, _ stream: some DriftStream, _ other: some DriftStream
  ) -> [String] {
    let shared = min(stream.experiences.count, other.experiences.count)
    let equal = (0..<shared).contains { task in
      stream.evaluationSet(for: task).rows.batch.inputs == other.evaluationSet(for: task).rows.batch.inputs
    }
    let saysSo = "\"drawsTestRows\" is true"
    return type.drawsTestRows && equal ? ["two seeds have the same test rows, and \(saysSo)"] : []
  }
}

/// All numbers of a task's rows.
private struct RowsOfTask: Equatable {
  private let inputs: [Matrix]
  private let labels: [[Int32]]
  private let truth: [[UInt32]?]
  private let probabilities: [Matrix?]
  private let values: [[UInt32]]

  init(_ stream: some DriftStream, _ task: Int) {
    let rows = [
      stream.trainingRows(for: task), stream.revisitableRows(for: task), stream.evaluationSet(for: task).rows,
    ]
    inputs = rows.map(\.batch.inputs)
    labels = rows.map(\.labels)
    truth = rows.map { $0.truth?.map(\.bitPattern) }
    probabilities = rows.map(\.probabilities)
    values = rows.map { rows in
      guard case .values(let values) = rows.targets else { return [] }
      return (0..<values.rows).flatMap { values.row($0).map(\.bitPattern) }
    }
  }
}

/// What holds of one task.
private struct TaskLaws {
  private let shape: TaskShape
  private let info: ExperienceInfo
  private let training: Rows
  private let revisitable: Rows
  private let test: EvaluationSet
  private let count: Int
  private let place: Int

  init(_ stream: some DriftStream, _ info: ExperienceInfo) {
    self.info = info
    shape = stream.shape
    count = stream.experiences.count
    place = stream.experiences.firstIndex(of: info) ?? 0
    training = stream.trainingRows(for: place)
    revisitable = stream.revisitableRows(for: place)
    test = stream.evaluationSet(for: place)
  }

  var violations: [String] {
    let found =
      information + judge(training, "training") + judge(revisitable, "revisitable") + judge(test.rows, "test") + apart
      + labels(training, "training") + labels(test.rows, "test")
    return found.map { "task \(place): \($0)" }
  }

  private func labels(_ rows: Rows, _ name: String) -> [String] {
    if let truth = rows.truth { return LabelLaw(rows.labels, truth).violations(name) }
    return rows.probabilities.map { ClassLaw(rows.labels, $0).violations(name) } ?? []
  }

  private var information: [String] {
    let outputs = 0..<shape.outputs
    return [
      info.index == place ? nil : "it calls itself task \(info.index)",
      info.rows == training.count ? nil : "it announces \(info.rows) training rows and has \(training.count)",
      info.outputs.clamped(to: outputs) == info.outputs && info.seenOutputs.clamped(to: outputs) == info.seenOutputs
        ? nil : "its outputs are not among the \(shape.outputs) of the stream",
      !test.candidates.isEmpty && test.candidates.clamped(to: outputs) == test.candidates
        ? nil : "answers are allowed that are no outputs: \(test.candidates)",
      test.knownExperience.map { (0..<count).contains($0) } ?? true ? nil : "it is judged as a task that is not there",
      test.rows.count > 0 ? nil : "it has no test rows",
    ].compactMap { $0 }
  }

  private func judge(_ rows: Rows, _ name: String) -> [String] {
    if rows.count == 0 { return [] }
    if rows.columns != shape.inputs { return ["\(name) rows have \(rows.columns) columns for \(shape.inputs) inputs"] }
    let inputs = rows.batch.inputs
    let isFinite = (0..<rows.count).allSatisfy { inputs.row($0).allSatisfy(\.isFinite) }
    return [
      rows.experience == info.index ? nil : "\(name) rows are of task \(rows.experience)",
      isFinite ? nil : "\(name) rows hold a number that is not finite", targetProblem(rows, name),
    ].compactMap { $0 }
  }

  private func targetProblem(_ rows: Rows, _ name: String) -> String? {
    switch (shape.target, rows.targets) {
    case (.binary, .labels(let labels)):
      labels.allSatisfy { $0 == 0 || $0 == 1 } ? nil : "\(name) rows have other labels than 0 and 1"
    case (.classes, .labels(let labels)):
      labels.allSatisfy { info.outputs.contains(Int($0)) } ? nil : "\(name) rows have labels outside \(info.outputs)"
    case (.values(let outputs), .values(let values)), (.multiLabel(let outputs), .values(let values)):
      values.columns == outputs ? nil : "\(name) rows have \(values.columns) values for \(outputs) outputs"
    default: "\(name) rows have targets of another kind than the stream's shape says"
    }
  }

  /// Where training and test rows are places in one table none is in both; rows to look at again are training rows.
  private var apart: [String] {
    let trained = Set(training.places)
    var found: [String] = []
    if isShared(test.rows), let row = test.rows.places.first(where: trained.contains) {
      found.append("row \(row) of the table is trained on and tested on")
    }
    if revisitable.count > training.count || (isShared(revisitable) && !trained.isSuperset(of: revisitable.places)) {
      found.append("rows can be revisited that were not trained on")
    }
    return found
  }

  private func isShared(_ rows: Rows) -> Bool {
    guard rows.table.rows == training.table.rows, rows.table.columns == training.table.columns else { return false }
    if let bytes = rows.table.rawBytes { return bytes == training.table.rawBytes }
    return rows.table.rawFloats == training.table.rawFloats
  }
}
