import PalimpsestCore
import PalimpsestScenarios
import Testing

import PalimpsestDatasets

/// Tables read as logs: what nobody says of their columns is found by looking.
@Suite struct LogReaderTests {
  private let text = """
    date,user,steps,place,sleep,done
    2024-02-03,ann,100,home,7.5,yes
    2024-01-15,bob,,gym,NA,no
    2024-01-15,ann,300,home,8,yes
    2024-03-01,bob,200,shop,?,no
    """

  private func read(_ text: String, json: String? = nil, _ change: (inout TableRequest) -> Void = { _ in }) throws
    -> LoggedTable
  {
    let scratch = try Scratch()
    try scratch.write("set/t.csv", text)
    if let json { try scratch.write("set/dataset.json", json) }
    var request = TableRequest()
    change(&request)
    return try scratch.library.table(named: "set", request)
  }

  private func error(_ text: String, json: String? = nil, _ change: (inout TableRequest) -> Void = { _ in }) -> String?
  {
    do {
      _ = try read(text, json: json, change)
      return nil
    } catch { return String(describing: error).replacing(/\/\S*\/set\//, with: "") }
  }

  @Test func `texts are categories, gaps are gaps, rows stand in order of time`() throws {
    let table = try read(text) { ($0.label, $0.time, $0.owner, $0.group) = ("done", "date", "user", ["date"]) }
    #expect(table.columns.map(\.name) == ["steps", "place", "sleep"])
    #expect(table.columns.map(\.kind) == [.number, .oneHot(["home", "gym", "shop"]), .number])
    #expect(table.columns.map(\.missing) == [1, 0, 2] && table.columns.map(\.marksMissing) == [true, false, true])
    #expect(table.labels == [0, 1, 1, 0] && table.classes == ["no", "yes"])
    #expect(table.owners?.places == [1, 0, 0, 1] && table.owners?.names == ["ann", "bob"])
    #expect(table.arrivals == [0, 0, 19 * 86_400, 46 * 86_400])
    #expect(
      table.groups?.places.map { table.groups?.names[Int($0)] } == [
        "2024-01-15", "2024-01-15", "2024-02-03", "2024-03-01",
      ])
    #expect(table.cells[0].isNaN && table.cells[3] == 300 && table.cells[6] == 100 && table.missing == ["", "?", "NA"])
  }

  @Test func `a text among the times is named with its row`() {
    let wanted =
      "Rows are put in order of this column, by dates of the form year-month-day, day-month-year or "
      + "month-day-year or by numbers of seconds"
    for bad in ["soon", "2024-13-02", "2024-02-30", "2024-01-15 24:00"] {
      let text = "date,x,done\n2024-01-15,1,yes\n\(bad),2,no\n2024-02-03,3,yes\n"
      #expect(
        error(text) { ($0.label, $0.time) = ("done", "date") }
          == "t.csv:3: column 1 (\"date\"): \"\(bad)\" is no time. Here a date of the form \"year-month-day\" is wanted; "
          + "\"form\" in dataset.json may be another")
    }
    let words = "date,x,done\nnow,1,yes\nsoon,2,no\n2024-02-03,3,yes\n"
    #expect(
      error(words) { ($0.label, $0.time) = ("done", "date") }
        == "t.csv:2: column 1 (\"date\"): \"now\" is no time. \(wanted)")
    // Where it is no time the column is one of dates all the same, and no category.
    #expect(
      error("date,x,done\n2024-01-15,1,yes\nsoon,2,no\n2024-02-03,3,yes\n") { $0.label = "done" }?
        .hasPrefix("t.csv:3: column 1 (\"date\"): \"soon\" is no date of the form \"year-month-day\"") == true)
  }

  @Test func `dates of eight digits are dates, and those of which nobody can tell day and month are asked for`() throws
  {
    let compact = try read("d,x,done\n20240131,1,yes\n20240130,2,no\n") { ($0.label, $0.time) = ("done", "d") }
    #expect(compact.arrivals == [0, 86_400] && compact.labels == [0, 1])
    let slashes = "d,x,done\n03/05/2024,1,yes\n02/01/2024,2,no\n"
    #expect(
      error(slashes) { ($0.label, $0.time) = ("done", "d") }
        == "column 1 (\"d\"): dates such as \"03/05/2024\" can be day-month-year or month-day-year. Say which in "
        + "\"columns\": {\"d\": {\"kind\": \"date\", \"form\": \"day-month-year\"}}")
    let clear = try read("d,x,done\n03/05/2024,1,yes\n21/01/2024,2,no\n") { ($0.label, $0.time) = ("done", "d") }
    #expect(clear.arrivals == [0, 103 * 86_400])
    #expect(try read("d,x,done\n03.05.2024,1,yes\n02.01.2024,2,no\n") { ($0.label, $0.time) = ("done", "d") }.rows == 2)
  }

  @Test func `blanks about a header's names are none of them`() throws {
    let table = try read("done , x,y\n1,2,3\n0,3,4\n") { $0.label = "done" }
    #expect(table.columns.map(\.name) == ["x", "y"] && table.labels == [1, 0])
  }

  @Test func `columns that are read otherwise than one may think are told`() throws {
    let names = (0..<1002).map { "n\($0),\($0 % 2),0;5\n" }.joined()
    let table = try read("who,done,half\n" + names.replacing(";", with: ".")) { $0.label = "done" }
    #expect(table.columns.map(\.name) == ["half"])
    #expect(
      table.remarks == ["column \"who\" holds more than 1000 different texts, such as \"n0\", and is no input"])
    let comma = try read("half,done\n\"0,5\",1\n\"1,5\",0\n") { $0.label = "done" }
    #expect(comma.remarks.count == 1 && comma.remarks[0].contains("numbers with a comma"))
  }

  @Test func `what dataset.json says of a column holds`() throws {
    let json = #"{"label": "done", "columns": {"place": {"kind": "text"}, "steps": {"kind": "number", "fill": 0}}}"#
    #expect(try read(text, json: json).columns.map(\.name) == ["date", "user", "steps", "sleep"])
  }

  @Test func `a label above a number is 1`() throws {
    let table = try read("x,n\n1,9\n2,150\n3,1000\n") { ($0.label, $0.above) = ("n", 150) }
    #expect(table.classes == ["≤ 150", "> 150"] && table.labels == [0, 0, 1])
  }

  @Test func `a label above a number is a number, or the first that is none is told`() {
    #expect(
      error("x,n\n1,9\n2,150\n3,high\n4,low\n") { ($0.label, $0.above) = ("n", 150) }
        == "t.csv:4: column 2 (\"n\"): \"high\" is no number, and \"above\" asks which labels are above 150")
    #expect(
      error("x,n\n1,nan\n2,150\n") { ($0.label, $0.above) = ("n", 150) }
        == "t.csv:2: column 2 (\"n\"): \"nan\" is no number, and \"above\" asks which labels are above 150")
  }

  @Test func `labels that are all numbers are classes by their value`() throws {
    let table = try read("x,n\n1,0.0\n2,10\n3,0\n4,2\n5,+2.0\n6,-0\n") { $0.label = "n" }
    #expect(table.classes == ["0.0", "2", "10"] && table.labels == [0, 2, 0, 1, 1, 0])
    let texts = try read("x,n\n1,0.0\n2,a\n3,0\n") { $0.label = "n" }
    #expect(texts.classes == ["0", "0.0", "a"])
    let large = try read("x,n\n1,9007199254740993\n2,9007199254740992\n") { $0.label = "n" }
    #expect(large.classes.count == 2)
  }

  @Test func `a key is told as whose it is`() {
    func parameter(_ json: String?, _ change: (inout TableRequest) -> Void) -> String? {
      do {
        _ = try read(text, json: json, change)
        return nil
      } catch { return (error as? DatasetError)?.parameter ?? "\(error)".replacing(/\/\S*\/set\//, with: "") }
    }
    #expect(parameter(nil) { $0.label = "finished" } == "label")
    #expect(parameter(nil) { ($0.label, $0.owner) = ("done", "who") } == "owner")
    #expect(parameter(nil) { ($0.label, $0.drop) = ("done", ["who"]) } == "drop")
    #expect(parameter(nil) { ($0.label, $0.group) = ("done", ["who"]) } == "tasks")
    #expect(parameter(nil) { ($0.label, $0.columns) = ("done", #"{"who": {}}"#) } == "columns.who")
    let file = parameter(#"{"label": "finished", "drop": ["who"]}"#) { _ in }
    #expect(file?.contains("dataset.json: label: no column of t.csv is called \"finished\"") == true)
    let dropped = parameter(#"{"label": "done", "drop": ["who"]}"#) { $0.drop = ["steps"] }
    #expect(dropped?.contains("dataset.json: drop: no column of t.csv is called \"who\"") == true)
  }

  @Test func `a column of group is an input where it is kept`() throws {
    let kept = try read(text) { ($0.label, $0.group, $0.keepsGroup) = ("done", ["place"], true) }
    #expect(kept.columns.contains { $0.name == "place" })
    let apart = try read(text) { ($0.label, $0.group) = ("done", ["place"]) }
    #expect(!apart.columns.contains { $0.name == "place" } && apart.groups?.names == ["home", "gym", "shop"])
  }

  @Test func `what is wrong is said at its place`() {
    #expect(
      error(text) { $0.label = "finished" }
        == "label: no column of t.csv is called \"finished\"; they are called date, user, steps, place, sleep, done"
    )
    #expect(
      error(text.replacing("2024-03-01", with: "")) { ($0.label, $0.group) = ("done", ["date"]) }
        == "t.csv:5: column 1 (\"date\"): the cell is empty, and tasks are cut by this column. Name its value")
    #expect(
      error(text.replacing("2024-03-01", with: "soon")) { ($0.label, $0.time) = ("done", "date") }?
        .contains("\"date\"") == true)
    #expect(error(text.replacing("bob,200", with: ",200")) { ($0.label, $0.owner) = ("done", "user") } != nil)
    #expect(
      error(text.replacing(",yes", with: ",")) { $0.label = "done" }
        == "t.csv:2: column 6 (\"done\"): the label is empty")
    #expect(error("a,b\n1,2\n") { ($0.label, $0.above) = ("b", 1) } == nil)
    #expect(
      error("a,b\n1,x\n") { ($0.label, $0.above) = ("b", 1) }?.contains("t.csv:2: column 2 (\"b\"): \"x\" is no number")
        == true)
  }

  @Test func `images are no log`() throws {
    let scratch = try Scratch()
    for name in [
      "train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte",
    ] {
      try scratch.write("set/\(name)", "x")
    }
    #expect(throws: DatasetError.self) { try scratch.library.table(named: "set", TableRequest()) }
  }
}
