import PalimpsestCore
import PalimpsestStrategies

/// What is trained with.
public enum BenchVariant: String, CaseIterable, Sendable {
  case sgd, momentum, adam, ewc, si, replay
  case ewcReplay = "ewc+replay"

  public var optimizer: any Optimizer {
    switch self {
    case .momentum: Momentum()
    case .adam: Adam()
    case .sgd, .ewc, .si, .replay, .ewcReplay: SGD()
    }
  }

  public var parts: [any StrategyPart] {
    switch self {
    case .ewc: [ewc]
    case .si: [SynapticIntelligence()]
    case .replay: [reservoir]
    case .ewcReplay: [ewc, reservoir]
    case .sgd, .momentum, .adam: []
    }
  }

  /// Passes over the net that a step takes: a replayed batch is as large as the new one.
  public var batches: Double { self == .replay || self == .ewcReplay ? 2 : 1 }

  /// Weak enough not to diverge on labels that cannot be learned.
  private var ewc: EWC {
    var ewc = EWC()
    ewc.strength = 1
    return ewc
  }

  private var reservoir: Reservoir {
    var reservoir = Reservoir()
    reservoir.limits.capacity = 500
    return reservoir
  }
}
