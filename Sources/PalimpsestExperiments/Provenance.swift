import Foundation

/// Where numbers come from: written beside them.
public struct Provenance: Sendable, Equatable {
  public var host: String
  public var process: Int
  public var version: String
  public var gitCommit: String

  public static let toolkitVersion = "0.1.0"

  /// This machine, without its domain.
  public static let hostName = ProcessInfo.processInfo.hostName.prefix { $0 != "." }.description

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
