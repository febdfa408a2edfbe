import Foundation
import FuzzTargets
import Testing

/// Every input of `Fuzz/Corpus` once: what a fuzzer found stays found.
@Suite struct CorpusTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Fuzz/Corpus")

  static func inputs(_ target: FuzzTarget) throws -> [URL] {
    let folder = folder.appendingPathComponent(target.rawValue)
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
  }

  @Test(arguments: FuzzTarget.allCases)
  func `every input of the corpus is read or refused`(target: FuzzTarget) throws {
    let trial = try target.makeTrial()
    let inputs = try CorpusTests.inputs(target)
    #expect(!inputs.isEmpty)
    for input in inputs {
      do { _ = try trial([UInt8](Data(contentsOf: input))) } catch {
        Issue.record("\(input.lastPathComponent): \(error)")
      }
    }
  }

  /// A fuzzer that begins with inputs of an older format finds little behind the first check.
  @Test(arguments: FuzzTarget.allCases)
  func `a fuzzer begins with inputs that its reader takes`(target: FuzzTarget) throws {
    let trial = try target.makeTrial()
    let taken = try target.seeds().map { try trial($0) }
    #expect(!taken.isEmpty && taken.allSatisfy { $0 })
  }
}
