import PalimpsestScenarios
import Testing

/// What a message about a cell advises.
private func advice(_ column: String, _ settings: String) -> String {
  "Correct it, or write into dataset.json: \(settings). \"drop\": [\"\(column)\"] leaves the column out"
}

/// The same for a column of texts.
private func categories(_ column: String, _ text: String) -> String {
  let rule = "\"columns\": {\"\(column)\": {\"kind\": \"category\"}}"
  return advice(column, "\(rule) (\"\(column)\" has this text: \(text))")
}

@Suite struct TableTests {
  private func read(_ text: String, _ options: String? = nil, file: String = "t.csv") throws -> Dataset {
    let scratch = try Scratch()
    try scratch.write("set/\(file)", text)
    if let options { try scratch.write("set/dataset.json", options) }
    return try scratch.library.dataset(named: "set")
  }

  private func error(_ text: String, _ options: String? = nil) throws -> String? {
    let scratch = try Scratch()
    try scratch.write("set/t.csv", text)
    if let options { try scratch.write("set/dataset.json", options) }
    return scratch.error(reading: "set")?.replacingOccurrences(of: scratch.path + "/", with: "")
  }

  @Test(arguments: [
    "label,a,b\nx,1,2.5\ny,-3,4e1\n", "label,a,b\r\nx,1,2.5\r\ny,-3,4e1\r\n", "label;a;b\nx;1;2.5\ny;-3;4e1",
    "label\ta\tb\nx\t1\t2.5\ny\t-3\t4e1\n", "\"label\",\"a\",\"b\"\n\"x\",\"1\",2.5\ny,-3,\"4e1\"\n",
    "\u{FEFF}label,a,b\nx, 1,2.5 \n\ny,-3,4e1\n\n\n", "a,label,b\n1,x,2.5\n-3,y,4e1\n",
    "a,b,Class\n1,2.5,x\n-3,4e1,y\n",
    "kind,a,b\nx,1,2.5\ny,-3,4e1\n", "a,b,kind\n1,2.5,x\n-3,4e1,y\n",
  ])
  func `separators, line ends, quotes and the label's place do not matter`(text: String) throws {
    let set = try read(text)
    #expect(set.values == [[1, 2.5], [-3, 40]])
    #expect(set.classes == ["x", "y"])
    #expect(set.labels == [0, 1])
  }

  @Test func `without a name or a text to tell it the last column is the label`() throws {
    let set = try read("a,b\n5,1\n6,0\n")
    #expect(set.values == [[5], [6]])
    #expect(set.labels == [1, 0])
  }

  @Test func `classes are in order of their numbers, else of their letters`() throws {
    #expect(try read("label,a\n10,0\n9,0\n2,0\n").classes == ["2", "9", "10"])
    #expect(try read("label,a\n10,0\nb9,0\n2,0\n").classes == ["10", "2", "b9"])
  }

  @Test func `the last fifth is for testing where nothing else is said`() throws {
    let rows = (0..<10).map { "\($0 % 2),\($0)\n" }.joined()
    #expect(try read("label,a\n" + rows).test == 8..<10)
    #expect(try read("label,a\n" + rows, #"{"test": 0.5}"#).test == 5..<10)
    #expect(try read("label,a\n" + rows, #"{"test": 3}"#).test == 7..<10)
    #expect(try read("label,a\n" + rows, #"{"test": 1}"#).test == 9..<10)
  }

  @Test func `files called train and test are taken for that`() throws {
    let scratch = try Scratch()
    try scratch.write("set/train.csv", "label,a\n0,1\n1,2\n")
    try scratch.write("set/test.csv", "label,a\n1,3\n")
    let set = try scratch.library.dataset(named: "set")
    #expect(set.values == [[1], [2], [3]])
    #expect(set.training == 0..<2)
    #expect(set.test == 2..<3)
    try scratch.write("set/test.csv", "label,b\n1,3\n")
    #expect(scratch.error(reading: "set")?.hasPrefix("set/test.csv:1: the columns are not those of ") == true)
  }

  @Test func `dataset json names label, separator and columns to drop`() throws {
    let set = try read("id|y|x\nfirst|b|1\nsecond|a|2\n", #"{"label": "y", "separator": "|", "drop": ["id"]}"#)
    #expect(set.values == [[1], [2]])
    #expect(set.labels == [1, 0])
    #expect(try read("label,p,q\n0,1,2\n1,3,4\n", #"{"image": [2, 1]}"#).image == ImageSize(height: 2, width: 1))
  }

  @Test(arguments: [
    ("label,a\n0,1\n\n1\n", "set/t.csv:4: 1 cell, the header has 2"),
    (
      "label,a\n0,1\n1,2,3\n",
      "set/t.csv:3: 3 cells, the header has 2. "
        + "If each row begins with its number, as R writes it, name that column too"
    ),
    (
      "label,a,b\n0,1,",
      "set/t.csv:2: column 3 (\"b\"): the cell is empty. " + advice("b", "\"missing\": [\"\"]")
    ),
    (
      "label,a\n0,1\n1,one\n",
      "set/t.csv:3: column 2 (\"a\"): \"one\" is not a number. " + categories("a", "one")
    ),
    (
      "label,a\n0,1\n1,nan\n",
      "set/t.csv:3: column 2 (\"a\"): \"nan\" is not a number. " + advice("a", "\"missing\": [\"nan\"]")
    ),
    (
      "label,a,n\n0,1,\"two\nlines\"\n",
      "set/t.csv:2: column 3 (\"n\"): \"two\nlines\" is not a number. " + categories("n", "two\nlines")
    ),
    (
      "label,a\n\"0\n0\",1\n1,x\n",
      "set/t.csv:4: column 2 (\"a\"): \"x\" is not a number. " + categories("a", "x")
    ),
    ("label,a\n ,1\n", "set/t.csv:2: column 1 (\"label\"): the label is empty"),
    ("label,a,b,a\n0,1,2,3\n", "set/t.csv:1: columns 2 and 4 are both called \"a\""),
    ("label,,b\n0,1,2\n", "set/t.csv:1: column 2 of the header has no name"),
    ("0,1,2\n1,3,4\n", "set/t.csv:1: every column name is a number: the header line, such as label,x1,x2, is missing"),
    ("label\n0\n1\n", "set/t.csv:1: beside the label \"label\" there is no column"),
    ("label,a\n", "set/t.csv:2: there is a header line, but no row"),
    ("label,a", "set/t.csv:2: there is a header line, but no row"),
    ("", "set/t.csv: the file is empty"),
    ("\n\n", "set/t.csv:2: there is a header line, but no row"),
    ("label,a\n0,1\n1,\"2\n0,3\n", "set/t.csv:3: a quotation mark opens here and is never closed"),
    (
      "label,a\n0,1\n1,2\u{0}\n",
      "set/t.csv:3: column 2: a zero byte, which no text has. Save the file as UTF-8, or get it anew"
    ),
    ("label,a\n0,1\n1,\"2\"3\n", "set/t.csv:3: a closing quotation mark must be followed by a separator"),
  ])
  func `a broken table says which line`(text: String, message: String) throws {
    #expect(try error(text) == message)
  }

  @Test func `a label that hardly repeats is taken for a mistake`() throws {
    let rows = (0..<30).map { "\($0 % 2),\($0)\n" }.joined()
    #expect(
      try error("y,x\n" + rows)
        == "set/t.csv: column 2 (\"x\"), taken for the label, has 30 different values in 30 rows. "
        + "Name the label's column with \"label\" in dataset.json")
    #expect(try read("y,x\n" + rows, #"{"label": "y"}"#).classes == ["0", "1"])
  }

  @Test func `a text that is not UTF-8 is refused`() throws {
    let scratch = try Scratch()
    try scratch.write("set/t.csv", Array("label,a\n".utf8) + [0xff, 0x2c, 0x31, 0x0a])
    #expect(scratch.error(reading: "set") == "set/t.csv:2: column 1: the text is not UTF-8. Save it as UTF-8")
  }

  @Test(arguments: [
    (
      #"{"lable": "y"}"#,
      "set/dataset.json: lable: unknown key; there are columns, drop, events, file, image, label, labels, missing, owner, separator, test, time, title, values, windows"
    ),
    (#"{"label": 3}"#, "set/dataset.json: label: expected a text, found 3"),
    (#"{"label": "z"}"#, "set/dataset.json: label: no column of set/t.csv is called \"z\"; they are called label, a"),
    (#"{"drop": ["z"]}"#, "set/dataset.json: drop: no column of set/t.csv is called \"z\"; they are called label, a"),
    (#"{"drop": "a"}"#, "set/dataset.json: drop: expected a list of column names, found \"a\""),
    (#"{"separator": ", "}"#, "set/dataset.json: separator: expected one ASCII character such as \";\", found \", \""),
    (#"{"test": 0}"#, "set/dataset.json: test: expected a fraction between 0 and 1 or a number of rows ≥ 1, found 0"),
    (
      #"{"test": 1.5}"#,
      "set/dataset.json: test: expected a fraction between 0 and 1 or a number of rows ≥ 1, found 1.5"
    ),
    (#"{"test": 2}"#, "set/dataset.json: test: 2 rows to test on leave none to train on: set/t.csv has 2"),
    (
      #"{"test": true}"#,
      "set/dataset.json: test: expected a fraction between 0 and 1 or a number of rows ≥ 1, found true"
    ),
    (#"{"image": [2, 2]}"#, "set/dataset.json: image: 2 × 2 pixels, but set/t.csv has 1 feature columns"),
    (#"{"image": [2]}"#, "set/dataset.json: image: expected a height and a width such as [28, 28], found [2]"),
    (#"{"file": "u.csv"}"#, "set/u.csv: dataset.json names this file, but it is not there"),
    ("[1]", "set/dataset.json: expected an object such as {\"label\": \"y\"}"),
  ])
  func `a broken dataset json says which key`(json: String, message: String) throws {
    #expect(try error("label,a\n0,1\n1,2\n", json) == message)
  }

  @Test func `dataset json that is not JSON is refused`() throws {
    let message = try error("label,a\n0,1\n1,2\n", "{")
    #expect(
      message
        == #"set/dataset.json:1:2: expected a key or "}", found the end of the file; the "{" at 1:1 is not closed"#)
  }

  @Test func `several tables need a word on which to take`() throws {
    let scratch = try Scratch()
    try scratch.write("set/a.csv", "label,a\n0,1\n1,2\n")
    try scratch.write("set/b.csv", "label,a\n0,3\n1,4\n")
    #expect(
      scratch.error(reading: "set")?.hasSuffix(
        "set: several tables: a.csv, b.csv. Name one with \"file\" in dataset.json, "
          + "or call two of them train.csv and test.csv") == true)
    try scratch.write("set/dataset.json", #"{"file": "b.csv"}"#)
    #expect(try scratch.library.dataset(named: "set").values == [[3], [4]])
  }
}
