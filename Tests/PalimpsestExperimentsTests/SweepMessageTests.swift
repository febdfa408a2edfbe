import TestFixtures
import Testing

/// Blocks that are wrong: each message with its place, its path and what would be right.
@Suite struct SweepMessageTests {
  @Test(arguments: [
    (#"{ "set": [1] }"#, "4:21: sweep.set: expected an object of paths and values, found an array"),
    (
      #"{ "set": { "training.epochs": [1, 2] } }"#,
      #"4:42: sweep.set."training.epochs": expected a whole number in [1, 1000000000], found a list; to try several values, put "#
        + #"the path under "grid""#
    ),
    (
      #"{ "zip": { "training.epochs": [1, 2], "training.batch": [8] } }"#,
      #"4:68: sweep.zip."training.batch": 1 value, but "training.epochs" has 2; they step together"#
    ),
    (
      #"{ "cases": {} }"#,
      #"4:23: sweep.cases: expected a list of at least one block, such as [{"set": {…}}], found an empty object"#
    ),
    (
      #"{ "cases": [] }"#,
      #"4:23: sweep.cases: expected a list of at least one block, such as [{"set": {…}}], found an empty array"#
    ),
    (#"{ "cases": [3] }"#, #"4:24: sweep.cases[0]: expected an object such as {"grid": {…}}, found 3"#),
    (#"{ "cases": [{}, { "gird": {} }] }"#, #"4:30: sweep.cases[1].gird: unknown key; did you mean "grid"?"#),
    (
      #"{ "cases": [{ "cases": [{ "grid": { "training.epochs": [0] } }] }] }"#,
      #"4:68: sweep.cases[0].cases[0].grid."training.epochs"[0]: expected a whole number in [1, 1000000000], found 0"#
    ),
  ])
  func `a block that is wrong`(sweep: String, expected: String) {
    #expect(Fixture.problems(SweepAlgebraTests.text(sweep)) == "x.json:" + expected)
  }

  @Test(arguments: [
    (
      #"{ "grid": { "strategies.*.ewc.strength": [1], "strategies.both.ewc.strength": [2] } }"#,
      #"4:58: sweep.grid: "strategies.both.ewc.strength": sweep.grid."strategies.*.ewc.strength" sets "#
        + "strategies.both.ewc.strength already; keep one of them"
    ),
    (
      #"{ "set": { "training.epochs": 1 }, "grid": { "training.epochs": [2] } }"#,
      #"4:57: sweep.grid: "training.epochs": sweep.set."training.epochs" sets training.epochs already; keep one of them"#
    ),
    (
      #"{ "grid": { "training.epochs": [2] }, "cases": [{}, { "set": { "training.epochs": 1 } }] }"#,
      #"4:75: sweep.cases[1].set: "training.epochs": sweep.grid."training.epochs" sets training.epochs already; "#
        + "keep one of them"
    ),
    (
      #"{ "zip": { "training.epochs": [2] }, "random": { "samples": 2, "space": { "training.epochs": { "integer": [1, 2] } } } }"#,
      #"4:86: sweep.random.space: "training.epochs": sweep.zip."training.epochs" sets training.epochs already; "#
        + "keep one of them"
    ),
  ])
  func `one parameter has one place that says its value`(sweep: String, expected: String) {
    #expect(Fixture.problems(SweepAlgebraTests.text(sweep)) == "x.json:" + expected)
  }

  /// Messages about `random`, whose value begins at column 24.
  @Test(arguments: [
    ("3", #"4:24: sweep.random: expected an object with "samples" and "space", found 3"#),
    (
      "{}",
      """
      4:24: sweep.random: "samples" is missing: how many draws
      x.json:4:24: sweep.random: "space" is missing: paths and distributions, such as {"uniform": [0, 1]}
      """
    ),
    (
      #"{ "samples": 0, "sed": 1, "space": {} }"#,
      """
      4:37: sweep.random.samples: expected a whole number in [1, 10000000], found 0
      x.json:4:40: sweep.random.sed: unknown key; did you mean "seed"?
      """
    ),
    (
      #"{ "samples": 1, "seed": -1, "space": {} }"#, "4:48: sweep.random.seed: expected a whole number ≥ 0, found -1"
    ),
  ])
  func `a random block that is wrong`(random: String, expected: String) {
    #expect(Fixture.problems(SweepAlgebraTests.text("{ \"random\": \(random) }")) == "x.json:" + expected)
  }

  /// Messages about one distribution over EWC's strength, EWC's Fisher samples, or a word.
  @Test(arguments: [
    ("strategies.ewc.ewc.strength", "5", #": expected one distribution such as {"uniform": [0, 1]}, found 5"#),
    (
      "strategies.ewc.ewc.strength", #"{ "log-unifrom": [1, 2] }"#,
      #": no distribution is called "log-unifrom"; did you mean "log-uniform"?"#
    ),
    (
      "strategies.ewc.ewc.strength", #"{ "log-uniform": [0, 2] }"#,
      ".log-uniform: expected two numbers > 0, the smaller first, found [0,2]"
    ),
    (
      "strategies.ewc.ewc.strength", #"{ "uniform": [2, 1] }"#,
      ".uniform: expected two numbers, the smaller first, found [2,1]"
    ),
    ("strategies.ewc.ewc.strength", #"{ "uniform": [-1, 1] }"#, ".uniform[0]: expected a number ≥ 0, found -1"),
    (
      "strategies.ewc.ewc.strength", #"{ "normal": [5, 1] }"#,
      ".normal: expected a number ≥ 0, found -7.1; draws go as far as 12.1 deviations: take a smaller one, or another "
        + "distribution"
    ),
    (
      "strategies.ewc.ewc.strength", #"{ "normal": [10, 0] }"#,
      ".normal: expected [mean, standard deviation > 0], found an array"
    ),
    (
      "training.epochs", #"{ "uniform": [0.5, 4] }"#,
      ".uniform: expected two whole numbers, the smaller first, found [0.5,4]"
    ),
    ("training.epochs", #"{ "integer": [0, 4] }"#, ".integer[0]: expected a whole number in [1, 1000000000], found 0"),
    ("training.epochs", #"{ "choice": [] }"#, ".choice: expected a list of at least one value, found an empty array"),
    (
      "training.epochs", #"{ "choice": [1, "x"] }"#,
      #".choice[1]: expected a whole number in [1, 1000000000], found "x""#
    ),
    (
      "model.activation", #"{ "uniform": [0, 1] }"#,
      #".uniform: draws numbers, and the parameter is one of "relu", "tanh": expected {"choice": […]}"#
    ),
  ])
  func `a distribution that is wrong`(path: String, distribution: String, expected: String) {
    let sweep = "{ \"random\": { \"samples\": 2, \"space\": { \"\(path)\": \(distribution) } } }"
    let problems = Fixture.problems(SweepAlgebraTests.text(sweep))
    #expect(
      problems.split(separator: " ", maxSplits: 1).last.map(String.init) == "sweep.random.space.\"\(path)\"" + expected)
  }
}
