import Foundation
import HDF5
import PalimpsestCube
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestRuns
import Testing

private let noon = Date(timeIntervalSince1970: 1_700_000_000)

private func sweep() throws -> CubeSweep {
  try CubeSweep(strategies: [("naive", "[]"), ("joint", "[{\"name\": \"joint\"}]")], seeds: [7, 8])
}

private let runs: [(strategy: String, seed: Int, record: RunRecord)] = [
  ("naive", 7, RunRecord.completed(threeTasks).withTruth), ("naive", 8, RunRecord.completed(threeTasks)),
  ("joint", 7, RunRecord.completed(threeTasks).withTruth), ("joint", 8, .ended(.diverged, "the loss is inf")),
]

@Test func `who ran what in which order changes no byte of the cube`() throws {
  let alone = try sweep()
  try alone.journal(runs)
  let together = try sweep()
  try together.journal([runs[3], runs[0]], host: "zoe")
  try together.journal([runs[2], runs[1]], host: "bob")
  try alone.folder.collect(origin: .ada, at: noon)
  try together.folder.collect(origin: .ada, at: noon)
  #expect(try Files.read(alone.folder.cube) == Files.read(together.folder.cube))
}

@Test func `a collect says what it found, and the manifest what it took`() throws {
  let sweep = try sweep()
  try sweep.journal(Array(runs[1...]))
  let name = try #require(try Files.names(in: sweep.folder.journalFolder).first)
  let line = try Files.read(sweep.folder.journalFolder + "/" + name)
  try Files.replace(sweep.folder.journalFolder + "/torn.jsonl", with: Array(line.prefix(100)))
  let summary = try sweep.folder.collect(origin: .ada, at: noon)
  let cube = try Files.read(sweep.folder.cube)
  #expect(
    summary
      == CollectSummary(
        planned: 4, completed: 2, failed: 1, damaged: [sweep.folder.journalFolder + "/torn.jsonl:1"], bytes: cube.count)
  )
  #expect(summary.missing == 1)
  let manifest = try #require(CubeManifest(of: sweep.folder))
  #expect(manifest.rows == 3)
  #expect(manifest.cube == sha256(cube))
  #expect(manifest.runIDs == sha256(Array("id-naive-8\nid-joint-7\nid-joint-8\n".utf8)))
  #expect(manifest.journals == [.init(name: name, bytes: line.count), .init(name: "torn.jsonl", bytes: 100)])
  #expect(manifest.damaged == summary.damaged)
}

@Test func `each collect adds a line of history, and the last twenty stay`() throws {
  let sweep = try sweep()
  for second in 0..<22 {
    try sweep.folder.collect(origin: .ada, at: noon.addingTimeInterval(Double(second)))
  }
  let history = try HDF5File.open(bytes: Files.read(sweep.folder.cube)).root.attributes.string("history").split(
    separator: "\n")
  #expect(history.count == 20)
  #expect(history.first == "2023-11-14T22:13:22Z Palimpsest 0.1.0: collect, 0 of 4 runs")
  #expect(history.last == "2023-11-14T22:13:41Z Palimpsest 0.1.0: collect, 0 of 4 runs")
}

@Test func `files that killed processes left behind go, those of living ones stay`() throws {
  let sweep = try sweep()
  let dead = Process()
  dead.executableURL = URL(filePath: "/usr/bin/env")
  dead.arguments = ["true"]
  try dead.run()
  dead.waitUntilExit()
  let stray = [sweep.folder.cube, sweep.folder.manifestFile].map {
    Files.temporaryPath($0, process: Int(dead.processIdentifier))
  }
  let living = Files.temporaryPath(sweep.folder.cube, process: Int(getppid()))
  let earlier = "\(sweep.folder.cube).tmp.\(Provenance.hostName).\(dead.processIdentifier)"
  let elsewhere = "\(sweep.folder.cube).tmp.other-host.\(dead.processIdentifier)"
  let kept = [living, elsewhere] + [".x", ""].map { "\(sweep.folder.cube).tmp\($0)" }
  for path in stray + [earlier] + kept { try Files.replace(path, with: "half a fi") }
  try sweep.folder.collect(origin: .ada, at: noon)
  #expect((stray + [earlier]).allSatisfy { !Files.exists($0) })
  #expect(kept.allSatisfy { Files.exists($0) })
}

@Test func `a cube that cannot be replaced leaves manifest and folder as they were`() throws {
  let sweep = try sweep()
  try Files.makeFolder(sweep.folder.cube)
  #expect(throws: FileError.self) { try sweep.folder.collect(origin: .ada, at: noon) }
  #expect(CubeManifest(of: sweep.folder) == nil)
  let parent = URL(filePath: sweep.folder.cube).deletingLastPathComponent().path
  #expect(try Files.names(in: parent) == ["sweep.h5", "sweep.palimpsest"])
}

/// A wrong number of rows once kept a good cube from being replaced, and a wrong history went into it.
@Test func `a manifest that is damaged is none, and the next collect makes one`() throws {
  let sweep = try sweep()
  try sweep.journal(runs)
  try sweep.folder.collect(origin: .ada, at: noon)
  let whole = try Files.read(sweep.folder.manifestFile)
  #expect(SealedJSON.isIntact(whole) == true)
  for byte in whole.indices {
    var damaged = whole
    damaged[byte] ^= 1 << UInt8(byte % 8)
    try Files.replace(sweep.folder.manifestFile, with: damaged)
    #expect(CubeManifest(of: sweep.folder) == nil, "byte \(byte)")
  }
  try sweep.folder.collect(origin: .ada, at: noon)
  #expect(CubeManifest(of: sweep.folder)?.rows == 4)
}

@Test func `a manifest of format 1 is read`() throws {
  let sweep = try sweep()
  try sweep.journal(runs)
  try sweep.folder.collect(origin: .ada, at: noon)
  var text = String(decoding: try Files.read(sweep.folder.manifestFile), as: UTF8.self)
  text = text.components(separatedBy: ",\n\"sha256\"")[0] + "}"
  try Files.replace(sweep.folder.manifestFile, with: text)
  #expect(CubeManifest(of: sweep.folder) == nil)
  try Files.replace(
    sweep.folder.manifestFile, with: text.replacingOccurrences(of: "\"format\": 2", with: "\"format\": 1"))
  #expect(CubeManifest(of: sweep.folder)?.rows == 4)
}

// MARK: - Reading

@Test func `a collected cube is read back`() throws {
  let sweep = try sweep()
  try sweep.journal(runs)
  try sweep.folder.collect(origin: .ada, at: noon)
  let table = try CubeTable(file: sweep.folder.cube)
  #expect(table.runs == 4)
  #expect(try table.strings("strategy") == ["naive", "naive", "joint", "joint"])
}

/// The message with which a folder's cube is refused.
private func refusal(_ folder: ResultsFolder) -> String {
  do {
    _ = try CubeTable(file: folder.cube)
    return "none"
  } catch {
    let place = URL(filePath: folder.cube).deletingLastPathComponent().path + "/"
    return "\(error)".replacingOccurrences(of: place, with: "")
  }
}

@Test func `a cube that is missing or damaged is refused before libhdf5 sees it`() throws {
  let sweep = try sweep()
  try sweep.journal(runs)
  let advice = " \"palimpsest collect sweep.h5\" makes the cube from the journals."
  #expect(refusal(sweep.folder) == "sweep.h5: there is no such file.")
  try sweep.folder.collect(origin: .ada, at: noon)
  var bytes = try Files.read(sweep.folder.cube)
  bytes[bytes.count / 2] ^= 1
  try Files.replace(sweep.folder.cube, with: bytes)
  #expect(
    refusal(sweep.folder) == "sweep.h5: its checksum is not that of sweep.palimpsest/manifest.json." + advice)
  try FileManager.default.removeItem(atPath: sweep.folder.manifestFile)
  #expect(
    refusal(sweep.folder) == "sweep.h5: it is damaged: its checksum is not that of its content.")
}

@Test func `a file of another schema is refused`() throws {
  let sweep = try sweep()
  try sweep.folder.collect(origin: .ada, at: noon)
  let file = try HDF5File.create()
  try file.root.attributes.set("palimpsest_schema", "results/2")
  let bytes = try file.image()
  let manifest = String(decoding: try Files.read(sweep.folder.manifestFile), as: UTF8.self)
  let known = try #require(CubeManifest(of: sweep.folder)).cube
  let body = manifest.replacingOccurrences(of: known, with: sha256(bytes)).components(separatedBy: "\"sha256\":")[0]
  try Files.replace(sweep.folder.manifestFile, with: SealedJSON.sealed(Array(body.utf8)))
  try Files.replace(sweep.folder.cube, with: bytes)
  #expect(
    refusal(sweep.folder)
      == "sweep.h5: its schema is \"results/2\", not \"results/1\": it is no cube of this program.")
}
