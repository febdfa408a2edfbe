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

  private func sharing(_ runs: Int, by size: Int) -> [Range<Int>] {
    (0..<runs).map { $0 / size * size..<min(runs, ($0 / size + 1) * size) }
  }

  /// 16 runs, 2 workers, data shared by two: 16/4 = 4; 12/4 = 3 would cut, 4 is no more than 12/2; 8/4 = 2; 6/4 = 1 would cut, 2 is no more
  /// than 6/2; so with 4; the last two are a worker's each. 4 4 2 2 2 1 1, dealt by turns to 3 and 4 blocks.
  @Test func `a block ends with the data of its runs, as long as there is work for all`() {
    let blocks = BlockSizes.ranges(runs: 16, workers: 2, longest: 100, sharing: sharing(16, by: 2))
    #expect(blocks.map(\.count) == [4, 2, 2, 4, 2, 1, 1])
    // Where the estimate allows five runs a block ends before the data that the sixth would share.
    #expect(BlockSizes.ranges(runs: 16, workers: 1, longest: 5, sharing: sharing(16, by: 2)).first == 0..<4)
    // One run alone may be longer than a block: its data are cut.
    let longest = BlockSizes.ranges(runs: 16, workers: 1, longest: 1, sharing: sharing(16, by: 2))
    #expect(longest.allSatisfy { $0.count == 1 })
  }

  @Test(arguments: [(1000, 7, 4), (800, 6, 2), (5000, 64, 3), (90, 4, 10)])
  func `data are made twice for the last runs alone`(runs: Int, workers: Int, size: Int) {
    let blocks = BlockSizes.ranges(runs: runs, workers: workers, longest: 50, sharing: sharing(runs, by: size))
    #expect(
      blocks.map(\.lowerBound).sorted()
        == blocks.map(\.upperBound).sorted().dropLast().reduce(into: [0]) { $0.append($1) })
    let cut = Set(blocks.map(\.lowerBound).filter { $0 % size != 0 }.map { $0 / size })
    #expect(cut.allSatisfy { runs - $0 * size <= size * (workers + 1) }, "\(cut.sorted())")
    let alone = BlockSizes.ranges(runs: runs, workers: workers, longest: 50)
    #expect(cut.count < Set(alone.map(\.lowerBound).filter { $0 % size != 0 }.map { $0 / size }).count)
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
