import PalimpsestRuns
import Testing

/// How runs are cut into blocks.
@Suite struct BlockSizeTests {
  /// 16 runs, 2 workers: 16/4 = 4, 12/4 = 3, 9/4 = 2, 7/4 = 1 and then single runs: 4 3 2 1 1 1 1 1 1 1, ten blocks. Dealt by turns, worker 0
  /// has the first, third, …, and its five stand first.
  @Test func `the first blocks are long, the last are single runs, and each worker begins on a long one`() {
    let blocks = BlockSizes.ranges(runs: 16, workers: 2, longest: 100)
    #expect(blocks.map(\.count) == [4, 2, 1, 1, 1, 3, 1, 1, 1, 1])
    #expect(blocks[0] == 0..<4 && blocks[5] == 4..<7 && blocks[1] == 7..<9)
  }

  @Test func `no block is longer than the estimate allows`() {
    #expect(BlockSizes.ranges(runs: 16, workers: 2, longest: 2).allSatisfy { $0.count <= 2 })
    #expect(BlockSizes.ranges(runs: 5, workers: 1, longest: 0).map(\.count) == [1, 1, 1, 1, 1])
  }

  @Test(arguments: [(0, 3), (1, 1), (1, 8), (7, 3), (1000, 7), (5000, 64), (100_000, 1000)])
  func `each run stands in one block, and worker k begins at block kB/W`(runs: Int, workers: Int) {
    let blocks = BlockSizes.ranges(runs: runs, workers: workers, longest: 50)
    var met = [Bool](repeating: false, count: runs)
    for run in blocks.joined() {
      #expect(!met[run])
      met[run] = true
    }
    #expect(met.allSatisfy { $0 })
    #expect(blocks.count <= LaunchTodo.mostBlocks)
    for worker in 0..<min(workers, blocks.count) where blocks.count >= workers {
      let own = worker * blocks.count / workers..<(worker + 1) * blocks.count / workers
      #expect(blocks[own].dropFirst().allSatisfy { $0.count <= blocks[own.lowerBound].count })
    }
  }

  @Test func `there are never more blocks than the limit, however short they were to be`() {
    let blocks = BlockSizes.ranges(runs: 1_000_000, workers: 4000, longest: 1)
    #expect(blocks.count <= 50_000 && blocks.reduce(0) { $0 + $1.count } == 1_000_000)
  }
}
