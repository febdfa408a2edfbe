import Palimpsest
import PalimpsestCommand

await PalimpsestTool.main(
  catalog: .standard.adding(
    Sensitivity.self, PlainDistillation.self, StoredLogits.self, ProjectedGradient.self, HardGates.self, Cusum.self))
