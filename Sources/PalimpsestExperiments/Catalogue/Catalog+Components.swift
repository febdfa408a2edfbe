import PalimpsestCore
import PalimpsestScenarios

extension Catalog {
  /// Settings that were checked when they were read: what fails here failed there.
  package func part(_ component: Component) throws -> any StrategyPart {
    guard let type = parts[component.name] else { throw CompositionError("no part is called \"\(component.name)\"") }
    return try type.init(settings: component.given)
  }

  package func optimizer(_ component: Component) throws -> any Optimizer {
    guard let type = optimizers[component.name] else {
      throw CompositionError("no optimizer is called \"\(component.name)\"")
    }
    return try type.init(settings: component.given)
  }

  package func scenario(_ component: Component) throws -> any Scenario {
    guard let type = scenarios[component.name] else {
      throw CompositionError("no scenario is called \"\(component.name)\"")
    }
    return try type.init(settings: component.given)
  }
}
