import CProcess
import Foundation
import PalimpsestJSON

/// Where numbers come from: written beside them.
public struct Provenance: Sendable, Equatable {
  public var host: String
  public var process: Int
  public var version: String
  /// Commit that the program was built from; empty where that is not known.
  public var toolkitCommit = Provenance.toolkitCommit
  /// Commit of the working directory.
  public var gitCommit: String

  public static let toolkitVersion = "0.1.0"

  /// The commit this program was built from, with `-dirty` where files had changed; empty where the build did not say.
  public static let toolkitCommit = unsafe String(cString: palimpsest_commit())

  /// The number by which the linker names this program or library, in hex: other code has another one. Nil where it gave none.
  package static let build: String? = {
    var length: Int32 = 0
    guard let bytes = unsafe palimpsest_build(&length), length >= 8 else { return nil }
    return unsafe SHA256.hex(ArraySlice(UnsafeBufferPointer(start: bytes, count: Int(length))))
  }()

  /// `0.1.0`, and the commit where it is known: `0.1.0 (3f9c21ab04de-dirty)`.
  public static let programVersion: String = {
    if toolkitCommit.isEmpty { return toolkitVersion }
    let mark = toolkitCommit.hasSuffix("-dirty") ? "-dirty" : ""
    return "\(toolkitVersion) (\(toolkitCommit.prefix(12))\(mark))"
  }()

  /// This machine, without its domain.
  public static let hostName = Files.hostName

  /// This process; the commit is that of the working directory where it is a checkout.
  public static var current: Provenance {
    Provenance(
      host: hostName, process: Int(getpid()),
      version: toolkitVersion, gitCommit: GitCommit.ofWorkingDirectory)
  }
}

/// The commit a checkout stands at, read from its files: no git program is run.
enum GitCommit {
  static var ofWorkingDirectory: String {
    guard let head = text(".git/HEAD") else { return "" }
    guard head.hasPrefix("ref: ") else { return head }
    let name = String(head.dropFirst(5))
    if let commit = text(".git/" + name) { return commit }
    let packed = text(".git/packed-refs")?.split(separator: "\n").first { $0.hasSuffix(" " + name) }
    return packed.map { String($0.prefix(40)) } ?? ""
  }

  private static func text(_ path: String) -> String? {
    guard let bytes = try? Files.read(path) else { return nil }
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
