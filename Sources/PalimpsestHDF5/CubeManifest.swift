import PalimpsestDatasets
import PalimpsestExperiments

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
  /// Nil where there is none, or none that can be read: the next collect makes one.
  public init?(of folder: ResultsFolder) {
    guard let bytes = try? Files.read(folder.manifestFile),
      let json = try? JSONReader.read(bytes, file: folder.manifestFile).value()
    else { return nil }
    self.init(json)
  }

  func write(to folder: ResultsFolder) throws(FileError) {
    try Files.replace(folder.manifestFile, with: json.prettyText + "\n")
  }

  /// The digest of run ids.
  static func digest(of rows: [ResultRow]) -> String { sha256(rows.flatMap { Array(($0.run.id + "\n").utf8) }) }

  private var json: JSONValue {
    func list(_ texts: [String]) -> JSONValue { JSONValue(texts.map { JSONValue($0) }) }
    let files = journals.map { JSONValue(JSONObject([("file", JSONValue($0.name)), ("bytes", JSONValue($0.bytes))])) }
    return JSONValue(
      JSONObject([
        ("format", JSONValue(1)), ("schema", JSONValue(Cube.schema)), ("rows", JSONValue(rows)),
        ("run_ids_sha256", JSONValue(runIDs)), ("cube_sha256", JSONValue(cube)), ("journals", JSONValue(files)),
        ("damaged", list(damaged)), ("history", list(history)),
      ]))
  }

  private init?(_ json: JSONValue) {
    guard json["format"]?.int == 1, let rows = json["rows"]?.int, let runIDs = json["run_ids_sha256"]?.string,
      let cube = json["cube_sha256"]?.string, let journals = json["journals"]?.array
    else { return nil }
    self.rows = rows
    self.runIDs = runIDs
    self.cube = cube
    self.journals = journals.compactMap { file in
      guard let name = file["file"]?.string, let bytes = file["bytes"]?.int else { return nil }
      return JournalFile(name: name, bytes: bytes)
    }
    damaged = json["damaged"]?.array?.compactMap(\.string) ?? []
    history = json["history"]?.array?.compactMap(\.string) ?? []
  }
}
