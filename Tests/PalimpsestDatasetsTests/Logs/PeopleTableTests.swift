import PalimpsestCore
import PalimpsestScenarios
import Testing

import PalimpsestDatasets

/// The people of a table as it stands in a file.
@Suite struct PeopleTableTests {
  /// Bob's rows are the population (he comes first in time, not in the file), ann's stand in the file in no order.
  private let text = """
    date,user,steps,place,done
    2024-02-03,ann,400,shop,yes
    2024-01-15,bob,100,home,no
    2024-01-20,ann,NA,gym,maybe
    2024-01-17,bob,,gym,maybe
    2024-01-18,bob,300,home,no
    2024-01-20,ann,200,home,no
    """

  private func stream(_ text: String, json: String? = nil, _ change: (inout TableLog) -> Void = { _ in }) throws
    -> any PeopleStream
  {
    let scratch = try Scratch()
    try scratch.write("set/t.csv", text)
    if let json { try scratch.write("set/dataset.json", json) }
    var settings = TableLog()
    (settings.dataset, settings.label, settings.scale, settings.people.choice) = ("set", "done", .none, .first)
    change(&settings)
    let stream = try settings.preparePeople(from: scratch.library).makeStream(seed: Seed(0))
    return try #require(stream as? any PeopleStream)
  }

  /// Steps of bob are 100, a gap and 300: median 200. Ann's `shop` is none of his places. Labels are maybe, no, yes.
  @Test func `the population and a life are the file's rows, in order of time`() throws {
    let stream = try stream(text) { ($0.owner, $0.time) = ("user", "date") }
    #expect(stream.inputs?.columns == ["steps", "steps missing", "place=shop", "place=home", "place=gym"])
    let (population, life) = (stream.populationRows(), stream.life(of: 0).rows)
    #expect(population.batch.inputs.rowList == [[100, 0, 0, 1, 0], [200, 1, 0, 0, 1], [300, 0, 0, 1, 0]])
    #expect(population.labels == [1, 0, 1] && population.times == [0, 172_800, 259_200])
    #expect(life.batch.inputs.rowList == [[200, 1, 0, 0, 1], [200, 0, 0, 1, 0], [400, 0, 0, 0, 0]])
    #expect(life.labels == [0, 1, 2] && life.times == [0, 0, 14 * 86_400])
    #expect(stream.people == 1 && stream.days == 15 && stream.shape.outputs == 3)
  }

  @Test func `the file beside the table says whose rows are, and when they arose`() throws {
    let said = try stream(text, json: #"{ "owner": "user", "time": "date" }"#)
    let asked = try stream(text) { ($0.owner, $0.time) = ("user", "date") }
    #expect(said.life(of: 0).rows.batch.inputs == asked.life(of: 0).rows.batch.inputs)
    #expect(said.life(of: 0).rows.times == asked.life(of: 0).rows.times)
  }

  @Test func `a table without a column of users has nobody to go on with`() {
    let error = #expect(throws: ScenarioError.self) { try stream(text) }
    #expect(error?.parameter == "owner")
    #expect(error?.description.hasPrefix("nobody knows whose the rows of \"set\" are") == true)
  }

  private static let library = DatasetFolder.standard()

  @Test(.enabled(if: library.location(of: "diabetes-logs") != nil, "skipped: diabetes-logs is not there"))
  func `the readings of 70 people are a population's and 35 lives'`() throws {
    var log = TableLog()
    (log.dataset, log.time) = ("diabetes-logs", "time")
    let prepared = try log.preparePeople(from: PeopleTableTests.library)
    let stream = try #require(prepared.makeStream(seed: Seed(0)) as? any PeopleStream)
    let lives = (0..<stream.people).map { stream.life(of: $0).rows }
    #expect(stream.people == 35 && prepared.remarks.isEmpty)
    #expect(stream.populationRows().count + lives.reduce(0) { $0 + $1.count } == 13_453)
    #expect(lives.allSatisfy { life in zip(life.times ?? [], (life.times ?? []).dropFirst()).allSatisfy { $0 <= $1 } })
  }
}

extension Matrix {
  fileprivate var rowList: [[Float]] { (0..<rows).map { row($0) } }
}
