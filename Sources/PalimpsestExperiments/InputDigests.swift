import PalimpsestScenarios
import Synchronization

/// The data sets that runs were made from, kept beside their results (`inputs.json`): name and SHA-256 of what the files
/// hold. A run's id names its data set; only the digest tells whether the file behind the name is still the same.
extension ResultsFolder {
  public var inputsFile: String { folder + "/inputs.json" }

  /// Digest by name; none where no data set was read.
  public func inputs() throws -> [String: String] {
    guard Files.exists(inputsFile) else { return [:] }
    let json = try JSONReader.read(try Files.read(inputsFile), file: inputsFile).value()
    var digests: [String: String] = [:]
    for (name, member) in json.object?.members ?? [:] { digests[name] = member.value.string }
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
    let members = all.sorted { $0.key < $1.key }.map { ($0.key, JSONValue($0.value)) }
    try Files.replace(inputsFile, with: JSONValue(JSONObject(members)).prettyText + "\n")
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
}
