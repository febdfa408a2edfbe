extension SweepBlock {
  /// How many configurations the block makes of one: `Int.max` where they are more. Equal ones count each.
  public func count(scenario: String, strategy: String) -> Int { restricted(to: scenario, strategy).product }

  /// The configurations the block makes of one, in order: the first factor varies slowest, the cases fastest.
  ///
  /// Equal ones are all here; a ``Plan`` keeps the first. Memory: about 1 kB a configuration.
  public func applied(to configuration: Configuration) -> [Configuration] {
    var result: [Configuration] = []
    restricted(to: configuration.scenarioLabel, configuration.strategyLabel).visit(configuration) { result.append($0) }
    return result
  }

  /// The block as a pair sees it.
  func restricted(to scenario: String, _ strategy: String) -> SweepBlock {
    SweepBlock(
      factors.compactMap { $0.restricted(to: scenario, strategy) },
      cases: cases.filter { $0.concerns(scenario, strategy) }.map { $0.restricted(to: scenario, strategy) })
  }

  private func concerns(_ scenario: String, _ strategy: String) -> Bool {
    isEmpty || factors.contains { $0.restricted(to: scenario, strategy) != nil }
      || cases.contains { $0.concerns(scenario, strategy) }
  }

  /// Π factors · Σ cases of a restricted block.
  private var product: Int {
    let sum = cases.isEmpty ? 1 : cases.reduce(0) { $0.addingSaturating($1.product) }
    return factors.reduce(sum) { $0.multipliedSaturating(by: $1.count) }
  }

  /// Calls `body` with every configuration of a restricted block.
  func visit(_ configuration: Configuration, from first: Int = 0, _ body: (Configuration) throws -> Void) rethrows {
    guard first < factors.count else {
      if cases.isEmpty { return try body(configuration) }
      for block in cases { try block.visit(configuration, body) }
      return
    }
    for step in 0..<factors[first].count {
      var copy = configuration
      factors[first].set(step, in: &copy)
      try visit(copy, from: first + 1, body)
    }
  }
}

extension SweepFactor {
  fileprivate func restricted(to scenario: String, _ strategy: String) -> SweepFactor? {
    let mine = settings.compactMap { setting -> SweptSetting? in
      let targets = setting.targets.filter { $0.concerns(scenario, strategy) }
      return targets.isEmpty ? nil : SweptSetting(path: setting.path, targets: targets, values: setting.values)
    }
    return mine.isEmpty ? nil : SweepFactor(count: count, isSet: isSet, mine)
  }

  fileprivate func set(_ step: Int, in configuration: inout Configuration) {
    for setting in settings {
      let value = setting.values[step]
      for target in setting.targets { configuration.set(target, to: value) }
    }
  }
}

extension Int {
  /// The sum, or `Int.max` where it is too large.
  func addingSaturating(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }

  /// The product of two numbers that are not negative, or `Int.max` where it is too large.
  func multipliedSaturating(by other: Int) -> Int {
    let (product, isTooLarge) = multipliedReportingOverflow(by: other)
    return isTooLarge ? .max : product
  }
}
