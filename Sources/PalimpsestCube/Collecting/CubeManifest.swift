import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestResults
import PalimpsestRuns

/// What the last collect put into a cube (`manifest.json`): to find out whether the cube is whole and up to date.
public struct CubeManifest: Sendable, Equatable {
  /// A journal file and how much of it the cube holds, at least.
  public struct JournalFile: Sendable, Equatable {
    public var name: String
    public var bytes: Int

    package init(name: String, bytes: Int) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// Runs in the cube.
  public var rows: Int
  /// SHA-256 of the run ids in the cube's order, each followed by a newline.
  public var runIDs: String
  /// SHA-256 of the cube.
  public var cube: String
  public var journals: [JournalFile]
  /// Journal lines that were torn or damaged: file and line number.
  public var damaged: [String]
  /// One line a collect, the last twenty.
  public var history: [String]
}

extension CubeManifest {
  /// Nil where there is none, or one that is damaged: the next collect makes one.
  public init?(of folder: ResultsFolder) {
    guard let bytes = try? Files.read(folder.manifestFile),
      let json = try? JSONReader.read(bytes, file: folder.manifestFile).value()
    else { return nil }
    self.init(json, seal: SealedJSON.isIntact(bytes))
  }

  func write(to folder: ResultsFolder) throws(FileError) {
    try Files.replace(folder.manifestFile, with: SealedJSON.sealed(json))
  }

  /// The digest of run ids.
  static func digest(of runs: [PlannedRun]) -> String {
    var hash = SHA256()
    for run in runs { hash.add(Array((run.id + "\n").utf8)) }
    return hash.hex
  }

  private var json: JSONObject {
    func list(_ texts: [String]) -> JSONValue { JSONValue(texts.map { JSONValue($0) }) }
    let files = journals.map { JSONValue(JSONObject([("file", JSONValue($0.name)), ("bytes", JSONValue($0.bytes))])) }
    return JSONObject([
      ("format", 2), ("schema", JSONValue(Cube.schema)), ("rows", JSONValue(rows)),
      ("run_ids_sha256", JSONValue(runIDs)), ("cube_sha256", JSONValue(cube)), ("journals", JSONValue(files)),
      ("damaged", list(damaged)), ("history", list(history)),
    ])
  }

  /// - Parameter seal: whether the file's checksum is right; format 1 had none.
  private init?(_ json: JSONValue, seal: Bool?) {
    guard json["format"]?.int == (seal == nil ? 1 : 2), seal != false, let rows = json["rows"]?.int,
      let runIDs = json["run_ids_sha256"]?.string, let cube = json["cube_sha256"]?.string,
      let journals = json["journals"]?.list(JournalFile.init), let damaged = (json["damaged"] ?? []).list(\.string),
      let history = (json["history"] ?? []).list(\.string)
    else { return nil }
    self.rows = rows
    self.runIDs = runIDs
    self.cube = cube
    self.journals = journals
    self.damaged = damaged
    self.history = history
  }
}

extension CubeManifest.JournalFile {
  fileprivate init?(_ json: JSONValue) {
    guard let name = json["file"]?.string, let bytes = json["bytes"]?.int else { return nil }
    self.init(name: name, bytes: bytes)
  }
}
