import PalimpsestCore
import PalimpsestDatasets
import PalimpsestScenarios
import Testing

/// Columns that are to be predicted and are no label.
@Suite struct TargetColumnTests {
  private func read(_ text: String, _ json: String) throws -> Dataset {
    let scratch = try Scratch()
    try scratch.write("set/t.csv", text)
    try scratch.write("set/dataset.json", json)
    return try scratch.library.dataset(named: "set")
  }

  private func error(_ text: String, _ json: String) throws -> String? {
    let scratch = try Scratch()
    try scratch.write("set/t.csv", text)
    try scratch.write("set/dataset.json", json)
    return scratch.error(reading: "set")
  }

  @Test func `values are numbers of their own columns, and what is missing is not known`() throws {
    let set = try read("a,y,b,z\n1,0.5,2,-3\n3,?,4,1e2\n", #"{"values": ["z", "y"], "missing": ["?"], "test": 1}"#)
    #expect(set.columns == ["a", "b"] && set.classes == ["z", "y"] && set.labels.isEmpty)
    let values = try #require(set.targetValues)
    #expect(values.target == .values(2))
    #expect(values.matrix.row(0) == [-3, 0.5])
    #expect(values.matrix[1, 0] == 100 && values.matrix[1, 1].isNaN)
    #expect(set.training == 0..<1 && set.test == 1..<2)
  }

  @Test func `one name stands for a list of one, and the digest says what is predicted`() throws {
    let text = "a,y\n1,2\n3,4\n"
    let set = try read(text, #"{"values": "y"}"#)
    #expect(set.targetValues?.target == .values(1))
    #expect(set.digest != (try read(text, #"{"values": "a"}"#).digest))
    #expect(try read(text, #"{"label": "y"}"#).targetValues == nil)
  }

  @Test func `labels are 0 or 1`() throws {
    let set = try read("p,x,q\n1,5,0\n0,6,1\n", #"{"labels": ["p", "q"]}"#)
    #expect(set.targetValues?.target == .multiLabel(2))
    #expect(set.targetValues?.matrix == Matrix([[1, 0], [0, 1]]))
  }

  @Test(arguments: [
    (
      #"{"values": "y", "label": "a"}"#,
      "set/dataset.json: values: what is to be predicted is said by \"label\" already. Keep one of them"
    ),
    (#"{"values": []}"#, "set/dataset.json: values: the list is empty; name the columns that are to be predicted"),
    (#"{"labels": ["y", "y"]}"#, "set/dataset.json: labels: \"y\" is listed twice"),
    (#"{"values": "w"}"#, "set/dataset.json: values: no column of set/t.csv is called \"w\"; they are called a, y"),
    (#"{"values": ["a", "y"]}"#, "set/t.csv:1: beside what is to be predicted there is no column"),
    (
      #"{"values": "y", "columns": {"y": {"kind": "category"}}}"#,
      "set/dataset.json: columns.y: this is to be predicted, and always a number. Leave it out of columns"
    ),
    (
      #"{"labels": "y"}"#,
      "set/t.csv:3: column 2 (\"y\"): \"2\" is not 0 or 1 (the row has this label or has it not). Correct it, or list the text in "
        + "\"missing\" in dataset.json: what is not known counts nothing"
    ),
  ])
  func `what cannot be predicted is refused`(json: String, message: String) throws {
    #expect(try error("a,y\n1,0\n3,2\n", json) == message)
  }

  @Test func `a text among values is told with its line`() throws {
    #expect(
      try error("a,y\n1,0\n3,high\n", #"{"values": "y"}"#)
        == "set/t.csv:3: column 2 (\"y\"): \"high\" is not a number, as what is to be predicted is. Correct it, or list the text in "
        + "\"missing\" in dataset.json: what is not known counts nothing")
  }
}
