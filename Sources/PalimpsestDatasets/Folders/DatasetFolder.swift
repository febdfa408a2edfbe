import Foundation
import PalimpsestJSON
import PalimpsestScenarios

/// The library on disk: folders that hold a folder a data set.
///
/// A set's folder holds four IDX files or a table with a header line (`datasets/README.md` has the rules), packed by
/// gzip or not. Of several library folders the first that holds the set counts.
public struct DatasetFolder: DatasetLibrary {
  /// Where data sets are looked for, in this order.
  public let folders: [String]

  public init(_ folders: [String]) { self.folders = folders }

  /// The folders of `PALIMPSEST_DATASETS` (separated by colons), then `datasets` and `../shared/data` of the working
  /// folder.
  public static func standard(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> DatasetFolder {
    let given = (environment["PALIMPSEST_DATASETS"] ?? "").split(separator: ":").map(String.init)
    return DatasetFolder(given + ["datasets", "../shared/data"])
  }

  /// Reads a data set as a whole.
  ///
  /// - Throws: ``DatasetError``: missing where no folder holds the set, else broken: the file, the place and what is
  ///   wrong.
  /// - Cost: MNIST takes about half a second and 55 MB.
  public func dataset(named name: String) throws -> Dataset {
    guard let folder = location(of: name) else { throw missing(name) }
    return try DatasetFolder.read(name, in: folder)
  }

  /// The folder that holds a data set; nil where none does.
  public func location(of name: String) -> String? {
    isPlainName(name) ? folders.map { join($0, name) }.first(where: isFolder) : nil
  }

  static func read(_ name: String, in folder: String) throws -> Dataset {
    let options = try options(name, in: folder)
    switch try FolderFiles.find(in: folder, file: options.file) {
    case .idx(let files): return try files.dataset(named: name)
    case .tables(let files): return try files.dataset(named: name, options)
    case nil:
      throw DatasetError(
        .missing, "\(folder): there is no table (NAME.csv, NAME.csv.gz) and no IDX file (train-images-idx3-ubyte, …)")
    }
  }

  /// What `dataset.json` says; else what is known of the set.
  static func options(_ name: String, in folder: String) throws -> TableOptions {
    let file = join(folder, "dataset.json")
    if FileManager.default.fileExists(atPath: file) { return try TableOptions(file: DataFile(path: file)) }
    return KnownDataset.named(name)?.options ?? TableOptions()
  }

  /// What is said of a data set that no folder holds.
  package func missing(_ name: String) -> DatasetError {
    let looked = folders.map { join($0, name) }.joined(separator: ", ")
    if !isPlainName(name) {
      return DatasetError(
        .missing,
        "data set \"\(name)\": a name is that of a folder: 1 to \(Label.mostCharacters) printable characters, "
          + "without / and not starting with a dot")
    }
    guard let known = KnownDataset.named(name) else {
      let names = (Set(found).union(KnownDataset.all.map(\.name))).sorted().joined(separator: ", ")
      return DatasetError(
        .missing,
        "data set \"\(name)\" is not there: looked for \(looked). There are or could be \(names). "
          + "Add your own with: palimpsest datasets add \(name) --from PATH|URL")
    }
    return DatasetError(
      .missing,
      "data set \"\(name)\" is not there: looked for \(looked). "
        + "Get it with: palimpsest datasets add \(name) --from PATH|URL (\(known.origin): \(known.urls[0]))")
  }
}

/// Whether a name can be that of a folder inside a library.
func isPlainName(_ name: String) -> Bool {
  Label.problem(name) == nil && !name.hasPrefix(".") && !name.contains("/")
}

/// Whether there is a folder (or a link to one) at a path.
func isFolder(_ path: String) -> Bool { FileManager.default.fileExists(atPath: join(path, ".")) }
