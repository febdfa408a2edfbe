import PalimpsestCore
import PalimpsestTesting
import Testing

/// The kernel table is chosen for the whole process. Here only tables with fused multiply-add are selected in place: they
/// give other tests, which run at the same time, the same bits. The baseline is taken in a process of its own.
@Suite(.serialized) struct KernelTests {
  /// The tables with fused multiply-add that this processor runs; the default alone where it has none.
  static let tables: [String] = {
    let before = KernelTable.name
    defer { KernelTable.select(before) }
    guard before != "baseline" else { return [before] }
    return KernelTable.compiled.filter { $0 != "baseline" && KernelTable.select($0) }
  }()

  static let runsBothVectorSets = tables.contains("avx512") && tables.contains("avx2")

  @Test(arguments: tables)
  func `every kernel agrees with double precision at every size`(table: String) throws {
    try with(table) { try KernelChecks.all() }
  }

  @Test(.enabled(if: KernelTable.compiled.contains("baseline")))
  func `so does the table of every x86-64 processor`() async {
    await #expect(processExitsWith: .success) {
      try #require(KernelTable.select("baseline"))
      try KernelChecks.all()
    }
  }

  @Test(arguments: tables)
  func `answers are worth what they are worth one by one, to the last bit`(table: String) throws {
    try with(table) { ScoreChecks.all() }
  }

  /// Nothing is fused there, so even the table without multiply-add gives these bits.
  @Test(.enabled(if: KernelTable.compiled.contains("baseline")))
  func `so they are with the table of every x86-64 processor`() async {
    await #expect(processExitsWith: .success) {
      try #require(KernelTable.select("baseline"))
      ScoreChecks.all()
    }
  }

  @Test func `an unknown table changes nothing`() {
    let before = KernelTable.name
    #expect(!KernelTable.select("avx1024"))
    #expect(KernelTable.name == before)
  }

  @Test(
    .enabled(if: runsBothVectorSets, "the processor has no AVX-512"),
    arguments: [BenchmarkNet.tiny, .small, .medium, .large], ["sgd", "momentum", "adam", "adamw"])
  func `AVX-512 and AVX2 train to the same bits`(net: BenchmarkNet, optimizer: String) throws {
    // 640 steps; 32 of the wide nets where tests are to be quick.
    let steps = net.inputs > 100 && !Tier.slow ? 32 : 640
    let wide = try with("avx512") { try net.train(makeOptimizer(optimizer), [], steps: steps) }
    let narrow = try with("avx2") { try net.train(makeOptimizer(optimizer), [], steps: steps) }
    #expect(wide.isFinite)
    #expect(wide.model.parameters == narrow.model.parameters)
    #expect(wide.model.parameters != net.setup(SGD()).makeModel().parameters)
  }

  @Test(
    .enabled(if: runsBothVectorSets, "the processor has no AVX-512"), arguments: [BenchmarkNet.tiny, .small],
    ["sgd", "momentum", "adam", "adamw"])
  func `so they do with a penalty, the path and replayed rows`(net: BenchmarkNet, optimizer: String) throws {
    let parts: [any StrategyPart] = [PathPull(), FirstRows()]
    let wide = try with("avx512") { try net.train(makeOptimizer(optimizer), parts, steps: 640) }
    let narrow = try with("avx2") { try net.train(makeOptimizer(optimizer), parts, steps: 640) }
    #expect(wide.isFinite)
    #expect(wide.model.parameters == narrow.model.parameters)
    let plain = try net.train(makeOptimizer(optimizer), [], steps: 640)
    #expect(wide.model.parameters != plain.model.parameters)
  }

  private func with<R>(_ table: String, _ body: () throws -> R) throws -> R {
    let before = KernelTable.name
    defer { KernelTable.select(before) }
    try #require(KernelTable.select(table))
    return try body()
  }
}

/// A rate at which no net diverges.
private func makeOptimizer(_ name: String) -> any Optimizer {
  switch name {
  case "adam": return Adam()
  case "adamw": return AdamW()
  case "momentum":
    var momentum = Momentum()
    momentum.rate = 0.01
    momentum.decay = 1e-4
    return momentum
  default: return SGD()
  }
}
