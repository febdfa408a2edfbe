import PalimpsestCore
import PalimpsestScenarios
import PalimpsestTesting
import Testing

/// Tasks over a data set composed through time.
@Suite struct DataScheduleTests {
  private static func settings(_ change: (inout CompositionSettings) -> Void) -> CompositionSettings {
    var settings = CompositionSettings()
    change(&settings)
    return settings
  }

  static let compositions: [CompositionSettings] = [
    settings { $0.schedule.name = .inTurn }, settings { ($0.transition, $0.width) = (.linear, 8) },
    settings { ($0.schedule.name, $0.schedule.order) = (.recurring, [1, 2, 0]) },
    settings { $0.schedule.name = .seasonal }, settings { ($0.schedule.name, $0.schedule.stay) = (.markov, 0.7) },
    settings { $0.schedule.name = .gaussian }, settings { $0.schedule.name = .blip },
  ]

  private func split(_ setting: Split.Setting, _ composition: CompositionSettings = CompositionSettings()) -> Split {
    var split = Split()
    (split.data, split.setting, split.composition) = (unscaled(), setting, composition)
    return split
  }

  private let rows = TinyLibrary.table(classes: 6, rows: 8)

  private func stream(_ scenario: any Scenario, _ library: any DatasetLibrary) throws -> any DriftStream {
    try scenario.prepare(from: library).makeStream(seed: Seed(3))
  }

  /// Row by row against the tasks without a schedule: a law's n-th row is the task's own n-th, and behind the last one each comes
  /// again once before any comes a third time.
  private func mismatch(_ composed: any DriftStream, _ plain: any DriftStream) throws -> String? {
    var shown = [[Int]](repeating: [], count: plain.experiences.count)
    let own = plain.experiences.map { plain.trainingRows(for: $0.index) }
    let inputs = own.map(\.batch.inputs)
    for task in composed.experiences.indices {
      let rows = composed.trainingRows(for: task)
      let concepts = try #require(composed.concepts(for: task))
      if rows.count != own[task].count || concepts.count != rows.count { return "rows of task \(task)" }
      let batch = rows.batch.inputs
      for row in 0..<rows.count {
        let law = concepts[row]
        let (round, place) = shown[law].count.quotientAndRemainder(dividingBy: own[law].count)
        let same = (0..<own[law].count).filter {
          inputs[law].row($0) == batch.row(row) && own[law].labels[$0] == rows.labels[row]
        }
        let new = Set(same).subtracting(shown[law].suffix(place))
        guard let found = round == 0 ? (same.contains(place) ? place : nil) : new.min() else {
          return "task \(task), row \(row) of law \(law)"
        }
        shown[law].append(found)
      }
    }
    return nil
  }

  @Test(arguments: compositions, [Split.Setting.domainIncremental, .classIncremental])
  func `a row is the next one of the classes in force`(composition: CompositionSettings, setting: Split.Setting)
    throws
  {
    let (composed, plain) = (
      try stream(split(setting, composition), rows), try stream(split(setting), rows)
    )
    #expect(try mismatch(composed, plain) == nil)
    // They are places in the one table that the data set has.
    #expect(composed.trainingRows(for: 1).table.rows == 72)
    for task in 0..<3 {
      #expect(composed.evaluationSet(for: task).rows.places == plain.evaluationSet(for: task).rows.places)
      #expect(composed.evaluationSet(for: task).candidates == plain.evaluationSet(for: task).candidates)
    }
    #expect(composed.mixture(for: 0) == nil && composed.truth == nil)
    #expect(try ScenarioLaws.violations(of: split(setting, composition), library: rows) == [])
  }

  @Test func `a task has the outputs of the classes that it shows, and of those before`() throws {
    let composition = DataScheduleTests.settings { ($0.schedule.name, $0.schedule.at) = (.inTurn, [10, 30]) }
    let composed = try stream(split(.classIncremental, composition), rows)
    #expect(composed.experiences.map(\.outputs) == [0..<4, 2..<6, 4..<6])
    #expect(composed.experiences.map(\.seenOutputs) == [0..<4, 0..<6, 0..<6])
    #expect(composed.events == [DriftEvent](changesAt: [0, 10, 30]))
    let domain = try stream(split(.domainIncremental, composition), rows)
    #expect(domain.experiences == (try stream(split(.domainIncremental), rows)).experiences)
  }

  /// 3 tasks of 16 rows: the first has row 0 to 39, so its 16 come once, again, and 8 a third time.
  @Test func `rows begin anew in another order where they are used up, and that is said`() throws {
    let composition = DataScheduleTests.settings { ($0.schedule.name, $0.schedule.at) = (.inTurn, [40, 44]) }
    let prepared = try split(.domainIncremental, composition).prepare(from: rows)
    let stream = prepared.makeStream(seed: Seed(3))
    let places = (0..<3).flatMap { stream.trainingRows(for: $0).places }
    let rounds = [places[0..<16], places[16..<32], places[32..<40]].map { Array($0) }
    #expect(rounds[0] == rounds[0].sorted() && Set(rounds[1]) == Set(rounds[0]) && rounds[1] != rounds[0])
    #expect(Set(rounds[2]).count == 8 && Set(rounds[2]).isSubset(of: rounds[0]))
    #expect(
      prepared.remarks == [
        "the schedule shows 40 rows of task \"c0, c1\", which has 16: they come again, in another order each time"
      ])
  }

  // MARK: - Images

  @Test(arguments: compositions) func `images are shown in the way of the task in force`(
    composition: CompositionSettings
  ) throws {
    let images = TinyLibrary.images(height: 3, width: 3)
    func expect<S: Scenario>(_ plain: S, _ change: (inout S) -> Void) throws {
      let composed = with(plain, change)
      #expect(try mismatch(stream(composed, images), stream(plain, images)) == nil, "\(S.name)")
      #expect(try ScenarioLaws.violations(of: composed, library: images) == [])
    }
    var composition = composition
    // 3 tasks of 4 rows.
    if composition.width != nil { composition.width = 3 }
    try expect(with(Permuted()) { $0.tasks = 3 }) { $0.composition = composition }
    try expect(with(Permuted()) { ($0.tasks, $0.pad) = (3, 5) }) { $0.composition = composition }
    try expect(Rotated()) { $0.composition = composition }
    try expect(with(Rotated()) { $0.interpolation = .bilinear }) { $0.composition = composition }
  }

  @Test func `bytes stay bytes, and columns of numbers are permuted too`() throws {
    let composition = DataScheduleTests.settings { $0.schedule.name = .recurring }
    let permuted = with(Permuted()) { ($0.tasks, $0.composition) = (3, composition) }
    let images = try stream(permuted, TinyLibrary.images(height: 3, width: 3))
    #expect(images.trainingRows(for: 1).table.bytes == 4 * 9)
    let table = TinyLibrary(
      dataset: Dataset(
        name: "numbers", inputs: Table(FloatBuffer((0..<60).map { Float($0 * $0 % 17) }), columns: 5),
        labels: (0..<12).map { $0 % 2 }, classes: ["a", "b"], training: 0..<8, test: 8..<12))
    let plain = with(permuted) { $0.composition = CompositionSettings() }
    #expect(try mismatch(stream(permuted, table), stream(plain, table)) == nil)
  }

  // MARK: - Tables

  private func log(_ groups: [Int32], days: Bool = false) -> LoggedTable {
    LoggedTable(
      name: "tiny", columns: [InputColumn(name: "x", kind: .number)], cells: groups.indices.map { Float($0) },
      labels: groups.indices.map { Int32($0 % 2) }, classes: ["no", "yes"],
      arrivals: days ? groups.indices.map { Int64($0) * 86_400 } : nil,
      groups: RowOwners(places: groups, names: ["on", "off"]))
  }

  private struct Shelf: DatasetLibrary {
    let log: LoggedTable

    func dataset(named name: String) throws -> Dataset { throw DatasetError(.missing, "none") }
    func table(named name: String, _ request: TableRequest) throws -> LoggedTable { log }
  }

  private func table(_ composition: CompositionSettings = CompositionSettings()) -> TableLog {
    with(TableLog()) {
      ($0.tasks.by, $0.tasks.column, $0.scale, $0.test, $0.composition) = (.runs, "state", .none, 0.25, composition)
    }
  }

  @Test(arguments: compositions) func `a table's tasks come by the schedule, without the rows that they are judged on`(
    composition: CompositionSettings
  ) throws {
    let shelf = Shelf(log: log((0..<48).map { $0 / 16 % 2 }))
    let (composed, plain) = (try stream(table(composition), shelf), try stream(table(), shelf))
    #expect(try mismatch(composed, plain) == nil)
    let judged = Set((0..<3).flatMap { composed.evaluationSet(for: $0).rows.places })
    for task in 0..<3 {
      #expect(composed.streamedRows(for: task).places == composed.trainingRows(for: task).places)
      #expect(judged.isDisjoint(with: composed.streamedRows(for: task).places))
    }
    // The third task is the first one's state again.
    #expect(composed.taskConcepts == [0, 1, 0])
    let isBack = { (event: DriftEvent) in Set([event.before ?? -1, event.behind ?? -1]) == Set([0, 2]) }
    #expect(composed.events?.contains(where: isBack) == false)
    #expect(try ScenarioLaws.violations(of: table(composition), library: shelf) == [])
  }

  @Test func `times go with the rows as long as they ascend`() throws {
    let shelf = Shelf(log: log((0..<48).map { $0 / 16 % 2 }, days: true))
    let inTurn = try stream(table(DataScheduleTests.compositions[0]), shelf)
    #expect(inTurn.trainingRows(for: 1).times == (try stream(table(), shelf)).trainingRows(for: 1).times)
    #expect(try stream(table(DataScheduleTests.compositions[2]), shelf).trainingRows(for: 1).times == nil)
  }

  // MARK: - Messages

  @Test func `what a schedule cannot do with a data set is said at its place`() {
    let library = TinyLibrary.table(classes: 6, rows: 8)
    func error(_ change: (inout Split) -> Void) -> String? {
      refusal(with(split(.domainIncremental, DataScheduleTests.compositions[0]), change), library)
    }
    #expect(error { _ in } == nil)
    #expect(
      error { $0.setting = .taskIncremental }
        == "setting: with a schedule or transition the rows of a task are of several groups of classes, and \"task\" allows "
        + "the outputs of one alone. Take \"domain\" or \"class\"")
    #expect(
      error { $0.composition.schedule.name = .incremental }
        == "schedule.name: \"incremental\" moves parameters from one concept to the next, and rows of a data set have none. "
        + "Take \"gaussian\", or a transition.")
    #expect(
      error { $0.identity = .given }
        == "identity: rows of one part of the stream are made by several concepts, so none can be told. It must be "
        + "\"hidden\".")
    #expect(
      error { $0.composition.schedule.at = [10, 48] }
        == "schedule.at: 48 is no row behind the first of 48. There are 1 to 47.")
    #expect(
      error { ($0.composition.schedule.name, $0.composition.transition, $0.composition.width) = (nil, .sigmoid, 17) }
        == "width: 17 rows are more than the 16 of the shortest task. Take at most 16.")
    // Before any data are looked for.
    #expect(Classic.error(with(Permuted()) { $0.composition.width = 3 })?.parameter == "width")
    #expect(Classic.error(with(Rotated()) { $0.composition.schedule.stay = 0.5 })?.parameter == "schedule.stay")
    #expect(
      Classic.error(with(TableLog()) { $0.composition.schedule.name = .incremental })?.parameter == "schedule.name")
  }

  /// 2,000 tasks of 101 rows of 2,000 floats.
  @Test func `rows that would not fit into memory are refused`() {
    let library = TinyLibrary(
      dataset: Dataset(
        name: "wide", inputs: Table(FloatBuffer(count: 103 * 2000), columns: 2000),
        labels: (0..<103).map { $0 % 2 }, classes: ["a", "b"], training: 0..<101, test: 101..<103))
    let scenario = with(Permuted()) { ($0.tasks, $0.composition.schedule.name) = (2000, .inTurn) }
    #expect(
      refusal(scenario, library)
        == "rowsPerTask: a schedule copies the rows that it shows, and 202000 rows of 8000 bytes are more than 1600 MB. "
        + "Take at most 100.")
  }
}
