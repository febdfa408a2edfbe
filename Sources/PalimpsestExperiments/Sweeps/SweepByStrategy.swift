/// A block sorted out by strategy once: of very many strategies with settings of their own, each finds its own at once.
///
/// Time: by the number of parameters that the block sets; then that of what concerns a strategy for each of them.
struct SweepByStrategy {
  private let shared: SweepBlock
  private let own: [String: SweepBlock]

  init(_ block: SweepBlock) {
    let factors = Sorted(block.factors.map { SweepByStrategy.sorted($0) })
    let cases = Sorted(block.cases.map { SweepByStrategy.sorted($0) })
    shared = SweepBlock(factors.shared, cases: cases.shared)
    let labels = Set(factors.own.keys).union(cases.own.keys)
    own = labels.reduce(into: [:]) { $0[$1] = SweepBlock(factors.all(of: $1), cases: cases.all(of: $1)) }
  }

  /// What the block says of a strategy, in the block's order; other scenarios' settings are still in it.
  subscript(strategy: String) -> SweepBlock { own[strategy] ?? shared }

  /// One thing of a block as it is for strategies that it does not name, and for those that it does; nil: not at all.
  private typealias Entry<Thing> = (shared: Thing?, own: [String: Thing])

  private static func sorted(_ factor: SweepFactor) -> Entry<SweepFactor> {
    func with(_ settings: [SweptSetting]) -> SweepFactor? {
      settings.isEmpty ? nil : SweepFactor(count: factor.count, isSet: factor.isSet, settings)
    }
    let settings = Sorted(factor.settings.map { SweepByStrategy.sorted($0) })
    return (
      with(settings.shared),
      Dictionary(uniqueKeysWithValues: settings.own.keys.map { ($0, settings.all(of: $0)) })
        .compactMapValues(with)
    )
  }

  private static func sorted(_ setting: SweptSetting) -> Entry<SweptSetting> {
    func with(_ targets: [SettingTarget]) -> SweptSetting {
      SweptSetting(path: setting.path, targets: targets, values: setting.values)
    }
    let targets = Dictionary(grouping: setting.targets, by: \.strategy)
    let shared = targets[nil] ?? []
    let own = targets.compactMap { label, targets in label.map { ($0, with(shared + targets)) } }
    return (shared.isEmpty ? nil : with(shared), Dictionary(uniqueKeysWithValues: own))
  }

  /// A case that says nothing of a strategy goes; an empty one is about all.
  private static func sorted(_ block: SweepBlock) -> Entry<SweepBlock> {
    if block.isEmpty { return (block, [:]) }
    let parts = SweepByStrategy(block)
    return (parts.shared.isEmpty ? nil : parts.shared, parts.own)
  }

  /// Things in their order, with what each is for the strategies that are named.
  private struct Sorted<Thing> {
    private var places: [(place: Int, thing: Thing)] = []
    private(set) var own: [String: [(place: Int, thing: Thing)]] = [:]

    init(_ entries: [Entry<Thing>]) {
      for (place, entry) in entries.enumerated() {
        if let thing = entry.shared { places.append((place, thing)) }
        for (label, thing) in entry.own { own[label, default: []].append((place, thing)) }
      }
    }

    var shared: [Thing] { places.map(\.thing) }

    /// What is the strategy's own stands in the place of what all share.
    func all(of label: String) -> [Thing] {
      let mine = own[label] ?? []
      let taken = Set(mine.map(\.place))
      return (places.filter { !taken.contains($0.place) } + mine).sorted { $0.place < $1.place }.map(\.thing)
    }
  }
}

extension SettingTarget {
  /// The strategy it lies in.
  fileprivate var strategy: String? {
    if case .strategy(let label, _, _) = self { label } else { nil }
  }
}
