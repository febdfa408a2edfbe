import Foundation
import Testing

/// The list of published bugs is true: every test that it names is there.
@Suite struct PublishedBugTests {
  /// The text of every file of tests.
  private static let files: [String] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (files?.compactMap { $0 as? URL } ?? [])
      .filter { $0.pathExtension == "swift" }
      .compactMap { try? String(contentsOf: $0, encoding: .utf8) }
  }()

  private func isThere(_ suite: String, _ test: String) -> Bool {
    Self.files.contains { file in
      ["struct \(suite) {", "struct \(suite): "].contains { file.contains($0) } && file.contains("func `\(test)`(")
    }
  }

  @Test(arguments: PublishedBug.all.indices)
  func `every published bug has a test that is there`(index: Int) {
    let bug = PublishedBug.all[index]
    #expect(isThere(bug.suite, bug.test), "\(bug.part): \(bug.bug): no test `\(bug.test)` in \(bug.suite)")
    #expect(!bug.source.isEmpty && !bug.bug.isEmpty)
  }

  @Test func `a test that is not there is missed`() {
    #expect(isThere("PublishedBugTests", "a test that is not there is missed"))
    #expect(!isThere("PublishedBugTests", "a test that nobody wrote"))
    #expect(!isThere("EWCTests", "a test that is not there is missed"))
  }

  @Test func `no bug stands twice in the list`() {
    #expect(Set(PublishedBug.all.map { $0.part + $0.bug }).count == PublishedBug.all.count)
  }
}
