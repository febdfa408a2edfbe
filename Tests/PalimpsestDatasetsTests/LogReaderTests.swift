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

  @Test func `what dataset.json says of a column holds`() throws {
    let json = #"{"label": "done", "columns": {"place": {"kind": "text"}, "steps": {"kind": "number", "fill": 0}}}"#
    #expect(try read(text, json: json).columns.map(\.name) == ["date", "user", "steps", "sleep"])
  }

  @Test func `a label above a number is 1`() throws {
    let table = try read("x,n\n1,9\n2,150\n3,1000\n") { ($0.label, $0.above) = ("n", 150) }
    #expect(table.classes == ["≤ 150", "> 150"] && table.labels == [0, 0, 1])
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
        == "this scenario: label: no column of t.csv is called \"finished\"; they are called date, user, steps, place, sleep, done"
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
      error("a,b\n1,x\n") { ($0.label, $0.above) = ("b", 1) }?.contains("\"x\" in the label's column is no number")
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
