import PalimpsestJSON
import PalimpsestScenarios
import Synchronization

/// The data sets that runs were made from, kept beside their results (`inputs.json`): name and SHA-256 of what the files
/// hold. A run's id names its data set; only the digest tells whether the file behind the name is still the same.
extension ResultsFolder {
  public var inputsFile: String { folder + "/inputs.json" }

  /// Digest by name; none where no data set was read.
  /// - Throws: ``PalimpsestJSON/FileError``; ``PalimpsestJSON/Problems`` where the file is damaged.
  public func inputs() throws -> [String: String] {
    let bytes: [UInt8]
    do {
      bytes = try Files.read(inputsFile)
    } catch {
      if error.kind == .missing { return [:] }
      throw error
    }
    guard let digests = InputDigests.read(bytes) else {
      let message = "this file is damaged. Move it away and run again: the digests of the data are then taken anew"
      throw Problems([Problem(file: inputsFile, place: nil, message: message)])
    }
    return digests
  }

  /// Keeps the digests of data sets about to be used.
  /// - Throws: ``PreparationError`` where one is not what earlier runs here were made from.
  func keep(inputs digests: [String: String]) throws {
    let known = try inputs()
    for (name, digest) in digests.sorted(by: { $0.key < $1.key }) {
      guard let earlier = known[name], earlier != digest else { continue }
      throw PreparationError(
        kind: .settings,
        "data set \"\(name)\": it is not what earlier runs in \(folder) were made from (SHA-256 \(earlier.prefix(12))… "
          + "then, \(digest.prefix(12))… now). Put the earlier data back, choose another --output or pass --fresh.")
    }
    let all = known.merging(digests) { _, new in new }
    if all == known { return }
    try Files.replace(inputsFile, with: InputDigests.bytes(all))
  }
}

/// Digests by name as a file: format 2, sealed. Format 1 was the names and digests alone.
private enum InputDigests {
  static func bytes(_ digests: [String: String]) -> [UInt8] {
    let members = digests.sorted { $0.key < $1.key }.map { ($0.key, JSONValue($0.value)) }
    return SealedJSON.sealed(JSONObject([("format", 2), ("inputs", JSONValue(JSONObject(members)))]))
  }

  /// - Returns: nil where the file is damaged.
  static func read(_ bytes: [UInt8]) -> [String: String]? {
    guard let json = JSONReader.read(bytes, file: "").root else { return nil }
    let seal = SealedJSON.isIntact(bytes)
    if seal == false { return nil }
    let members = (seal == nil ? json : json["inputs"])?.object?.members.elements
    guard let texts = members.map({ $0.map { ($0.key, $0.value.value.string ?? "") } }) else { return nil }
    return texts.contains { $0.1.isEmpty } ? nil : Dictionary(uniqueKeysWithValues: texts)
  }
}

/// A library that remembers what was asked of it.
final class RecordingLibrary: DatasetLibrary {
  private let library: any DatasetLibrary
  private let asked = Mutex<[String: String]>([:])

  init(_ library: any DatasetLibrary) { self.library = library }

  /// Digest by name of the data sets handed out; those without a digest are left out.
  var digests: [String: String] { asked.withLock { $0 } }

  func dataset(named name: String) throws -> Dataset {
    let dataset = try library.dataset(named: name)
    if !dataset.digest.isEmpty { asked.withLock { $0[name] = dataset.digest } }
    return dataset
  }

  func table(named name: String, _ request: TableRequest) throws -> LoggedTable {
    let table = try library.table(named: name, request)
    if !table.digest.isEmpty { asked.withLock { $0[name] = table.digest } }
    return table
  }
}
