import Palimpsest
import PalimpsestCommand

await PalimpsestTool.main(catalog: Catalog.standard.adding(TurningClouds.self))
