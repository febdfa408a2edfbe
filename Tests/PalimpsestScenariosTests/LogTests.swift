import PalimpsestCore
import PalimpsestTesting
import Testing

import PalimpsestScenarios

/// A log of a few rows: numbers with gaps, a category, two people, and a day a row.
private func log(
  cells: [Float], columns: [InputColumn], labels: [Int32], groups: (places: [Int32], names: [String])? = nil,
  owners: [Int32]? = nil
) -> LoggedTable {
  LoggedTable(
    name: "tiny", columns: columns, cells: cells, labels: labels, classes: ["no", "yes"],
    owners: owners.map { RowOwners(places: $0, names: ["ann", "bob"]) },
    groups: groups.map { RowOwners(places: $0.places, names: $0.names) })
}

private func numbers(_ values: [Float], groups: (places: [Int32], names: [String])? = nil) -> LoggedTable {
  log(
    cells: values, columns: [InputColumn(name: "x", kind: .number, missing: values.count { $0.isNaN })],
    labels: values.indices.map { Int32($0 % 2) }, groups: groups)
}

@Suite struct OnlineInputsTests {
  /// 2: nothing was seen, 0. 4: mean 2, no deviation, 0. 6: mean 3, deviation 1, 3. 100: mean 4, deviation √(8/3), clipped to 5.
  @Test func `an input is scaled by the rows before it`() {
    let inputs = OnlineInputs(numbers([2, 4, 6, 100]), order: [0, 1, 2, 3], scale: .online)
    #expect(inputs.values.array == [0, 0, 3, 5])
  }

  @Test func `what comes later changes nothing before`() {
    let a = OnlineInputs(numbers([2, 4, 6, 100]), order: [0, 1, 2, 3], scale: .online).values.array
    let b = OnlineInputs(numbers([2, 4, 6, -7]), order: [0, 1, 2, 3], scale: .online).values.array
    #expect(a.prefix(3) == b.prefix(3) && a[3] != b[3])
  }

  /// Medians of nothing, of {5}, of {5, 1}, of {5, 1, 9}.
  @Test func `a gap is filled by the median of what was seen, and marked`() {
    let gap = Float.nan
    let values: [Float] = [gap, 5, gap, 1, gap, 9, gap]
    let column = InputColumn(name: "x", kind: .number, marksMissing: true, missing: 4)
    let table = log(cells: values, columns: [column], labels: [0, 1, 0, 1, 0, 1, 0])
    let inputs = OnlineInputs(table, order: [0, 1, 2, 3, 4, 5, 6], scale: .none)
    #expect(inputs.values.array == [0, 1, 5, 0, 5, 1, 1, 0, 3, 1, 9, 0, 5, 1])
    #expect(inputs.columns[0].fill == 5)
  }

  @Test func `a gap holds what its column says`() {
    let column = InputColumn(name: "x", kind: .number, fill: 7, marksMissing: true, missing: 2)
    let table = log(cells: [.nan, 5, .nan], columns: [column], labels: [0, 1, 0])
    let inputs = OnlineInputs(table, order: [0, 1, 2], scale: .none)
    #expect(inputs.values.array == [7, 1, 5, 0, 7, 1] && inputs.columns[0].fill == 7)
  }

  @Test func `the running median is that of the sorted values`() {
    var (median, seen, rng) = (RunningMedian(), [Float](), Seed(5).stream("median"))
    for _ in 0..<500 {
      let value = Float(Int(rng.uniform() * 40))
      median.add(value)
      seen.append(value)
      seen.sort()
      let middle = seen.count / 2
      #expect(median.value == (seen.count % 2 == 1 ? seen[middle] : (seen[middle - 1] + seen[middle]) / 2))
    }
  }

  /// An hour of 6 is a quarter turn: sine 1, cosine 0.
  @Test func `a cyclic number is sine and cosine`() {
    let table = log(
      cells: [0, 6, 12], columns: [InputColumn(name: "h", kind: .cyclic(period: 24))], labels: [0, 1, 0])
    let inputs = OnlineInputs(table, order: [0, 1, 2], scale: .none)
    let wanted: [Float] = [0, 1, 1, 0, 0, -1]
    #expect(zip(inputs.values.array, wanted).allSatisfy { abs($0 - $1) < 1e-6 })
    #expect(inputs.columns[0].inputs == ["h sine", "h cosine"])
  }
}

@Suite struct TaskCutTests {
  private func cut(_ change: (inout TaskCut) -> Void) -> TaskCut {
    var cut = TaskCut()
    change(&cut)
    return cut
  }

  private func tasks(_ table: LoggedTable, _ cut: TaskCut, thin: Int = 1) throws -> [CutTask] {
    try TaskCutter(cut: cut, table: table, thin: thin).tasks()
  }

  @Test func `blocks divide all rows, remainders to the later ones`() throws {
    let found = try tasks(numbers([1, 2, 3, 4, 5, 6, 7]), cut { $0.count = 3 })
    #expect(found.map(\.rows) == [[0, 1], [2, 3], [4, 5, 6]])
    #expect(found.map(\.name) == ["rows 0–1", "rows 2–3", "rows 4–6"])
  }

  @Test func `every second row makes blocks of those that are left`() throws {
    #expect(try tasks(numbers([1, 2, 3, 4, 5]), cut { $0.count = 2 }, thin: 2).map(\.rows) == [[0], [2, 4]])
  }

  @Test func `values make tasks in their own order`() throws {
    let byNumber = numbers([1, 2, 3, 4], groups: ([0, 1, 0, 2], ["10", "9", "11"]))
    let wanted = cut { ($0.by, $0.column) = (.column, "g") }
    #expect(try tasks(byNumber, wanted).map(\.name) == ["9", "10", "11"])
    let byMonth = numbers([1, 2, 3, 4], groups: ([0, 1, 0, 2], ["Nov", "Feb", "June"]))
    #expect(try tasks(byMonth, wanted).map(\.name) == ["Feb", "June", "Nov"])
    let byText = numbers([1, 2, 3, 4], groups: ([0, 1, 0, 2], ["shop", "home", "gym"]))
    #expect(try tasks(byText, wanted).map(\.rows) == [[0, 2], [1], [3]])
  }

  @Test func `a run ends where the value changes`() throws {
    let table = numbers([1, 2, 3, 4], groups: ([0, 0, 1, 0], ["a", "b"]))
    let found = try tasks(table, cut { ($0.by, $0.column) = (.runs, "g") })
    #expect(found.map(\.name) == ["a", "b", "a"] && found.map(\.rows) == [[0, 1], [2], [3]])
  }

  @Test func `a short task is joined with the one before, the first with the one behind`() throws {
    let table = numbers([1, 2, 3, 4, 5, 6], groups: ([0, 1, 1, 2, 3, 3], ["a", "b", "c", "d"]))
    let found = try tasks(table, cut { ($0.by, $0.column, $0.mergeUnder) = (.column, "g", 2) })
    #expect(found.map(\.rows) == [[0, 1, 2, 3], [4, 5]])
    #expect(found.map(\.name) == ["a, b, c", "d"])
  }

  /// 2024-12-30 is a Monday and in week 1 of 2025 (its Thursday is 2 January); 2021-01-03, a Sunday, in week 53 of 2020.
  @Test(arguments: [
    (TaskCut.Every.day, ["2021-01-03", "2024-02-29", "2024-12-30", "2024-12-31"]),
    (.week, ["2020-W53", "2024-W09", "2025-W01"]), (.month, ["2021-01", "2024-02", "2024-12"]),
    (.quarter, ["2021-Q1", "2024-Q1", "2024-Q4"]), (.year, ["2021", "2024"]),
  ])
  func `dates make days, weeks, months, quarters and years`(_ every: TaskCut.Every, _ names: [String]) throws {
    let dates = ["2024-12-31 23:59", "2024-02-29", "2021-01-03", "2024-12-30"]
    let table = numbers([1, 2, 3, 4], groups: ([0, 1, 2, 3], dates))
    let found = try tasks(table, cut { ($0.by, $0.column, $0.every) = (.column, "date", every) })
    #expect(found.map(\.name) == names)
    #expect(found.flatMap(\.rows).sorted() == [0, 1, 2, 3])
  }

  @Test func `a text that is no date is named with the forms there are`() {
    let table = numbers([1, 2], groups: ([0, 1], ["2024-02-29", "soon"]))
    let month = cut { ($0.by, $0.column, $0.every) = (.column, "date", .month) }
    let wanted = ScenarioError(
      parameter: "tasks.column",
      "\"soon\" in \"date\" is no date of the forms year-month-day, day-month-year, month-day-year. "
        + "Correct it, or set \"every\": \"value\"")
    #expect(throws: wanted) { try tasks(table, month) }
  }

  @Test func `settings that contradict each other are refused at their place`() {
    func parameter(_ cut: TaskCut, owner: String? = nil) -> String? {
      do throws(ScenarioError) {
        try cut.check(owner: owner)
        return nil
      } catch { return error.parameter }
    }
    #expect(parameter(cut { $0.by = .column }) == "tasks.column")
    #expect(parameter(cut { ($0.by, $0.column) = (.blocks, "g") }) == "tasks.column")
    #expect(parameter(cut { ($0.by, $0.column, $0.columns) = (.runs, "g", ["h"]) }) == "tasks.columns")
    #expect(parameter(cut { ($0.by, $0.every) = (.blocks, .month) }) == "tasks.every")
    #expect(parameter(cut { ($0.by, $0.every) = (.concept, .month) }) == "tasks.every")
    #expect(parameter(cut { $0.by = .concept }) == nil)
    #expect(parameter(cut { $0.by = .user }) == "tasks.by")
    #expect(parameter(cut { $0.by = .user }, owner: "who") == nil)
  }
}

@Suite struct TableLogTests {
  /// A library of one log.
  private struct Shelf: DatasetLibrary {
    let table: LoggedTable
    func dataset(named name: String) throws -> Dataset { throw DatasetError(.missing, name) }
    func table(named name: String, _ request: TableRequest) throws -> LoggedTable { table }
  }

  private func stream(_ table: LoggedTable, _ change: (inout TableLog) -> Void) throws -> any DriftStream {
    var settings = TableLog()
    change(&settings)
    return try settings.prepare(from: Shelf(table: table)).makeStream(seed: Seed(0))
  }

  @Test func `every row is streamed once, in order, and test rows are not trained on`() throws {
    let stream = try stream(numbers([Float](repeating: 1, count: 23))) { $0.tasks.count = 2 }
    for task in 0..<2 {
      let (streamed, training) = (stream.streamedRows(for: task).places, stream.trainingRows(for: task).places)
      let test = stream.evaluationSet(for: task).rows.places
      #expect(streamed == (training + test).sorted() && Set(training).isDisjoint(with: test))
      #expect(test.count == Int((Double(streamed.count) * 0.2).rounded()))
    }
    #expect(stream.streamedRows(for: 1).places.last == 22)
  }

  @Test func `tasks are those of the users`() throws {
    let table = log(
      cells: [1, 2, 3, 4], columns: [InputColumn(name: "x", kind: .number)], labels: [0, 1, 1, 0], owners: [0, 1, 1, 0])
    let stream = try stream(table) { ($0.tasks.by, $0.owner) = (.user, "who") }
    #expect(stream.experiences.map(\.name) == ["ann", "bob"])
    #expect(stream.streamedRows(for: 1).places == [1, 2] && stream.streamedRows(for: 1).owners == [1, 1])
  }

  /// Visits have five rows each, of which a fifth is tested on: the middle one.
  @Test func `visits of a concept that a column names are judged on the same rows`() throws {
    let values = (0..<15).map { Int32($0 / 5 % 2) }
    let table = numbers([Float](repeating: 1, count: 15), groups: (values, ["home", "work"]))
    let stream = try stream(table) { $0.tasks.by = .concept }
    #expect(stream.experiences.map(\.name) == ["home", "work", "home"] && stream.taskConcepts == [0, 1, 0])
    #expect((0..<3).map { stream.evaluationSet(for: $0).rows.places } == [[2, 12], [7], [2, 12]])
    #expect(stream.trainingRows(for: 2).places == [10, 11, 13, 14])
    #expect(stream.streamedRows(for: 0).places == [0, 1, 2, 3, 4])
    let runs = try self.stream(table) { ($0.tasks.by, $0.tasks.column) = (.runs, "g") }
    #expect((0..<3).map { runs.evaluationSet(for: $0).rows.places } == [[2], [7], [12]])
  }

  @Test func `a concept's column is the one called so unless another is named`() {
    var cut = TaskCut()
    cut.by = .concept
    #expect(cut.named == ["concept"])
    cut.column = "regime"
    #expect(cut.named == ["regime"])
  }

  @Test func `a task of one row is refused with what to do`() throws {
    let table = numbers([1, 2, 3], groups: ([0, 0, 1], ["a", "b"]))
    #expect(
      throws: ScenarioError(
        parameter: "tasks",
        "task \"b\" has 1 row; 2 are needed, one to train on and one to test on. "
          + "Set \"mergeUnder\" to 2 or more, so that short tasks are joined with the one before")
    ) {
      try stream(table) { ($0.tasks.by, $0.tasks.column) = (.column, "g") }
    }
  }

  @Test func `one label alone is nothing to learn`() throws {
    let table = LoggedTable(
      name: "flat", columns: [InputColumn(name: "x", kind: .number)], cells: [1, 2], labels: [0, 0], classes: ["no"])
    #expect(throws: ScenarioError.self) { try stream(table) { _ in } }
  }
}
