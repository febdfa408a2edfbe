import PalimpsestMetrics

/// The values of run after run in one array, each run's padded to the same lengths.
struct PaddedRuns<T: Sendable>: Sendable {
  private(set) var values: [T] = []
  private let fill: T
  private let lengths: [Int]
  private let perRun: Int
  /// Whether some run's values are fewer than fit, or none.
  private(set) var isPadded = false

  init(fill: T, _ lengths: [Int]) {
    (self.fill, self.lengths) = (fill, lengths)
    perRun = lengths.reduce(1, *)
  }

  /// A run without values.
  mutating func addNone() {
    isPadded = true
    values.append(contentsOf: repeatElement(fill, count: perRun))
  }

  /// The next run's values, as many as fit.
  mutating func add(_ axes: [Axis], _ own: [T]) {
    if axes.count == 0 { return values.append(own[0]) }
    if fits(axes) { return values.append(contentsOf: own) }
    isPadded = true
    let first = values.count
    values.append(contentsOf: repeatElement(fill, count: perRun))
    copy(own, axes, 0, 0, first)
  }

  private func fits(_ axes: [Axis]) -> Bool { axes.indices.allSatisfy { axes[$0].length == lengths[$0] } }

  /// - Parameters:
  ///   - from: the place along the axes before, in the run's own array.
  ///   - to: where that begins in this one.
  private mutating func copy(_ own: [T], _ axes: [Axis], _ level: Int, _ from: Int, _ to: Int) {
    let length = axes[level].length
    let steps = lengths[(level + 1)...].reduce(1, *)
    let isLast = level + 1 == axes.count
    for i in 0..<min(length, lengths[level]) {
      if isLast {
        values[to + i] = own[from * length + i]
      } else {
        copy(own, axes, level + 1, from * length + i, to + i * steps)
      }
    }
  }
}
