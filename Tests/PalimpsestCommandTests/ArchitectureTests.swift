import Foundation
import TestFixtures
import Testing

/// The targets import one another in one direction, as `docs/architecture.md` has it, and the tree stays in order: read from
/// the sources as they lie there.
@Suite struct ArchitectureTests {
  /// A row of the table in `docs/architecture.md`.
  private struct Target {
    let name: String
    /// What it may import beside what these may.
    let below: Set<String>
    /// It runs on a device: no Foundation.
    let isLight: Bool
  }

  private static let table: [Target] = {
    let text = (try? String(contentsOfFile: House.root + "/docs/architecture.md", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard line.hasPrefix("| `"), (2...3).contains(cells.count) else { return nil }
      func names(_ cell: String) -> [String] {
        cell.split(separator: ",").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
      }
      let below = cells.count > 2 ? names(cells[2]).filter { !$0.isEmpty } : []
      return Target(name: names(cells[0])[0], below: Set(below), isLight: cells[1].contains("(light)"))
    }
  }()

  private static let allowed = Dictionary(table.map { ($0.name, $0.below) }) { first, _ in first }

  /// Targets below another one.
  private static func below(_ target: String) -> Set<String> {
    (allowed[target] ?? []).reduce(into: []) { $0.formUnion(below($1).union([$1])) }
  }

  /// The Swift files in a folder and those in it, by path.
  private static func files(in folder: String) -> [String] {
    let all = FileManager.default.subpaths(atPath: House.root + "/" + folder) ?? []
    return all.filter { $0.hasSuffix(".swift") }.map { folder + "/" + $0 }.sorted()
  }

  /// What a file imports.
  private static func imports(of file: String) throws -> [String] {
    let text = try String(contentsOfFile: House.root + "/" + file, encoding: .utf8)
    return text.split(separator: "\n").filter { !$0.contains("//") }.compactMap { line in
      let words = line.split(separator: " ")
      return words.firstIndex(of: "import").flatMap { $0 < 3 && $0 + 1 < words.count ? String(words[$0 + 1]) : nil }
    }
  }

  @Test func `every target of the sources has its place in the order`() throws {
    let targets = try FileManager.default.contentsOfDirectory(atPath: House.root + "/Sources")
    #expect(Set(targets.filter { !Self.files(in: "Sources/" + $0).isEmpty }) == Set(Self.allowed.keys))
  }

  @Test(arguments: table.map(\.name))
  func `a target imports what stands below it`(target: String) throws {
    let below = Self.below(target)
    let ours = Set(Self.allowed.keys).union(["CKernels", "CCrypto", "CZlib", "CProcess", "CHDF5", "CCommit"])
    for file in Self.files(in: "Sources/" + target) {
      let wrong = try Self.imports(of: file).filter { ours.contains($0) && !below.contains($0) }
      #expect(wrong.isEmpty, "\(file)")
    }
  }

  /// What each target of Package.swift says that it depends on.
  private static let declared: [String: Set<String>] = {
    let text = (try? String(contentsOfFile: House.root + "/Package.swift", encoding: .utf8)) ?? ""
    let quoted = { (text: Substring) in text.split(separator: "\"", omittingEmptySubsequences: false).enumerated() }
    let list = text.components(separatedBy: "\n  targets: [").last ?? ""
    let targets = list.components(separatedBy: "arget(").dropFirst().compactMap { target -> (String, Set<String>)? in
      let words = quoted(target[...]).filter { $0.offset % 2 == 1 }.map { String($0.element) }
      return words.first.map { ($0, Set(words.dropFirst())) }
    }
    return Dictionary(targets) { $0.union($1) }
  }()

  /// SwiftPM builds a target anew where one that it depends on has changed, and links what is old to one that it imports beside
  /// those. What lies behind those counts for nothing: one of them that is built anew and stays as it was ends the matter, though
  /// the types of a target below it may be laid out otherwise.
  @Test func `a target imports what Package.swift says that it depends on`() throws {
    let ours = Set(Self.declared.keys)
    #expect(ours.count > 30)
    for target in ours {
      let folder = ["Sources/", "Tests/"].map { $0 + target }.first { !Self.files(in: $0).isEmpty } ?? "Fuzz/Targets"
      let known = (Self.declared[target] ?? []).union([target])
      for file in Self.files(in: folder) where folder.hasSuffix(target) {
        #expect(try Self.imports(of: file).filter { ours.contains($0) && !known.contains($0) } == [], "\(file)")
      }
    }
  }

  @Test(arguments: table.filter(\.isLight).map(\.name))
  func `what an app links needs the standard library and the system's C alone`(target: String) throws {
    let known = Set(["CKernels", "Darwin", "Glibc", "Musl", "Synchronization"]).union(Self.allowed.keys)
    for file in Self.files(in: "Sources/" + target) {
      #expect(try Self.imports(of: file).filter { !known.contains($0) } == [], "\(file)")
    }
  }

  @Test func `a folder has at most sixteen Swift files`() {
    let files = Self.files(in: "Sources") + Self.files(in: "Tests") + Self.files(in: "Fuzz")
    let folders = Dictionary(grouping: files) { URL(filePath: $0).deletingLastPathComponent().relativePath }
    #expect(folders.filter { $0.value.count > 16 }.map(\.key).sorted() == [])
  }
}
