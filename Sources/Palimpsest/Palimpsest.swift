/// Everything but HDF5 and the command line: `import Palimpsest`.
@_exported import PalimpsestCore
@_exported import PalimpsestDatasets
@_exported import PalimpsestExperiments
@_exported import PalimpsestJSON
@_exported import PalimpsestMetrics
@_exported import PalimpsestResults
@_exported import PalimpsestRuns
@_exported import PalimpsestScenarios
@_exported import PalimpsestSettings
@_exported import PalimpsestStrategies
