import Palimpsest
import PalimpsestCommand

await PalimpsestTool.main(catalog: .standard.observing(weightNorm, layerNorm))
