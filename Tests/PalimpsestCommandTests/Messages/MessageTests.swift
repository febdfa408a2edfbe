import Testing

/// Bad input: each message as a whole, and the exit code.
struct MessageTests {
  /// One mistake of a user's.
  struct Mistake: Sendable, CustomTestStringConvertible {
    let what: String
    /// Goes in the place of `"naive": []`.
    var strategies = #""naive": []"#
    var scenario = #""name": "habit-phases""#
    var status = 65
    let message: String

    var testDescription: String { what }

    var file: String {
      """
      {
        "name": "bad",
        "scenarios": { "a": { \(scenario) } },
        "strategies": { \(strategies) }
      }
      """
    }

    /// A class-incremental split of a data set of that name.
    static func split(_ dataset: String) -> String {
      #""name": "split", "dataset": "\#(dataset)", "setting": "class""#
    }
  }

  private static let mistakes = [
    Mistake(
      what: "unknown key", strategies: #""ewc": [{ "name": "ewc", "strenght": 10 }]"#,
      message: #"bad.json:4:44: strategies.ewc.ewc.strenght: unknown key; did you mean "strength"?"#),
    Mistake(
      what: "wrong type", strategies: #""ewc": [{ "name": "ewc", "strength": "high" }]"#,
      message: #"bad.json:4:56: strategies.ewc.ewc.strength: expected a number ≥ 0, found "high""#),
    Mistake(
      what: "out of range", strategies: #""ewc": [{ "name": "ewc", "decay": 1.5 }]"#,
      message: "bad.json:4:53: strategies.ewc.ewc.decay: expected a number in [0, 1], found 1.5"),
    Mistake(
      what: "unknown part", strategies: #""er": [{ "name": "resevoir" }]"#,
      message: #"bad.json:4:36: strategies.er.resevoir: no part is called "resevoir"; did you mean "reservoir"?"#),
    Mistake(
      what: "two memories", strategies: #""er": [{ "name": "reservoir" }, { "name": "ring" }]"#,
      message: """
        bad.json:4:25: strategies.er: two memories, "reservoir" and "ring": rows are replayed from one; keep one of them
        """),
    Mistake(
      what: "capacity 0", strategies: #""er": [{ "name": "reservoir", "capacity": 0 }]"#,
      message: "bad.json:4:61: strategies.er.reservoir.capacity: expected a whole number in [1, 1000000000000], found 0"
    ),
    Mistake(
      what: "too small for a float", strategies: #""si": [{ "name": "si", "damping": 1e-50 }]"#,
      message: "bad.json:4:53: strategies.si.si.damping: expected a number > 0, found 1e-50, which is too small for a "
        + "32-bit float"),
    Mistake(
      what: "too large for a product", strategies: #""a": [{ "name": "adapters", "rank": 9223372036854775807 }]"#,
      message: "bad.json:4:55: strategies.a.adapters.rank: expected a whole number in [1, 1000000], found "
        + "9223372036854775807"),
    Mistake(
      what: "no strategy", strategies: "",
      message: "bad.json:4:17: strategies: expected an object with at least one strategy under a label of yours, found "
        + "an empty object"),
    Mistake(
      what: "settings that contradict each other", scenario: #""name": "habit-phases", "dose": 0.5, "driftTV": 0.2"#,
      message: "bad.json:3:57: scenarios.a.dose: 0.5 is given beside driftTV, which solves the dose. Keep one of them."),
    Mistake(
      what: "missing data set", scenario: Mistake.split("absent"), status: 66,
      message: """
        scenarios.a: data set "absent" is not there: looked for datasets/absent, ../shared/data/absent. There are or could be \
        arem-activity, bank-marketing, bike-sharing, blank, cell, cut, diabetes-logs, digits8x8, elec2, letter-recognition, magic, meu-keystroke, mnist, noaa-weather, occupancy, one, online-shoppers, short. Add your own with: palimpsest datasets \
        add absent --from PATH|URL
        """),
    Mistake(
      what: "truncated gzip", scenario: Mistake.split("cut"),
      message:
        "scenarios.a: datasets/cut/cut.csv.gz: byte 24: the file ends inside its gzip data: it is cut off. Get it anew"),
    Mistake(
      what: "IDX with a wrong magic", scenario: Mistake.split("magic"),
      message: """
        scenarios.a: datasets/magic/train-images-idx3-ubyte: byte 0: the magic number is 00 00 0d 03; an image file of IDX \
        begins with 00 00 08 03
        """),
    Mistake(
      what: "CSV with a short row", scenario: Mistake.split("short"),
      message: "scenarios.a: datasets/short/short.csv:3: 2 cells, the header has 3"),
    Mistake(
      what: "non-numeric cell", scenario: Mistake.split("cell"),
      message: """
        scenarios.a: datasets/cell/cell.csv:3: column 2 ("b"): "four" is not a number. Correct it, or write into \
        dataset.json: "columns": {"b": {"kind": "category"}} ("b" has this text: four). "drop": ["b"] leaves the column out
        """),
    Mistake(
      what: "empty file", scenario: Mistake.split("blank"),
      message: "scenarios.a: datasets/blank/blank.csv: the file is empty"),
    Mistake(
      what: "class with one sample", scenario: Mistake.split("one"),
      message: """
        bad.json:3:53: scenarios.a.dataset: class "y" of "one" has 1 row to train on; a class needs at least 2
        """),
    Mistake(
      what: "no such column", scenario: #""name": "table", "dataset": "short", "label": "done""#,
      message: """
        bad.json:3:71: scenarios.a.label: no column of datasets/short/short.csv is called "done"; they are called a, b, label
        """),
    Mistake(
      what: "no such column of tasks", scenario: #""name": "table", "dataset": "short", "tasks": {"by": "concept"}"#,
      message: """
        bad.json:3:71: scenarios.a.tasks: no column of datasets/short/short.csv is called "concept"; they are called a, b, label
        """),
  ]

  /// Data sets that are broken, each in its own way.
  private func writeDatasets(_ tool: Tool) throws {
    let gzipStart: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 0x4B, count: 14)
    try tool.write(gzipStart, to: "datasets/cut/cut.csv.gz")
    for kind in ["train", "t10k"] {
      let images: [UInt8] = [0, 0, 0x0D, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 9]
      try tool.write(images, to: "datasets/magic/\(kind)-images-idx3-ubyte")
      try tool.write([0, 0, 8, 1, 0, 0, 0, 1, 0], to: "datasets/magic/\(kind)-labels-idx1-ubyte")
    }
    try tool.write("a,b,label\n1,2,x\n3,y\n", to: "datasets/short/short.csv")
    try tool.write("a,b,label\n1,2,x\n3,four,y\n", to: "datasets/cell/cell.csv")
    try tool.write("", to: "datasets/blank/blank.csv")
    let rows = String(repeating: "1,2,x\n", count: 8)
    try tool.write("a,b,label\n\(rows)3,4,y\n1,2,x\n1,2,x\n", to: "datasets/one/one.csv")
  }

  @Test(arguments: mistakes)
  func `a mistake in an experiment or its data is told with its place`(_ mistake: Mistake) async throws {
    let tool = try Tool()
    try writeDatasets(tool)
    try tool.write(mistake.file, to: "bad.json")
    let answer = try await tool("run", "bad.json", "--quiet")
    #expect(answer.errors == mistake.message + "\n")
    #expect(answer.status == mistake.status)
    #expect(answer.output == "")
    #expect(!tool.exists("results/bad.h5"))
  }

  @Test func `a syntax error and an empty file are told with their place`() async throws {
    let tool = try Tool()
    try tool.write("{\n  \"name\": \"x\"\n  \"seeds\": 3\n}\n", to: "syntax.json")
    try tool.write("", to: "empty.json")
    let answer = try await tool("validate", "syntax.json", "empty.json")
    #expect(answer.status == 65)
    #expect(
      answer.errors == """
        syntax.json:3:3: expected "," or "}" after the value of "name", found \"""; is a comma missing?
        empty.json:1:1: the file is empty

        """)
  }

  @Test func `all problems of a file are told at once`() async throws {
    let tool = try Tool()
    try tool.write(
      """
      {
        "nmae": "x",
        "scenarios": { "a": { "name": "habit-phase" } },
        "strategies": { "b": [{ "name": "si", "damping": 0 }] },
        "sweep": { "grid": { "strategies.b.ewc.strength": [1] } }
      }
      """, to: "bad.json")
    let answer = try await tool("run", "bad.json")
    #expect(
      answer.errors == """
        bad.json:1:1: "name" is missing: a short name for the experiment
        bad.json:2:3: nmae: unknown key; did you mean "name"?
        bad.json:3:33: scenarios.a: no scenario is called "habit-phase"; did you mean "habit-phases"?
        bad.json:4:52: strategies.b.si.damping: expected a number > 0, found 0
        bad.json:5:24: sweep.grid: "strategies.b.ewc.strength": strategy "b" holds no part "ewc"

        """)
  }

  @Test func `the bad files of the design are told as designed, all at once`() async throws {
    let tool = try Tool()
    try tool.write(
      """
      { "name": "x", "scenarios": { "a": { "name": "habit-phases" } }, "strategies": {
        "ewc": [{ "name": "ewc",
          "strength": "high", "fisherSampels": 5 }],
        "er":  [{ "name": "resevoir" }] } }
      """, to: "experiment.json")
    try tool.write("{\n  \"name\": \"x\"\n  \"seeds\": 3 }", to: "syntax.json")
    try tool.write(
      "{ \"seeds\": 1, \"seeds\": 2, \"name\": \"x\",\n  \"scenarios\": { \"a\": { \"name\": \"habit-phases\" } },\n"
        + "  \"strategies\": { \"naive\": [] } }", to: "dup.json")
    let answer = try await tool("validate", "experiment.json", "syntax.json", "dup.json")
    #expect(answer.status == 65)
    #expect(
      answer.errors == """
        experiment.json:3:17: strategies.ewc.ewc.strength: expected a number ≥ 0, found "high"
        experiment.json:3:25: strategies.ewc.ewc.fisherSampels: unknown key; did you mean "fisherSamples"?
        experiment.json:4:21: strategies.er.resevoir: no part is called "resevoir"; did you mean "reservoir"?
        syntax.json:3:3: expected "," or "}" after the value of "name", found \"""; is a comma missing?
        dup.json:1:15: "seeds" is given twice in one object

        """)
  }

  @Test func `all problems of a sweep are told at once`() async throws {
    let tool = try Tool()
    try tool.write(
      """
      {
        "name": "bad", "scenarios": { "a": { "name": "habit-phases" } }, "strategies": { "ewc": [{ "name": "ewc" }] },
        "sweep": {
          "set": { "training.epochs": 0, "training.epoch": 1 },
          "grid": { "strategies.ewc.ewc.strength": [1, -1], "strategies.*.ewc.strength": [3] },
          "zip": { "training.batch": [8, 16], "model.hidden": [[8]] },
          "random": { "samples": 3, "space": { "strategies.ewc.ewc.decay": { "uniform": [0, 2] } } },
          "cases": [{ "sett": {} }, { "grid": { "training.batch": [4] } }]
        }
      }
      """, to: "bad.json")
    let answer = try await tool("expand", "bad.json")
    #expect(answer.status == 65)
    #expect(answer.output == "")
    #expect(
      answer.errors == """
        bad.json:4:33: sweep.set."training.epochs": expected a whole number in [1, 1000000000], found 0
        bad.json:4:36: sweep.set: "training.epoch": "training" has no parameter "epoch"; did you mean "epochs"?
        bad.json:5:50: sweep.grid."strategies.ewc.ewc.strength"[1]: expected a number ≥ 0, found -1
        bad.json:5:55: sweep.grid: "strategies.*.ewc.strength": sweep.grid."strategies.ewc.ewc.strength" sets \
        strategies.ewc.ewc.strength already; keep one of them
        bad.json:6:57: sweep.zip."model.hidden": 1 value, but "training.batch" has 2; they step together
        bad.json:7:87: sweep.random.space."strategies.ewc.ewc.decay".uniform[1]: expected a number in [0, 1], found 2
        bad.json:8:17: sweep.cases[0].sett: unknown key; did you mean "set"?
        bad.json:8:43: sweep.cases[1].grid: "training.batch": sweep.zip."training.batch" sets training.batch already; \
        keep one of them

        """)
  }

  @Test func `what is not there ends with 66`() async throws {
    let tool = try Tool()
    let file = try await tool("run", "none.json")
    #expect(file.status == 66)
    #expect(file.errors == "none.json: cannot read: No such file or directory\n")
    let results = try await tool("report", "results/none.h5")
    #expect(results.status == 66)
    #expect(
      results.errors == "results/none.palimpsest: no results here; \"palimpsest run FILE\" makes them\n")
  }

  @Test func `what cannot be written ends with 73`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(), to: "small.json")
    try tool.write("in the way", to: "file")
    let answer = try await tool("run", "small.json", "--quiet", "--output", "file/small.h5")
    #expect(answer.status == 73)
    #expect(answer.errors == "file/small.palimpsest/journal: cannot make the folder: Not a directory\n")
  }

  @Test func `wrong arguments end with 64`() async throws {
    let tool = try Tool()
    let none = try await tool("run")
    #expect(none.status == 64)
    #expect(none.errors.hasPrefix("Error: Missing expected argument '<file>'\n"))
    let jobs = try await tool("run", "small.json", "--jobs", "0")
    #expect(jobs.status == 64)
    #expect(jobs.errors.hasPrefix("Error: --jobs: 0 runs at a time are too few; at least 1.\n"))
    let name = try await tool("describe", "resevoir")
    #expect(name.status == 64)
    #expect(name.errors == "nothing is called \"resevoir\"; did you mean \"reservoir\"?\n")
    let metric = try await tool("report", "x", "--metrics", "forgeting")
    #expect(metric.status == 64)
    #expect(metric.errors == "--metrics: no metric or cost is called \"forgeting\"; did you mean \"forgetting\"?\n")
    let net = try await tool("bench", "--net", "huge")
    #expect(net.status == 64)
    #expect(net.errors == "--net: \"huge\" is none of tiny, small, medium, large\n")
  }

  @Test func `an instruction set that is unknown or cannot run here ends with 64`() async throws {
    let tool = try Tool()
    let unknown = try await tool("list", "metrics", environment: ["PALIMPSEST_ISA": "avx1024"])
    #expect(unknown.status == 64)
    #expect(unknown.errors.hasPrefix("PALIMPSEST_ISA: no instruction set is called \"avx1024\". This program has "))
    let baseline = try await tool("list", "metrics", environment: ["PALIMPSEST_ISA": "baseline"])
    #expect(baseline.status == 0)
  }
}
