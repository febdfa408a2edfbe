import ArgumentParser
import Palimpsest

/// `palimpsest list KIND`.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "What experiment files can name, in one line each.")

  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case strategies, scenarios, metrics, measures, datasets, optimizers, policies, safeguards
  }

  @Argument(help: "strategies, scenarios, metrics, measures, datasets, optimizers, policies or safeguards.")
  var kind: Kind
  @OptionGroup var json: JSONOption

  func run() {
    switch kind {
    case .datasets: DatasetList().show(json)
    case .strategies: show(PalimpsestTool.catalog.parts.values.map { Description($0) })
    case .scenarios: show(PalimpsestTool.catalog.scenarios.values.map { Description($0) })
    case .optimizers: show(PalimpsestTool.catalog.optimizers.values.map { Description($0) })
    case .policies: show(PalimpsestTool.catalog.policies.values.map { Description($0) })
    case .safeguards: show(PalimpsestTool.catalog.safeguards.values.map { Description($0) })
    case .metrics: show(PalimpsestTool.catalog.metrics.map { Description($0) })
    case .measures: showMeasures()
    }
  }

  /// With what they are along, instead of a kind that all of them share.
  private func showMeasures() {
    let measures = PalimpsestTool.catalog.measures
    json.print(
      aligned(
        measures.map { [$0.name.text, $0.dimensions.joined(separator: ", "), $0.longName] }, leftColumns: 3),
      or: JSONValue(measures.map { Description($0).json }))
  }

  /// Strategies play roles, and of metrics some are costs.
  private var showsKinds: Bool { kind == .strategies || kind == .metrics }

  private func show(_ descriptions: [Description]) {
    json.print(
      aligned(
        descriptions.map { showsKinds ? [$0.name, $0.kind, $0.summary] : [$0.name, $0.summary] },
        leftColumns: 3),
      or: JSONValue(
        descriptions.map { ["name": JSONValue($0.name), "kind": JSONValue($0.kind), "summary": JSONValue($0.summary)] })
    )
  }
}

/// `palimpsest describe NAME`.
struct DescribeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "describe",
    abstract: "What a part, scenario, optimiser, metric or measure is: parameters, defaults, ranges, source",
    discussion: """
      Settings are called model, training and evaluation. Of the name of a parameter (capacity) everything that has it is \
      listed.
      """)

  @Argument(help: "A name, as in an experiment file.") var name: String
  @OptionGroup var json: JSONOption

  func run() throws {
    let catalog = PalimpsestTool.catalog
    if let description = catalog.description(of: name) {
      json.print(description.text, or: description.json)
    } else if let owners = catalog.owners(ofParameter: name) {
      json.print(owners.text, or: owners.json)
    } else {
      throw UsageError("nothing is called \"\(name)\"\(catalog.hint(unknown: name))")
    }
  }
}
