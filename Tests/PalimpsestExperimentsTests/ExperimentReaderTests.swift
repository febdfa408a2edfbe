import PalimpsestExperiments
import TestFixtures
import Testing

@Suite struct ExperimentReaderTests {
  @Test func `the messages of the design read as designed`() {
    let text = """
      { "name": "x", "scenarios": { "a": { "name": "habit-phases" } }, "strategies": {
        "ewc": [
          { "name":"ewc",
          "strength": "high", "fisherSampels": 5 }],
          "er": [{"name": "resevoir"}] } }
      """
    #expect(
      Fixture.problems(text) == """
        x.json:4:17: strategies.ewc.ewc.strength: expected a number ≥ 0, found "high"
        x.json:4:25: strategies.ewc.ewc.fisherSampels: unknown key; did you mean "fisherSamples"?
        x.json:5:21: strategies.er.resevoir: no part is called "resevoir"; did you mean "reservoir"?
        """)
  }

  @Test(arguments: [
    ("", "x.json:1:1: the file is empty"),
    ("[]", "x.json:1:1: expected an object with the experiment, found an empty array"),
    ("\"a\"", "x.json:1:1: expected an object with the experiment, found \"a\""),
    ("{\n \"name\": }", "x.json:2:10: expected a value for \"name\", found \"}\""),
    (
      "{}",
      """
      x.json:1:1: "name" is missing: a short name for the experiment
      x.json:1:1: "scenarios" is missing: at least one scenario under a label of yours
      x.json:1:1: "strategies" is missing: at least one strategy under a label of yours
      """
    ),
  ])
  func `a file that is no experiment`(text: String, expected: String) {
    #expect(Fixture.problems(text) == expected)
  }

  @Test(arguments: [
    (#""nmae": 1"#, #"4:3: nmae: unknown key; did you mean "name"?"#),
    (#""seed": 1"#, #"4:3: seed: unknown key; did you mean "seeds"?"#),
    (#""format": 2"#, "4:13: format: expected 1, the only format there is, found 2"),
    (#""question": 7"#, "4:15: question: expected a text, found 7"),
    (#""model": []"#, "4:12: model: expected an object, found an empty array"),
    (#""model": { "hiden": [8] }"#, #"4:14: model.hiden: unknown key; did you mean "hidden"?"#),
    (
      #""model": { "hidden": [8, 0] }"#,
      "4:24: model.hidden: expected a list of whole numbers in [1, 1000000], found 0 as element 2"
    ),
    (#""training": 1"#, "4:15: training: expected an object, found 1"),
    (#""training": { "epochs": 0 }"#, "4:27: training.epochs: expected a whole number in [1, 1000000000], found 0"),
    (#""training": { "epochs": 1.5 }"#, "4:27: training.epochs: expected a whole number in [1, 1000000000], found 1.5"),
    (#""training": { "epoch": 1 }"#, #"4:17: training.epoch: unknown key; did you mean "epochs"?"#),
    (
      #""training": { "optimizer": "adam" }"#,
      #"4:30: training.optimizer: expected an object such as {"name": "sgd"}, found "adam""#
    ),
    (#""training": { "optimizer": {} }"#, #"4:30: training.optimizer: "name" is missing: which optimizer?"#),
    (
      #""training": { "optimizer": { "name": "adm" } }"#,
      #"4:40: training.optimizer: no optimizer is called "adm"; did you mean "adam"?"#
    ),
    (
      #""training": { "optimizer": { "name": "sgd", "rate": 0 } }"#,
      "4:55: training.optimizer.rate: expected a number > 0, found 0"
    ),
    (
      #""training": { "optimizer": { "name": "sgd", "beta1": 0 } }"#,
      #"4:47: training.optimizer.beta1: unknown key; it belongs to the optimizers "adam", "adamw", as "beta1""#
    ),
    (
      #""evaluation": { "everySteps": 0 }"#,
      "4:33: evaluation.everySteps: expected a whole number in [1, 1000000000] or null, found 0"
    ),
    (#""evaluation": { "every": "step" }"#, #"4:28: evaluation.every: expected one of "experience", found "step""#),
    (#""name": "y""#, #"5:3: "name" is given twice in one object"#),
  ])
  func `an entry that is wrong is told with its place, its path and what would be right`(
    entry: String, expected: String
  ) {
    #expect(Fixture.problems(Fixture.text(entry)) == "x.json:" + expected)
  }

  @Test(arguments: [
    (#"{}"#, "expected an object with at least one scenario under a label of yours, found an empty object"),
    (#"[]"#, "expected an object with at least one scenario under a label of yours, found an empty array"),
  ])
  func `no scenarios`(scenarios: String, expected: String) {
    let text = #"{"name": "x", "strategies": {"a": []}, "scenarios": "# + scenarios + "}"
    #expect(Fixture.problems(text) == "x.json:1:53: scenarios: " + expected)
  }

  @Test(arguments: [
    (#""a": 5"#, #"2:23: scenarios.a: expected an object such as {"name": "habit-phases"}, found 5"#),
    (#""a": { "users": 5 }"#, #"2:23: scenarios.a: "name" is missing: which scenario?"#),
    (#""a": { "name": 5 }"#, "2:33: scenarios.a: no scenario is called 5"),
    (
      #""a": { "name": "habit-phase" }"#,
      #"2:33: scenarios.a: no scenario is called "habit-phase"; did you mean "habit-phases"?"#
    ),
    (
      #""a": { "name": "ewc" }"#,
      #"2:33: scenarios.a: no scenario is called "ewc"; it is a part and belongs to "strategies""#
    ),
    (
      #""a": { "name": "habit-phases", "users": 0 }"#,
      "2:58: scenarios.a.users: expected a whole number in [1, 100000], found 0"
    ),
    (
      #""a": { "name": "habit-phases", "contxt": "hidden" }"#,
      #"2:49: scenarios.a.contxt: unknown key; did you mean "context"?"#
    ),
    (
      #""a": { "name": "habit-phases", "context": "seen" }"#,
      #"2:60: scenarios.a.context: expected one of "visible", "hidden", found "seen""#
    ),
  ])
  func `a scenario that is wrong`(scenarios: String, expected: String) {
    #expect(Fixture.problems(Fixture.text(scenarios: scenarios)) == "x.json:" + expected)
  }

  @Test(arguments: [
    (
      #""e": [{ "name": "ewc" }, { "name": "page-hinkley" }]"#,
      """
      3:44: strategies.e.page-hinkley: a drift detector looks at predictions that are made before their rows are \
      learned, and runs over tasks make none: add "stream" to the experiment, or take "page-hinkley" away
      """
    ),
    (
      #""e": [{ "name": "ncm" }, { "name": "ewc" }]"#,
      #"3:24: strategies.e: "ncm" is a whole learner and stands alone; take the other parts away"#
    ),
    (
      #""e": { "name": "ewc" }"#,
      "3:24: strategies.e: expected a list of parts (an empty list is plain fine-tuning), found an object"
    ),
    (#""e": ["ewc"]"#, #"3:25: strategies.e: expected an object such as {"name": "reservoir"}, found "ewc""#),
    (#""e": [{}]"#, #"3:25: strategies.e: "name" is missing: which part?"#),
    (#""e": [{ "name": null }]"#, "3:35: strategies.e: no part is called null"),
    (
      #""e": [{ "name": "resevoir" }]"#,
      #"3:35: strategies.e.resevoir: no part is called "resevoir"; did you mean "reservoir"?"#
    ),
    (
      #""e": [{ "name": "adam" }]"#,
      #"3:35: strategies.e.adam: no part is called "adam"; it is an optimizer and belongs to training.optimizer"#
    ),
    (
      #""e": [{ "name": "ewc", "strenght": 1 }]"#,
      #"3:42: strategies.e.ewc.strenght: unknown key; did you mean "strength"?"#
    ),
    (
      #""e": [{ "name": "ewc", "strength": -1 }]"#, "3:54: strategies.e.ewc.strength: expected a number ≥ 0, found -1"
    ),
    (
      #""e": [{ "name": "ewc", "strength": 1e300 }]"#,
      "3:54: strategies.e.ewc.strength: expected a number ≥ 0, found 1e300, which is too large for a 32-bit float"
    ),
    (
      #""e": [{ "name": "reservoir", "capacity": {} }]"#,
      "3:60: strategies.e.reservoir.capacity: expected a whole number in [1, 1000000000000], found an object"
    ),
    (
      #""e": [{ "name": "reservoir" }, { "name": "ring" }]"#,
      #"3:24: strategies.e: two memories, "reservoir" and "ring": rows are replayed from one; keep one of them"#
    ),
    (
      #""e": [{ "name": "heads" }, { "name": "adapters" }]"#,
      #"3:24: strategies.e: two isolations, "heads" and "adapters": a row takes one route; keep one of them"#
    ),
    (
      #""e": [{ "name": "joint" }, { "name": "scratch" }]"#,
      #"3:24: strategies.e: two bounds, "joint" and "scratch": a bound says what is trained on; keep one of them"#
    ),
    (#""e": [{ "name": "ewc" }, { "name": "ewc" }]"#, #"3:24: strategies.e: "ewc" stands twice in one strategy"#),
    (
      #""e": [{ "name": "ring" }, { "name": "ring" }]"#, #"3:24: strategies.e: "ring" stands twice in one strategy"#
    ),
    (
      #""e": [{ "name": "ewc" }, { "name": "alone" }]"#,
      #"3:24: strategies.e: "alone" is a whole learner and stands alone; take the other parts away"#
    ),
    (#""e": [{ "name": "alone" }]"#, ""),
  ])
  func `a strategy that is wrong`(strategies: String, expected: String) {
    let problems = Fixture.problems(Fixture.text(strategies: strategies), catalog: .standard.adding(Alone.self))
    #expect(problems == (expected.isEmpty ? "" : "x.json:" + expected))
  }

  @Test func `a label is printable, and told with its place where it is not`() {
    let text = Fixture.text(
      scenarios: #""a\u001b[2J": { "name": "habit-phases" }"#, strategies: "\"a\u{202E}b\": [], \"\": []")
    #expect(
      Fixture.problems(text) == """
        x.json:2:18: scenarios: a label has 1 to 200 printable characters, this one has U+001B, which cannot be seen
        x.json:3:19: strategies: a label has 1 to 200 printable characters, this one has U+202E, which cannot be seen
        x.json:3:30: strategies: a label has 1 to 200 printable characters, this one has none
        """)
  }

  @Test func `a name is no longer than a file's may be`() {
    let text = #"{"scenarios": {"a": {"name": "habit-phases"}}, "strategies": {"a": []}, "name": ""#
    #expect(Fixture.problems(text + String(repeating: "名", count: 66) + "\"}") == "")
    #expect(
      Fixture.problems(text + String(repeating: "名", count: 67) + "\"}")
        == "x.json:1:81: name: a name becomes the name of files and has at most 200 bytes, this one has 201")
  }

  static let seedForms =
    #"seeds: expected a count ≥ 1, a list of whole numbers ≥ 0, or {"from": 100, "count": 5}, found "#

  @Test(arguments: [
    ("0", "4:12: " + seedForms + "0"), ("-3", "4:12: " + seedForms + "-3"), ("1.5", "4:12: " + seedForms + "1.5"),
    ("null", "4:12: " + seedForms + "null"), ("true", "4:12: " + seedForms + "true"),
    (#""ten""#, "4:12: " + seedForms + #""ten""#), ("[]", "4:12: " + seedForms + "an empty array"),
    ("[1, -1]", "4:16: seeds[1]: expected a whole number ≥ 0, found -1"),
    ("[1, 0.5]", "4:16: seeds[1]: expected a whole number ≥ 0, found 0.5"),
    (
      "[9223372036854775808]",
      "4:13: seeds[0]: expected a whole number ≥ 0, found 9223372036854775808, which is too large for a 64-bit integer"
    ),
    (
      "{}",
      """
      4:12: seeds: "count" is missing: how many seeds
      x.json:4:12: seeds: "from" is missing: the first seed
      """
    ),
    (#"{"from": 1}"#, #"4:12: seeds: "count" is missing: how many seeds"#),
    (
      #"{"from": -1, "count": 2}"#,
      "4:21: seeds.from: expected a whole number in [0, 9223372036853775807], found -1"
    ),
    (
      #"{"from": 9223372036854775807, "count": 2}"#,
      "4:21: seeds.from: expected a whole number in [0, 9223372036853775807], found 9223372036854775807"
    ),
    ("1e40", "4:12: seeds: expected at most 1000000 seeds, found 1e40"),
    ("1e400", "4:12: seeds: expected at most 1000000 seeds, found 1e400"),
    ("-1e400", "4:12: " + seedForms + "-1e400"),
    ("[1, 2, 1]", "4:12: seeds: a seed stands twice in the list"),
    (#"{"from": 1, "count": 2, "to": 3}"#, #"4:36: seeds.to: unknown key; the keys here are "from", "count""#),
    ("1000000000000", "4:12: seeds: expected at most 1000000 seeds, found 1000000000000"),
    (
      #"{"from": 1, "count": 1000000000000}"#,
      "4:33: seeds.count: expected a whole number in [1, 1000000], found 1000000000000"
    ),
  ])
  func `seeds that are none`(seeds: String, expected: String) {
    #expect(Fixture.problems(Fixture.text("\"seeds\": " + seeds)) == "x.json:" + expected)
  }

  @Test(arguments: [
    ("\"\"", "\"\""), ("\"a b\"", "\"a b\""), ("\"../a\"", "\"../a\""), ("7", "7"), ("null", "null"),
  ])
  func `a name names a file, so it is short and plain`(name: String, shown: String) {
    let text = #"{"scenarios": {"a": {"name": "habit-phases"}}, "strategies": {"a": []}, "name": "# + name + "}"
    #expect(
      Fixture.problems(text)
        == "x.json:1:81: name: expected a name of letters, digits, \"-\", \"_\" and \".\", found " + shown)
  }
}
