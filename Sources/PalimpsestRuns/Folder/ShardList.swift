import Foundation
import PalimpsestJSON

/// The cubes of a part of the runs each, `NAME-000.h5` and on, that lie beside `NAME.h5`: which there are, so that the next ones replace them
/// and nobody else's files.
extension ResultsFolder {
  /// The file of the part with a number.
  package func shard(_ number: Int) -> String {
    let digits = String(number)
    return cube.dropLast(".h5".count) + "-" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits + ".h5"
  }

  /// Names of those that are there; none where there is no list, or a damaged one.
  package var shards: [String] {
    guard let bytes = try? Files.read(shardsFile), SealedJSON.isIntact(bytes) == true,
      let json = JSONReader.read(bytes, file: shardsFile).root, let names = json["files"]?.list(\.string)
    else { return [] }
    return names.filter { Paths.last(of: $0) == $0 }
  }

  /// Keeps the list.
  /// - Parameter paths: of all cubes of parts.
  package func keep(shards paths: [String]) throws(FileError) {
    let names = JSONValue(paths.map { JSONValue(Paths.last(of: $0)) })
    try Files.replace(shardsFile, with: SealedJSON.sealed(JSONObject([("format", 1), ("files", names)])))
  }

  /// Takes the listed cubes away but for some, and the list where none stay.
  package func removeShards(besides kept: [String]) throws(FileError) {
    let parent = Paths.parent(of: cube)
    let names = Set(kept.map { Paths.last(of: $0) })
    for name in shards where !names.contains(name) { SystemCalls.unlink(parent.isEmpty ? name : parent + "/" + name) }
    if kept.isEmpty { SystemCalls.unlink(shardsFile) }
  }
}
