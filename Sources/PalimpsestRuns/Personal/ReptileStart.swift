import PalimpsestCore
import PalimpsestExperiments

/// A start for personal models that is learned for being adapted: over and over a person of the population is drawn, a copy takes some steps
/// on her rows, and the start moves a share of the way to where the copy ended.
///
/// - Source: Nichol, Achiam & Schulman 2018, "On first-order meta-learning algorithms": Reptile, serial version, with Adam within. It begins
///   at the population model, as fine-tuning does.
struct ReptileStart {
  private let settings: StartSettings
  private let batch: Int
  private let rows: Rows
  /// The rows of each person of the population.
  private let people: [Range<Int32>]
  /// Of the next person.
  var iteration = 0

  init(_ personal: PersonalSettings, _ rows: Rows) {
    settings = personal.start
    batch = personal.learning.training.batch
    self.rows = rows.withoutTruth
    var people: [Range<Int32>] = []
    let owners = rows.owners ?? []
    for place in owners.indices {
      if place > 0 && owners[place] == owners[place - 1], let last = people.last {
        people[people.count - 1] = last.lowerBound..<Int32(place + 1)
      } else {
        people.append(Int32(place)..<Int32(place + 1))
      }
    }
    self.people = people.isEmpty ? [0..<Int32(rows.count)] : people
  }

  /// Draws the next person.
  /// - Returns: false once all have been.
  mutating func advance(_ start: inout (any Learner)?, _ population: any Learner, _ seed: Seed) -> Bool {
    guard iteration < settings.iterations, let model = (start ?? population) as? ComposedLearner else { return false }
    var rng = seed.stream("reptile", iteration)
    let person = people[rng.index(below: people.count)]
    var copy = model
    var adam = Adam()
    adam.rate = settings.innerRate
    copy.train(with: adam)
    var feed = FeedSettings()
    (feed.steps, feed.batch) = (settings.innerSteps, batch)
    var batches = BatchFeed([rows.selecting(Array(person))], feed, using: rng)
    let stage = model.experiences[0]
    while batches.advance() {
      var context = StepContext(experience: stage, epoch: batches.epoch, step: batches.step - 1, steps: batches.steps)
      context.offersRows = false
      _ = copy.learn(batches.batch, context)
    }
    var moved = model
    var parameters = model.model.parameters
    let share = settings.outerRate
    let end = copy.model.parameters
    if parameters.count == end.count { parameters.update(with: end) { $0 + share * ($1 - $0) } }
    moved.start(from: parameters)
    start = moved
    iteration += 1
    return iteration < settings.iterations
  }
}
