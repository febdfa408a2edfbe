import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

/// All memories, as the laws see them.
private let memories: [any Memory.Type] = [
  Reservoir.self, Ring.self, ClassBalanced.self, Herding.self, KCentre.self,
]

/// Rows of the laws' stream have 5 columns and cost 28 bytes.
private let capacities: [(capacity: String, unit: String)] = [
  ("1", "rows"), ("4", "rows"), ("10", "rows"), ("1000", "rows"),
  ("27", "bytes"), ("28", "bytes"), ("100", "bytes"), ("283", "bytes"), ("30000", "bytes"),
]

@Suite struct MemoryLawTests {
  @Test(arguments: ["total", "class", "task"], capacities)
  func `every memory keeps the laws`(per: String, size: (capacity: String, unit: String)) throws {
    for type in memories {
      let memory = try type.init(settings: [
        "capacity": .number(size.capacity), "unit": .string(size.unit), "per": .string(per),
      ])
      #expect(MemoryLaws.check(memory) == [])
    }
  }

  @Test(arguments: [
    ["insert": "every-epoch"], ["space": "input"], ["space": "input", "outliers": "0.3"],
    ["space": "features", "outliers": "0.9"],
  ])
  func `every memory keeps the laws whatever its other settings`(settings: [String: String]) throws {
    for type in memories {
      var values: [String: ParameterValue] = ["capacity": .number("8")]
      for (name, text) in settings { values[name] = Double(text) == nil ? .string(text) : .number(text) }
      #expect(MemoryLaws.check(try type.init(settings: values)) == [])
    }
  }

  @Test(arguments: [Unlawful.Fault.tooMany, .foreign, .twice, .forgetful, .unseeded, .relabelled, .untagged])
  func `a memory that breaks a law is found`(fault: Unlawful.Fault) {
    let found = MemoryLaws.check(Unlawful(fault))
    #expect(found.contains { $0.contains(fault.rawValue) }, "\(found)")
  }

  @Test func `the same parameters are the memories' own`() {
    let shared = ["capacity", "unit", "per"]
    let replay = ["draw", "weighing", "beta", "start"]
    #expect(Reservoir.declaredParameters.map(\.name) == shared + ["insert"] + replay)
    #expect(Ring.declaredParameters.map(\.name) == shared + ["insert"] + replay)
    #expect(ClassBalanced.declaredParameters.map(\.name) == shared + ["insert"] + replay)
    #expect(Herding.declaredParameters.map(\.name) == shared + ["space"] + replay)
    #expect(KCentre.declaredParameters.map(\.name) == shared + ["space", "outliers"] + replay)
  }

  @Test func `a capacity of 0 is refused`() {
    for type in memories {
      let error = #expect(throws: ParameterError.self) { try type.init(settings: ["capacity": .number("0")]) }
      #expect(error?.description == "capacity: expected a whole number in [1, 1000000000000], found 0")
    }
  }

  @Test func `a capacity that holds no row is a problem and holds none`() {
    var memory = Reservoir()
    memory.limits.unit = .bytes
    memory.limits.capacity = 71
    // 16 columns: (16 + 2) × 4 = 72 bytes a row.
    let problem =
      "capacity: 71 bytes hold no row. A row of 16 columns takes 72 bytes; give at least 72, "
      + "or set \"unit\" to \"rows\"."
    func setup(_ columns: Int) -> LearnerSetup {
      LearnerSetup(shape: TaskShape(inputs: columns, outputs: 1), hidden: [], seed: Seed(1))
    }
    #expect(memory.problem(in: setup(16), beside: [memory]) == problem)
    #expect(memory.problem(in: setup(15), beside: [memory]) == nil)
    memory.limits.capacity = 72
    #expect(memory.problem(in: setup(16), beside: [memory]) == nil && memory.limits.rows(of: 72) == 1)
    // With a stored answer 4 bytes more.
    #expect(
      memory.problem(in: setup(16), beside: [memory, DarkReplay()])?.contains("with 1 stored answer takes 76") == true)
  }

  @Test func `bytes are those of the rows held`() throws {
    for type in memories {
      var memory = try type.init(settings: ["capacity": .number("5")])
      var rng = Random(key: 1)
      let data = Fixture.numbered([0, 1, 0, 1, 0, 1, 0, 1, 0])
      memory.insert(data.batch, Fixture.context(), using: &rng)
      memory.consolidate(Fixture.ended(data, task: 0), using: &rng)
      // 5 rows of 1 column: 5 · (1 + 2) · 4
      #expect(memory.count == 5 && memory.bytes == 60)
    }
  }

  @Test func `a learner replays what its memory holds`() throws {
    var memory = Reservoir()
    memory.limits.capacity = 6
    let setup = LearnerSetup(shape: TaskShape(inputs: 1, outputs: 2), hidden: [4], seed: Seed(1))
    var learner = try setup.makeLearner([memory])
    learner.begin(Fixture.info(0, rows: 8))
    let batch = Fixture.numbered([0, 1, 0, 1]).batch
    // Nothing is held in the first step; then 4; then the 6 that there is room for, of which 4 are drawn.
    let rows = (0..<3).map { _ in learner.learn(batch, Fixture.context()).rows }
    #expect(rows == [4, 8, 8] && learner.cost.bytesMemory == 6 * 12)
  }
}

/// A memory of 3 rows with one fault.
struct Unlawful: Memory {
  /// What the laws say of it.
  enum Fault: String, Codable, Sendable {
    case tooMany = "4 rows are held where 3 are allowed"
    case foreign = "a row was drawn that was never offered"
    case twice = "gave a row twice"
    case forgetful = "a decoded checkpoint went on with other rows"
    case unseeded = "the same seed gave other rows"
    case relabelled = "a row came back with another label"
    case untagged = "a row came back with another weight, owner, time or other answers"
  }

  static let name = "unlawful"
  static let summary = "Breaks one law."
  static let source = "None."

  @Parameter("Rows.", .atLeast(1)) var capacity: Int = 3
  private var fault = Fault.tooMany
  private var rows = Batch(columns: 5)
  private var offset = 0
  var replay = ReplayOptions()

  init() {}
  init(_ fault: Fault) { self.fault = fault }

  private enum CodingKeys: CodingKey { case capacity, fault, rows, replay }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    fault = try container.decode(Fault.self, forKey: .fault)
    if fault != .forgetful { rows = try container.decode(Batch.self, forKey: .rows) }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(fault, forKey: .fault)
    if fault != .forgetful { try container.encode(rows, forKey: .rows) }
  }

  var count: Int { rows.count }

  mutating func insert(_ batch: Batch, _ context: StepContext, using rng: inout Random) {
    let room = fault == .tooMany ? 4 : 3
    for row in 0..<batch.count where count < room {
      let inputs = fault == .foreign ? [0.5, 0, 0, 0, 0] : batch.inputs.row(row)
      let label = batch.tags[row].label + (fault == .relabelled ? 1 : 0)
      var copy = Rows(Matrix([inputs]), labels: [label], experience: Int(batch.tags[row].experience)).batch
      if fault != .foreign && fault != .relabelled && fault != .untagged { copy.replace(row: 0, with: batch, row: row) }
      rows.append(copy)
    }
  }

  mutating func draw(_ n: Int, into batch: inout Batch, using rng: inout Random) {
    if fault == .unseeded { offset = Int.random(in: 0..<1_000_000) }
    for i in 0..<min(n, count) { batch.append(row: fault == .twice ? 0 : (i + offset) % count, of: rows) }
  }
}
