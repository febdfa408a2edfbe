/// Which parameters a task may change: ranges of the flat vector, in order, or single parameters of them. Everything else keeps its bits.
public struct ParameterMask: Sendable, Equatable, Codable {
  /// Outside them nothing is trained.
  public private(set) var ranges: [Range<Int>]
  /// One a parameter: whether it is trained. Nil: all within the ranges are.
  public private(set) var elements: [Bool]?

  public init(_ ranges: [Range<Int>]) { self.ranges = ranges.filter { !$0.isEmpty } }

  /// Single parameters, by who owns each: the task that trained it, say, or nobody yet.
  ///
  /// - Parameter isTrained: whether an owner's parameters are trained.
  public init(owners: [UInt8], _ isTrained: (UInt8) -> Bool) {
    let elements = owners.map(isTrained)
    self.init(elements.runs)
    self.elements = elements
  }

  /// Every parameter of a vector of that length.
  public static func all(_ length: Int) -> ParameterMask { ParameterMask([0..<length]) }

  public func contains(_ range: Range<Int>) -> Bool {
    ranges.contains { $0.lowerBound <= range.lowerBound && $0.upperBound >= range.upperBound }
  }

  func overlaps(_ range: Range<Int>) -> Bool { ranges.contains { $0.overlaps(range) } }
}

extension [Bool] {
  /// The ranges of trues, in order.
  fileprivate var runs: [Range<Int>] {
    var runs: [Range<Int>] = []
    var first: Int?
    for i in indices {
      if self[i] && first == nil { first = i }
      if !self[i], let start = first {
        runs.append(start..<i)
        first = nil
      }
    }
    if let first { runs.append(first..<count) }
    return runs
  }
}
