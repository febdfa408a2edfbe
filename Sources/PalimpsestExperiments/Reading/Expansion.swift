extension Experiment {
  /// Scenarios × strategies × sweep. A path inside one strategy multiplies that strategy's runs only.
  public var configurations: [Configuration] {
    let blocks = SweepByStrategy(sweep)
    return scenarios.keys.flatMap { scenario in
      strategies.keys.flatMap { strategy in
        cells(scenario: scenario, strategy: strategy).flatMap { blocks[strategy].applied(to: $0) }
      }
    }
  }

  /// What the file says of a pair before the sweep; nil where no such labels are.
  public func configuration(scenario: String, strategy: String) -> Configuration? {
    guard let component = scenarios[scenario], let parts = strategies[strategy] else { return nil }
    return Configuration(
      scenarioLabel: scenario, strategyLabel: strategy, scenario: component, model: model, training: training,
      optimizer: optimizer, strategy: parts, evaluation: evaluation,
      stream: stream)
  }

  /// The same with each policy and safeguard, where runs go on with single people.
  private func cells(scenario: String, strategy: String) -> [Configuration] {
    guard let base = configuration(scenario: scenario, strategy: strategy) else { return [] }
    return personal.map { block in
      block.cells.map { cell in
        var configuration = base
        configuration.personal = cell
        return configuration
      }
    } ?? [base]
  }

  /// Calls `body` with every configuration that is planned, its text and its identity, in plan order: equal ones of one scenario and
  /// strategy once.
  ///
  /// - Time: a few microseconds a configuration. Memory: 32 bytes a configuration.
  func visitConfigurations(_ body: (Configuration, ConfigurationText, RunIdentity) throws -> Void) throws {
    var writer = ConfigurationWriter(catalog)
    let blocks = SweepByStrategy(sweep)
    for scenario in scenarios.keys {
      for strategy in strategies.keys {
        let block = blocks[strategy].restricted(to: scenario, strategy)
        for start in cells(scenario: scenario, strategy: strategy) {
          var seen: Set<RunIdentity.Digest> = []
          try block.visit(start) { configuration in
            let text = try writer.text(configuration)
            let identity = text.identity
            if seen.insert(identity.digest).inserted { try body(configuration, text, identity) }
          }
        }
      }
    }
  }

  /// How many runs there are at most, counted without making them; `Int.max` where they are more.
  public var runCount: Int {
    let blocks = SweepByStrategy(sweep)
    return scenarios.keys.reduce(0) { sum, scenario in
      strategies.keys.reduce(sum) { sum, strategy in
        let configurations = blocks[strategy].count(scenario: scenario, strategy: strategy)
        let cells = (personal?.policies.count ?? 1) * (personal?.safeguards.count ?? 1)
        return sum.addingSaturating(
          configurations.multipliedSaturating(by: seeds.count).multipliedSaturating(by: cells))
      }
    }
  }
}
