import PalimpsestJSON

/// Where the results of one experiment lie: the cube `NAME.h5`, and beside it `NAME.palimpsest/` with the plan and the journal
/// that the cube is made from.
public struct ResultsFolder: Sendable, Equatable {
  /// The cube.
  public let cube: String
  /// Plan, journal and manifest.
  public let folder: String

  /// - Parameter path: the cube, the folder, or either without its ending.
  public init(_ path: String) {
    var base = path
    while base.count > 1 && base.hasSuffix("/") { base.removeLast() }
    for ending in [".h5", ".palimpsest"] where base.hasSuffix(ending) { base.removeLast(ending.count) }
    cube = base + ".h5"
    folder = base + ".palimpsest"
  }

  public var journalFolder: String { folder + "/journal" }
  /// The plan's first generation.
  public var planFile: String { folder + "/plan.json" }
  public var progressFolder: String { folder + "/progress" }
  /// What single runs leave behind beside the journal.
  public var detailFolder: String { folder + "/detail" }
  /// What the program said.
  public var logFolder: String { folder + "/log" }
  public var manifestFile: String { folder + "/manifest.json" }
  /// Which cubes of a part of the runs each lie beside ``cube``.
  var shardsFile: String { folder + "/shards.json" }

  /// The results of the trials that go before these: `NAME.tuning.h5` and its folder.
  public var tuning: ResultsFolder { ResultsFolder(cube.dropLast(".h5".count) + ".tuning.h5") }

  public func journal() throws(FileError) -> Journal { try Journal(folder: journalFolder) }
}
