import PalimpsestCore

/// Every part that ships with Palimpsest. A new part adds its line here and nowhere else: the catalogue, `describe`,
/// the schema and the laws find it by this list.
public let standardParts: [any StrategyPart.Type] = [
  Reservoir.self, Ring.self, ClassBalanced.self, Herding.self, KCentre.self,
  DarkReplay.self, AsymmetricCrossEntropy.self, Distillation.self,
  EWC.self, SynapticIntelligence.self, MemoryAwareSynapses.self,
  Heads.self, Adapters.self, LowRankAdapters.self, BiasOnly.self, LastLayer.self, ContextGating.self, NetworkBank.self,
  GradientClip.self, AveragedGradientMemory.self,
  ShrinkPerturb.self, WeightAverage.self, Gate.self,
  Joint.self, Scratch.self, Frozen.self,
  NearestMean.self,
  PageHinkley.self, ADWIN.self, DDM.self, EDDM.self, HDDMAverage.self, HDDMWeighted.self, FHDDM.self, MDDM.self,
  KSWIN.self, AlarmNever.self, AlarmEvery.self, AlarmRandom.self,
]

/// The optimisers.
public let standardOptimizers: [any Optimizer.Type] = [SGD.self, Momentum.self, Adam.self, AdamW.self]
