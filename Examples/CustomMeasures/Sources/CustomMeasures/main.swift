import Palimpsest
import PalimpsestCommand

await PalimpsestTool.main(catalog: .standard.adding(firstTaskKept).observing(finalNorm, layerNorm))
