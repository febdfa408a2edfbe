/// How many runs the blocks of a launch have, and where they stand.
///
/// - Source: guided self-scheduling (Polychronopoulos and Kuck 1987), half as greedy: a block is what is left over 2 × workers, at least one
///   run. So the first blocks are long and the tail is single runs: a wrong estimate costs balance and nothing else. Here a block ends, besides,
///   where data end that runs share, as long as none gets more than what is left over the workers: data that are cut are made twice.
package enum BlockSizes {
  /// The ranges of runs that are blocks, in the order of their numbers.
  ///
  /// The series of sizes is dealt to the workers by turns, and the blocks of one worker stand together: worker k of W begins at block ⌊k·B/W⌋, on a
  /// long block of its own, and comes to the short ones of others at the end.
  /// - Parameters:
  ///   - longest: runs that a block has at most; passed over where more than `mostBlocks` blocks would come of it.
  ///   - sharing: of each run, the runs about it that share its data; empty: none share any.
  package static func ranges(
    runs: Int, workers: Int, longest: Int, mostBlocks: Int = LaunchTodo.mostBlocks, sharing: [Range<Int>] = []
  ) -> [Range<Int>] {
    let series = series(runs, max(1, workers), max(1, longest), mostBlocks, sharing)
    let lanes = min(max(1, workers), series.count)
    let bounds = (0...lanes).map { lanes == 0 ? 0 : $0 * series.count / lanes }
    var dealt = [Range<Int>](repeating: 0..<0, count: series.count)
    var next = 0
    for round in 0..<(series.count + max(1, lanes) - 1) / max(1, lanes) {
      for lane in 0..<lanes where bounds[lane] + round < bounds[lane + 1] {
        dealt[bounds[lane] + round] = series[next]
        next += 1
      }
    }
    return dealt
  }

  private static func series(
    _ runs: Int, _ workers: Int, _ longest: Int, _ mostBlocks: Int, _ sharing: [Range<Int>]
  ) -> [Range<Int>] {
    var (least, most) = (1, longest)
    while true {
      if let series = series(runs, workers, least...max(least, most), mostBlocks, sharing) { return series }
      (least, most) = (least * 2, most * 2)
    }
  }

  /// - Returns: nil where these are more than `mostBlocks`.
  private static func series(
    _ runs: Int, _ workers: Int, _ bounds: ClosedRange<Int>, _ mostBlocks: Int, _ sharing: [Range<Int>]
  ) -> [Range<Int>]? {
    var series: [Range<Int>] = []
    var start = 0
    while start < runs {
      guard series.count < mostBlocks else { return nil }
      let size = min(bounds.upperBound, max(bounds.lowerBound, (runs - start) / (2 * workers)))
      let most = min(bounds.upperBound, max(size, (runs - start) / workers))
      let end = end(start, min(runs, start + size), most, sharing)
      series.append(start..<end)
      start = end
    }
    return series
  }

  /// Where a block ends that would end here, for the sake of data that it would cut: with them, before them, or here.
  private static func end(_ start: Int, _ end: Int, _ most: Int, _ sharing: [Range<Int>]) -> Int {
    guard sharing.indices.contains(end), sharing[end].lowerBound < end else { return end }
    if sharing[end].upperBound - start <= most { return sharing[end].upperBound }
    return sharing[end].lowerBound > start ? sharing[end].lowerBound : end
  }
}
