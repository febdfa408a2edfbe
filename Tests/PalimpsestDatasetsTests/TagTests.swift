import PalimpsestCore
import PalimpsestScenarios
import PalimpsestStrategies
import Testing

/// Whose rows are and when they arose, from a table to a memory.
@Suite struct TagTests {
  private let text = """
    user,at,x,label
    ann,2020-03-02,1,0
    bob,2020-03-01,2,1
    ann,2020-03-01T06:00,3,1
    cyd,2020-03-04,4,0
    bob,2020-03-03,5,1
    """
  private let json = #"{"owner": "user", "time": "at", "columns": {"at": {"kind": "date"}}, "test": 1}"#

  private func read(_ text: String, _ json: String) throws -> Dataset {
    let scratch = try Scratch()
    try scratch.write("set/t.csv", text)
    try scratch.write("set/dataset.json", json)
    return try scratch.library.dataset(named: "set")
  }

  private func first(_ set: Dataset, _ row: Int) -> Float? {
    set.inputs.rawFloats.map { $0[row * set.inputs.columns] }
  }

  private func error(_ text: String, _ json: String) throws -> String? {
    let scratch = try Scratch()
    try scratch.write("set/t.csv", text)
    try scratch.write("set/dataset.json", json)
    return scratch.error(reading: "set")
  }

  @Test func `rows stand in the order of their times, with all that is theirs`() throws {
    let set = try read(text, json)
    #expect(set.columns == ["x"])
    #expect((0..<5).map { first(set, $0) } == [2, 3, 1, 5, 4])
    #expect(set.labels == [1, 1, 0, 1, 0])
    #expect(set.owners == RowOwners(places: [1, 0, 0, 1, 2], names: ["ann", "bob", "cyd"]))
    #expect(set.arrivals == [0, 6 * 3600, 86_400, 2 * 86_400, 3 * 86_400])
    #expect(set.training == 0..<4 && set.test == 4..<5)
  }

  @Test func `training rows and test rows of two files are ordered apart, by seconds`() throws {
    let scratch = try Scratch()
    try scratch.write("set/train.csv", "t,x,label\n1600000030,1,0\n1600000010.5,2,1\n")
    try scratch.write("set/test.csv", "t,x,label\n1600000020,3,0\n1600000000,4,1\n")
    try scratch.write("set/dataset.json", #"{"time": "t"}"#)
    let set = try scratch.library.dataset(named: "set")
    #expect(set.labels == [1, 0, 1, 0] && set.arrivals == [10, 30, 0, 20] && set.owners == nil)
    #expect((0..<4).map { first(set, $0) } == [2, 1, 4, 3])
  }

  @Test func `rows of one moment stay as they stand, and the digest says what was named`() throws {
    let set = try read("t,x,label\n5,1,0\n5,2,1\n5,3,0\n", #"{"time": "t"}"#)
    #expect((0..<3).map { first(set, $0) } == [1, 2, 3])
    let plain = try read("t,x,label\n5,1,0\n5,2,1\n5,3,0\n", #"{"drop": ["t"]}"#)
    #expect(plain.digest != set.digest && plain.arrivals == nil)
  }

  @Test func `values and missing cells move with their rows`() throws {
    let set = try read(
      "t,x,y\n9,?,1\n3,7,2\n1,8,3\n5,6,4\n", #"{"time": "t", "values": "y", "missing": ["?"], "test": 1}"#)
    let values = try #require(set.targetValues).matrix
    #expect((0..<4).map { values[$0, 0] } == [3, 2, 4, 1])
    // The median is that of the training rows in order of time: 8, 7, 6.
    #expect((0..<4).map { first(set, $0) } == [8, 7, 6, 7])
  }

  @Test(arguments: [
    (
      #"{"owner": "who"}"#,
      "set/dataset.json: owner: no column of set/t.csv is called \"who\"; they are called u, t, x, label"
    ),
    (#"{"owner": "label"}"#, "set/dataset.json: owner: \"label\" is to be predicted. Name another column"),
    (#"{"owner": 3}"#, "set/dataset.json: owner: expected a text, found 3"),
    (
      #"{"owner": "u", "drop": ["t"]}"#,
      "set/t.csv:3: column 1 (\"u\"): nobody is named as the row's owner. Name one, or leave \"owner\" out of dataset.json"
    ),
    (
      #"{"time": "t", "drop": ["u"]}"#,
      "set/t.csv:3: column 2 (\"t\"): \"soon\" is no time. Here a number of seconds is wanted; of dates say "
        + "\"kind\": \"date\" in columns of dataset.json"
    ),
    (
      #"{"time": "t", "drop": ["u"], "columns": {"t": {"kind": "category"}}}"#,
      "set/dataset.json: time: \"t\" is read as a category; a time (what tasks cut by \"every\" are cut by) is a date, as 2024-01-31, 31.01.2024 or with its \"form\" in columns 31/01/2024 and 01/31/2024, or a number of seconds"
    ),
  ])
  func `what cannot be a tag is told with its place`(json: String, message: String) throws {
    #expect(try error("u,t,x,label\nann,1,1,0\n ,soon,2,1\nbob,3,3,0\nbob,4,3,1\n", json) == message)
  }

  @Test func `tags go with rows through scenarios, a feed and a memory`() throws {
    let rows = (0..<40).map { "u\($0 % 3),\(100 - $0),\($0),\($0 % 2)" }
    let scratch = try Scratch()
    try scratch.write("set/t.csv", (["u,t,x,label"] + rows).joined(separator: "\n") + "\n")
    try scratch.write("set/dataset.json", #"{"owner": "u", "time": "t", "test": 8}"#)
    for scenario in try [split, permuted] {
      let stream = try scenario.prepare(from: scratch.library).makeStream(seed: Seed(1))
      let rows = stream.trainingRows(for: 0)
      // Row x of the file is of user x mod 3 and arose at 100 − x, the earliest of all at 61.
      let batch = rows.batch
      for row in 0..<batch.count {
        let x = Int(batch.inputs[row, 0])
        #expect(rows.owners?[row] == Int32(x % 3) && rows.times?[row] == Int64(100 - x - 61))
      }
      #expect(rows.times == rows.times?.sorted() && rows.rowBytes == 4 * (1 + 2) + 4 + 8)
      var memory = Reservoir()
      memory.limits.capacity = 5
      var learner = try ComposedLearner(
        LearnerSetup(shape: stream.shape, hidden: [3], seed: Seed(2)), [memory])
      learner.begin(stream.experiences[0])
      var feed = BatchFeed([rows], FeedSettings(), using: Seed(3).stream("order", 0))
      while feed.advance() {
        let context = StepContext(experience: stream.experiences[0], epoch: feed.epoch, step: feed.step - 1)
        _ = learner.learn(feed.batch, context)
      }
      #expect(learner.cost.bytesMemory == 5 * rows.rowBytes)
    }
  }

  private var split: any Scenario {
    get throws {
      var split = Split()
      (split.data.dataset, split.data.scale) = ("set", .none)
      return split
    }
  }

  private var permuted: any Scenario {
    get throws {
      var permuted = Permuted()
      (permuted.data.dataset, permuted.data.scale, permuted.tasks) = ("set", .none, 2)
      return permuted
    }
  }
}
