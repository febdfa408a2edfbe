import Foundation
import PalimpsestDatasets
import PalimpsestScenarios
import TestFixtures
import Testing

/// Tables whose rows are made: of events, and of windows over signals.
@Suite struct DerivationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func table(_ text: String, _ options: String, _ change: (inout TableRequest) -> Void = { _ in }) throws
    -> LoggedTable
  {
    try FileManager.default.createDirectory(atPath: folder("mine"), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: folder("mine/mine.csv")))
    try Data(options.utf8).write(to: URL(filePath: folder("mine/dataset.json")))
    var request = TableRequest()
    change(&request)
    return try DatasetFolder([folder.path]).table(named: "mine", request)
  }

  private static let events = """
    who,at,what,much
    ann,2024-03-01 08:00,meal,1
    ann,2024-03-01 09:00,sugar,100
    bob,2024-03-01 09:30,sugar,200
    ann,2024-03-01 10:00,pill,2
    ann,2024-03-01 11:00,meal,1
    ann,2024-03-01 15:30,sugar,190
    bob,2024-03-02 09:30,sugar,120
    ann,2024-03-01 16:00,sugar,high
    ann,2024-03-01 16:10,meal,1
    ann,2024-03-02 09:00,sugar,90
    """
  private static let rule = """
    { "label": "next", "owner": "who", "missing": ["NA"], "events": {
      "person": "who", "time": "at", "code": "what", "value": "much", "readings": ["sugar"],
      "counts": { "meals": ["meal"], "pills": ["pill"] } } }
    """

  /// Ann's readings 100, 190, 90; Bob's 200, 120. What is not a number is no reading, and the meals before and behind it count on.
  @Test func `a row is a reading with what happened since the one before, and the next reading is the label`() throws {
    let table = try table(DerivationTests.events, DerivationTests.rule) { ($0.above, $0.drop) = (130, ["time"]) }
    #expect(table.columns.map(\.name) == ["reading", "hours", "hour", "meals", "pills"])
    #expect(table.classes == ["≤ 130", "> 130"] && table.labels == [1, 0, 0])
    #expect(table.owners?.names == ["ann", "bob"] && table.owners?.places == [0, 1, 0])
    let rows = (0..<3).map { Array(table.cells[$0 * 5..<$0 * 5 + 5]) }
    #expect(rows[0][0] == 100 && rows[0][1].isNaN && rows[0][2...] == [9, 1, 0])
    #expect(rows[1][0] == 200 && rows[1][1].isNaN && rows[1][2...] == [9.5, 0, 0])
    #expect(rows[2] == [190, 6.5, 15.5, 1, 1])
  }

  @Test func `a reading without its time is refused at its line`() {
    let broken = DerivationTests.events.replacing("2024-03-01 15:30", with: "2024-13-01 15:30")
    #expect(throws: DatasetError.self) { try table(broken, DerivationTests.rule) }
    do { _ = try table(broken, DerivationTests.rule) } catch {
      #expect("\(error)".contains("mine.csv:7: \"2024-13-01 15:30\" is no date of the form \"year-month-day\""))
    }
  }

  private static let signal = """
    kind,run,a,b
    up,1,1,10
    up,1,3,10
    up,1,5,40
    up,1,7,0
    up,2,2,2
    up,2,4,4
    down,2,1,1
    down,2,2,5
    """

  /// Windows of two: rows 1–2, 3–4, 5–6 and 7–8. Deviations with n − 1: √2, √2, … of a; 0, √800, …, of b.
  @Test func `a window keeps its columns and has mean and deviation of the others`() throws {
    let options = #"{ "label": "kind", "windows": { "rows": 2, "within": ["kind", "run"] } }"#
    let table = try table(DerivationTests.signal, options)
    #expect(table.columns.map(\.name) == ["run", "a_mean", "a_sd", "b_mean", "b_sd"])
    #expect(table.labels.count == 4 && table.classes == ["down", "up"] && table.labels == [1, 1, 1, 0])
    let root2 = Float(2.0.squareRoot())
    #expect(Array(table.cells[..<5]) == [1, 2, root2, 10, 0])
    #expect(Array(table.cells[5..<10]) == [1, 6, root2, 20, Float(800.0.squareRoot())])
    #expect(Array(table.cells[15...]) == [2, 1.5, Float(0.5.squareRoot()), 3, Float(8.0.squareRoot())])
  }

  @Test func `lines that do not fill a window are passed over, and a window has one group alone`() throws {
    let options = #"{ "label": "kind", "windows": { "rows": 3, "within": ["kind", "run"] } }"#
    // Three lines of up 1 fill one; its fourth, the two of up 2 and the two of down 2 do not.
    #expect(try table(DerivationTests.signal + "\ndown,2,3,3", options).labels.count == 2)
  }

  @Test(arguments: [
    (#"{ "windows": { "rows": 1 } }"#, "windows.rows: expected a whole number from 2 to 1000000, found 1"),
    (#"{ "windows": { "within": ["run"] } }"#, #"windows: "rows" is not said"#),
    (#"{ "windows": { "rows": 2, "within": ["x"] } }"#, #"windows.within: no column of"#),
    (#"{ "windows": { "rows": 2, "by": "x" } }"#, "windows.by: unknown key; there are rows, within"),
    (#"{ "windows": { "rows": 2 } }"#, #"column 1 ("kind"): "up" is not a number, and windows take means of it"#),
    (#"{ "windows": { "rows": 2, "within": ["kind", "run", "a", "b"] } }"#, "no column is left to take means of"),
    (
      #"{ "windows": { "rows": 2 }, "events": { "person": "kind", "time": "run", "code": "a", "value": "b", "readings": "1" } }"#,
      "rows are made by \"events\" already"
    ),
    (#"{ "events": { "person": "kind" } }"#, #"events: "time" is not said"#),
    (
      #"{ "events": { "person": "kind", "time": "run", "code": "a", "value": "q", "readings": "1" } }"#,
      #"events.value: no column of"#
    ),
    (
      #"{ "events": { "person": "hour", "time": "run", "code": "a", "value": "b", "readings": "1" } }"#,
      #"events: two columns of the table would be called "hour""#
    ),
    (
      #"{ "events": { "person": "kind", "time": "run", "form": "hour", "code": "a", "value": "b", "readings": "1" } }"#,
      #"events.form: expected "year-month-day", "day-month-year", "month-day-year", found "hour""#
    ),
    (
      #"{ "events": { "person": "kind", "time": "run", "code": "a", "value": "b", "readings": [] } }"#,
      "events.readings: expected a text or a list of texts"
    ),
  ])
  func `what contradicts itself is said at its place`(options: String, message: String) {
    do {
      _ = try table(DerivationTests.signal, options)
      Issue.record("it was taken")
    } catch {
      #expect("\(error)".contains(message), "\(error)")
    }
  }

  /// Without a word hour is a number, and zone a number too.
  @Test func `a scenario may say what columns are`() throws {
    let text = "hour,zone,label\n0,1,a\n6,2,b\n12,1,a\n"
    let columns = #"{"hour":{"kind":"cyclic","period":24},"zone":{"kind":"category"}}"#
    let plain = try table(text, "{}")
    let told = try table(text, "{}") { $0.columns = columns }
    #expect(plain.columns.flatMap(\.inputs) == ["hour", "zone"])
    #expect(told.columns.flatMap(\.inputs).count == 4)
    do {
      _ = try table(text, "{}") { $0.columns = #"{"hour":{"kind":"cyclic"},"zone":{"kin":1}}"# }
      Issue.record("it was taken")
    } catch {
      #expect("\(error)".contains("columns.zone.kin: unknown key"), "\(error)")
    }
  }

  @Test func `how rows are made belongs to the digest`() throws {
    func digest(_ rows: Int) throws -> String {
      try table(
        DerivationTests.signal, #"{ "label": "kind", "windows": { "rows": \#(rows), "within": ["kind", "run"] } }"#
      )
      .digest
    }
    #expect(try digest(2) != digest(3) && digest(2) == digest(2))
  }
}
