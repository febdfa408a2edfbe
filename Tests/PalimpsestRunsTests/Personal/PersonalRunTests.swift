import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestPersonal
import PalimpsestRuns
import PalimpsestScenarios
import TestFixtures
import Testing

/// Runs that go on with single people.
@Suite struct PersonalRunTests {
  private func configuration(
    users: Int = 6, scenario: String = "", strategy: String = "", personal: String = "{}",
    policy: String = #"{ "name": "interval" }"#, safeguard: String = #"{ "name": "mixture" }"#, more: String = ""
  ) throws -> ResolvedConfiguration {
    let text = """
      { "name": "x", "model": { "hidden": [8] }, "training": { "epochs": 3 },
        "scenarios": { "a": { "name": "habit-personal", "population": 12, "populationDays": 20, "users": \(users),
          "days": 24, "burnIn": 8, "testReplicates": 4, "testDays": 10\(scenario) } },
        "strategies": { "s": [\(strategy)] }, "personal": \(personal), "policies": { "p": \(policy) },
        "safeguards": { "g": \(safeguard) }\(more) }
      """
    return try #require(Plan(Fixture.experiment(text)).configurations.first).resolved
  }

  private func run(_ configuration: ResolvedConfiguration, seed: Int = 3) throws -> Run {
    try Run(configuration, configuration.scenario.prepare(from: EmptyLibrary()), seed: seed)
  }

  private func record(_ configuration: ResolvedConfiguration, seed: Int = 3) throws -> RunRecord {
    var run = try run(configuration, seed: seed)
    return run.execute()
  }

  private func numbers(_ record: RunRecord, _ name: ObservationName) throws -> [Double] {
    try #require(record[name], "\(name)").numbers
  }

  static let event = #", "lifeEvent": { "share": 0.5, "day": 10 }"#

  @Test func `the same seed gives the same record, another seed another`() throws {
    let settings = try configuration(scenario: PersonalRunTests.event, personal: #"{ "curve": [3, 8] }"#)
    let first = try record(settings)
    #expect(try first.hasSameResults(as: record(settings)))
    #expect(try !first.hasSameResults(as: record(settings, seed: 4)))
    #expect(first.status == .completed && first.isPersonal && first.tasks == ["population", "people"])
    #expect(first["user_gain"]?.axes == [Axis("user", 6), Axis("concept", 2)])
    #expect(first["day_regret"]?.axes == [Axis("day", 24)])
    #expect(first["curve_gain"]?.axes == [Axis("curve_day", 2)] && first.ticks["curve_day"] == .positions([3, 8]))
  }

  @Test func `people of a small run are the first ones of a large run, bit for bit`() throws {
    let (few, many) = (try record(configuration(users: 3)), try record(configuration(users: 7)))
    let names: [ObservationName] = [
      "user_gain", "user_accuracy", "user_bayes", "user_regret", "user_log_loss", "user_excess_log_loss_max",
      "user_archetype", "user_updates_finished", "user_negative_flips",
    ]
    for name in names {
      #expect(try numbers(few, name) == Array(numbers(many, name).prefix(3)), "\(name)")
    }
  }

  @Test func `policy and safeguard touch no row`() throws {
    let settings = [
      try configuration(), try configuration(policy: #"{ "name": "never" }"#),
      try configuration(strategy: #"{ "name": "ewc" }"#, safeguard: #"{ "name": "none" }"#),
    ]
    let records = try settings.map { try record($0) }
    for name in ["user_bayes", "user_archetype"] as [ObservationName] {
      #expect(try Set(records.map { try numbers($0, name) }).count == 1)
    }
    #expect(records[0].number("data_digest") == records[1].number("data_digest"))
    #expect(try numbers(records[0], "user_accuracy_population") == numbers(records[1], "user_accuracy_population"))
  }

  @Test(arguments: [#"{ "name": "none" }"#, #"{ "name": "mixture" }"#, #"{ "name": "held-out" }"#])
  func `who never updates gains exactly nothing`(safeguard: String) throws {
    let record = try record(
      configuration(scenario: PersonalRunTests.event, policy: #"{ "name": "never" }"#, safeguard: safeguard))
    #expect(try numbers(record, "user_gain").allSatisfy { $0 == 0 || $0.isNaN })
    #expect(try numbers(record, "user_life_gain").allSatisfy { $0 == 0 })
    #expect(record.number("life_share_worse") == 0 && record.number("headroom_share") == 0)
    #expect(try numbers(record, "user_updates_due").allSatisfy { $0 == 0 })
    let (own, shipped) = (try numbers(record, "user_log_loss"), try numbers(record, "user_log_loss_population"))
    #expect(zip(own, shipped).allSatisfy { abs($0 - $1) < 1e-12 })
    #expect(try numbers(record, "user_excess_log_loss_max").allSatisfy { abs($0) < 1e-12 })
  }

  /// gain = E[|2p* − 1| (1 positive flip − 1 negative flip)].
  @Test func `gain is what the flips weigh`() throws {
    let settings = try configuration(policy: #"{ "name": "rows", "rows": 5 }"#, safeguard: #"{ "name": "none" }"#)
    let personal = try #require(settings.personal)
    let stream = Run.data(of: try settings.scenario.prepare(from: EmptyLibrary()), seed: 3)
    let people = try #require(stream as? any PeopleStream)
    var trained = try run(settings)
    while trained.position.task == 0 { _ = trained.advance() }
    var flips = 0
    for number in 0..<6 {
      let life = people.life(of: number)
      var model = PersonalModel(
        shipped: trained.learner, shape: people.shape, personal.settings.learning, policy: personal.policy,
        safeguard: personal.safeguard, seed: Seed(1))
      for day in 0..<life.rows.count {
        let row = Matrix([life.rows.batch.inputs.row(day)])
        if let order = model.observe(row, label: Int(life.rows.labels[day]), at: 86_400 * Int64(day))?.order {
          model.learn(order, on: life.rows)
        }
      }
      let rows = try #require(life.evaluationSet(ofConcept: 0)).rows
      let (own, shipped) = (model.answers(to: rows.batch.inputs), model.shippedAnswers(to: rows.batch.inputs))
      var (gain, weighed) = (0.0, 0.0)
      for row in 0..<rows.count {
        let p = Double(try #require(rows.truth)[row])
        gain += (own[row] == 1 ? p : 1 - p) - (shipped[row] == 1 ? p : 1 - p)
        let best = p >= 0.5 ? 1 : 0
        if own[row] != shipped[row] {
          flips += 1
          weighed += abs(2 * p - 1) * (own[row] == best ? 1 : -1)
        }
      }
      #expect(abs(gain - weighed) / Double(rows.count) < 1e-12)
    }
    #expect(flips > 20)
  }

  @Test func `the mixture's bound holds for every person`() throws {
    let record = try record(
      configuration(users: 20, scenario: PersonalRunTests.event, policy: #"{ "name": "rows", "rows": 3 }"#))
    // ln 2 − 23 ln(1 − .01 + .005), against never leaving the population model.
    let bound = Elementary.log(2) - 23 * Elementary.log(0.995)
    #expect(try numbers(record, "user_excess_log_loss_max").allSatisfy { (0...bound).contains($0) })
  }

  @Test func `every part of a strategy can go on with people`() throws {
    let catalog = Catalog.standard
    var tried: Set<String> = []
    for (name, type) in catalog.parts where !(type is any Bound.Type) && !(type is any DriftDetector.Type) {
      let beside = type is any OutputLoss.Type || name == "a-gem" ? #", { "name": "reservoir" }"# : ""
      // Some want several classes.
      guard let settings = try? configuration(users: 2, strategy: "{ \"name\": \"\(name)\" }\(beside)"),
        var run = try? run(settings)
      else { continue }
      let record = run.execute()
      tried.insert(name)
      #expect(record.status == .completed, "\(name): \(record.error)")
      #expect(try numbers(record, "user_accuracy").allSatisfy { (0...1).contains($0) }, "\(name)")
    }
    #expect(
      tried.isSuperset(of: [
        "ewc", "si", "mas", "reservoir", "ring", "adapters", "low-rank", "bias-only", "last-layer", "heads",
      ]))
    #expect(tried.count >= 18, "\(tried)")
  }

  @Test(arguments: [
    #"{ "start": { "name": "scratch" } }"#, #"{ "start": { "name": "reptile", "iterations": 20 } }"#,
    #"{ "start": { "name": "fomaml", "iterations": 20 } }"#,
  ])
  func `a start of its own is another model, judged beside the population's`(personal: String) throws {
    let plain = try record(configuration(policy: #"{ "name": "never" }"#, safeguard: #"{ "name": "none" }"#))
    let other = try record(
      configuration(personal: personal, policy: #"{ "name": "never" }"#, safeguard: #"{ "name": "none" }"#))
    #expect(try numbers(other, "user_accuracy_population") == numbers(plain, "user_accuracy_population"))
    #expect(try numbers(other, "user_accuracy") != numbers(plain, "user_accuracy"))
  }

  @Test func `a start that is learned to no finite weight makes the run diverge`() throws {
    let settings = try configuration(
      personal: #"{ "start": { "name": "reptile", "innerRate": 3e38, "outerRate": 1, "iterations": 4 } }"#)
    let record = try record(settings)
    #expect(record.status == .diverged && record.error == "a weight of the learned start is not finite")
  }

  @Test(arguments: [(nil, 6), ("all", 6), ("summary", 0)] as [(String?, Int)])
  func `whose numbers are kept is for the file to say, and changes no other number`(users: String?, kept: Int) throws {
    let plain = try record(configuration())
    let text = users.map { #", "evaluation": { "users": "\#($0)" }"# } ?? ""
    let record = try record(configuration(more: text))
    #expect(
      record["user_gain"]?.numbers.count ?? 0 == kept && record["user_updates_finished"]?.numbers.count ?? 0 == kept)
    for name in ["gain_mean", "share_worse", "life_gain_mean", "life_share_worse_low", "day_regret"]
      as [ObservationName]
    {
      #expect(try numbers(record, name) == numbers(plain, name), "\(name)")
    }
    #expect(record.ticks["user"] == nil)
  }

  @Test(arguments: ["reptile", "fomaml"])
  func `interrupted anywhere it ends with the same record`(start: String) throws {
    let settings = try configuration(
      scenario: PersonalRunTests.event, strategy: #"{ "name": "reservoir" }"#,
      personal: #"{ "start": { "name": "\#(start)", "iterations": 8 }, "populationRows": 5, "curve": [4] }"#)
    var whole = try run(settings)
    var steps = 0
    while whole.advance() { steps += 1 }
    for stop in [0, 1, 5, 23, steps - 9, steps - 3] {
      var first = try run(settings)
      for _ in 0..<stop { _ = first.advance() }
      let bytes = try StateEncoder.bytes { try first.saveState(to: $0) }
      var second = try run(settings)
      try StateDecoder.read(bytes) { try second.restoreState(from: $0) }
      while second.advance() {}
      #expect(second.finishedRecord.hasSameResults(as: whole.finishedRecord), "\(stop) of \(steps)")
    }
  }

  @Test func `what a file of another run holds is refused`() throws {
    var first = try run(configuration(users: 6))
    while first.position.task == 0 { _ = first.advance() }
    for _ in 0..<3 { _ = first.advance() }
    let bytes = try StateEncoder.bytes { try first.saveState(to: $0) }
    var other = try run(configuration(users: 2))
    #expect(throws: StateError.self) { try StateDecoder.read(bytes) { try other.restoreState(from: $0) } }
  }
}
