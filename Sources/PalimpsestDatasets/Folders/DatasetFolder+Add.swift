import Foundation
import PalimpsestScenarios

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension DatasetFolder {
  /// Copies files into `home/NAME` after reading them as a data set: what cannot be read is not added. Nothing is
  /// unpacked.
  ///
  /// - Parameters:
  ///   - source: a file, a folder, or a URL (`https`, `http`, `file`) of a file. Where the set is known and the URL
  ///     ends in `/` every file of the manifest is fetched from there.
  ///   - home: the library's folder; it is made where it is missing.
  /// - Returns: the new entry. ``verify(_:)`` tells whether a known set's files are the published ones.
  /// - Throws: ``PalimpsestScenarios/DatasetError``; nothing is then left in `home`.
  public static func add(_ name: String, from source: String, to home: String = "datasets") async throws -> DatasetEntry
  {
    let target = join(home, name)
    if !isPlainName(name) {
      throw DatasetError(
        .broken, "\"\(name)\" is no name for a data set: it becomes a folder, without / and no dot first")
    }
    if FileManager.default.fileExists(atPath: target) {
      throw DatasetError(.broken, "\(target) is there already. Take it away first, or choose another name")
    }
    let staging = join(home, ".\(name)-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(atPath: staging) }
    try writing(to: home) {
      try FileManager.default.createDirectory(atPath: staging, withIntermediateDirectories: true)
    }
    try await collect(name, source, into: staging)
    _ = try naming(source, for: staging) { try read(name, in: staging) }
    try writing(to: target) { try FileManager.default.moveItem(atPath: staging, toPath: target) }
    return entry(name, in: target)
  }

  private static func collect(_ name: String, _ source: String, into folder: String) async throws {
    guard let url = URL(string: source), let scheme = url.scheme?.lowercased(), source.contains("://") else {
      return try copy(source, into: folder)
    }
    switch scheme {
    case "file": try copy(url.path, into: folder)
    case "http", "https":
      for url in try addresses(name, url) { try await download(url, into: folder) }
    default:
      throw DatasetError(.broken, "\(source): \(scheme) addresses cannot be fetched; use https, http, file or a path")
    }
  }

  /// The files of a known set below a folder's address, or the one file addressed.
  private static func addresses(_ name: String, _ url: URL) throws -> [URL] {
    if !url.absoluteString.hasSuffix("/") { return [url] }
    guard let known = KnownDataset.named(name) else {
      throw DatasetError(.broken, "\(url.absoluteString): which files? Give the address of a file")
    }
    return known.files.map { url.appendingPathComponent($0.name) }
  }

  private static func copy(_ source: String, into folder: String) throws {
    let manager = FileManager.default
    guard manager.fileExists(atPath: source) else { throw DatasetError(.missing, "\(source): there is no such file") }
    let names = isFolder(source) ? ((try? manager.contentsOfDirectory(atPath: source)) ?? []).filter(isData) : nil
    let paths = names.map { names in names.map { join(source, $0) } } ?? [source]
    if paths.isEmpty {
      throw DatasetError(.broken, "\(source): the folder holds no table (.csv, .csv.gz) and no IDX file")
    }
    for path in paths {
      try DataFile(path: path).check()
      try writing(to: folder) { try manager.copyItem(atPath: path, toPath: join(folder, lastName(path))) }
    }
  }

  private static func download(_ url: URL, into folder: String) async throws {
    let file: URL
    let response: URLResponse
    do {
      (file, response) = try await URLSession.shared.download(from: url)
    } catch {
      throw DatasetError(.missing, "\(url.absoluteString): fetching failed: \(error.localizedDescription)")
    }
    defer { try? FileManager.default.removeItem(at: file) }
    if let status = (response as? HTTPURLResponse)?.statusCode, status != 200 {
      throw DatasetError(.missing, "\(url.absoluteString): the server answered \(status); a file comes with 200")
    }
    let path = join(folder, lastName(url.path))
    try writing(to: path) { try FileManager.default.moveItem(atPath: file.path, toPath: path) }
  }

  private static func writing(to path: String, _ body: () throws -> Void) throws {
    do { try body() } catch {
      throw DatasetError(.broken, "\(path): writing failed: \(error.localizedDescription)")
    }
  }

  /// Errors of `body` about files in `staging` are told about those they were copied from: the others are gone.
  private static func naming<T>(_ source: String, for staging: String, _ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as DatasetError {
      let isFolder = isFolder(source) || source.hasSuffix("/")
      let folder = source.hasSuffix("/") ? String(source.dropLast()) : source
      let copy = isFolder ? staging : join(staging, lastName(source))
      let text = error.description.replacingOccurrences(of: copy, with: folder)
      throw DatasetError(error.kind, text.replacingOccurrences(of: staging, with: folder))
    }
  }
}

/// Whether a file of that name belongs to a data set.
private func isData(_ name: String) -> Bool {
  isTable(name) || name.contains("idx1") || name.contains("idx3") || name == "dataset.json"
}

private func lastName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
