import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestPersonal
import PalimpsestScenarios

/// A run that trains on a population and goes on with held-out people, one by one.
///
/// One person's model is in memory at a time, and what she does depends on the seed and her number alone: people 0 to 99 of a thousand are
/// those of a run of a hundred, bit for bit.
struct PersonalRun: RunKind {
  private let configuration: ResolvedConfiguration
  let personal: ResolvedPersonal
  let people: any PeopleStream
  private let seed: Seed
  private let clock = ContinuousClock()
  /// On the way to the population model, then that.
  private(set) var learner: any Learner
  /// What people's models begin as; nil: the population model.
  private var start: (any Learner)?
  private var learning: LearnedStart?
  private var phase = Phase.beginning
  private var feed: BatchFeed?
  private var population: Rows?
  /// The next person.
  private var next = 0
  private var record = PersonalRecord(status: .completed)
  /// Seconds in the processes before this one, and when this one began.
  private var before = Seconds()
  private var begun: ContinuousClock.Instant
  private var populationSeconds = 0.0

  enum Phase: String, Codable {
    case beginning, population, start, people, over
  }

  private struct Seconds: Codable {
    var total = 0.0
    var population = 0.0
  }

  /// - Throws: ``PalimpsestCore/CompositionError`` where the parts make no learner, or the scenario has no people.
  init(
    _ configuration: ResolvedConfiguration, _ personal: ResolvedPersonal, _ stream: any DriftStream, seed: Seed
  ) throws {
    guard let people = stream as? any PeopleStream else {
      throw CompositionError(
        "scenario \"\(type(of: configuration.scenario).name)\" has no people to go on with: take \"habit-personal\", or a "
          + "\"table\" with a user column, or take \"personal\" away")
    }
    self.configuration = configuration
    self.personal = personal
    self.people = people
    self.seed = seed
    learner = try LearnerSetup(configuration, people.shape, seed: seed).makeLearner(configuration.strategy)
    if personal.settings.start.name == .scratch { start = learner }
    record.archetypes = people.archetypes
    record.curveDays = personal.settings.curve
    record.dayRows = [Int](repeating: 0, count: people.days)
    record.dayRegret = [Double](repeating: 0, count: people.days)
    record.dayWeight = [Double](repeating: 0, count: people.days)
    begun = clock.now
  }

  /// A stage has just ended.
  var isAtMilestone: Bool { phase == .people && next == 0 || phase == .over }

  var mostExperiences: Int { 2 }

  var position: RunPosition {
    RunPosition(
      task: phase == .over ? 2 : phase == .people ? 1 : 0, of: 2, step: phase == .people ? next : feed?.step ?? 0,
      examples: record.cost.examples)
  }

  var finishedRecord: RunRecord {
    var record = record
    let spent = spent
    (record.cost.timeTotal, record.cost.timeTrain) = (spent.total, spent.total)
    record.cost.timeTask = [spent.population, spent.total - spent.population]
    let updates = record.cost.learner.multiplyAdds
    record.cost.learner = learner.cost
    record.cost.learner.multiplyAdds += updates
    if !record.cost.learner.parts.isEmpty { record.cost.learner.parts[0].multiplyAdds += updates }
    return RunRecord(
      record, tasks: people.experiences.map(\.name), names: people.names, stages: stages,
      keepsPeople: configuration.evaluation.users.map { $0 == .all })
  }

  /// Of the rollout over the people so far, where one is asked for.
  private var stages: [PersonalRecord.Stage] {
    guard let rollout = personal.settings.rollout.rollout else { return [] }
    return TriedPeople(rollout, of: people.people).stages(record.people.map { $0.trial ?? .nan })
  }

  private var spent: Seconds {
    let now = (clock.now - begun) / .seconds(1)
    return Seconds(total: before.total + now, population: before.population + populationSeconds)
  }

  mutating func advance() -> Bool {
    switch phase {
    case .beginning: beginPopulation()
    case .population: if !learnBatch() { endPopulation() }
    case .start: if !learnStart() { endStart() }
    case .people: goOnWithNext()
    case .over: break
    }
    return phase != .over
  }

  // MARK: - The population

  private var stage: ExperienceInfo { people.experiences[0] }

  private mutating func beginPopulation() {
    let rows = populationRows
    learner.begin(stage)
    phase = .population
    feed = makeFeed(rows)
  }

  private var populationRows: Rows {
    mutating get {
      if let population { return population }
      let rows = people.populationRows()
      population = rows
      return rows
    }
  }

  private func makeFeed(_ rows: Rows) -> BatchFeed {
    BatchFeed([rows], configuration.training.feed, using: seed.stream("order", 0))
  }

  private mutating func learnBatch() -> Bool {
    guard record.status == .completed else { return false }
    guard let step = PersonalRun.learn(&learner, from: &feed, stage) else { return false }
    record.cost.steps += 1
    record.cost.examples += step.rows
    if !step.report.isFinite { diverge("the loss is \(step.report.loss) in a step on the population") }
    return true
  }

  /// Learner and feed change where they lie.
  private static func learn(
    _ learner: inout any Learner, from feed: inout BatchFeed?, _ stage: ExperienceInfo
  ) -> (report: StepReport, rows: Int)? {
    feed?.withNext { batch, place, epoch in
      let context = StepContext(experience: stage, epoch: epoch, step: place.step, steps: place.steps, run: place)
      return (learner.learn(batch, context), batch.count)
    }
  }

  private mutating func endPopulation() {
    feed = nil
    learner.finish(stage, revisiting: populationRows.withoutTruth)
    if record.status == .completed && !learner.isFinite { diverge("a weight is not finite after the population") }
    populationSeconds = (clock.now - begun) / .seconds(1)
    guard record.status == .completed else { return phase = .over }
    phase = .people
    if personal.settings.start.isLearned {
      learning = LearnedStart(personal.settings, populationRows)
      phase = .start
    }
    if personal.settings.learning.populationRows == 0 && learning == nil { population = nil }
  }

  /// - Returns: false once the start is learned.
  private mutating func learnStart() -> Bool {
    guard var learned = learning else { return false }
    defer { learning = learned }
    return learned.advance(&start, learner, seed)
  }

  private mutating func endStart() {
    if let start, !start.isFinite { diverge("a weight of the learned start is not finite") }
    phase = record.status == .completed ? .people : .over
  }

  private mutating func diverge(_ reason: String) {
    record.status = .diverged
    record.error = reason
  }

  // MARK: - People

  private mutating func goOnWithNext() {
    var life = life(of: next)
    record.people.append(life.lived(&record))
    next += 1
    if next == people.people { phase = .over }
  }
}

extension PersonalRun {
  private mutating func life(of person: Int) -> PersonalLife {
    let mixed = personal.settings.learning.populationRows > 0 ? populationRows : nil
    return PersonalLife(
      people.life(of: person), shape: people.shape, personal, learner, start: start, mixed: mixed,
      seed: seed.derived("person", person))
  }

  /// Goes through a life for what it takes, and forgets it.
  mutating func tryPerson(_ person: Int) {
    var life = life(of: person)
    var forgotten = record
    _ = life.lived(&forgotten)
  }
}

// MARK: - State

extension PersonalRun {
  private enum Field: String, CodingKey {
    case learner, start, phase, feed, next, record, times
    case iteration = "reptile"
  }

  func saveState(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try learner.saveState(to: fields.superEncoder(forKey: .learner))
    try start?.saveState(to: fields.superEncoder(forKey: .start))
    try fields.encodeIfPresent(learning?.iteration, forKey: .iteration)
    try fields.encode(phase, forKey: .phase)
    try fields.encodeIfPresent(feed?.place, forKey: .feed)
    try fields.encode(next, forKey: .next)
    try fields.encode(record, forKey: .record)
    try fields.encode(spent, forKey: .times)
  }

  mutating func restoreState(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    let fresh = learner
    try learner.restoreState(from: fields.superDecoder(forKey: .learner))
    if fields.contains(.start) {
      var restored = start ?? fresh
      try restored.restoreState(from: fields.superDecoder(forKey: .start))
      start = restored
    }
    phase = try fields.decode(Phase.self, forKey: .phase)
    if let place = try fields.decodeIfPresent(BatchFeed.Place.self, forKey: .feed) {
      var restored = makeFeed(populationRows)
      try restored.restore(place)
      feed = restored
    }
    if let iteration = try fields.decodeIfPresent(Int.self, forKey: .iteration) {
      var start = LearnedStart(personal.settings, populationRows)
      guard (0...personal.settings.start.iterations).contains(iteration) else {
        throw StateError(
          "iteration \(iteration) of \(personal.settings.start.iterations)", at: Field.iteration.rawValue)
      }
      start.iteration = iteration
      learning = start
    }
    next = try fields.decode(Int.self, forKey: .next)
    record = try fields.decode(PersonalRecord.self, forKey: .record)
    before = try fields.decode(Seconds.self, forKey: .times)
    begun = clock.now
    try checkRestored()
  }

  private func checkRestored() throws(StateError) {
    guard phase != .over, (0..<people.people).contains(next), record.people.count == next,
      (phase == .population) == (feed != nil), phase == .people || next == 0
    else { throw StateError("\(phase.rawValue), person \(next) of \(people.people) is no place of a run") }
    guard record.dayRows.count == people.days, record.dayRegret.count == people.days,
      record.dayWeight.count == people.days, record.curveDays == personal.settings.curve,
      record.people.allSatisfy({ $0.curve.count == record.curveDays.count }),
      (0...Int.max / 2).contains(record.cost.steps), (0...Int.max / 2).contains(record.cost.examples)
    else { throw StateError("it is not one of a run of \(people.people) people", at: "record") }
  }
}
