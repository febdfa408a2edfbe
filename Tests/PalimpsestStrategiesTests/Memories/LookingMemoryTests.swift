import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

/// A memory that looks at the network is checked as the learner asks it, with a look, and as a transform asks it, without.
@Suite struct LookingMemoryTests {
  @Test func `a memory that looks keeps the laws with a look and without`() {
    for capacity in [1, 3, 50] {
      var memory = Looking()
      memory.capacity = capacity
      #expect(MemoryLaws.check(memory) == [])
      #expect(LearnerLaws.violations(of: [memory]) == [])
    }
  }

  /// So that the laws see something: with a look it keeps and brings back other rows.
  @Test func `what it sees decides what it keeps`() {
    var (looking, plain, rng) = (Looking(), Looking(), Random(key: 1))
    let rows = PenaltyWorld.rows(40, inputs: 5, labels: 0..<3)
    var lender = Lender(PenaltyWorld.linear(inputs: 5, outputs: 3), using: Random(key: 2))
    looking.insert(rows.batch, Fixture.context(), &lender, using: &rng)
    plain.insert(rows.batch, Fixture.context(), using: &rng)
    #expect(Fixture.content(looking, columns: 5).inputs != Fixture.content(plain, columns: 5).inputs)
    let (kept, all) = (lender.losses(of: Fixture.content(looking, columns: 5)), lender.losses(of: rows.batch))
    #expect(kept.sorted() == all.sorted().suffix(3))
  }

  @Test(arguments: [
    (Looking.Fault.overfull, "4 rows are held where 3 are allowed"), (.new, "a row was drawn that was never offered"),
    (.twice, "gave a row twice"), (.unseeded, "the same seed gave other rows"),
    (.forgetful, "a decoded checkpoint went on with other rows"),
  ])
  func `a memory that breaks a law where it looks is found`(fault: Looking.Fault, says: String) {
    let said = MemoryLaws.check(Looking(fault))
    #expect(!said.isEmpty && said.allSatisfy { $0.hasPrefix("looking, looking: ") }, "\(said)")
    #expect(said.contains { $0.contains(says) }, "\(said)")
  }

  @Test func `a memory that gives nothing to those who ask without a look is found`() {
    let said = MemoryLaws.check(Looking(.blind))
    #expect(!said.isEmpty && said.allSatisfy { $0.hasPrefix("looking: ") })
    #expect(said.contains { $0.hasSuffix("a draw of 1 from 3 gave 0 rows") }, "\(said)")
  }

  @Test func `a memory that does not say that it looks is found`() {
    let said = MemoryLaws.check(Secret())
    #expect(
      said.first?.hasSuffix("it holds other rows with a look at the network, and does not say that it looks") == true)
  }
}

/// Keeps the rows of the largest losses, and brings back those whose losses a step on the new rows raises most; one fault where asked.
struct Looking: Memory {
  enum Fault: String, Codable, Sendable { case none, overfull, new, twice, unseeded, forgetful, blind }

  static let name = "looking"
  static let summary = "Keeps rows of large losses, brings back those that suffer most."
  static let source = "For tests; the draw is that of Aljundi et al. 2019 with all rows as candidates."
  static let looks = true

  @Parameter("Rows.", .atLeast(1)) var capacity: Int = 3
  var replay = ReplayOptions()
  private var fault = Fault.none
  private var rows = Batch(columns: 5)
  private var losses: [Float] = []
  /// Not among the state that is encoded.
  private var skips = 0

  init() {}
  init(_ fault: Fault) { self.fault = fault }

  private enum CodingKeys: CodingKey { case capacity, replay, fault, rows, losses }

  var count: Int { rows.count }

  mutating func insert(_ batch: Batch, _ context: StepContext, using rng: inout Random) {
    for row in 0..<batch.count where count < capacity { append(row, of: batch, 0) }
  }

  mutating func draw(_ n: Int, into batch: inout Batch, using rng: inout Random) {
    if fault == .blind { return }
    for row in 0..<min(n, count) { batch.append(row: row, of: rows) }
  }

  mutating func insert(_ batch: Batch, _ context: StepContext, _ lender: inout Lender, using rng: inout Random) {
    let seen = lender.losses(of: batch)
    if fault == .forgetful { skips += 1 }
    for row in 0..<batch.count {
      if count < capacity + (fault == .overfull ? 1 : 0) {
        append(row, of: batch, seen[row])
      } else if let least = losses.indices.min(by: { losses[$0] < losses[$1] }), replaces(seen[row], losses[least]) {
        rows.replace(row: least, with: batch, row: row)
        losses[least] = seen[row]
      }
    }
  }

  private func replaces(_ new: Float, _ least: Float) -> Bool {
    switch fault {
    case .unseeded: Bool.random()
    case .forgetful: skips % 2 == 0
    default: new > least
    }
  }

  mutating func draw(
    _ n: Int, for new: Batch, into batch: inout Batch, _ lender: inout Lender, using rng: inout Random
  ) {
    guard count > 0 else { return }
    if fault == .new { return batch.append(row: 0, of: new) }
    let before = lender.losses(of: rows)
    var gradient = FloatBuffer(count: 0)
    lender.gradient(of: new, into: &gradient)
    lender.move(along: gradient, times: -0.1)
    let after = lender.losses(of: rows)
    let order = (0..<count).sorted { after[$0] - before[$0] > after[$1] - before[$1] }
    for place in order.prefix(n) { batch.append(row: fault == .twice ? order[0] : place, of: rows) }
  }

  private mutating func append(_ row: Int, of batch: Batch, _ loss: Float) {
    rows.append(row: row, of: batch)
    losses.append(loss)
  }
}

/// Keeps its rows only where it is lent a network, and does not ask for one.
private struct Secret: Memory {
  static let name = "secret"
  static let summary = "Looks, and does not say so."
  static let source = "For tests."
  private var rows = Batch(columns: 5)
  var replay = ReplayOptions()
  var count: Int { rows.count }

  mutating func insert(_ batch: Batch, _ context: StepContext, using rng: inout Random) {}
  mutating func insert(_ batch: Batch, _ context: StepContext, _ lender: inout Lender, using rng: inout Random) {
    if count == 0 { rows.append(row: 0, of: batch) }
  }
  mutating func draw(_ n: Int, into batch: inout Batch, using rng: inout Random) {
    for row in 0..<min(n, count) { batch.append(row: row, of: rows) }
  }
}
