import Palimpsest

/// The simulation behind the two files: `habit-personal`, whose people's lives change on day 90.
public struct Maker {
  let seed: Seed
  let population: Int
  let days: Int

  /// - Parameters:
  ///   - population: people that the shipped model is trained on.
  ///   - days: of the person's life behind 30 of burn-in.
  public init(seed: Seed, population: Int, days: Int) {
    (self.seed, self.population, self.days) = (seed, population, days)
  }

  private func people(upTo user: Int) throws -> any PeopleStream {
    var settings = HabitPersonal()
    (settings.population, settings.users, settings.days) = (max(population, 1), user + 1, days)
    (settings.lifeEvent.share, settings.lifeEvent.day) = (days > 90 ? 1 : 0, 90)
    guard let people = try settings.prepare(from: EmptyLibrary()).makeStream(seed: seed) as? any PeopleStream else {
      throw StateError("habit-personal has no people")
    }
    return people
  }

  /// The state of a 10-16-8-1 network that was trained on the population in eight passes: what the app's bundle holds.
  public func shipped() throws -> [UInt8] {
    let rows = try people(upTo: 0).populationRows()
    let setup = LearnerSetup(
      shape: TaskShape(inputs: 10, outputs: 1), hidden: [16, 8], optimizer: Adam(), seed: seed)
    var learner = try ComposedLearner(setup, [])
    let stage = ExperienceInfo(
      index: 0, name: "population", outputs: 0..<1, seenOutputs: 0..<1, rows: rows.count)
    learner.begin(stage)
    var settings = FeedSettings()
    (settings.epochs, settings.batch) = (8, 32)
    var feed = BatchFeed([rows], settings, using: seed.stream("order"))
    while feed.advance() {
      _ = learner.learn(feed.batch, StepContext(experience: stage, epoch: feed.epoch, step: feed.step - 1))
    }
    learner.finish(stage, revisiting: rows)
    // Without what its optimiser remembers: nobody goes on with it.
    learner.train(with: Adam())
    return try StateEncoder.bytes { try learner.saveState(to: $0) }
  }

  /// A person's log as text, an entry a line: DAY HOUR DATE KIND.
  public func log(of user: Int) throws -> String {
    try people(upTo: user).life(of: user).events().map { "\($0.day) \($0.hour) \($0.date ?? 0) \($0.kind)\n" }.joined()
  }
}
