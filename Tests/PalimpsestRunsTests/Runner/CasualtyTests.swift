import Foundation
import PalimpsestCore
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestRuns
import PalimpsestScenarios
import Synchronization
import TestFixtures
import Testing

/// Parts that end their process.
struct CasualtyTests {
  static let fatal = 1

  static func plan(_ way: String) throws -> Plan {
    let strategies = """
      "naive": [], "own": [{ "name": "fatal", "seed": \(fatal), "way": "\(way)" }]
      """
    return try Plan(
      Fixture.small(strategies: strategies, #""seeds": 4"#, catalog: Catalog.standard.adding(FatalPart.self)))
  }

  static func run(
    _ way: String, in path: String, jobs: Int = 1, retriesFailed: Bool = false,
    note: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> RunProgress {
    let checkpoints = Checkpoints(every: .steps(1), note: note)
    let runner = Runner(
      try plan(way), output: ResultsFolder(path), library: EmptyLibrary(), jobs: jobs, retriesFailed: retriesFailed,
      checkpoints: checkpoints)
    return try await runner.run { _ in }
  }

  static func die(_ way: String, in path: String, retriesFailed: Bool = false) async {
    await #expect(processExitsWith: .failure) {
      [way = way as String, path = path as String, retriesFailed = retriesFailed as Bool] in
      _ = try await CasualtyTests.run(way, in: path, retriesFailed: retriesFailed)
    }
  }

  let folder: TemporaryFolder
  let output: ResultsFolder

  init() throws {
    folder = try TemporaryFolder()
    output = ResultsFolder(folder("r"))
  }

  private func entries() throws -> [JournalEntry] { try output.journal().entries }

  private var hands: [String] { ((try? Files.names(in: output.progressFolder)) ?? []).filter { $0.hasSuffix(".hand") } }

  private func permissions(of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test(arguments: ["trap", "index", "recursion", "abort"])
  func `a run that two processes died over fails, the others go on, and it can be tried again`(_ way: String)
    async throws
  {
    await CasualtyTests.die(way, in: output.cube)
    #expect(hands.count == 1)
    let other = folder("other")
    #expect(FileManager.default.createFile(atPath: other, contents: nil))
    #expect(try permissions(of: "\(output.progressFolder)/\(hands[0])") == permissions(of: other))
    await CasualtyTests.die(way, in: output.cube)
    #expect(hands.count == 2)
    #expect(try Set(entries().map(\.runID)).count == 7, "the one to blame comes last")
    #expect(try Files.names(in: output.detailFolder).count == 1)

    let end = try await CasualtyTests.run(way, in: output.cube)
    #expect(end.done == 8 && end.doneBefore == 7 && end.failed == 1)
    let record = try #require(entries().first { $0.record.status == .failed }?.record)
    let signal = ["recursion": "SIGSEGV", "abort": "SIGABRT"][way] ?? "SIG(ILL|TRAP)"
    let death = #"process \S+-\d+ died of "# + signal
    let message = try Regex(
      "its process died twice while it ran \\(\(death), \(death)\\): a part may trap. --retry-failed tries it again")
    #expect(record.error.wholeMatch(of: message) != nil, "\(record.error)")
    #expect(hands == [])
    #expect(try Files.names(in: output.detailFolder) == [])
    #expect(try await CasualtyTests.run(way, in: output.cube).ended == 0)

    await CasualtyTests.die(way, in: output.cube, retriesFailed: true)
    #expect(hands.count == 1)
  }

  @Test func `a death that left no word, or that other runs caused, counts for nothing`() async throws {
    let ids = try CasualtyTests.plan("none").runs.map(\.id)
    try Files.makeFolder(output.progressFolder)
    for (number, signals) in [(1, ["00", "00"]), (2, ["00", "00"]), (3, ["11", "00"]), (4, ["00", "04"])] {
      let lines = [("", "00"), (ids[0], signals[0]), (ids[1], signals[1])].map { id, signal in
        id.padding(toLength: 97, withPad: " ", startingAt: 0) + signal + "\n"
      }
      try Files.replace("\(output.progressFolder)/\(Provenance.hostName)-99999999-\(number).hand", with: lines.joined())
    }
    let notes = SpyNotes()
    let end = try await CasualtyTests.run("none", in: output.cube) { notes.add($0) }
    #expect(end.completed == 8)
    #expect(
      notes.all.sorted()
        == [
          "run \(ids[0]): process \(Provenance.hostName)-99999999 died of SIGSEGV while it ran; it is tried once more",
          "run \(ids[1]): process \(Provenance.hostName)-99999999 died of SIGILL while it ran; it is tried once more",
        ].sorted())
    #expect(hands == [])
  }

  @Test(arguments: [0, 1, 100, 300, 5000]) func `a damaged file of the dead is passed over`(_ length: Int) async throws
  {
    try Files.makeFolder(output.progressFolder)
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 7) }
    try Files.replace("\(output.progressFolder)/\(Provenance.hostName)-99999999-1.hand", with: bytes)
    #expect(try await CasualtyTests.run("none", in: output.cube).completed == 8)
  }
}

/// What was said.
private final class SpyNotes: Sendable {
  private let notes = Mutex<[String]>([])

  func add(_ note: String) { notes.withLock { $0.append(note) } }

  var all: [String] { notes.withLock { $0 } }
}

/// Ends its process in the third step of a seed.
struct FatalPart: WholeLearner {
  static let name = "fatal"
  static let summary = "Ends its process."
  static let source = "For tests."

  @Parameter("The seed it does not survive.") var seed: Int = 0
  @Parameter("How it ends: trap, index, recursion, abort or none.") var way: String = "none"

  func makeLearner(_ setup: LearnerSetup) -> any Learner {
    guard let inner = try? ComposedLearner(setup, []) else { return StubLearner() }
    let isFatal = setup.seed == Seed(UInt64(seed)).derived("learner")
    return FatalLearner(inner: inner, way: isFatal ? way : "none")
  }
}

private struct FatalLearner: Learner {
  var inner: ComposedLearner
  let way: String

  mutating func begin(_ experience: ExperienceInfo) { inner.begin(experience) }

  mutating func learn(_ batch: Batch, _ context: StepContext) -> StepReport {
    if context.step == 2 { end() }
    return inner.learn(batch, context)
  }

  private func end() {
    switch way {
    case "trap": preconditionFailure("a part of one's own")
    case "index": _ = [1, 2, 3][way.count]
    case "recursion": _ = FatalLearner.depth(way.count)
    case "abort": abort()
    default: break
    }
  }

  /// Deeper than any stack.
  private static func depth(_ n: Int) -> Int { n == 0 ? 0 : 1 + depth(n + 1) + n % 3 }

  mutating func finish(_ experience: ExperienceInfo, revisiting data: Rows) {
    inner.finish(experience, revisiting: data)
  }

  func predict(_ inputs: Matrix, knowing experience: Int?) -> Matrix { inner.predict(inputs, knowing: experience) }
  func predictableOutputs(knowing experience: Int?) -> Range<Int> { inner.predictableOutputs(knowing: experience) }
  var cost: LearnerCost { inner.cost }
  var isFinite: Bool { inner.isFinite }
  func saveState(to encoder: any Encoder) throws { try inner.saveState(to: encoder) }
  mutating func restoreState(from decoder: any Decoder) throws { try inner.restoreState(from: decoder) }
}
