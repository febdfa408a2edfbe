import Foundation
import HDF5
import PalimpsestCube
import PalimpsestJSON
import PalimpsestResults
import PalimpsestTesting
import TestFixtures
import Testing

/// A cube of two runs as bytes, without its seal.
private func unsealed() throws -> [UInt8] { Array(try firstSweep().image().dropLast(72)) }

/// A folder with cubes in it.
private final class Cubes {
  let folder = FileManager.default.temporaryDirectory.path + "/palimpsest-\(UUID().uuidString)"

  init(_ cubes: [String: [UInt8]]) throws {
    try Files.makeFolder(folder)
    for (name, bytes) in cubes { try Files.replace("\(folder)/\(name)", with: bytes) }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// What the tool says of them, with names for paths.
  func run(_ arguments: [String]) throws -> (text: String, errors: String, status: Int32) {
    let answer = try output(
      ["sh", "-c", "cd '\(folder)' && ulimit -t 20 && exec \"$@\"", "sh", House.tool] + arguments)
    return answer
  }
}

@Suite struct CubeMutantTests {
  static let commands = [
    ["report", "mutant.h5"], ["export", "mutant.h5", "--csv"], ["merge", "mutant.h5", "whole.h5", "-o", "both.h5"],
    ["export", "mutant.h5", "--csv", "--what", "all", "--output", "tables"],
  ]

  /// Seeds 0..<40 with one command each; 500 with all in the slow tests.
  @Test(.timeLimit(.minutes(60)))
  func `no damaged cube without a checksum stops the tool, keeps it, or changes something in silence`() throws {
    let whole = try unsealed()
    let mutator = CubeMutator(whole)
    let cubes = try Cubes(["whole.h5": whole])
    try Files.replace(cubes.folder + "/mutant.h5", with: whole)
    let known = try CubeMutantTests.commands.map { try cubes.run($0) }
    #expect(known.allSatisfy { $0.status == 0 }, "\(known)")
    var (ends, slowest) = ([Int32: Int](), Duration.zero)
    for seed in 0..<UInt64(Tier.slow ? 500 : 40) {
      try Files.replace(cubes.folder + "/mutant.h5", with: mutator.mutant(seed))
      for (number, command) in CubeMutantTests.commands.enumerated() where Tier.slow || number == Int(seed / 2) % 4 {
        let start = ContinuousClock.now
        let answer = try cubes.run(command)
        let place = "seed \(seed), \(command.joined(separator: " ")): \(answer)"
        slowest = max(slowest, ContinuousClock.now - start)
        #expect([0, 65, 69, 73].contains(answer.status), "\(place)")
        ends[answer.status, default: 0] += 1
        if answer.status == 0 {
          expectTold(answer, seed.isMultiple(of: 2) ? known[number] : answer, place)
        } else {
          #expect(answer.errors.contains("mutant.h5") && answer.text.isEmpty, "\(place)")
        }
      }
    }
    print("mutants: \(ends.sorted { $0.key < $1.key }), the slowest \(slowest)")
    #expect(slowest < .seconds(60))
    #expect(ends[65] ?? 0 > 0 && ends[0] ?? 0 > 0, "\(ends)")
  }

  /// That it is taken on trust; and where damage left other rows or columns, more. (What a forger left out nobody knows.)
  private func expectTold(
    _ answer: (text: String, errors: String, status: Int32), _ known: (text: String, errors: String, status: Int32),
    _ place: String
  ) {
    #expect(answer.errors.contains("mutant.h5: it has no checksum"), "\(place)")
    func shape(_ text: String) -> [Int] { text.split(separator: "\n").map { $0.split(separator: ",").count } }
    let isTold = answer.errors.split(separator: "\n").count > known.errors.split(separator: "\n").count
    #expect(isTold || shape(answer.text).count == shape(known.text).count, "\(place)")
    #expect(isTold || shape(answer.text).first == shape(known.text).first, "\(place)")
  }

  @Test func `forged cubes are refused, or read, by this process`() throws {
    let whole = try unsealed()
    let mutator = CubeMutator(whole)
    let sound = try CubeTable(bytes: firstSweep().image(), named: "sound.h5")
    var (read, refused) = (0, 0)
    for seed in 0..<UInt64(Tier.slow ? 1000 : 100) {
      do {
        let table = try CubeTable(bytes: mutator.mutant(2 * seed + 1), named: "forged.h5")
        _ = try Report(table).text(markingBest: false)
        let export = CubeExport(table)
        for what in CubeExport.Table.named + export.tables { try export.write(what) { _ in } }
        _ = try CubeMerge([sound, table]).image(origin: .ada, at: .now)
        _ = try CubeMerge([table, sound]).image(origin: .ada, at: .now)
        read += 1
      } catch let error as CubeError {
        #expect(error.description.hasPrefix("forged.h5: "), "\(seed)")
        refused += 1
      } catch is MergeError {
        refused += 1
      }
    }
    #expect(read > 0 && refused > 0)
  }

  @Test func `a cube without a checksum gives the same tables as with it, and a word`() throws {
    let sealed = try firstSweep().image()
    let cubes = try Cubes(["sealed.h5": sealed, "open.h5": Array(sealed.dropLast(72))])
    for command in [["report"], ["export", "--csv"], ["export", "--csv", "--what", "pairs"]] {
      let answers = try ["sealed.h5", "open.h5"].map { try cubes.run(command + [$0]) }
      #expect(answers[0].text == answers[1].text && !answers[0].text.isEmpty)
      #expect(answers.map(\.status) == [0, 0] && answers[0].errors.isEmpty)
      #expect(
        answers[1].errors
          == "open.h5: it has no checksum, as if another program wrote into it, so its numbers are taken on trust\n")
    }
  }

  /// One column of 2^36 rows, of which nothing is stored: an export of it would not end.
  @Test func `a shape that the file cannot hold is refused before anything is read`() throws {
    let file = try HDF5File.create()
    try file.root.attributes.set("palimpsest_schema", "results/1")
    let run = try file.root.createDimension("run", length: 1 << 36)
    _ = run
    let error = #expect(throws: CubeError.self) { try CubeTable(bytes: file.image(), named: "x.h5") }
    #expect(error?.description == "x.h5: it is damaged: cannot read dimension /run: it is longer than the file.")
  }
}
