import PalimpsestCore

/// A block of the sweep algebra: everything in a block multiplies; its cases are blocks, and they add up.
///
/// A block means something for one pair of scenario and strategy at a time. For a pair it is restricted to what concerns it:
/// - a setting whose path lies in another scenario or strategy goes; a factor without settings goes;
/// - a case that says nothing of the pair goes. An empty case, `{}`, is about every pair: the configuration as it is.
///
/// What is left is a plain product of factors, times the sum of the cases where any are left. So a pair that no path and no
/// case is about is run once, as the file has it, and a case about strategy "a" adds nothing to the runs of strategy "b".
public struct SweepBlock: Sendable, Equatable {
  /// In the order of the product, the first outermost: `set`, `grid`, `zip`, `random`.
  public var factors: [SweepFactor]
  /// Innermost: a case may give another value to what the block's `set` says.
  public var cases: [SweepBlock]

  /// The block of one configuration, as it is.
  public init(_ factors: [SweepFactor] = [], cases: [SweepBlock] = []) {
    self.factors = factors
    self.cases = cases
  }

  public var isEmpty: Bool { factors.isEmpty && cases.isEmpty }
}

/// Settings that step together: one entry of a block's `grid`, or all of its `set`, `zip` or `random`.
public struct SweepFactor: Sendable, Equatable {
  /// How many steps; 1 for `set`.
  public let count: Int
  /// True for a `set`: one value each, which an inner block may override.
  public let isSet: Bool
  public let settings: [SweptSetting]

  public init(count: Int, isSet: Bool = false, _ settings: [SweptSetting]) {
    self.count = count
    self.isSet = isSet
    self.settings = settings
  }
}

/// The parameters of one path and the values they take.
public struct SweptSetting: Sendable, Equatable {
  /// The path as it stands in the file.
  public let path: String
  public let targets: [SettingTarget]
  public let values: SweptValues

  public init(path: String, targets: [SettingTarget], values: SweptValues) {
    self.path = path
    self.targets = targets
    self.values = values
  }
}

/// One value for each step.
public enum SweptValues: Sendable, Equatable {
  case listed([ParameterValue])
  /// Drawn by hashing seed, path and step.
  case drawn(Distribution, seed: Int, path: String)

  public subscript(step: Int) -> ParameterValue {
    switch self {
    case .listed(let values): return values[step]
    case .drawn(let distribution, let seed, let path):
      var rng = Seed(UInt64(bitPattern: Int64(seed))).derived("sweep").stream(path, step)
      return distribution.draw(using: &rng)
    }
  }
}

extension SweepBlock {
  /// Every parameter that the block or its cases set.
  var targets: Set<SettingTarget> {
    let own = factors.flatMap { $0.settings.flatMap(\.targets) }
    return cases.reduce(into: Set(own)) { $0.formUnion($1.targets) }
  }
}
