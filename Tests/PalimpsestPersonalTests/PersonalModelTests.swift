import PalimpsestCore
import PalimpsestPersonal
import PalimpsestStrategies
import Testing

/// A person's model beside the one it came from.
@Suite struct PersonalModelTests {
  static let days = 40

  /// Rows of two numbers whose label is the sign of the first, for the population of the second.
  static func rows(_ name: String, count: Int, experience: Int, flips: Bool = false) -> Rows {
    var rng = Seed(5).stream(name)
    let inputs = (0..<count).map { _ in [Float(rng.normal()), Float(rng.normal())] }
    let labels = inputs.map { Int32((flips ? $0[0] : $0[1]) > 0 ? 1 : 0) }
    return Rows(Matrix(inputs), .labels(labels), experience: experience, times: (0..<count).map { 86_400 * Int64($0) })
  }

  static let own = rows("own", count: days, experience: 1, flips: true)
  static let population = rows("population", count: 200, experience: 0)

  static func shipped(_ parts: [any StrategyPart] = []) throws -> ComposedLearner {
    var adam = Adam()
    adam.rate = 0.02
    let setup = LearnerSetup(shape: TaskShape(inputs: 2, outputs: 1), hidden: [6], optimizer: adam, seed: Seed(3))
    var learner = try ComposedLearner(setup, parts)
    let stage = ExperienceInfo(index: 0, name: "population", outputs: 0..<1, seenOutputs: 0..<1, rows: 200)
    learner.begin(stage)
    var settings = FeedSettings()
    settings.epochs = 20
    var feed = BatchFeed([population], settings, using: Seed(3).stream("order"))
    while feed.advance() {
      _ = learner.learn(feed.batch, StepContext(experience: stage, epoch: feed.epoch, step: feed.step - 1))
    }
    learner.finish(stage, revisiting: population)
    return learner
  }

  static func model(
    _ parts: [any StrategyPart] = [], policy: any UpdatePolicy = UpdateInterval(), safeguard: any Safeguard = Mixture(),
    _ change: (inout PersonalTraining) -> Void = { _ in }
  ) throws -> PersonalModel {
    var training = PersonalTraining()
    training.training.optimizer.rate = 0.02
    change(&training)
    return PersonalModel(
      shipped: try shipped(parts), shape: TaskShape(inputs: 2, outputs: 1), training, policy: policy,
      safeguard: safeguard, seed: Seed(9))
  }

  static func row(_ place: Int) -> Matrix { Matrix([own.batch.inputs.row(place)]) }

  /// Goes through days and gives what was foretold.
  static func live(
    _ model: inout PersonalModel, _ days: Range<Int> = 0..<days, steps: Int = .max
  ) -> [Double] {
    days.map { day in
      let p = model.predict(row(day))
      let observed = model.observe(row(day), label: Int(own.labels[day]), at: 86_400 * Int64(day))
      if let order = observed?.order, model.beginUpdate(order, on: own, population: population) {
        while model.advance(steps: steps, on: own, population: population) {}
      }
      return p
    }
  }

  @Test func `without an update the person gets the population model, bit for bit`() throws {
    var shipped = try PersonalModelTests.shipped()
    var logits = Matrix(rows: 0, columns: 0)
    for safeguard in [NoSafeguard(), Mixture(), HeldOut()] as [any Safeguard] {
      var model = try PersonalModelTests.model(policy: NeverUpdate(), safeguard: safeguard)
      let foretold = PersonalModelTests.live(&model)
      for day in 0..<PersonalModelTests.days {
        shipped.answer(PersonalModelTests.row(day), knowing: 0, into: &logits)
        let p = Elementary.logistic(Double(logits[0, 0]))
        #expect(abs(foretold[day] - p) <= (safeguard is Mixture ? 1e-15 : 0))
      }
      #expect(model.counts == UpdateCounts())
    }
  }

  @Test func `it learns what the person does and the population did not`() throws {
    var model = try PersonalModelTests.model(safeguard: NoSafeguard()) { $0.training.epochs = 60 }
    _ = PersonalModelTests.live(&model)
    let fresh = PersonalModelTests.rows("new", count: 200, experience: 1, flips: true)
    let answers = (own: model.answers(to: fresh.batch.inputs), shipped: model.shippedAnswers(to: fresh.batch.inputs))
    let right = { (answers: [Int]) in zip(answers, fresh.labels).count { $0 == Int($1) } }
    #expect(right(answers.own) > 160 && right(answers.shipped) < 130)
    #expect(model.counts.due == 5 && model.counts.accepted == 5 && model.counts.multiplyAdds > 0)
    // One by one and many at once are the same.
    #expect(
      (0..<200).allSatisfy { row in
        var copy = model
        return (copy.predict(Matrix([fresh.batch.inputs.row(row)])) > 0.5 ? 1 : 0) == answers.own[row]
      })
  }

  @Test(arguments: [1, 3, 7]) func `any pattern of pauses gives the bits of the whole`(steps: Int) throws {
    for rows in [RowChoice.Name.all, .window, .new, .budget] {
      let make = {
        try PersonalModelTests.model(
          [Reservoir()],
          safeguard: { () -> Mixture in
            var mixture = Mixture()
            mixture.experts = [.population, .personal, .window]
            return mixture
          }()
        ) {
          ($0.rows.name, $0.rows.days, $0.rows.labels, $0.populationRows) = (rows, 10, 6, 8)
        }
      }
      var (whole, paused) = (try make(), try make())
      #expect(PersonalModelTests.live(&whole) == PersonalModelTests.live(&paused, steps: steps), "\(rows)")
      #expect(try whole.saved() == paused.saved(), "\(rows)")
    }
  }

  @Test func `saved anywhere, in the middle of an update too, it goes on with the same bits`() throws {
    let safeguards: [any Safeguard] = [Mixture(), HeldOut(), Shadow(), Rollback(), NoSafeguard()]
    for safeguard in safeguards {
      var whole = try PersonalModelTests.model([EWC()], safeguard: safeguard)
      let expected = PersonalModelTests.live(&whole)
      for stop in [0, 6, 7, 20, 39] {
        var first = try PersonalModelTests.model([EWC()], safeguard: safeguard)
        var foretold = PersonalModelTests.live(&first, 0..<stop)
        // Into the middle of the next update, if there is one.
        let day = stop
        foretold.append(first.predict(PersonalModelTests.row(day)))
        let observed = first.observe(
          PersonalModelTests.row(day), label: Int(PersonalModelTests.own.labels[day]), at: 86_400 * Int64(day))
        if let order = observed?.order, first.beginUpdate(order, on: PersonalModelTests.own) {
          _ = first.advance(steps: 2, on: PersonalModelTests.own)
        }
        var second = try PersonalModelTests.model([EWC()], safeguard: safeguard)
        try second.restore(first.saved())
        #expect(second.isUpdating == first.isUpdating && second.counts == first.counts)
        while second.advance(steps: 1, on: PersonalModelTests.own) {}
        foretold += PersonalModelTests.live(&second, (stop + 1)..<PersonalModelTests.days)
        #expect(foretold == expected, "\(type(of: safeguard).name), day \(stop)")
        #expect(try second.saved() == whole.saved(), "\(type(of: safeguard).name), day \(stop)")
      }
    }
  }

  @Test func `a damaged state is told, and the model stays as it was`() throws {
    var model = try PersonalModelTests.model()
    _ = PersonalModelTests.live(&model, 0..<20)
    let bytes = try model.saved()
    var rng = Seed(8).stream("flips")
    var refused = 0
    for _ in 0..<300 {
      var damaged = bytes
      damaged[rng.index(below: bytes.count)] ^= UInt8(1 << rng.index(below: 8))
      var other = try PersonalModelTests.model()
      let before = try other.saved()
      do {
        try other.restore(damaged)
        // A weight may have another value: what comes of it is finite or not, and stops nothing.
        _ = PersonalModelTests.live(&other, 20..<24)
      } catch {
        refused += 1
        #expect(try other.saved() == before)
      }
    }
    #expect(refused > 50)
    var other = try PersonalModelTests.model(safeguard: NoSafeguard())
    let error = #expect(throws: StateError.self) { try other.restore(bytes) }
    #expect(
      error?.description.contains("it is of \"mixture\", not of \"none\"") == true, "\(String(describing: error))")
    #expect(throws: (any Error).self) { try other.restore(Array(bytes.prefix(bytes.count / 2))) }
    #expect(throws: (any Error).self) { try other.restore([]) }
  }

  @Test func `a row that is no number teaches nobody anything`() throws {
    var model = try PersonalModelTests.model()
    _ = PersonalModelTests.live(&model, 0..<10)
    let before = try model.saved()
    for bad in [Float.nan, .infinity] {
      let row = Matrix([[bad, 0]])
      #expect(model.predict(row) == 0.5)
      #expect(model.observe(row, label: 1, at: 86_400 * 10) == nil)
    }
    #expect(try model.saved() == before)
  }

  @Test func `a clock that goes back stands still`() throws {
    var (model, still) = (try PersonalModelTests.model(), try PersonalModelTests.model())
    var orders: [[Int]] = [[], []]
    for day in 0..<20 {
      let label = Int(PersonalModelTests.own.labels[day])
      // From day 5 to day 8 the clock shows the year before.
      let time = 86_400 * Int64((5...8).contains(day) ? day - 365 : day)
      if model.observe(PersonalModelTests.row(day), label: label, at: time)?.order != nil { orders[0].append(day) }
      let held = 86_400 * Int64((5...8).contains(day) ? 4 : day)
      if still.observe(PersonalModelTests.row(day), label: label, at: held)?.order != nil { orders[1].append(day) }
    }
    #expect(orders[0] == orders[1] && !orders[0].isEmpty)
    #expect(try model.saved() == still.saved())
  }

  @Test func `updates take the rows they say`() throws {
    /// Weights after one update on day 20.
    func learned(_ change: (inout PersonalTraining) -> Void, days: Range<Int> = 0..<21) throws -> [UInt8] {
      var model = try PersonalModelTests.model(policy: NeverUpdate(), safeguard: NoSafeguard(), change)
      for day in days {
        _ = model.observe(
          PersonalModelTests.row(day), label: Int(PersonalModelTests.own.labels[day]),
          at: 86_400 * Int64(day - days.lowerBound))
      }
      let didModel = model.learn(
        UpdateOrder(.interval),
        on: PersonalModelTests.own.selecting(days.map { Int32($0) }).with(
          owners: nil, times: days.map { 86_400 * Int64($0 - days.lowerBound) }))
      #expect(didModel)
      return try StateEncoder.bytes { try model.personalWeights($0) }
    }
    // A window of 7 days behind day 20 holds days 14 to 20.
    #expect(try learned { ($0.rows.name, $0.rows.days) = (.window, 7) } == learned({ _ in }, days: 14..<21))
    // All, new and a budget as large as all are one before the first update.
    let all = try learned { _ in }
    #expect(try learned { $0.rows.name = .new } == all)
    #expect(try learned { ($0.rows.name, $0.rows.labels) = (.budget, 21) } == all)
    let budgets = try [RowChoice.Choice.random, .periodic, .uncertain, .certain, .mixed].map { choice in
      try learned { ($0.rows.name, $0.rows.labels, $0.rows.choice) = (.budget, 5, choice) }
    }
    #expect(Set(budgets).count == 5 && !budgets.contains(all))
  }

  @Test func `rows that are held out are not trained on`() throws {
    var held = HeldOut()
    held.margin = 1
    var guarded = try PersonalModelTests.model(policy: NeverUpdate(), safeguard: held)
    var plain = try PersonalModelTests.model(policy: NeverUpdate(), safeguard: NoSafeguard())
    let every = try #require(held.heldOutEvery)
    let kept = (0..<20).filter { ($0 + 1) % every != 0 }
    for day in 0..<20 {
      let label = Int(PersonalModelTests.own.labels[day])
      _ = guarded.observe(PersonalModelTests.row(day), label: label, at: 86_400 * Int64(day))
      if kept.contains(day) { _ = plain.observe(PersonalModelTests.row(day), label: label, at: 86_400 * Int64(day)) }
    }
    let didGuarded = guarded.learn(UpdateOrder(.rows), on: PersonalModelTests.own)
    #expect(didGuarded)
    let didPlain = plain.learn(UpdateOrder(.rows), on: PersonalModelTests.own.selecting(kept.map { Int32($0) }))
    #expect(didPlain)
    let weights = try [guarded, plain].map { model in try StateEncoder.bytes { try model.personalWeights($0) } }
    #expect(weights[0] == weights[1])
  }

  @Test func `a rollback restores the bits of the snapshot`() throws {
    var rollback = Rollback()
    rollback.level = 0.3
    var model = try PersonalModelTests.model(policy: NeverUpdate(), safeguard: rollback) { $0.training.epochs = 200 }
    let before = try StateEncoder.bytes { try model.personalWeights($0) }
    for day in 0..<6 { _ = observe(&model, day, label: 1) }
    // An update on labels that are the wrong way round.
    let wrong = Rows(
      PersonalModelTests.own.batch.inputs, .labels(PersonalModelTests.own.labels.map { 1 - $0 }), experience: 1)
    let didModel = model.learn(UpdateOrder(.rows), on: wrong)
    #expect(didModel)
    var took: Int?
    var rng = Seed(2).stream("days")
    for day in 0..<600 where took == nil {
      let x = [Float(rng.normal()), Float(rng.normal())]
      let observed = model.observe(Matrix([x]), label: x[1] > 0 ? 1 : 0, at: 86_400 * Int64(10 + day))
      if observed?.verdict?.decision == .rollBack { took = day }
    }
    #expect(took != nil && model.counts.rolledBack == 1)
    #expect(try StateEncoder.bytes { try model.personalWeights($0) } == before)
  }

  private func observe(_ model: inout PersonalModel, _ day: Int, label: Int) -> PersonalModel.Observed? {
    model.observe(PersonalModelTests.row(day), label: label, at: 86_400 * Int64(day))
  }
}
