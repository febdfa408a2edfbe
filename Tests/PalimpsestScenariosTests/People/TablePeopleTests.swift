import PalimpsestCore
import PalimpsestScenarios
import Testing

/// A number, a category and gaps; rows of four people, one behind the other.
private let columns = [
  InputColumn(name: "x", kind: .number, marksMissing: true, missing: 2),
  InputColumn(name: "place", kind: .oneHot(["home", "gym", "shop"])),
]

@Suite struct PopulationInputsTests {
  private let cells: [Float] = [0, 0, .nan, 1, 10, 0, 20, 1, .nan, 2, 40, 0]

  private var table: LoggedTable {
    LoggedTable(name: "t", columns: columns, cells: cells, labels: [0, 1, 0, 1, 0, 1], classes: ["no", "yes"])
  }

  private func rows(_ scale: TableScale) -> [[Float]] {
    let inputs = PopulationInputs(table, population: [0, 1, 2, 3], others: [4, 5], scale: scale)
    let values = inputs.values.array
    return (0..<6).map { Array(values[$0 * 5..<($0 + 1) * 5]) }
  }

  /// The population's cells of x are 0, 10 and 20: median 10, which with the gap's makes 0, 10, 10, 20.
  @Test func `gaps are filled by the population's median, and a category it never has is none`() {
    #expect(
      rows(.none) == [
        [0, 0, 1, 0, 0], [10, 1, 0, 1, 0], [10, 0, 1, 0, 0], [20, 0, 0, 1, 0],
        [10, 1, 0, 0, 0], [40, 0, 1, 0, 0],
      ])
  }

  @Test func `least and largest are the population's, and others may lie outside`() {
    #expect(
      rows(.unit) == [
        [0, 0, 1, 0, 0], [0.5, 1, 0, 1, 0], [0.5, 0, 1, 0, 0], [1, 0, 0, 1, 0],
        [0.5, 1, 0, 0, 0], [2, 0, 1, 0, 0],
      ])
  }

  /// Mean 10 and deviation √50: 40 is 4.24 deviations off, 1000 more than five.
  @Test func `mean and deviation are the population's, online at most five`() {
    let root = Float(Double(50).squareRoot())
    #expect(rows(.standard).map { $0[0] } == [-10, 0, 0, 10, 0, 30].map { $0 / root })
    #expect(rows(.online)[5][0] == 30 / root)
    let far = LoggedTable(
      name: "t", columns: columns, cells: cells.dropLast(2) + [1000, 0], labels: table.labels, classes: table.classes)
    let online = PopulationInputs(far, population: [0, 1, 2, 3], others: [4, 5], scale: .online)
    #expect(online.values.array[25] == 5)
    let standard = PopulationInputs(far, population: [0, 1, 2, 3], others: [4, 5], scale: .standard)
    #expect(standard.values.array[25] == 990 / root)
  }

  @Test func `what held-out people have changes nothing of the population, and no other's rows`() {
    let other = LoggedTable(
      name: "t", columns: columns, cells: cells.prefix(8) + [77, 1, 40, 0], labels: table.labels, classes: table.classes
    )
    for scale in TableScale.allCases {
      let (a, b) = (
        PopulationInputs(table, population: [0, 1, 2, 3], others: [4, 5], scale: scale),
        PopulationInputs(other, population: [0, 1, 2, 3], others: [4, 5], scale: scale)
      )
      let (before, after) = (a.values.array, b.values.array)
      #expect(before[..<20] == after[..<20] && before[25...] == after[25...] && before[20..<25] != after[20..<25])
      #expect(a.scales == b.scales && a.columns == b.columns)
    }
  }

  /// What is kept with a model makes the same inputs of the same cells.
  @Test func `a row read later becomes what it became here`() {
    for scale in TableScale.allCases {
      let inputs = PopulationInputs(table, population: [0, 1, 2, 3], others: [4, 5], scale: scale)
      for row in 0..<6 {
        var raw: [Float] = []
        for (place, column) in inputs.columns.enumerated() { column.append(cells[row * 2 + place], to: &raw) }
        let description = InputDescription(scales: inputs.scales)
        #expect(description.scaled(Matrix([raw])).row(0) == Array(inputs.values.array[row * 5..<(row + 1) * 5]))
      }
    }
  }

  @Test func `a column of which the population has no cell is 0`() {
    let empty = LoggedTable(
      name: "t", columns: [columns[0]], cells: [.nan, .nan, 3], labels: [0, 1, 0], classes: ["no", "yes"])
    for scale in [TableScale.online, .unit, .standard] {
      #expect(
        PopulationInputs(empty, population: [0, 1], others: [2], scale: scale).values.array == [0, 0, 0, 0, 0, 0])
    }
  }
}

@Suite struct TablePeopleTests {
  private struct Shelf: DatasetLibrary {
    let table: LoggedTable
    func dataset(named name: String) throws -> Dataset { throw DatasetError(.missing, name) }
    func table(named name: String, _ request: TableRequest) throws -> LoggedTable { table }
  }

  /// Person p of `counts` has so many rows, an hour apart, all people in turn.
  private func table(_ counts: [Int], times: Bool = true) -> LoggedTable {
    let places = (0..<(counts.max() ?? 0)).flatMap { round in
      counts.indices.filter { counts[$0] > round }.map { Int32($0) }
    }
    return LoggedTable(
      name: "tiny", columns: [InputColumn(name: "x", kind: .number)], cells: places.indices.map { Float($0 * $0 % 31) },
      labels: places.indices.map { Int32($0 % 3 % 2) }, classes: ["no", "yes"],
      owners: RowOwners(places: places, names: counts.indices.map { "p\($0)" }),
      arrivals: times ? places.indices.map { Int64($0) * 3600 } : nil)
  }

  private func prepared(_ table: LoggedTable, _ change: (inout TableLog) -> Void = { _ in }) throws
    -> any PreparedScenario
  {
    var settings = TableLog()
    change(&settings)
    return try settings.preparePeople(from: Shelf(table: table))
  }

  private func stream(_ table: LoggedTable, seed: UInt64 = 0, _ change: (inout TableLog) -> Void = { _ in }) throws
    -> any PeopleStream
  {
    try #require(try prepared(table, change).makeStream(seed: Seed(seed)) as? any PeopleStream)
  }

  private func error(_ table: LoggedTable, _ change: (inout TableLog) -> Void = { _ in }) -> String? {
    do {
      _ = try prepared(table, change)
      return nil
    } catch { return (error as? ScenarioError).map { "\($0.parameter ?? "-"): \($0.description)" } ?? "\(error)" }
  }

  @Test(arguments: [TablePeople.Choice.drawn, .first])
  func `every row is the population's or one life's, and no two share one`(_ choice: TablePeople.Choice) throws {
    let table = table([9, 5, 7, 3, 8, 6])
    let stream = try stream(table) { $0.people.choice = choice }
    let lives = (0..<stream.people).map { stream.life(of: $0).rows }
    let population = stream.populationRows()
    let places = population.places + lives.flatMap(\.places)
    #expect(stream.people == 3 && places.sorted() == (0..<38).map { Int32($0) })
    let owners = [Set(population.owners ?? [])] + lives.map { Set($0.owners ?? []) }
    #expect(owners.map(\.count) == [3, 1, 1, 1] && Set(owners.flatMap { $0 }).count == 6)
    for life in lives {
      #expect(life.places == life.places.sorted() && life.times?[0] == 0)
      #expect(life.labels == life.places.map { table.labels[Int($0)] })
    }
    #expect(!stream.knowsLaws && stream.archetypes == [] && stream.mostConcepts == 1)
    #expect(stream.experiences.map(\.name) == ["population", "people"])
    #expect(stream.experiences[0].rows == population.count)
  }

  /// Rows 0, 3 and 6 of the table are those of the first person: 0, 3 and 6 hours; those of the third are 2, 5 and 7.
  @Test func `times count from a person's first row, and without times each row is a day`() throws {
    let timed = try stream(table([3, 2, 3])) { ($0.people.choice, $0.people.population) = (.first, 2) }
    #expect(timed.life(of: 0).rows.times == [0, 3 * 3600, 5 * 3600] && timed.days == 1)
    #expect(timed.populationRows().times == [0, 3 * 3600, 6 * 3600, 0, 3 * 3600])
    let plain = try stream(table([3, 2, 3], times: false)) { ($0.people.choice, $0.people.population) = (.first, 2) }
    #expect(plain.life(of: 0).rows.times == [0, 86_400, 172_800] && plain.days == 3)
  }

  @Test func `a life is the same whoever else is held out`() throws {
    let table = table([Int](repeating: 6, count: 20))
    let all = try stream(table, seed: 5) { $0.people.population = 8 }
    let few = try stream(table, seed: 5) { ($0.people.population, $0.people.users) = (8, 3) }
    #expect(all.people == 12 && few.people == 3)
    #expect(all.populationRows().batch.inputs == few.populationRows().batch.inputs)
    for person in 0..<3 {
      let (a, b) = (all.life(of: person).rows, few.life(of: person).rows)
      #expect(a.places == b.places && a.times == b.times && a.batch.inputs == b.batch.inputs && a.labels == b.labels)
    }
  }

  @Test func `a seed draws the same people again, another one others, and first draws none`() throws {
    let table = table([Int](repeating: 2, count: 30))
    func owners(_ seed: UInt64, _ choice: TablePeople.Choice) throws -> [Int32] {
      let stream = try stream(table, seed: seed) { $0.people.choice = choice }
      return (0..<stream.people).map { stream.life(of: $0).rows.owners?[0] ?? -1 }
    }
    #expect(try owners(1, .drawn) == owners(1, .drawn))
    #expect(try owners(1, .drawn) != owners(2, .drawn))
    #expect(try owners(1, .first) == (15..<30).map { Int32($0) } && owners(2, .first) == owners(1, .first))
  }

  @Test func `a share is rounded, and leaves one on either side`() throws {
    func members(_ population: Double, of count: Int) throws -> Int {
      count - (try stream(table([Int](repeating: 2, count: count))) { $0.people.population = population }).people
    }
    #expect(try [0.01, 0.3, 0.5, 0.99].map { try members($0, of: 5) } == [1, 2, 3, 4])
    #expect(try members(1, of: 5) == 1 && members(4, of: 5) == 4)
  }

  @Test func `people with few rows are left out and said so`() throws {
    let prepared = try prepared(table([9, 1, 7, 1, 8])) { $0.people.leastRows = 2 }
    #expect(prepared.remarks == ["2 of 5 people have fewer than 2 rows and take no part, with 2 of 26 rows"])
    let stream = try stream(table([9, 1, 7, 1, 8], times: false)) { $0.people.leastRows = 2 }
    let taken = stream.populationRows().count + (0..<stream.people).reduce(0) { $0 + stream.life(of: $1).rows.count }
    #expect(taken == 24)
    let remarks = try self.prepared(table([2, 2], times: false)).remarks
    #expect(
      remarks == [
        "nobody knows when rows arose: each counts as a day of its person's life. Name the column of dates or seconds with \"time\""
      ])
  }

  @Test func `a person of one row lives a day`() throws {
    let stream = try stream(table([4, 1])) { ($0.people.choice, $0.people.population) = (.first, 1) }
    let life = stream.life(of: 0)
    #expect(life.rows.count == 1 && life.rows.times == [0] && life.concepts == [0..<1] && life.archetype == -1)
    #expect(life.evaluationSet(ofConcept: 0) == nil && life.events().isEmpty)
  }

  @Test func `as tasks, what is judged is trained on in neither`() throws {
    let stream = try stream(table([9, 5, 7, 3, 8, 6]))
    let training = Set((0..<2).flatMap { stream.trainingRows(for: $0).places })
    for task in 0..<2 {
      let judged = stream.evaluationSet(for: task).rows
      #expect(!judged.places.isEmpty && training.isDisjoint(with: judged.places) && judged.experience == task)
      #expect(stream.trainingRows(for: task).count == stream.experiences[task].rows)
    }
    #expect(stream.streamedRows(for: 1).count == (0..<3).reduce(0) { $0 + stream.life(of: $1).rows.count })
  }

  @Test func `several labels make as many outputs, and names go with the inputs`() throws {
    var table = table([4, 4])
    table = LoggedTable(
      name: "t", columns: table.columns, cells: table.cells, labels: table.labels.indices.map { Int32($0 % 3) },
      classes: ["a", "b", "c"], owners: table.owners)
    let stream = try stream(table)
    #expect(stream.shape.outputs == 3 && stream.inputs?.outputs == ["a", "b", "c"] && stream.inputs?.columns == ["x"])
  }

  // MARK: - Messages

  @Test func `without people there is nobody to go on with`() {
    let nobody = LoggedTable(
      name: "t", columns: [InputColumn(name: "x", kind: .number)], cells: [1, 2], labels: [0, 1], classes: ["a", "b"])
    #expect(
      error(nobody)
        == "owner: nobody knows whose the rows of \"t\" are, and \"personal\" goes on with single people. Name the column of "
        + "users here, or with \"owner\" in dataset.json")
    #expect(
      error(table([5]))
        == "owner: all rows of \"tiny\" are of \"p0\"; 2 people are needed, one for the population and one to go on with"
    )
    let flat = LoggedTable(
      name: "flat", columns: nobody.columns, cells: [1, 2], labels: [0, 0], classes: ["a"],
      owners: RowOwners(places: [0, 1], names: ["x", "y"]))
    #expect(error(flat) == "label: every row of \"flat\" has the same label; at least 2 different ones are needed")
  }

  @Test func `more rows than people have are refused with the most that goes`() {
    #expect(
      error(table([9, 5, 7])) { $0.people.leastRows = 20 }
        == "people.leastRows: nobody of the 3 of \"tiny\" has 20 rows; 2 are needed, one for the population and one to go on "
        + "with. Take at most 7")
    #expect(
      error(table([9, 5, 7])) { $0.people.leastRows = 8 }
        == "people.leastRows: one person alone of the 3 of \"tiny\" has 8 rows; 2 are needed, one for the population and one "
        + "to go on with. Take at most 7")
    #expect(error(table([9, 5, 7])) { $0.people.leastRows = 7 } == nil)
  }

  @Test func `a population of everybody, or of part of a person, is refused`() {
    #expect(
      error(table([2, 2, 2])) { $0.people.population = 3 }
        == "people.population: of 3 people 3 are the population, which leaves nobody to go on with. Take at most 2")
    #expect(
      error(table([2, 2, 2])) { $0.people.population = 1.5 }
        == "people.population: 1.5 is neither a share nor a number of people. Below 1 it is a share; from 1 on a whole number"
    )
    var settings = TableLog()
    settings.people.population = 1.5
    #expect(throws: ScenarioError.self) { try settings.check() }
  }

  @Test func `a life of more days than a file of results holds is refused`() {
    let long = LoggedTable(
      name: "t", columns: [InputColumn(name: "x", kind: .number)], cells: [1, 2, 3], labels: [0, 1, 0],
      classes: ["a", "b"], owners: RowOwners(places: [0, 1, 1], names: ["ann", "bob"]),
      arrivals: [0, 10, 10 + 86_400 * 100_000])
    #expect(
      error(long)
        == "time: the rows of \"bob\" span 100001 days, and a life has at most 100000. Times are dates, or seconds")
    #expect(
      error(table([2, 100_001], times: false))
        == "time: \"p1\" has 100001 rows, a day each as nobody knows when they arose, and a life has at most 100000 days. Name "
        + "the column of times here, or take fewer rows with \"thin\"")
    #expect(error(table([2, 100_001], times: false)) { $0.thin = 2 } == nil)
  }

  @Test func `a schedule of tasks is refused where there are people`() {
    #expect(
      error(table([2, 2])) { $0.composition.schedule.name = .inTurn }
        == "schedule: it says when tasks are in force, and \"personal\" goes on with single people. Take one of them away"
    )
  }
}
