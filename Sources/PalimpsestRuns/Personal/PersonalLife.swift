import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestPersonal
import PalimpsestScenarios

/// One person's life with her model, from the first row to the last.
struct PersonalLife {
  private let life: any PersonLife
  private let shape: TaskShape
  private let personal: ResolvedPersonal
  private let population: any Learner
  private let start: (any Learner)?
  private let mixed: Rows?
  private let seed: Seed
  private var model: PersonalModel

  /// - Parameters:
  ///   - population: as it was trained.
  ///   - start: what her model begins as; nil: the population's.
  ///   - mixed: rows of the population to mix into updates.
  init(
    _ life: any PersonLife, shape: TaskShape, _ personal: ResolvedPersonal, _ population: any Learner,
    start: (any Learner)?, mixed: Rows?, seed: Seed
  ) {
    self.life = life
    self.shape = shape
    self.personal = personal
    self.population = population
    self.start = start
    self.mixed = mixed
    self.seed = seed
    model = PersonalModel(
      shipped: population, start: start, shape: shape, personal.settings.learning, policy: personal.policy,
      safeguard: personal.safeguard, seed: seed.derived("model"))
  }

  /// Lives it.
  /// - Parameter record: takes what is summed over people.
  mutating func lived(_ record: inout PersonalRecord) -> PersonalRecord.Person {
    var person = PersonalRecord.Person()
    person.archetype = life.archetype
    person.curve = record.curveDays.map { curveGain(days: $0) }
    var sums = LifeSums()
    let rows = life.rows
    let inputs = rows.batch.inputs
    let known = model.shippedAnswers(to: inputs)
    let losses = model.shippedLosses(of: rows)
    var row = Matrix(rows: 1, columns: shape.inputs)
    let trial = personal.settings.rollout.window
    for concept in life.concepts.indices {
      sums.beginConcept()
      for place in life.concepts[concept] {
        row.become(place..<place + 1, of: inputs, columnsFrom: 0)
        let (label, time) = (Int(rows.labels[place]), rows.times?[place] ?? 86_400 * Int64(place))
        let weight = model.personalWeight
        guard let observed = model.observe(row, label: label, at: time) else { continue }
        let worth = rows.worth(of: observed.answer, toRow: place)
        let shippedWorth = rows.worth(of: known[place], toRow: place)?.answer ?? (known[place] == label ? 1 : 0)
        sums.add(
          worth: worth?.answer ?? (observed.answer == label ? 1 : 0), shipped: shippedWorth, best: worth?.best,
          loss: -Elementary.log(max(observed.likelihood, .leastNormalMagnitude)), shippedLoss: losses[place])
        let day = Int(time / 86_400)
        if trial.contains(day) {
          sums.addTrial((observed.answer == label ? 0 : 1) - (known[place] == label ? 0 : 1))
        }
        if record.dayRows.indices.contains(day) {
          record.dayRows[day] += 1
          record.dayRegret[day] += worth.map { $0.best - $0.answer } ?? .nan
          record.dayWeight[day] += weight
        }
        if day < 14, let worth { sums.addCold(worth.best - worth.answer) }
        if let order = observed.order { model.learn(order, on: rows, population: mixed) }
      }
      person.concepts.append(evaluated(concept) ?? sums.concept)
    }
    sums.give(to: &person)
    if !trial.isEmpty { person.trial = sums.trial }
    person.updates = PersonalRecord.Updates(model.counts)
    record.cost.learner.multiplyAdds += model.counts.multiplyAdds
    return person
  }

  /// What she gets and what the population model says, on new days under a stretch's law; nil where that is not known.
  private func evaluated(_ concept: Int) -> PersonalRecord.Concept? {
    guard let set = life.evaluationSet(ofConcept: concept), set.rows.knowsTruth else { return nil }
    return PersonalLife.judged(model, set.rows)
  }

  private static func judged(_ model: PersonalModel, _ rows: Rows) -> PersonalRecord.Concept {
    let inputs = rows.batch.inputs
    let (own, shipped) = (model.answers(to: inputs), model.shippedAnswers(to: inputs))
    var (accuracy, population, bayes, negative, positive) = (0.0, 0.0, 0.0, 0, 0)
    for row in 0..<rows.count {
      guard let mine = rows.worth(of: own[row], toRow: row), let theirs = rows.worth(of: shipped[row], toRow: row)
      else { continue }
      accuracy += mine.answer
      population += theirs.answer
      bayes += mine.best
      guard own[row] != shipped[row] else { continue }
      if theirs.answer == theirs.best { negative += 1 } else if mine.answer == mine.best { positive += 1 }
    }
    let n = Double(rows.count)
    var concept = PersonalRecord.Concept(accuracy: accuracy / n, population: population / n)
    concept.bayes = bayes / n
    (concept.negativeFlips, concept.positiveFlips) = (Double(negative) / n, Double(positive) / n)
    return concept
  }

  /// The gain of one update on the first days, unguarded; NaN where her first stretch is shorter.
  private func curveGain(days: Int) -> Double {
    guard let first = life.concepts.first, days <= first.count, let set = life.evaluationSet(ofConcept: 0),
      set.rows.knowsTruth
    else { return .nan }
    var fresh = PersonalModel(
      shipped: population, start: start, shape: shape, personal.settings.learning, policy: NeverUpdate(),
      safeguard: NoSafeguard(), seed: seed.derived("curve", days))
    let rows = life.rows
    let inputs = rows.batch.inputs
    var row = Matrix(rows: 1, columns: shape.inputs)
    for place in 0..<days {
      row.become(place..<place + 1, of: inputs, columnsFrom: 0)
      _ = fresh.observe(
        row, label: Int(rows.labels[place]), at: rows.times?[place] ?? 86_400 * Int64(place))
    }
    fresh.learn(UpdateOrder(.interval), on: rows, population: mixed)
    return PersonalLife.judged(fresh, set.rows).gain
  }
}

/// Running sums over the rows of a life.
private struct LifeSums {
  private var rows = 0
  private var gain = 0.0
  private var regret = 0.0
  private var loss = 0.0
  private var shippedLoss = 0.0
  private var mostExcess = 0.0
  private var cold: (rows: Int, regret: Double) = (0, 0)
  private var stretch: (rows: Int, own: Double, shipped: Double) = (0, 0, 0)
  private var tried: (rows: Int, errors: Int) = (0, 0)

  /// - Parameter errors: 1 where her answer alone was wrong, −1 where the population model's was.
  mutating func addTrial(_ errors: Int) { tried = (tried.rows + 1, tried.errors + errors) }

  /// NaN where nothing was compared.
  var trial: Double { Double(tried.errors) / Double(tried.rows) }

  mutating func beginConcept() { stretch = (0, 0, 0) }

  mutating func add(worth: Double, shipped: Double, best: Double?, loss: Double, shippedLoss: Double) {
    rows += 1
    gain += worth - shipped
    regret += best.map { $0 - worth } ?? .nan
    self.loss += loss
    self.shippedLoss += shippedLoss
    mostExcess = max(mostExcess, self.loss - self.shippedLoss)
    stretch = (stretch.rows + 1, stretch.own + worth, stretch.shipped + shipped)
  }

  mutating func addCold(_ regret: Double) { cold = (cold.rows + 1, cold.regret + regret) }

  /// On the stretch's own rows.
  var concept: PersonalRecord.Concept {
    let n = Double(stretch.rows)
    return PersonalRecord.Concept(accuracy: stretch.own / n, population: stretch.shipped / n)
  }

  func give(to person: inout PersonalRecord.Person) {
    let n = Double(rows)
    (person.lifeGain, person.regret) = (gain / n, regret / n)
    (person.logLoss, person.populationLogLoss) = (loss / n, shippedLoss / n)
    person.mostExcessLogLoss = mostExcess
    person.coldStart = cold.rows == 0 ? .nan : cold.regret / Double(cold.rows)
  }
}

extension PersonalRecord.Updates {
  init(_ counts: UpdateCounts) {
    self.init()
    (due, started, finished) = (counts.due, counts.started, counts.finished)
    (accepted, rejected, rolledBack) = (counts.accepted, counts.rejected, counts.rolledBack)
  }
}
