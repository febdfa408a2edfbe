import Palimpsest
import PalimpsestCube

/// What an argument that names results opens: plan and journals where they are there, else the HDF5 file alone.
enum OpenedResults {
  case journal(Results)
  case cube(CubeTable)

  /// Tells what its user should know of them.
  init(_ argument: String) throws {
    let folder = ResultsFolder(argument)
    if try !folder.hasPlan, let file = folder.bareCube(argument) {
      self = .cube(try CubeTable(telling: file))
    } else {
      let results = try Results(folder)
      warn(ofDamaged: results.damaged, outside: results.outside)
      self = .journal(results)
    }
  }

  /// - Parameter metrics: nil: those that suit the runs.
  func report(_ metrics: [Metric]?) throws -> Report {
    switch self {
    case .journal(let results): Report(results, metrics: metrics)
    case .cube(let table): try Report(table, metrics: metrics)
    }
  }

  /// - Parameters:
  ///   - source: the file's name, for messages.
  ///   - metric: nil: those that suit the runs.
  ///   - bits: R of each run too.
  func measured(source: String, _ metric: Metric?, bits: Bool = false) throws -> MeasuredRuns {
    let metrics = metric.map { [$0] }
    switch self {
    case .journal(let results): return MeasuredRuns(results, source: source, metrics: metrics)
    case .cube(let table): return try MeasuredRuns(table, source: source, metrics: metrics, withAccuracies: bits)
    }
  }
}
