import PalimpsestCore
import PalimpsestExperiments
import TestFixtures
import Testing

/// The keys `personal`, `policies` and `safeguards` of an experiment file.
@Suite struct PersonalReadingTests {
  private func text(_ entries: String..., personal: String = #""personal": {}"#, strategies: String = #""naive": []"#)
    -> String
  {
    let more = entries.map { "\n  " + $0 + "," }.joined()
    return """
      {
        "scenarios": { "a": { "name": "habit-personal" } },
        "strategies": { \(strategies) },
        \(personal),\(more)
        "name": "x"
      }
      """
  }

  @Test func `policies and safeguards are part of a run's identity, their labels are not`() throws {
    func id(_ entries: String) throws -> String {
      try #require(Plan(Fixture.experiment(text(entries))).runs.first).id
    }
    let standard = try id(#""question": """#)
    #expect(try id(#""policies": { "a": { "name": "interval", "days": 7 } }"#) == standard)
    #expect(try id(#""safeguards": { "b": { "name": "mixture", "share": 0.01 } }"#) == standard)
    #expect(try id(#""policies": { "a": { "name": "interval", "days": 8 } }"#) != standard)
    #expect(try id(#""safeguards": { "b": { "name": "none" } }"#) != standard)
    let without = try #require(
      Plan(Fixture.experiment(Fixture.text(scenarios: #""a": { "name": "habit-personal" }"#))).runs.first)
    #expect(without.id != standard)
  }

  @Test func `whose numbers are kept counts beside people alone`() throws {
    let users = #""evaluation": { "users": "summary" }"#
    #expect(Fixture.problems(text(users)) == "")
    let message =
      "x.json:5:28: evaluation.users: it says whose numbers are kept beside \"personal\" alone: add \"personal\": {}, "
      + "or take \"users\" away"
    #expect(Fixture.problems(text(users, personal: #""seeds": 1"#)) == message)
    #expect(Fixture.problems(text(users, personal: #""stream": {}"#)) == message)
  }

  @Test func `each policy stands beside each safeguard, and both in record, columns and stored plan`() throws {
    let entries = """
      "policies": { "weekly": { "name": "interval" }, "monthly": { "name": "interval", "days": 28 } },
        "safeguards": { "none": { "name": "none" }, "mix": { "name": "mixture" } }
      """
    let experiment = try Fixture.experiment(text(entries, #""seeds": 2"#))
    let plan = try Plan(experiment)
    #expect(plan.configurations.count == 4 && experiment.runCount == 8 && experiment.configurations.count == 4)
    let stored = StoredPlan(plan)
    let labels = stored.configurations.map { [$0.values["policy"]?.string, $0.values["safeguard"]?.string] }
    #expect(labels == [["weekly", "none"], ["weekly", "mix"], ["monthly", "none"], ["monthly", "mix"]])
    #expect(stored.configurations.map { $0.values["policy_days"]?.int } == [7, 7, 28, 28])
    #expect(
      stored.configurations.map { $0.values["safeguard_name"]?.string } == ["none", "mixture", "none", "mixture"])
    #expect(stored.configurations.map { $0.values["safeguard_share"]?.double } == [nil, 0.01, nil, 0.01])
    #expect(Set(stored.configurations.flatMap(\.runIDs)).count == 8)
    for (configuration, stored) in zip(plan.configurations, stored.configurations) {
      #expect(stored.record == .init(configuration.resolved.record))
    }
    #expect(stored.variedColumns.isSuperset(of: ["policy", "safeguard", "policy_days", "safeguard_name"]))
    let read = try StoredPlan(stored.json, file: "plan.json")
    #expect(read == stored && read.firstWrong(isSealed: false) == nil)
    var other = stored
    other.configurations[0].runIDs = other.configurations[1].runIDs
    #expect(other.firstWrong(isSealed: false)?.contains("settings") == true)
  }

  @Test func `a sweep varies what it names and nothing twice`() throws {
    let entries = """
      "policies": { "weekly": { "name": "interval" }, "never": { "name": "never" } },
        "sweep": { "grid": { "policies.weekly.days": [7, 14], "personal.training.epochs": [5, 10], "safeguards.*.share": [0.1, 0.2] } }
      """
    let plan = try Plan(Fixture.experiment(text(entries)))
    let cells = plan.configurations.map(\.resolved).map { resolved in
      [
        resolved.personal?.policyLabel, resolved.personal.map { "\($0.settings.learning.training.epochs)" },
        resolved.personal.map { "\($0.safeguard.parameters.first { $0.name == "share" }?.value.found ?? "")" },
      ].compactMap(\.self).joined(separator: " ")
    }
    // never knows no days: its settings come out equal, and once.
    #expect(cells.count == 8 + 4 && cells.count { $0.hasPrefix("never") } == 4)
  }

  @Test(arguments: [
    (
      #""stream": {}"#,
      #"x.json:5:13: stream: runs go through a stream, or go on with people: take this away, or "personal""#
    ),
    (
      #""evaluation": { "everySteps": 5 }"#,
      #"x.json:5:33: evaluation.everySteps: people are judged where a stretch of their lives ends, and row by row; take "everySteps" away"#
    ),
    (#""training": { "tasks": 1 }"#, "training.tasks: runs that go on with people have two stages and need both"),
    (#""policies": { "a": { "name": "weekly" } }"#, #"policies.a: no policy is called "weekly""#),
    (#""policies": { "a": { "name": "interval", "days": 0 } }"#, "policies.a.days: expected"),
    (#""policies": { "a": { "name": "interval", "day": 3 } }"#, #"policies.a.day: unknown key; did you mean "days"?"#),
    (#""policies": {}"#, "policies: expected an object with at least one policy under a label of yours"),
    (#""safeguards": { "a": { "name": "drift" } }"#, #"it is a policy and belongs to "policies""#),
    (#""safeguards": { "": { "name": "none" } }"#, "safeguards"),
    (#""sweep": { "grid": { "personal.curve": [[3], [7]] } }"#, "curves of several days do not fit into one file"),
    (
      #""sweep": { "grid": { "personal.rollout.stages": [[1], [0.5, 1]] } }"#,
      "rollouts of several stages do not fit into one file"
    ),
    (#""sweep": { "grid": { "policies.monthly.days": [3] } }"#, #"no policy is called "monthly""#),
    (#""sweep": { "grid": { "policies.weekly.share": [3] } }"#, #""interval" has no parameter "share""#),
  ]) func `what has no part in such runs is told at its place`(entry: String, message: String) {
    let problems = Fixture.problems(text(entry))
    #expect(problems.contains(message), "\(problems)")
  }

  @Test(arguments: [
    ("adwin", #"for updates on alarm take the policy {"name": "drift"}"#),
    ("joint", #"take "personal.start", or the policy {"name": "never"}"#),
  ]) func `parts that would do nothing are told`(part: String, message: String) {
    let problems = Fixture.problems(text(strategies: "\"s\": [{ \"name\": \"\(part)\" }]"))
    #expect(problems.contains("strategies.s.\(part)") && problems.contains(message), "\(problems)")
  }

  @Test func `people are where the scenario has some`() {
    let habit = Fixture.problems(Fixture.text(#""personal": {}"#))
    #expect(
      habit.contains(#"scenarios.a: "habit-phases" has no people to go on with: take "habit-personal""#), "\(habit)")
    let alone = Fixture.problems(Fixture.text(#""policies": { "a": { "name": "never" } }"#))
    #expect(alone.contains(#"policies: it counts beside "personal" alone: add "personal": {}"#), "\(alone)")
  }

  @Test func `--set and --over reach policies and safeguards`() throws {
    let experiment = try Fixture.experiment(text()).overridden(
      by: Overrides(set: ["policies.weekly.days=3", "personal.rows.name=window", "safeguards.mixture.share=0.2"]))
    let resolved = try #require(Plan(experiment).configurations.first).resolved
    #expect(resolved.policyDays == 3 && resolved.personal?.settings.learning.rows.name == .window)
    #expect(resolved.personal?.safeguard.parameters.first { $0.name == "share" }?.value == .number("0.2"))
    #expect(throws: (any Error).self) {
      try Fixture.experiment(Fixture.text()).overridden(by: Overrides(set: ["policies.weekly.days=3"]))
    }
  }
}

extension ResolvedConfiguration {
  fileprivate var policyDays: Int? {
    guard case .number(let text) = personal?.policy.parameters.first(where: { $0.name == "days" })?.value else {
      return nil
    }
    return Int(text)
  }
}
