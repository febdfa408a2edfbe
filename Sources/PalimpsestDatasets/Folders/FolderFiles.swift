import Foundation
import PalimpsestScenarios

/// What a data set's folder holds: four IDX files, or tables.
enum FolderFiles: Equatable {
  case idx(IDXFiles)
  case tables(TableFiles)

  /// Looks at the names of the files; nothing is read.
  ///
  /// - Parameter file: the table to take, where `dataset.json` names one.
  /// - Returns: nil where the folder holds neither IDX files nor tables.
  /// - Throws: ``DatasetError`` where it is not clear what belongs together.
  static func find(in folder: String, file: String? = nil) throws -> FolderFiles? {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    if let file {
      if names.contains(file) { return .tables(TableFiles(paths: [join(folder, file)])) }
      throw DatasetError(.missing, "\(join(folder, file)): dataset.json names this file, but it is not there")
    }
    let idx = names.filter { $0.contains("idx1") || $0.contains("idx3") }
    if !idx.isEmpty { return .idx(try idxFiles(folder, idx)) }
    let tables = names.filter { isTable($0) }
    return tables.isEmpty ? nil : .tables(try tableFiles(folder, tables))
  }

  /// Files of these names, packed or not, in this order; nil where one is not there.
  static func tables(_ files: [String], in folder: String) throws -> [String]? {
    let found = files.compactMap { name -> String? in
      let plain = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
      return [plain, name].map { join(folder, $0) }.first(where: FileManager.default.fileExists)
    }
    return found.count == files.count ? found : nil
  }

  private static func idxFiles(_ folder: String, _ names: [String]) throws -> IDXFiles {
    IDXFiles(
      trainingImages: try one(folder, names, ["train"], "images", "idx3"),
      trainingLabels: try one(folder, names, ["train"], "labels", "idx1"),
      testImages: try one(folder, names, ["t10k", "test"], "images", "idx3"),
      testLabels: try one(folder, names, ["t10k", "test"], "labels", "idx1"))
  }

  /// The one file of a kind; of a packed and an unpacked copy the unpacked one.
  private static func one(
    _ folder: String, _ names: [String], _ sets: [String], _ kind: String, _ format: String
  ) throws -> String {
    let found = names.filter { name in
      sets.contains { name.contains($0) } && name.contains(kind) && name.contains(format)
    }
    let plain = found.filter { !$0.hasSuffix(".gz") || !found.contains(String($0.dropLast(3))) }
    if plain.count == 1 { return join(folder, plain[0]) }
    let wanted = "\(sets[0])-\(kind)-\(format)-ubyte[.gz]"
    if plain.isEmpty { throw DatasetError(.missing, "\(folder): there is no file \(wanted)") }
    throw DatasetError(
      .broken, "\(folder): several files could be \(wanted): \(plain.joined(separator: ", ")). Leave one")
  }

  private static func tableFiles(_ folder: String, _ names: [String]) throws -> TableFiles {
    let tables = names.filter { !$0.hasSuffix(".gz") || !names.contains(String($0.dropLast(3))) }
    if tables.count == 1 { return TableFiles(paths: [join(folder, tables[0])]) }
    let training = tables.filter { $0.hasPrefix("train.") }
    let test = tables.filter { $0.hasPrefix("test.") }
    if tables.count == 2 && training.count == 1 && test.count == 1 {
      return TableFiles(paths: (training + test).map { join(folder, $0) })
    }
    throw DatasetError(
      .broken,
      "\(folder): several tables: \(tables.joined(separator: ", ")). Name one with \"file\" in dataset.json, "
        + "or call two of them train.csv and test.csv")
  }
}

/// Whether a name is that of a table: `.csv` or `.tsv`, packed or not.
func isTable(_ name: String) -> Bool { [".csv", ".tsv", ".csv.gz", ".tsv.gz"].contains { name.hasSuffix($0) } }

/// A path inside a folder.
func join(_ folder: String, _ name: String) -> String { folder.hasSuffix("/") ? folder + name : folder + "/" + name }
