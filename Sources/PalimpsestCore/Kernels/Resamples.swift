import CKernels

/// Values in order of size, and the place of each among the runs that have them.
package struct RankedValues: Sendable {
  package let sorted: [Double]
  fileprivate let order: [Int32]

  /// - Parameter values: one a run, finite; fewer than 2³¹.
  package init(_ values: [Double]) {
    let order = values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
    sorted = order.map { values[$0] }
    self.order = order.map(Int32.init)
  }
}

/// How often each run came up in resamples, sixteen of them at once.
///
/// A count has a byte: that one of m is drawn 256 times in m draws has a chance below 10⁻⁵⁰⁰.
///
/// - Memory: 16 bytes a run.
package struct Resamples: Sendable {
  package static let atOnce = 16

  private let strata: [Int]
  /// Runs × resamples.
  private var counts: [UInt8]

  /// - Parameter strata: how many runs each has; each is drawn anew by itself.
  package init(strata: [Int]) {
    self.strata = strata
    counts = [UInt8](repeating: 0, count: strata.reduce(0, +) * Resamples.atOnce)
  }

  /// One after the other, so that a stream gives the same ones as if each were drawn alone.
  package mutating func draw(_ stream: inout Random) {
    var (random, counts) = (stream, self.counts)
    for place in counts.indices { counts[place] = 0 }
    for resample in 0..<Resamples.atOnce {
      var first = resample
      for size in strata {
        for _ in 0..<size { counts[first + Resamples.atOnce * random.index(below: size)] &+= 1 }
        first += Resamples.atOnce * size
      }
    }
    (stream, self.counts) = (random, counts)
  }

  /// Of each resample the sum of its values in order of size, but for so many at each end.
  ///
  /// - Precondition: as many values as runs, and no more than half of them cut at an end.
  package func middleSums(of values: RankedValues, cut: Int) -> [Double] {
    let n = values.sorted.count
    precondition(n * Resamples.atOnce == counts.count && (0...n / 2).contains(cut), "\(n) values less \(cut) twice")
    return unsafe [Double](unsafeUninitializedCapacity: Resamples.atOnce) { sums, count in
      unsafe values.order.withUnsafeBufferPointer { order in
        unsafe counts.withUnsafeBufferPointer { counts in
          unsafe values.sorted.withUnsafeBufferPointer { sorted in
            guard let sums = sums.baseAddress, let order = order.baseAddress, let counts = counts.baseAddress,
              let sorted = sorted.baseAddress
            else { return }
            unsafe KernelTable.current.pointee.middle_sums(sorted, order, counts, n, cut, sums)
            count = Resamples.atOnce
          }
        }
      }
    }
  }
}
