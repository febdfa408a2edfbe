import PalimpsestCore

/// A generator's scenario, checked and ready to be drawn from.
struct GeneratorCourse: PreparedScenario {
  private let scenario: any GeneratorScenario
  /// Nil where every seed draws its own.
  private let shared: TaskLaws?
  let outlook: StreamOutlook

  init<S: GeneratorScenario>(_ scenario: S) {
    self.scenario = scenario
    let generator = scenario.laws(seed: Seed(0))
    shared = S.drawsConcepts ? nil : TaskLaws(generator, scenario.rows)
    outlook = scenario.rows.outlook(generator)
  }

  func makeStream(seed: Seed) -> any DriftStream {
    GeneratorStream(shared ?? TaskLaws(scenario.laws(seed: seed), scenario.rows), scenario.rows, outlook, seed)
  }

  var truthOfSeedZero: ScenarioTruth? {
    if let shared, case .ofLaw = shared.truth { return shared.known(on: []) }
    return makeStream(seed: Seed(0)).truth
  }
}

/// The laws of the tasks, and what is known of them before any rows.
struct TaskLaws: Sendable {
  let generator: any ConceptGenerator
  let truth: GeneratorTruth
  /// Nil where they are not known.
  let distances: DriftDistances?

  init(_ generator: any ConceptGenerator, _ settings: GeneratorSettings) {
    let moments = generator.concepts.indices.map { settings.moment(behindTask: $0) }
    self.generator = generator
    if case .ofPoints = generator.truth, let shifted = generator as? ShiftedLaw {
      truth = .ofLaw(PointOracles(shifted, moments).truth)
    } else {
      truth = generator.truth
    }
    if case .unknown = truth { distances = nil } else { distances = LawDistances(generator, moments)?.distances }
  }

  /// - Parameter tests: inputs of the tasks' test rows as they were drawn, and the moments that made them.
  func known(on tests: [(inputs: Matrix, moment: ConceptMoment)]) -> ScenarioTruth? {
    var known: ScenarioTruth? =
      switch truth {
      case .ofLaw(let known): known
      case .ofTestRows, .ofPoints: RowOracles(generator, tests).truth
      case .unknown: nil
      }
    known?.distances = distances
    return known
  }
}

extension GeneratorSettings {
  /// The task's own concept, when its last row has been seen.
  func moment(behindTask task: Int) -> ConceptMoment { ConceptMoment(concept: task, row: (task + 1) * rowsPerTask) }

  /// Shape and tasks.
  func outlook(_ generator: some ConceptGenerator) -> StreamOutlook {
    let names = visited(generator.concepts)
    let outputs = names.indices.map { generator.outputs(of: $0) }
    return StreamOutlook(
      shape: generator.shape,
      experiences: names.indices.map { task in
        let seen = outputs[...task].reduce(0) { max($0, $1.upperBound) }
        return ExperienceInfo(
          index: task, name: names[task], outputs: outputs[task], seenOutputs: 0..<seen, rows: rowsPerTask)
      })
  }
}

/// The tasks of one seed: rows that a generator made, and what is known of them.
struct GeneratorStream: DriftStream {
  let shape: TaskShape
  let experiences: [ExperienceInfo]
  let truth: ScenarioTruth?
  let inputs: InputDescription?
  let events: [DriftEvent]?
  let taskConcepts: [Int]
  private let training: [Rows]
  /// The concepts that made each task's training rows; none where each task's are its own.
  private let makers: [[Int]]
  /// One a task; none where each task's rows are its own concept's, or densities are not known.
  private let mixtures: [Matrix]
  private let tests: [EvaluationSet]

  init(
    _ laws: TaskLaws, _ settings: GeneratorSettings, _ outlook: StreamOutlook, _ seed: Seed
  ) {
    (shape, experiences) = (outlook.shape, outlook.experiences)
    let generator = laws.generator
    let description = InputDescription(
      columns: generator.columns, outputs: generator.labels, scales: generator.scales)
    let maker = RowMaker(generator, description, settings, seed)
    let made = experiences.map { maker.trainingRows(of: $0.index) }
    training = made.map(\.rows)
    mixtures = maker.mixtures(made.map(\.inputs))
    makers = settings.isPlain ? [] : experiences.map { maker.concepts(of: $0.index) }
    events = settings.isPlain ? generator.events : maker.events
    let drawn = experiences.map { maker.testRows(of: $0.index) }
    tests = drawn.map { rows in
      EvaluationSet(
        rows: rows.rows, knownExperience: settings.identity == .given ? rows.rows.experience : nil,
        candidates: 0..<outlook.shape.outputs)
    }
    inputs = description
    truth = laws.known(on: drawn.map { ($0.inputs, $0.moment) })
    taskConcepts = generator.concepts.map { generator.concepts.firstIndex(of: $0) ?? 0 }
  }

  func trainingRows(for experience: Int) -> Rows { training[experience] }
  func evaluationSet(for experience: Int) -> EvaluationSet { tests[experience] }
  func concepts(for experience: Int) -> [Int]? { makers.isEmpty ? nil : makers[experience] }
  func mixture(for experience: Int) -> Matrix? { mixtures.isEmpty ? nil : mixtures[experience] }
}

/// Makes the rows of one seed.
private struct RowMaker {
  private let generator: any ConceptGenerator
  private let description: InputDescription
  private let settings: GeneratorSettings
  private let schedule: any ConceptSchedule
  private let seed: Seed

  init(
    _ generator: any ConceptGenerator, _ description: InputDescription, _ settings: GeneratorSettings, _ seed: Seed
  ) {
    self.generator = generator
    self.description = description
    self.settings = settings
    self.seed = seed
    schedule = settings.course(tasks: generator.concepts.count, seed: seed)
  }

  var events: [DriftEvent] { schedule.events(in: generator.concepts.count * settings.rowsPerTask) }

  /// One a training row of the task.
  func concepts(of task: Int) -> [Int] {
    let seed = seed.derived("generator-training")
    return (0..<settings.rowsPerTask).map { moment(seed, task * settings.rowsPerTask + $0).1.concept }
  }

  private func moment(_ seed: Seed, _ row: Int) -> (RowDraws, ConceptMoment) {
    let draws = RowDraws(seed, row: row)
    return (draws, schedule.moment(at: row, drawing: draws.uniform(.concept)))
  }

  /// The task's part of the sequence of training rows.
  func trainingRows(of task: Int) -> (rows: Rows, inputs: Matrix) {
    let seed = seed.derived("generator-training")
    return rows(settings.rowsPerTask, task) { moment(seed, task * settings.rowsPerTask + $0) }
  }

  /// What the shares of the concepts tell of the labels of the rows: rows × labels a task.
  /// - Parameter inputs: of the training rows as they were drawn, one matrix a task.
  func mixtures(_ inputs: [Matrix]) -> [Matrix] {
    if settings.isPlain { return [] }
    var result: [Matrix] = []
    for (task, inputs) in inputs.enumerated() {
      let first = task * settings.rowsPerTask
      let known = (0..<inputs.rows).compactMap { place in
        generator.mixed(Array(inputs.row(place)), schedule.parts(at: first + place))
      }
      guard known.count == inputs.rows else { return [] }
      result.append(Matrix(known.map { $0.map { Float($0) } }))
    }
    return result
  }

  /// Rows under the task's concept as it is behind the task's last row.
  func testRows(of task: Int) -> (rows: Rows, inputs: Matrix, moment: ConceptMoment) {
    // Under one law of inputs, and other labels, tasks are judged on the same inputs.
    let seed = seed.derived("generator-test", settings.shift.operator == .concept ? 0 : task)
    let moment = settings.moment(behindTask: task)
    let made = rows(settings.testRows, task) { (RowDraws(seed, row: $0), moment) }
    return (made.rows, made.inputs, moment)
  }

  /// - Returns: the rows as a learner sees them, and their inputs as they were drawn.
  private func rows(
    _ count: Int, _ task: Int, _ origin: (_ place: Int) -> (RowDraws, ConceptMoment)
  ) -> (rows: Rows, inputs: Matrix) {
    var inputs = Matrix(rows: count, columns: generator.columns.count)
    var row = [Float](repeating: 0, count: inputs.columns)
    var beside = BesideRows()
    for place in 0..<count {
      let (draws, moment) = origin(place)
      let label = draw(draws, moment, after: beside.lastLabel, into: &row)
      for (column, value) in row.enumerated() { inputs[place, column] = value }
      beside.append(label, row, moment, of: generator)
    }
    let shown = beside.rows(description.scaled(inputs), task, isBinary: generator.shape.isBinary)
    return (shown, inputs)
  }

  private func draw(_ draws: RowDraws, _ moment: ConceptMoment, after label: Int?, into row: inout [Float]) -> Int {
    guard let walk = generator as? any WalkGenerator else { return generator.draw(draws, moment, into: &row) }
    return walk.draw(draws, moment, after: label, into: &row)
  }
}

/// What stands beside the inputs of rows.
private struct BesideRows {
  private var labels: [Int32] = []
  /// One list a row; none where p* is not known.
  private var probabilities: [[Double]] = []
  private var owners: [Int32] = []
  private var times: [Int64] = []

  /// Of the row before; nil where there is none.
  var lastLabel: Int? { labels.last.map { Int($0) } }

  mutating func append(_ label: Int, _ row: [Float], _ moment: ConceptMoment, of generator: any ConceptGenerator) {
    labels.append(Int32(label))
    if let p = generator.probabilities(row, moment) { probabilities.append(p) }
    if let owner = generator.owner(moment) { owners.append(Int32(owner)) }
    if let time = generator.time(moment) { times.append(Int64(time)) }
  }

  func rows(_ inputs: Matrix, _ task: Int, isBinary: Bool) -> Rows {
    let truth = isBinary && !probabilities.isEmpty ? probabilities.map { Float($0[1]) } : nil
    let classes = isBinary || probabilities.isEmpty ? nil : Matrix(probabilities.map { $0.map { Float($0) } })
    return Rows(
      table: Table(inputs), experience: task, places: (0..<Int32(inputs.rows)).map { $0 }, targets: .labels(labels),
      truth: truth, probabilities: classes, owners: owners.isEmpty ? nil : owners,
      times: times.isEmpty ? nil : times)
  }
}
