import Foundation
import PalimpsestScenarios

/// A data set that is there or could be: a row of the list that `palimpsest datasets` prints.
public struct DatasetEntry: Sendable, Equatable {
  public let name: String
  /// What the toolkit knows of the set; nil for a user's own.
  public let known: KnownDataset?
  /// Its folder; nil where it is missing.
  public let folder: String?
  /// What it is: as the toolkit knows it, as its `dataset.json` says, or what its files are.
  public let title: String
}

/// What has become of a known data set's file.
public struct FileCheck: Sendable, Equatable {
  public enum State: String, Sendable {
    /// It holds what it should.
    case right
    /// It holds something else.
    case different
    case missing
  }

  public let path: String
  public let state: State
}

extension DatasetFolder {
  /// The known data sets in the order of the manifest, then the others that are there, by name. Nothing is read but the
  /// names of files.
  public func describe() -> [DatasetEntry] {
    let others = found.filter { KnownDataset.named($0) == nil }
    return (KnownDataset.all.map(\.name) + others).map { DatasetFolder.entry($0, in: location(of: $0)) }
  }

  static func entry(_ name: String, in folder: String?) -> DatasetEntry {
    let known = KnownDataset.named(name)
    let title = known?.title ?? folder.flatMap { titleFound(name, in: $0) } ?? ""
    return DatasetEntry(name: name, known: known, folder: folder, title: title)
  }

  private static func titleFound(_ name: String, in folder: String) -> String? {
    if let title = (try? options(name, in: folder))?.title { return title }
    if let twin = KnownDataset.all.first(where: { $0.files.allSatisfy { $0.isIn(folder) } }) {
      return "\(twin.title) (as \(twin.name))"
    }
    switch (try? FolderFiles.find(in: folder)) ?? nil {
    case .idx: return "images"
    case .tables(let files): return files.paths.count == 1 ? "a table" : "a table to train on and one to test on"
    case nil: return nil
    }
  }

  /// Compares the files of a known data set with the manifest, by the SHA-256 of what they hold unpacked.
  ///
  /// - Throws: ``PalimpsestScenarios/DatasetError`` where the set is not known, not there, or a file cannot be unpacked.
  public func verify(_ name: String) throws -> [FileCheck] {
    guard let known = KnownDataset.named(name) else {
      let names = KnownDataset.all.map(\.name).joined(separator: ", ")
      throw DatasetError(.missing, "data set \"\(name)\" is not in the manifest, which lists \(names)")
    }
    guard let folder = location(of: name) else { throw missing(name) }
    return try known.files.map { try check($0, in: folder) }
  }

  private func check(_ file: KnownDataset.File, in folder: String) throws -> FileCheck {
    let packed = join(folder, file.name)
    let plain = packed.hasSuffix(".gz") ? String(packed.dropLast(3)) : packed
    guard let path = [plain, packed].first(where: FileManager.default.fileExists) else {
      return FileCheck(path: packed, state: .missing)
    }
    var stream = try DataFile(path: path).stream()
    while try !stream.next().isEmpty {}
    return FileCheck(path: path, state: stream.digest == file.contentSHA256 ? .right : .different)
  }

  /// Names of the data sets that are there, sorted.
  var found: [String] {
    let names = folders.flatMap { folder in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { holdsData(join(folder, $0)) }
    }
    return Set(names.filter(isPlainName)).sorted()
  }

  private func holdsData(_ folder: String) -> Bool {
    isFolder(folder) && ((try? FolderFiles.find(in: folder)) ?? nil) != nil
  }
}

extension KnownDataset.File {
  /// Whether a folder holds a file of that name and length: what it holds is not read.
  fileprivate func isIn(_ folder: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: join(folder, name))
    return (attributes?[.size] as? NSNumber)?.intValue == bytes
  }
}
