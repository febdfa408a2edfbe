import OrderedCollections
import PalimpsestCore

/// An experiment file that has been read and checked: what is to be run, before it is expanded.
public struct Experiment: Sendable {
  public var name: String
  public var question: String
  /// The file as it was given, kept with the results.
  public var text: String
  public var scenarios: OrderedDictionary<String, Component>
  public var strategies: OrderedDictionary<String, [Component]>
  public var model: Component
  public var training: Component
  public var optimizer: Component
  public var evaluation: Component
  public var seeds: [Int]
  public var grid: [GridAxis]
  /// What the names in the file mean.
  public var catalog: Catalog
}

/// One axis of a sweep's grid: the parameters it sets and the values they take.
public struct GridAxis: Sendable, Equatable {
  /// The path as it stands in the file.
  public let path: String
  public let targets: [SettingTarget]
  public let values: [ParameterValue]
}

/// One parameter of an experiment.
public enum SettingTarget: Sendable, Hashable {
  case model(String)
  case training(String)
  case optimizer(String)
  case evaluation(String)
  case scenario(label: String, String)
  case strategy(label: String, part: String, String)

  /// True where the parameter belongs to the runs of that scenario and strategy.
  func concerns(scenario: String, strategy: String) -> Bool {
    switch self {
    case .model, .training, .optimizer, .evaluation: true
    case .scenario(let label, _): label == scenario
    case .strategy(let label, _, _): label == strategy
    }
  }
}
