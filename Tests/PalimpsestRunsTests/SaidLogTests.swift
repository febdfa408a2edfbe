import Foundation
import PalimpsestJSON
import PalimpsestRuns
import TestFixtures
import Testing

struct SaidLogTests {
  let folder: TemporaryFolder
  let output: ResultsFolder

  init() throws {
    folder = try TemporaryFolder()
    output = ResultsFolder(folder("r"))
  }

  private func text() throws -> String {
    let names = try Files.names(in: output.logFolder)
    try #require(names.count == 1)
    return String(decoding: try Files.read(output.logFolder + "/" + names[0]), as: UTF8.self)
  }

  @Test func `nothing is made before the results are there, and nothing is lost`() throws {
    let log = SaidLog(output, opening: "begins")
    log.add("first")
    #expect(folder.names == [])
    try Files.makeFolder(output.folder)
    log.add("second\nthird \u{1B}[32mgreen\u{1B}[0m\r\u{1B}[K\u{7}.\n")
    let said = try text().split(separator: "\n").map { $0.drop { $0 != " " }.dropFirst() }
    #expect(
      said == ["begins", "first", "second", "third green", " ."]
        || said == ["begins", "first", "second", "third green  ."])
  }

  @Test func `a log has an end`() throws {
    try Files.makeFolder(output.folder)
    let log = SaidLog(output, opening: "begins", most: 300)
    for number in 0..<100 { log.add("message \(number)") }
    #expect(try text().utf8.count < 330)
    #expect(try text().hasSuffix("no more is kept\n"))
  }

  @Test func `a place that cannot be written stops nothing`() throws {
    try Files.makeFolder(output.folder)
    try Files.replace(output.logFolder, with: "a file")
    let log = SaidLog(output, opening: "begins")
    log.add("message")
    #expect(try Files.read(output.logFolder) == Array("a file".utf8))
  }
}
