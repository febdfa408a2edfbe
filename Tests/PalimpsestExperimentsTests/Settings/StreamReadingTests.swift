import PalimpsestCore
import PalimpsestExperiments
import TestFixtures
import Testing

/// The key `stream` of an experiment file.
@Suite struct StreamReadingTests {
  @Test func `a stream is part of a run's identity, and without the key nothing is`() throws {
    func id(_ entry: String) throws -> String {
      let text = entry.isEmpty ? Fixture.text() : Fixture.text(entry)
      return try #require(Plan(Fixture.experiment(text)).runs.first).id
    }
    let tasks = try id("")
    let stream = try id(#""stream": {}"#)
    #expect(stream != tasks)
    #expect(try id(#""stream": { "block": 1, "boundaries": "none" }"#) == stream)
    #expect(try id(#""stream": { "block": 2 }"#) != stream)
    // As before there were streams.
    #expect(tasks == "e16968f861f314fcb170208603fce7a9")
  }

  @Test func `the settings stand in record, columns and stored plan`() throws {
    let plan = try Plan(Fixture.experiment(Fixture.text(#""stream": { "block": 4 }"#)))
    let resolved = plan.configurations[0].resolved
    #expect(resolved.stream?.block == 4 && resolved.stream?.window == 1000)
    #expect(resolved.record["stream"]?["block"]?.int == 4)
    let stored = StoredPlan(plan)
    #expect(
      stored.columns.filter { $0.path.hasPrefix("stream.") }.map(\.name) == [
        "stream_block", "stream_blockOf", "stream_stepsPerBlock", "stream_boundaries", "stream_every", "stream_order",
        "stream_labels_delay", "stream_labels_unit", "stream_labels_missing", "stream_labels_missingBy",
        "stream_labels_loss", "stream_window", "stream_maxDelay", "stream_recovery_level", "stream_recovery_window",
        "stream_recovery_horizon", "stream_recovery_aroundBlips", "stream_recovery_unit",
      ])
    #expect(stored.configurations[0].values["stream_block"]?.int == 4)
    #expect(stored.configurations[0].record == .init(resolved.record))
    let read = try StoredPlan(stored.json, file: "plan.json")
    #expect(read == stored && read.firstWrong(isSealed: false) == nil)
    var other = stored
    other.configurations[0].runIDs = ["0123"]
    #expect(other.firstWrong(isSealed: false)?.contains("settings") == true)
    let over = StoredPlan(try Plan(Fixture.experiment(Fixture.text())))
    #expect(over.columns.allSatisfy { !$0.path.hasPrefix("stream") } && over.configurations[0].record["stream"] == nil)
  }

  @Test func `a sweep, --set and --over vary it`() throws {
    let text = Fixture.text(#""stream": {}"#, #""sweep": { "grid": { "stream.block": [1, 8] } }"#)
    let experiment = try Fixture.experiment(text)
    #expect(try Plan(experiment).configurations.map { $0.resolved.stream?.block } == [1, 8])
    let set = try Fixture.experiment(Fixture.text(#""stream": {}"#)).overridden(
      by: Overrides(set: ["stream.window=50"]))
    #expect(try Plan(set).configurations.map { $0.resolved.stream?.window } == [50])
    #expect(throws: (any Error).self) {
      try Fixture.experiment(Fixture.text()).overridden(by: Overrides(set: ["stream.block=2"]))
    }
  }

  @Test func `what contradicts a stream on the command line is refused`() throws {
    let experiment = try Fixture.experiment(Fixture.text(#""stream": {}"#))
    do {
      _ = try experiment.overridden(by: Overrides(set: ["training.epochs=2"]))
      Issue.record("it was taken")
    } catch {
      #expect(
        error.description == """
          command line: training.epochs: a stream feeds each row once, in its order: "stream.block" says how many at a time \
          and "stream.stepsPerBlock" how many steps are taken on them; take "epochs" away
          """)
    }
  }

  @Test(arguments: [
    (
      #""naive": []"#, #""stream": {}, "evaluation": { "everySteps": 5 }"#,
      """
      x.json:4:47: evaluation.everySteps: a stream counts rows: "everyRows" has its learner judged on the tasks' test \
      rows, every that many; take "everySteps" away
      """
    ),
    (
      #""naive": []"#, #""stream": {}, "evaluation": { "heldOut": 0.2, "everyRows": 5 }"#,
      """
      x.json:4:44: evaluation.heldOut: a stream learns every row that it shows and keeps none of them back; take \
      "heldOut" away
      """
    ),
    (
      #""naive": []"#, #""stream": {}, "evaluation": { "curveTasks": "all" }"#,
      """
      x.json:4:47: evaluation.curveTasks: it counts beside "everyRows" alone: a stream is judged on its own rows without \
      that
      """
    ),
    (
      #""naive": []"#, #""evaluation": { "everyRows": 5 }"#,
      """
      x.json:4:32: evaluation.everyRows: runs over tasks are judged after each of them, and "everySteps" within them; take \
      "everyRows" away, or add "stream" to the experiment
      """
    ),
    (
      #""naive": []"#, #""stream": { "every": 5 }"#,
      #"x.json:4:24: stream.every: it counts where "boundaries" is "every" alone, and that is "none""#
    ),
    (
      #""naive": []"#, #""training": { "outputs": "seen" }, "stream": {}"#,
      """
      x.json:4:28: training.outputs: which outputs a task has is told where "stream.boundaries" is "given" alone; \
      take "outputs" away
      """
    ),
    (
      #""naive": []"#, #""stream": {}, "sweep": { "grid": { "stream.window": [5, 10] } }"#,
      """
      x.json:4:26: sweep: windows of several lengths do not fit into one file of results; give "stream.window" one value
      """
    ),
    (
      #""j": [{ "name": "joint" }]"#, #""stream": { "boundaries": "every" }"#,
      """
      x.json:3:25: strategies.j.joint: "joint" begins with fresh weights at each boundary, and a stream has no passes to \
      refit them in; set "restart" to false
      """
    ),
    (
      #""j": [{ "name": "joint" }, { "name": "adwin" }]"#, #""stream": { "boundaries": "detected" }"#,
      """
      x.json:3:25: strategies.j.joint: "joint" trains on all rows so far whatever "adwin" raises; take one of the two away
      """
    ),
    (
      #""j": [{ "name": "joint", "draw": 8 }]"#, #""evaluation": {}"#,
      """
      x.json:3:52: strategies.j.joint.draw: it counts in a stream alone: a pass over tasks goes through all of their rows; \
      take "draw" away
      """
    ),
    (
      #""s": [{ "name": "shrink-perturb" }]"#, #""stream": {}"#,
      """
      x.json:3:25: strategies.s.shrink-perturb: "shrink-perturb" begins where an experience ends, and "stream.boundaries" \
      tells of none: take "detected", "every" or "given"
      """
    ),
    (
      #""f": [{ "name": "frozen" }]"#, #""stream": {}"#,
      """
      x.json:3:25: strategies.f.frozen: "frozen" begins where an experience ends, and "stream.boundaries" tells of \
      none: take "detected", "every" or "given"
      """
    ),
    (
      #""e": [{ "name": "herding" }]"#, #""stream": {}"#,
      """
      x.json:3:25: strategies.e.herding: "herding" begins where an experience ends, and "stream.boundaries" tells of \
      none: take "detected", "every" or "given"
      """
    ),
    (
      #""e": [{ "name": "ewc" }]"#, #""stream": { "boundaries": "detected" }"#,
      """
      x.json:3:25: strategies.e.ewc: "ewc" begins where an experience ends, and "stream.boundaries" waits for alarms, \
      and no part of this strategy raises any: add "page-hinkley"
      """
    ),
    (
      #""e": [{ "name": "ewc" }, { "name": "adwin", "action": "none" }]"#,
      #""stream": { "boundaries": "detected" }"#,
      """
      x.json:3:25: strategies.e.ewc: "ewc" begins where an experience ends, and "stream.boundaries" waits for alarms, \
      and those of "adwin" do something else: set its "action" to "consolidate"
      """
    ),
    (
      #""e": [{ "name": "adwin", "boostRows": 5 }]"#, #""stream": {}"#,
      """
      x.json:3:57: strategies.e.adwin.boostRows: it counts where "action" is "boost" alone, and that is "consolidate"
      """
    ),
    (
      #""naive": []"#, #""stream": {}, "sweep": { "grid": { "training.epochs": [1, 2] } }"#,
      """
      x.json:4:26: training.epochs: a stream feeds each row once, in its order: "stream.block" says how many at a time \
      and "stream.stepsPerBlock" how many steps are taken on them; take "epochs" away
      """
    ),
    (#""naive": []"#, #""stream": []"#, "x.json:4:13: stream: expected an object, found an empty array"),
    (
      #""naive": []"#, #""stream": { "windows": 5 }"#,
      #"x.json:4:15: stream.windows: unknown key; did you mean "window"?"#
    ),
    (
      #""naive": []"#, #""sweep": { "grid": { "stream.block": [1, 2] } }"#,
      #"x.json:4:24: sweep.grid: "stream.block": the experiment has no "stream": its runs go through tasks"#
    ),
  ])
  func `what contradicts a stream is refused at its place`(strategies: String, entries: String, message: String) {
    #expect(Fixture.problems(Fixture.text(strategies: strategies, entries)) == message)
  }

  @Test func `what alarms do is a setting of any detector, and its default none`() throws {
    func id(_ entry: String) throws -> String {
      let text = Fixture.text(
        strategies: #""e": [{ "name": "page-hinkley"\#(entry) }, { "name": "reservoir" }]"#, #""stream": {}"#)
      return try #require(Plan(Fixture.experiment(text)).runs.first).id
    }
    let plain = try id("")
    #expect(try id(#", "action": "consolidate", "after": 1"#) == plain)
    let others = try ["reset-weights", "reset-optimizer", "clear-memory", "boost", "none"].map {
      try id(#", "action": "\#($0)""#)
    }
    #expect(Set(others + [plain]).count == 6)
    #expect(try id(#", "action": "boost", "boostFactor": 3"#) != id(#", "action": "boost""#))
    let swept = Fixture.text(
      strategies: #""e": [{ "name": "ewc" }, { "name": "ddm", "boostRows": 5 }]"#,
      #""stream": { "boundaries": "detected" }"#,
      #""sweep": { "grid": { "strategies.e.ddm.action": ["boost", "consolidate"] } }"#)
    #expect(Fixture.problems(swept) == "")
  }

  @Test func `a sweep over boundaries may leave parts without an end in some of its runs`() throws {
    let text = Fixture.text(
      strategies: #""e": [{ "name": "ewc" }]"#, #""stream": {}"#,
      #""sweep": { "grid": { "stream.boundaries": ["none", "given"] } }"#)
    #expect(Fixture.problems(text) == "")
  }

  @Test func `nothing that only tasks need is warned about`() throws {
    let experiment = try Fixture.experiment(Fixture.text(#""stream": {}"#))
    #expect(experiment.warnings(file: "x.json", library: nil) == [])
  }
}
