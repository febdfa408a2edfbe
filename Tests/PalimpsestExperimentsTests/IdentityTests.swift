import PalimpsestCore
import PalimpsestExperiments
import TestFixtures
import Testing

@Suite struct IdentityTests {
  /// Ids of all runs of a file.
  func ids(_ text: String, catalog: Catalog = .standard) throws -> [String] {
    try Plan(Fixture.experiment(text, catalog: catalog)).runs.map(\.id)
  }

  /// The id of the one run of an experiment with these entries.
  func id(
    scenario: String = "", strategy: String = #"{ "name": "ewc" }"#, _ entries: String..., catalog: Catalog = .standard
  ) throws -> String {
    let more = entries.map { ", " + $0 }.joined()
    let text = """
      { "name": "x", "scenarios": { "a": { "name": "habit-phases"\(scenario) } },
        "strategies": { "s": [\(strategy)] }\(more) }
      """
    return try #require(ids(text, catalog: catalog).first)
  }

  /// The hashed texts, with SHA-256 by another program:
  /// {"configuration":{"evaluation":{},"model":{},"numerics":1,"scenario":{"name":"habit-phases","revision":1},
  /// "strategy":[],"training":{"optimizer":{"name":"adam","revision":1}}},"seed":0}
  /// {"configuration":{"evaluation":{},"model":{"hidden":[8]},"numerics":1,
  /// "scenario":{"context":"hidden","name":"habit-phases","revision":1},
  /// "strategy":[{"name":"ewc","revision":2,"strength":0.5}],
  /// "training":{"epochs":3,"optimizer":{"name":"sgd","rate":0.05,"revision":1}}},"seed":7}
  @Test func `an id is what it was when results were first kept`() throws {
    #expect(try id(strategy: "") == "e16968f861f314fcb170208603fce7a9")
    let second = try id(
      scenario: #", "context": "hidden""#, strategy: #"{ "strength": 0.5, "name": "ewc" }"#, #""seeds": [7]"#,
      #""model": { "hidden": [8] }"#,
      #""training": { "optimizer": { "rate": 0.05, "name": "sgd" }, "epochs": 3 }"#)
    #expect(second == "fc00177d50f30360d7cc86f6162d512a")
  }

  /// {"configuration":{"evaluation":{},"model":{"hidden":[4,2]},"numerics":1,
  /// "scenario":{"name":"habit-phases","revision":1},
  /// "strategy":[{"name":"ewc","revision":2},{"capacity":50,"name":"reservoir","revision":1}],
  /// "training":{"batch":8,"optimizer":{"name":"adam","rate":0.00001,"revision":1},"resetOptimizer":false,"steps":50}},
  /// "seed":3}
  @Test func `members stand around the optimiser, parts in their order, small numbers in full`() throws {
    let third = try id(
      strategy: #"{ "name": "ewc" }, { "name": "reservoir", "capacity": 50 }"#, #""seeds": [3]"#,
      #""model": { "hidden": [4, 2] }"#,
      #""training": { "steps": 50, "resetOptimizer": false, "batch": 8, "optimizer": { "name": "adam", "rate": 1e-5 } }"#
    )
    #expect(third == "df4dd2d1b8fd8083ad0b92446dc7c7be")
  }

  @Test func `equal settings share what was read, and a run asked for twice is the same`() throws {
    let plan = try Plan(
      Fixture.experiment(
        Fixture.text(
          strategies: #""s": [{ "name": "ewc" }], "t": [{ "name": "ewc" }]"#, #""seeds": 3"#,
          #""sweep": { "grid": { "strategies.*.ewc.strength": [1, 2], "training.epochs": [1, 2] } }"#)))
    #expect(plan.runs.count == 24)
    #expect(Array(plan.runs) == Array(plan.runs))
    #expect(plan.runs[23] == plan.runs.last)
    #expect(
      plan.configurations.map { "\($0.resolved.strategyLabel)\($0.resolved.training.feed.epochs)" } == [
        "s1", "s2", "s1", "s2", "t1", "t2", "t1", "t2",
      ])
    let alone = try Plan(Fixture.experiment(Fixture.text(strategies: #""s": [{ "name": "ewc", "strength": 2 }]"#)))
    #expect(plan.configurations[2].resolved.record["strategy"] == alone.configurations[0].resolved.record["strategy"])
  }

  @Test func `an id is 128 bits in hex`() throws {
    let id = try id()
    #expect(id.count == 32)
    #expect(id.allSatisfy { "0123456789abcdef".contains($0) })
  }

  @Test func `a default written out gives the same id as one left out`() throws {
    let plain = try id()
    #expect(try id(strategy: #"{ "name": "ewc", "strength": 100 }"#) == plain)
    #expect(try id(scenario: #", "users": 20, "driftTV": null, "context": "visible""#) == plain)
    #expect(try id(#""model": { "hidden": [16, 8], "activation": "relu" }"#) == plain)
    #expect(try id(#""training": { "batch": 32, "optimizer": { "name": "adam", "rate": 0.001 } }"#) == plain)
    #expect(try id(#""evaluation": { "every": "experience", "metrics": "all", "everySteps": null }"#) == plain)
    #expect(try id(#""seeds": [0]"#) == plain)
  }

  @Test func `a number is what it says, however it is written`() throws {
    let thousand = try id(#""training": { "epochs": 1000 }"#)
    #expect(try id(#""training": { "epochs": 1e3 }"#) == thousand)
    #expect(try id(#""training": { "epochs": 1000.0 }"#) == thousand)
    let strength = try id(strategy: #"{ "name": "ewc", "strength": 1000 }"#)
    #expect(try id(strategy: #"{ "name": "ewc", "strength": 1.0e3 }"#) == strength)
    #expect(try id(strategy: #"{ "name": "ewc", "strength": 1e2 }"#) == id())
    #expect(try id(#""model": { "hidden": [1.6e1, 8.0] }"#) == id())
  }

  @Test func `labels, names, questions and the order of keys change nothing`() throws {
    let plain = try ids(Fixture.text(strategies: #""s": [{ "name": "ewc", "strength": 3 }]"#))
    let other = try ids(
      """
      { "strategies": { "other": [{ "strength": 3, "name": "ewc" }] }, "question": "Why?", "name": "y",
        "scenarios": { "b": { "name": "habit-phases" } } }
      """)
    #expect(plain == other)
  }

  @Test func `a sweep's value gives the id of the same value written in place`() throws {
    let swept = try ids(
      Fixture.text(
        strategies: #""s": [{ "name": "ewc" }]"#,
        #""sweep": { "grid": { "strategies.s.ewc.strength": [3, 1e2], "model.hidden": [[4]] } }"#))
    let model = #""model": { "hidden": [4] }"#
    #expect(try swept == [id(strategy: #"{ "name": "ewc", "strength": 3 }"#, model), id(model)])
  }

  @Test func `seed, settings and the parts themselves change the id`() throws {
    let ids = try [
      id(), id(#""seeds": [1]"#), id(strategy: #"{ "name": "ewc", "strength": 101 }"#),
      id(strategy: #"{ "name": "ewc", "mode": "online" }"#), id(strategy: #"{ "name": "si" }"#), id(strategy: ""),
      id(strategy: #"{ "name": "ewc" }, { "name": "reservoir" }"#), id(scenario: #", "users": 21"#),
      id(#""model": { "hidden": [8, 16] }"#), id(#""training": { "epochs": 2 }"#),
      id(#""training": { "optimizer": { "name": "sgd" } }"#),
      id(#""training": { "optimizer": { "name": "adam", "rate": 0.002 } }"#), id(#""evaluation": { "everySteps": 5 }"#),
    ]
    #expect(Set(ids).count == ids.count)
  }

  @Test func `a revision changes the id, a new parameter at its default does not`() throws {
    func id<P: StrategyPart>(_ part: P.Type) throws -> String {
      try self.id(strategy: #"{ "name": "probe" }"#, catalog: .standard.adding(part))
    }
    let first = try id(Probe.self)
    #expect(try id(ProbeWithParameter.self) == first)
    #expect(try id(RevisedProbe.self) != first)
  }
}

/// A penalty of nothing, in three versions of one name.
private struct Probe: Penalty {
  static let name = "probe"
  static let summary = "Adds nothing."
  static let source = "For tests."

  mutating func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float { 0 }
}

private struct ProbeWithParameter: Penalty {
  static let name = "probe"
  static let summary = "Adds nothing."
  static let source = "For tests."

  @Parameter("Means nothing.") var width: Int = 4

  mutating func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float { 0 }
}

private struct RevisedProbe: Penalty {
  static let name = "probe"
  static let summary = "Adds nothing."
  static let source = "For tests."
  static let revision = 2

  mutating func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float { 0 }
}
