import PalimpsestScenarios
import Testing

/// Columns that are more than numbers, by tables worked by hand.
@Suite struct ColumnTests {
  private func read(_ text: String, _ options: String) throws -> Dataset {
    let scratch = try Scratch()
    try scratch.write("set/t.csv", text)
    try scratch.write("set/dataset.json", options)
    return try scratch.library.dataset(named: "set")
  }

  private func error(_ text: String, _ options: String? = nil) throws -> String? {
    let scratch = try Scratch()
    try scratch.write("set/t.csv", text)
    if let options { try scratch.write("set/dataset.json", options) }
    return scratch.error(reading: "set")
  }

  @Test func `a category becomes one input a value, in order of their first appearance`() throws {
    let set = try read(
      "job,age,label\nnurse,30,0\ncook,40,1\nnurse,50,0\n", #"{"columns": {"job": {"kind": "category"}}}"#)
    #expect(set.columns == ["job=nurse", "job=cook", "age"])
    #expect(set.values == [[1, 0, 30], [0, 1, 40], [1, 0, 50]])
  }

  @Test func `declared values have their order and others are refused`() throws {
    let declared = #"{"columns": {"job": {"kind": "category", "values": ["cook", "nurse", "smith"]}}}"#
    #expect(try read("label,job\n0,nurse\n1,cook\n", declared).values == [[0, 1, 0], [1, 0, 0]])
    #expect(
      try error("label,job\n0,nurse\n1,clerk\n", declared)
        == "set/t.csv:3: column 2 (\"job\"): \"clerk\" is none of the values in dataset.json, which are cook, nurse, "
        + "smith. Correct it, or add it there")
  }

  @Test func `an ordinal category is one number, in the declared order or that of its values`() throws {
    let rows = "label,size\n0,mid\n1,low\n0,high\n"
    let declared =
      #"{"columns": {"size": {"kind": "category", "encoding": "ordinal", "values": ["low", "mid", "high"]}}}"#
    #expect(try read(rows, declared).values == [[1], [0], [2]])
    let found = #"{"columns": {"size": {"kind": "category", "encoding": "ordinal"}}}"#
    #expect(try read(rows, found).values == [[2], [1], [0]])  // high, low, mid
    #expect(try read("label,size\n0,10\n1,9\n0,2\n", found).values == [[2], [1], [0]])  // 2, 9, 10
  }

  /// Training rows are the first four; their ages 10, 40, 20 have the median 20; of 1 and 4 it is 2.5.
  @Test func `a gap gets the median of the training rows and an input that says so`() throws {
    let set = try read(
      "label,age,b,c\n0,10,1,7\n1,?,4,7\n0,40,,7\n1,20,,7\n0,?,9,7\n", #"{"missing": ["", "?"], "test": 1}"#)
    #expect(set.columns == ["age", "age missing", "b", "b missing", "c"])
    #expect(
      set.values == [[10, 0, 1, 0, 7], [20, 1, 4, 0, 7], [40, 0, 2.5, 1, 7], [20, 0, 2.5, 1, 7], [20, 1, 9, 0, 7]])
    #expect(set.table?.columns.map(\.missing) == [2, 2, 0])
  }

  @Test func `what stands for a gap can be said`() throws {
    let set = try read(
      "label,a,b\n0,-999,5\n1,3,\n",
      #"{"missing": ["-999", ""], "columns": {"a": {"fill": -1, "indicator": false}, "b": {"indicator": false}}}"#)
    #expect(set.columns == ["a", "b"])
    #expect(set.values == [[-1, 5], [3, 5]])
  }

  @Test func `a gap in a category leaves its inputs 0`() throws {
    let set = try read(
      "label,job\n0,nurse\n1,?\n0,cook\n", #"{"missing": ["?"], "columns": {"job": {"kind": "category"}}}"#)
    #expect(set.columns == ["job=nurse", "job=cook", "job missing"])
    #expect(set.values == [[1, 0, 0], [0, 0, 1], [0, 1, 0]])
  }

  /// 1970-01-02 is day 1; 2000-03-01 is day 11,017: 30 years of 365, 7 leap days, 31 + 29.
  @Test(
    arguments: [
      ("1970-01-02", nil, 86_400), ("1970-01-01 06:00:30", nil, 21_630), ("1970-01-01T02:00:00+02:00", nil, 0),
      ("2000-03-01T00:00Z", nil, 11_017 * 86_400), ("20000301", nil, 11_017 * 86_400),
      ("1.3.2000", nil, 11_017 * 86_400), ("2000/03/01", nil, 11_017 * 86_400),
      ("1/3/00", "day-month-year", 11_017 * 86_400), ("3/1/00", "month-day-year", 11_017 * 86_400),
      ("1969-12-31 23:59:59.5", nil, -0.5),
    ] as [(String, String?, Double)]) func `a date is days since 1970, and its time is kept`(
      text: String, form: String?, seconds: Double
    ) throws
  {
    let more = form.map { #", "form": "\#($0)""# } ?? ""
    let set = try read("label,at\n0,\(text)\n1,\(text)\n", #"{"columns": {"at": {"kind": "date"\#(more)}}}"#)
    #expect(set.times == [TimeColumn(name: "at", seconds: [seconds, seconds])])
    #expect(set.values[0] == [Float(seconds / 86_400)])
  }

  @Test(arguments: ["2001-02-29", "2001-13-01", "1/2/2003", "yesterday", "2001-01-01 24:00", "2001-01-01 1", "99-1-1"])
  func `what is no date is refused`(text: String) throws {
    #expect(
      try error("label,at\n0,\(text)\n1,2000-01-01\n", #"{"columns": {"at": {"kind": "date"}}}"#)
        == "set/t.csv:2: column 2 (\"at\"): \"\(text)\" is no date of the form \"year-month-day\". Set \"form\" in "
        + "dataset.json; there are \"year-month-day\", \"day-month-year\", \"month-day-year\"")
  }

  @Test func `a dropped date is kept as time alone, and a text is passed over`() throws {
    let set = try read(
      "at,note,x,label\n1970-01-02,hello,1,0\n1970-01-03,\"a, b\",2,1\n",
      #"{"drop": ["at"], "columns": {"at": {"kind": "date"}, "note": {"kind": "text"}}}"#)
    #expect(set.values == [[1], [2]])
    #expect(set.times == [TimeColumn(name: "at", seconds: [86_400, 172_800])])
  }

  @Test func `the message says what to write`() throws {
    #expect(
      try error("job,at,age,label\nnurse,2001-01-01,30,0\ncook,2001-01-02,?,1\nnurse,2001-01-03,5,1\n")
        == "set/t.csv:2: column 1 (\"job\"): \"nurse\" is not a number. Correct it, or write into dataset.json: "
        + "\"columns\": {\"job\": {\"kind\": \"category\"}, \"at\": {\"kind\": \"date\"}}, \"missing\": [\"?\"] "
        + "(\"job\" has 2 texts: nurse, cook). \"drop\": [\"job\"] leaves the column out")
    #expect(
      try error("at,label\n1/30/11,0\n2/1/11,1\n")
        == "set/t.csv:2: column 1 (\"at\"): \"1/30/11\" is not a number. Correct it, or write into dataset.json: "
        + "\"columns\": {\"at\": {\"kind\": \"date\", \"form\": \"month-day-year\"}} "
        + "(\"at\" has 2 texts: 1/30/11, 2/1/11). \"drop\": [\"at\"] leaves the column out")
  }

  @Test func `an empty cell in a column that is settled asks for missing alone`() throws {
    for kind in ["category", "date"] {
      #expect(
        try error("label,a\n0,\n1,2000-01-01\n", "{\"columns\": {\"a\": {\"kind\": \"\(kind)\"}}}")
          == "set/t.csv:2: column 2 (\"a\"): the cell is empty. Correct it, or write into dataset.json: "
          + "\"missing\": [\"\"]. \"drop\": [\"a\"] leaves the column out")
    }
  }

  /// What the message says is what makes the table readable.
  @Test func `what the message says to write is right`() throws {
    let table = "job,at,age,label\nnurse,2001-01-01,30,0\n?,2001-01-02,,1\ncook,2001-01-03,5,1\n"
    let message = try #require(try error(table))
    let from = try #require(message.firstRange(of: "json: "))
    let end = try #require(message.firstRange(of: " (\"job\" has"))
    let set = try read(table, "{" + message[from.upperBound..<end.lowerBound] + "}")
    #expect(set.columns == ["job=nurse", "job=cook", "job missing", "at", "age", "age missing"])
  }

  @Test(arguments: [
    (#"{"columns": {"z": {}}}"#, "columns: no column of set/t.csv is called \"z\"; they are called label, a"),
    (
      #"{"columns": {"label": {}}}"#,
      "columns.label: this is the label, which is always a category. Leave it out of columns"
    ),
    (#"{"columns": ["a"]}"#, "columns: expected an object such as {\"job\": {\"kind\": \"category\"}}, found [\"a\"]"),
    (
      #"{"columns": {"a": "category"}}"#,
      "columns.a: expected an object such as {\"kind\": \"category\"}, found \"category\""
    ),
    (
      #"{"columns": {"a": {"kind": "categories"}}}"#,
      "columns.a.kind: expected \"number\", \"category\", \"date\", \"cyclic\", \"text\", found \"categories\""
    ),
    (
      #"{"columns": {"a": {"values": ["x"]}}}"#,
      "columns.a.values: a column of kind number has no such key; it has fill, indicator, kind"
    ), (#"{"columns": {"a": {"kind": "category", "values": ["x", "x"]}}}"#, "columns.a.values: \"x\" is there twice"),
    (#"{"columns": {"a": {"fill": "mean"}}}"#, "columns.a.fill: expected \"median\" or a number, found \"mean\""),
    (
      #"{"columns": {"a": {"sort": 1}}}"#,
      "columns.a.sort: unknown key; there are encoding, fill, form, indicator, kind, period, values"
    ), (#"{"missing": "?"}"#, "missing: expected a list of texts, found \"?\""),
  ]) func `a broken setting says where`(json: String, message: String) throws {
    #expect(try error("label,a\n0,1\n1,2\n", json) == "set/dataset.json: " + message)
  }

  @Test func `a category has at most 1,000 values`() throws {
    let rows = (0...1000).map { "\($0 % 2),v\($0)\n" }.joined()
    #expect(
      try error("label,id\n" + rows, #"{"columns": {"id": {"kind": "category"}}}"#)
        == "set/t.csv:1002: column 2 (\"id\"): more than 1000 different values, the most that a category has. "
        + "Say \"kind\": \"text\" in dataset.json to leave the column out")
    #expect(try error("label,id\n" + rows)?.contains("\"columns\": {\"id\": {\"kind\": \"text\"}}. ") == true)
  }

  @Test func `a missing label and a column without a cell are refused`() throws {
    #expect(
      try error("label,a\n0,1\n?,2\n", #"{"missing": ["?"]}"#)
        == "set/t.csv:3: column 1 (\"label\"): the label is missing (\"?\"). Take the row out of the table")
    #expect(
      try error("label,a,b\n0,1,\n1,2,\n0,3,4\n", #"{"missing": [""], "test": 1}"#)
        == "set/t.csv: column 3 (\"b\"): every cell of the training rows is missing. Leave the column out with \"drop\" "
        + "in dataset.json, or give a number as its \"fill\"")
  }

  /// What is said of the columns makes other inputs of the same file.
  @Test func `the digest knows what is said of the columns`() throws {
    let table = "label,a\n0,1\n1,2\n"
    let plain = try read(table, "{}").digest
    #expect(try read(table, #"{"test": 1, "title": "mine"}"#).digest == plain)
    let gaps = try read(table, #"{"missing": ["?"]}"#).digest
    let category = try read(table, #"{"columns": {"a": {"kind": "category"}}}"#).digest
    #expect(Set([plain, gaps, category]).count == 3)
    #expect(try read(table, #"{"missing": ["?"]}"#).digest == gaps)
  }
}
