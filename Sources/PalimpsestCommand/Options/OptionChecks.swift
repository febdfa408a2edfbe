import ArgumentParser
import Palimpsest

/// Bounds of what options take.
enum OptionChecks {
  /// More at a time than any machine works on.
  private static let mostJobs = 4096
  /// Thirty years.
  private static let mostSeconds = 1_000_000_000.0

  static func jobs(_ jobs: Int) throws {
    if jobs < 1 { throw ValidationError("--jobs: \(jobs) runs at a time are too few; at least 1.") }
    if jobs > mostJobs {
      throw ValidationError("--jobs: \(jobs) runs at a time are too many; at most \(mostJobs).")
    }
  }

  static func seconds(_ seconds: Double, _ option: String) throws {
    guard seconds > 0, seconds <= mostSeconds else {
      throw ValidationError(
        "\(option): expected more than 0 s and at most \(Int(mostSeconds)) s, found \(seconds).")
    }
  }

  /// - Throws: ``UsageError`` where a path names no file: it is empty, ends in "/", has nothing before its ending, or is a
  ///   device.
  static func file(_ path: String, _ option: String, example: String) throws {
    if Files.isDevice(path) {
      throw UsageError(
        "\(option) \"\(path)\": this is a device, a pipe or a socket; a file name is wanted, such as \(example)")
    }
    var name = path.hasSuffix("/") ? "" : Paths.last(of: path)
    for ending in [".h5", ".palimpsest"] where name.hasSuffix(ending) { name.removeLast(ending.count) }
    guard ["", ".", ".."].contains(name) else { return }
    throw UsageError("\(option) \"\(path)\": a file name is wanted, such as \(example)")
  }
}
