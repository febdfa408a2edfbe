import PalimpsestCore
import PalimpsestPersonal
import PalimpsestScenarios

extension Catalog {
  /// Settings that were checked when they were read: what fails here failed there.
  package func part(_ component: Component) throws -> any StrategyPart {
    guard let type = parts[component.name] else { throw CompositionError("no part is called \"\(component.name)\"") }
    return try type.init(settings: component.given)
  }

  package func policy(_ component: Component) throws -> any UpdatePolicy {
    guard let type = policies[component.name] else {
      throw CompositionError("no policy is called \"\(component.name)\"")
    }
    return try type.init(settings: component.given)
  }

  package func safeguard(_ component: Component) throws -> any Safeguard {
    guard let type = safeguards[component.name] else {
      throw CompositionError("no safeguard is called \"\(component.name)\"")
    }
    let safeguard = try type.init(settings: component.given)
    if let problem = safeguard.problem { throw CompositionError("safeguard \"\(component.name)\": \(problem)") }
    return safeguard
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
