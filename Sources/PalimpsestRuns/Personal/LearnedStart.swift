import PalimpsestCore
import PalimpsestExperiments

/// A start for personal models that is learned for being adapted: over and over a person of the population is drawn, and a copy takes some
/// steps on her rows. Then the start moves a share of the way to where the copy ended (Reptile), or down the gradient that the copy has
/// there, of rows of hers that it has not learned (first-order MAML).
///
/// - Source: Nichol, Achiam & Schulman 2018, "On first-order meta-learning algorithms": the serial versions, with Adam within. MAML is Finn,
///   Abbeel & Levine 2017: half of the rows, drawn anew, are learned and the gradient is of the others, the second derivatives left out.
///   Both begin at the population model, as fine-tuning does.
package struct LearnedStart {
  private let settings: StartSettings
  private let batch: Int
  private let rows: Rows
  /// The rows of each person of the population.
  private let people: [Range<Int32>]
  /// Of the next person.
  package var iteration = 0

  /// - Parameter rows: of the population, person by person.
  package init(_ personal: PersonalSettings, _ rows: Rows) {
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
  package mutating func advance(_ start: inout (any Learner)?, _ population: any Learner, _ seed: Seed) -> Bool {
    guard iteration < settings.iterations, let model = (start ?? population) as? ComposedLearner else { return false }
    var rng = seed.stream(settings.name.rawValue, iteration)
    let person = Array(people[rng.index(below: people.count)])
    start = settings.name == .fomaml ? descended(model, person, rng) : movedTowards(model, person, rng)
    iteration += 1
    return iteration < settings.iterations
  }

  private func movedTowards(_ model: ComposedLearner, _ person: [Int32], _ rng: Random) -> ComposedLearner {
    let copy = adapted(model, person, rng)
    return moved(model, settings.outerRate, from: model.model.parameters, to: copy.model.parameters)
  }

  private func descended(_ model: ComposedLearner, _ person: [Int32], _ rng: Random) -> ComposedLearner {
    var (rng, places) = (rng, person)
    rng.shuffle(&places)
    let half = max(1, places.count / 2)
    var copy = adapted(model, Array(places.prefix(half)), rng)
    let end = copy.model.parameters
    var sgd = SGD()
    sgd.rate = settings.outerRate
    copy.train(with: sgd)
    learn(&copy, Array(places.suffix(places.count - places.count / 2)), steps: 1, rng)
    return moved(model, 1, from: end, to: copy.model.parameters)
  }

  /// A copy behind its steps on some rows.
  private func adapted(_ model: ComposedLearner, _ places: [Int32], _ rng: Random) -> ComposedLearner {
    var copy = model
    var adam = Adam()
    adam.rate = settings.innerRate
    copy.train(with: adam)
    learn(&copy, places, steps: settings.innerSteps, rng)
    return copy
  }

  private func learn(_ model: inout ComposedLearner, _ places: [Int32], steps: Int, _ rng: Random) {
    var feed = FeedSettings()
    (feed.steps, feed.batch) = (steps, batch)
    var batches = BatchFeed([rows.selecting(places)], feed, using: rng)
    let stage = model.experiences[0]
    while batches.advance() {
      var context = StepContext(experience: stage, epoch: batches.epoch, step: batches.step - 1, steps: batches.steps)
      context.offersRows = false
      _ = model.learn(batches.batch, context)
    }
  }

  /// A model moved by a share of the way from one place to another.
  private func moved(
    _ model: ComposedLearner, _ share: Float, from: FloatBuffer, to end: FloatBuffer
  ) -> ComposedLearner {
    var parameters = model.model.parameters
    parameters.update(with: from, end) { $0 + share * ($2 - $1) }
    var moved = model
    moved.start(from: parameters)
    return moved
  }
}
