import PalimpsestCore
import PalimpsestExperiments
import PalimpsestJSON
import TestFixtures
import Testing

/// A method of the user's own under a well-known name.
struct OwnLwf: WholeLearner {
  static let name = "lwf"
  static let summary = "Own."
  static let source = "For tests."

  func makeLearner(_ setup: LearnerSetup) -> any Learner { StubLearner() }
}

/// What messages say of names that come from elsewhere, and of what stands in the wrong place.
@Suite struct HintTests {
  private static let top = """
    "$schema", "format", "name", "question", "scenarios", "model", "training", "strategies", "evaluation", "stream", \
    "personal", "policies", "safeguards", "seeds", \
    "select", "sweep", "output", "execution"
    """

  @Test(arguments: [
    (#""epochs": 5"#, "4:3: epochs: unknown key; it belongs to training.epochs"),
    (#""batch_size": 5"#, "4:3: batch_size: unknown key; it belongs to training.batch"),
    (#""lr": 0.1"#, "4:3: lr: unknown key; it belongs to training.optimizer.rate"),
    (#""optimizer": "adam""#, "4:3: optimizer: unknown key; it belongs to training.optimizer"),
    (#""layers": [8]"#, "4:3: layers: unknown key; it belongs to model.hidden"),
    (#""grid": {}"#, "4:3: grid: unknown key; it belongs to sweep.grid"),
    (#""methods": {}"#, #"4:3: methods: unknown key; it is called "strategies" here"#),
    (
      #""buffer_size": 5"#,
      """
      4:3: buffer_size: unknown key; it belongs to the parts "reservoir", "ring", "class-balanced", "herding", "k-centre", \
      as "capacity"
      """
    ),
    (#""frobnicate": 1"#, "4:3: frobnicate: unknown key; the keys here are \(top)"),
    (#""model": { "hiddenSizes": [8] }"#, #"4:14: model.hiddenSizes: unknown key; it is called "hidden" here"#),
    (#""model": { "seed": 1 }"#, #"4:14: model.seed: unknown key; it belongs to the top of the file, as "seeds""#),
    (
      #""model": { "dropout": 0.1 }"#,
      """
      4:14: model.dropout: unknown key; there is no dropout; the keys here are "hidden", "activation", "initializer"
      """
    ),
    (#""training": { "rate": 1 }"#, "4:17: training.rate: unknown key; it belongs to training.optimizer.rate"),
    (
      #""training": { "learning_rate": 1 }"#,
      "4:17: training.learning_rate: unknown key; it belongs to training.optimizer.rate"
    ),
    (#""training": { "batchSize": 1 }"#, #"4:17: training.batchSize: unknown key; it is called "batch" here"#),
    (#""training": { "nEpochs": 1 }"#, #"4:17: training.nEpochs: unknown key; did you mean "epochs"?"#),
    (#""training": { "n_tasks": 1 }"#, #"4:17: training.n_tasks: unknown key; did you mean "tasks"?"#),
    (
      #""training": { "optimizer": { "name": "adam", "lr": 1 } }"#,
      #"4:48: training.optimizer.lr: unknown key; it is called "rate" here"#
    ),
    (
      #""training": { "optimizer": { "name": "adam", "weight_decay": 1 } }"#,
      #"4:48: training.optimizer.weight_decay: unknown key; it is called "decay" here"#
    ),
    (
      #""training": { "optimizer": { "name": "sgd", "beta1": 0 } }"#,
      #"4:47: training.optimizer.beta1: unknown key; it belongs to the optimizers "adam", "adamw", as "beta1""#
    ),
    (
      #""training": { "optimizer": { "name": "rmsprop" } }"#,
      """
      4:40: training.optimizer: no optimizer is called "rmsprop"; RMSprop is not there. In its role (optimizer) there are \
      "sgd", "momentum", "adam", "adamw"
      """
    ),
  ])
  func `a key of elsewhere is told our name or its place`(entry: String, expected: String) {
    #expect(Fixture.problems(Fixture.text(entry)) == "x.json:" + expected)
  }

  private static let memories = #""reservoir", "ring", "class-balanced", "herding", "k-centre""#

  @Test(arguments: [
    (#""name": "ewc", "lambda": 1"#, #"3:42: strategies.e.ewc.lambda: unknown key; it is called "strength" here"#),
    (
      #""name": "reservoir", "mem_size": 1"#,
      #"3:48: strategies.e.reservoir.mem_size: unknown key; it is called "capacity" here"#
    ),
    (
      #""name": "reservoir", "memory": 1"#,
      #"3:48: strategies.e.reservoir.memory: unknown key; it is called "capacity" here"#
    ),
    (
      #""name": "si", "lr": 1"#, "3:41: strategies.e.si.lr: unknown key; it belongs to training.optimizer.rate"
    ),
    (#""name": "er""#, #"3:35: strategies.e.er: no part is called "er"; it is called "reservoir" here"#),
    (#""name": "replay""#, #"3:35: strategies.e.replay: no part is called "replay"; it is called "reservoir" here"#),
    (
      #""name": "ewc_on""#,
      #"3:35: strategies.e.ewc_on: no part is called "ewc_on"; it is called "ewc" here, with "mode": "online""#
    ),
    (
      #""name": "cumulative""#,
      #"3:35: strategies.e.cumulative: no part is called "cumulative"; it is called "joint" here"#
    ),
    (
      #""name": "finetune""#,
      #"3:35: strategies.e.finetune: no part is called "finetune"; plain fine-tuning is the empty list, []"#
    ),
    (
      #""name": "lwf""#,
      #"3:35: strategies.e.lwf: no part is called "lwf"; it is called "distillation" here"#
    ),
    (
      #""name": "A-GEM""#,
      #"3:35: strategies.e.A-GEM: no part is called "A-GEM"; it is called "a-gem" here"#
    ),
    (
      #""name": "derpp""#,
      #"3:35: strategies.e.derpp: no part is called "derpp"; it is called "dark-replay" here, with "beta": 0.5"#
    ),
    (
      #""name": "rwalk""#,
      """
      3:35: strategies.e.rwalk: no part is called "rwalk"; Riemannian Walk is not there. In its role (penalty) \
      there are "ewc", "si", "mas"
      """
    ),
    (
      #""name": "gem""#,
      """
      3:35: strategies.e.gem: no part is called "gem"; Gradient Episodic Memory is not there. In its role (gradient \
      transform) there are "clip", "a-gem"
      """
    ),
    (
      #""name": "icarl""#,
      """
      3:35: strategies.e.icarl: no part is called "icarl"; iCaRL is not there. In its role (memory) \
      there are \(memories)
      """
    ),
    (
      #""name": "adam""#,
      #"3:35: strategies.e.adam: no part is called "adam"; it is an optimizer and belongs to training.optimizer"#
    ),
  ])
  func `a part of elsewhere is told our name, or that it is not there`(part: String, expected: String) {
    #expect(Fixture.problems(Fixture.text(strategies: "\"e\": [{ \(part) }]")) == "x.json:" + expected)
  }

  @Test func `a scenario of elsewhere is told our name and data set`() {
    #expect(
      Fixture.problems(Fixture.text(scenarios: #""a": { "name": "SplitMNIST" }"#))
        == #"x.json:2:33: scenarios.a: no scenario is called "SplitMNIST"; it is called "split" here, with "dataset": "mnist""#
    )
  }

  @Test(arguments: [
    (
      #""sweep": { "strategies.e.ewc.strength": [1, 10] }"#,
      """
      4:14: sweep.strategies.e.ewc.strength: unknown key; a path goes under "grid": {"grid": \
      {"strategies.e.ewc.strength": [1, 10]}}
      """
    ),
    (
      #""sweep": { "training.epochs": 5 }"#,
      #"4:14: sweep.training.epochs: unknown key; a path goes under "set": {"set": {"training.epochs": 5}}"#
    ),
    (
      #""training": { "epochs": [1, 5] }"#,
      """
      4:27: training.epochs: expected a whole number in [1, 1000000000], found a list; to try several values: "sweep": \
      {"grid": {"training.epochs": [1, 5]}}
      """
    ),
    (
      #""model": { "hidden": [[8], [16, 8]] }"#,
      """
      4:24: model.hidden: expected a list of whole numbers in [1, 1000000], found a list as element 1; to try several \
      values: "sweep": {"grid": {"model.hidden": [[8], [16,8]]}}
      """
    ),
    (
      #""training": { "epochs": [1, 0] }"#,
      "4:27: training.epochs: expected a whole number in [1, 1000000000], found a list"
    ),
    (
      #""sweep": { "set": { "training.epochs": [1, 2] } }"#,
      """
      4:42: sweep.set."training.epochs": expected a whole number in [1, 1000000000], found a list; to try several values, \
      put the path under "grid"
      """
    ),
    (
      #""sweep": { "grid": { "training.lr": [1] } }"#,
      #"4:24: sweep.grid: "training.lr": "training" has no parameter "lr"; it belongs to training.optimizer.rate"#
    ),
    (
      #""sweep": { "grid": { "strategies.e.ewc.lambda": [1] } }"#,
      #"4:24: sweep.grid: "strategies.e.ewc.lambda": "ewc" has no parameter "lambda"; it is called "strength" here"#
    ),
  ])
  func `values to be tried are told where they belong`(entry: String, expected: String) {
    let text = Fixture.text(strategies: #""e": [{ "name": "ewc" }]"#, entry)
    #expect(Fixture.problems(text) == "x.json:" + expected)
  }

  @Test func `several values of a part are told the path of their strategy`() {
    let text = Fixture.text(strategies: #""e": [{ "name": "ewc", "strength": [1, 10] }]"#)
    #expect(
      Fixture.problems(text) == """
        x.json:3:54: strategies.e.ewc.strength: expected a number ≥ 0, found a list; to try several values: "sweep": \
        {"grid": {"strategies.e.ewc.strength": [1, 10]}}
        """)
  }

  @Test func `several values in the place of one on the command line are told the option`() throws {
    let experiment = try Fixture.experiment(Fixture.text())
    #expect(
      throws: Problems([
        Problem(
          file: #"--set "training.epochs=1,2""#, place: nil,
          message:
            #"expected a whole number in [1, 1000000000], found "1,2"; to try several values: --over training.epochs=1,2"#
        )
      ])
    ) { try experiment.overridden(by: Overrides(set: ["training.epochs=1,2"])) }
  }

  @Test func `a part of one's own keeps its name, whatever others call so`() {
    let catalog = Catalog.standard.adding(OwnLwf.self)
    #expect(Fixture.problems(Fixture.text(strategies: #""e": [{ "name": "lwf" }]"#), catalog: catalog) == "")
    #expect(
      Fixture.problems(Fixture.text(strategies: #""e": [{ "name": "icarl" }]"#), catalog: Catalog().adding(OwnLwf.self))
        .hasSuffix(#"no part is called "icarl"; iCaRL is not there"#))
  }

  @Test(arguments: [
    ("resevoir", #"; did you mean "reservoir"?"#), ("capcity", #"; did you mean "capacity"?"#),
    ("lr", #"; it is called "rate" here"#), ("replay", #"; it is called "reservoir" here"#),
    ("rwalk", #"; Riemannian Walk is not there. In its role (penalty) there are "ewc", "si", "mas""#),
    (
      "frobnicate",
      #"; "palimpsest list strategies" has names, and so for scenarios, optimizers, policies, safeguards and metrics"#
    ),
  ])
  func `a name that nothing has is told what may be meant`(name: String, expected: String) {
    #expect(Catalog.standard.hint(unknown: name) == expected)
  }

  @Test func `a parameter is told with everything that has it`() throws {
    let owners = try #require(Catalog.standard.owners(ofParameter: "strength"))
    let lines = owners.text.split(separator: "\n").map { $0.split(separator: " ").prefix(4).joined(separator: " ") }
    #expect(
      lines == [
        "strength: a parameter", "of role default expects", "ewc penalty 100 a", "si penalty 1 a", "mas penalty 1 a",
      ])
    #expect(owners.json["owners"]?.array?.map { $0["name"]?.string } == ["ewc", "si", "mas"])
    #expect(Catalog.standard.owners(ofParameter: "frobnicate")?.name == nil)
  }
}
