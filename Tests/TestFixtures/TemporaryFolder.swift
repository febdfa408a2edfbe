import Foundation
import PalimpsestJSON

/// A folder of one test, gone when the test is over.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    path = NSTemporaryDirectory() + "palimpsest-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package func callAsFunction(_ name: String) -> String { path + "/" + name }

  package var names: [String] { (try? Files.names(in: path)) ?? [] }
}
