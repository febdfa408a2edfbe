import PalimpsestMetrics

/// The values of some runs in one array, each run's padded to the same lengths.
struct PaddedRuns<T> {
  private(set) var values: [T]
  private let lengths: [Int]
  private let perRun: Int

  init(fill: T, _ lengths: [Int], runs: Int) {
    self.lengths = lengths
    perRun = lengths.reduce(1, *)
    values = [T](repeating: fill, count: runs * perRun)
  }

  /// Takes as much of a run's values as fits.
  mutating func set(_ run: Int, _ axes: [Axis], _ value: (Int) -> T) { copy(axes, 0, 0, run * perRun, value) }

  /// - Parameters:
  ///   - from: the place along the axes before, in the run's own array.
  ///   - to: where that begins in this one.
  private mutating func copy(_ axes: [Axis], _ level: Int, _ from: Int, _ to: Int, _ value: (Int) -> T) {
    guard level < axes.count else { return values[to] = value(from) }
    let length = axes[level].length
    let steps = lengths[(level + 1)...].reduce(1, *)
    let isLast = level + 1 == axes.count
    for i in 0..<min(length, lengths[level]) {
      if isLast {
        values[to + i] = value(from * length + i)
      } else {
        copy(axes, level + 1, from * length + i, to + i * steps, value)
      }
    }
  }
}
