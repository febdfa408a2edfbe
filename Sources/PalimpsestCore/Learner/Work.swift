/// What something has taken: arithmetic. Memory is what parts hold at a moment (`StrategyPart/bytes(in:)`) and no sum over time; bytes
/// moved are not counted, for what a pass moves depends on caches and kernels of the machine.
public struct Work: Sendable, Hashable, Codable {
  /// Products of passes and of comparisons; nothing that is one operation a parameter.
  public var multiplyAdds = 0

  public init(multiplyAdds: Int = 0) { self.multiplyAdds = multiplyAdds }

  public static func + (a: Work, b: Work) -> Work { Work(multiplyAdds: a.multiplyAdds + b.multiplyAdds) }
  public static func - (a: Work, b: Work) -> Work { Work(multiplyAdds: a.multiplyAdds - b.multiplyAdds) }
  public static func += (a: inout Work, b: Work) { a = a + b }
}
