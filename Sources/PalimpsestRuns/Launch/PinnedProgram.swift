import Foundation
import PalimpsestJSON

extension ResultsFolder {
  /// Copies a program to `bin/NAME-<SHA-256>`, so that tasks that wait in a queue for days run what was submitted.
  ///
  /// - Returns: the copy's path, absolute; one that is there already is taken.
  /// - Throws: ``PalimpsestJSON/FileError``.
  func pin(program: String) throws(FileError) -> String {
    let bytes = try Files.read(program)
    let path = pinnedPath(of: program, bytes)
    if let status = SystemCalls.status(path), Int(status.st_size) == bytes.count { return path }
    try Files.makeFolder(programFolder)
    SystemCalls.unlink(path)
    _ = try Files.create(path, with: bytes)
    guard SystemCalls.setMode(path, 0o555) == 0 else { throw .system(.unwritable, "make executable", path) }
    return path
  }

  /// Where the copy of a program with that content lies, whether it is there yet or not.
  func pinnedPath(of program: String, _ bytes: [UInt8]) -> String {
    let name = Paths.last(of: program).split(separator: "-").first.map(String.init) ?? "palimpsest"
    return Paths.absolute("\(programFolder)/\(name)-\(sha256(bytes).prefix(16))")
  }
}

extension Paths {
  /// A path as it is from any working folder.
  package static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }
}
