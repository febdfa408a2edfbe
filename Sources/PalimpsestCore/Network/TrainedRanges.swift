/// A mask as the fused pass takes it: first and last + 1 of each range, at multiples of 16.
///
/// Tensors begin there, and the gap behind a tensor holds zeros that no update changes, so a range that ends with its tensor
/// may take the gap in.
struct TrainedRanges: Sendable, Equatable {
  let bounds: [Int]

  /// No ranges.
  init() { bounds = [] }

  /// All of so many parameters but the tensors given, which are in order.
  init(count: Int, without tensors: [Range<Int>]) {
    var bounds: [Int] = []
    var place = 0
    for tensor in tensors {
      if place < tensor.lowerBound { bounds += [place, tensor.lowerBound] }
      place = min((tensor.upperBound + 15) / 16 * 16, count)
    }
    if place < count { bounds += [place, count] }
    self.bounds = bounds
  }

  var isEmpty: Bool { bounds.isEmpty }

  /// One range holds them all.
  func areAll(of count: Int) -> Bool { bounds.count == 2 && bounds[0] == 0 && bounds[1] == count }

  /// Nil where a range begins or ends within a tensor, off such a multiple.
  init?(_ mask: ParameterMask, _ layout: ParameterLayout) {
    let ends = Set(layout.blocks.map(\.range.upperBound))
    var bounds: [Int] = []
    for range in mask.ranges {
      let end = min((range.upperBound + 15) / 16 * 16, layout.length)
      guard range.lowerBound % 16 == 0, range.lowerBound >= bounds.last ?? 0,
        end == range.upperBound || ends.contains(range.upperBound)
      else { return nil }
      if bounds.last == range.lowerBound { bounds.removeLast() } else { bounds.append(range.lowerBound) }
      bounds.append(end)
    }
    self.bounds = bounds
  }
}
