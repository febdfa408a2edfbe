import Foundation
import Palimpsest
import PalimpsestCube
import Testing

/// What the disk, the user and the other process do to a sweep.
struct DurabilityTests {
  /// A full disk: `tmpfs` of two megabytes, where this user may mount one.
  final class SmallDisk {
    let path: String

    init?(_ path: String) {
      self.path = path
      try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      guard SmallDisk.call("/bin/mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", path) else { return nil }
    }

    deinit { _ = SmallDisk.call("/bin/umount", "-l", path) }

    /// From now on nobody can write to it, or all can again.
    func setReadOnly(_ isReadOnly: Bool) -> Bool {
      SmallDisk.call("/bin/mount", "-o", isReadOnly ? "remount,ro" : "remount,rw", path)
    }

    private static func call(_ program: String, _ arguments: String...) -> Bool {
      let process = Process()
      process.executableURL = URL(filePath: program)
      process.arguments = arguments
      process.standardError = FileHandle.nullDevice
      guard (try? process.run()) != nil else { return false }
      process.waitUntilExit()
      return process.terminationStatus == 0
    }
  }

  static let canMount: Bool = {
    let path = FileManager.default.temporaryDirectory.path + "/palimpsest-mount-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    return SmallDisk(path) != nil
  }()

  @Test(.enabled(if: canMount, "needs the right to mount a tmpfs"))
  func `a full disk ends a sweep with 73, the earlier cube stays, and it goes on once there is space`() async throws {
    let tool = try Tool()
    let disk = try #require(SmallDisk(tool.folder + "/results"))
    try tool.write(Small.experiment(seeds: 5), to: "small.json")
    #expect(try await tool("run", "small.json", "--quiet").status == 0)
    let cube = try Files.read(disk.path + "/small.h5")
    try Files.replace(disk.path + "/ballast", with: [UInt8](repeating: 1, count: (3 << 20) - (400 << 10)))
    try tool.write(Small.experiment(seeds: 150), to: "small.json")
    let full = try await tool("run", "small.json", "--quiet")
    #expect(full.status == 73)
    #expect(full.errors.contains("No space left on device"))
    #expect(full.errors.contains("run again to go on"))
    #expect(try Files.read(disk.path + "/small.h5") == cube)
    let kept = try ResultsFolder(disk.path + "/small").journal()
    #expect(kept.damaged == [])
    #expect(kept.entries.count > 10)
    let collect = try await tool("collect", "results/small")
    #expect(collect.status == 73)
    #expect(collect.errors == "results/small.h5: cannot write: No space left on device\n")
    #expect(try Files.read(disk.path + "/small.h5") == cube)
    #expect(try !Files.names(in: disk.path).contains { $0.contains(".tmp.") })
    try FileManager.default.removeItem(atPath: disk.path + "/ballast")
    let rest = try await tool("run", "small.json", "--quiet", "--output", "results/small.h5")
    #expect(rest.errors == "")
    #expect(rest.status == 0)
    #expect(try ResultsFolder(disk.path + "/small").journal().entries.count == 300)
  }

  @Test func `a file that may not grow ends a sweep with 73 and whole lines`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(seeds: 200), to: "small.json")
    let limited = "ulimit -f 64; exec '\(Tool.executable)' run small.json --quiet"
    let answer = try await Tool.run("/bin/bash", ["-c", limited], in: tool.folder)
    #expect(answer.status == 73)
    #expect(answer.errors.contains("No space left on device") || answer.errors.contains("File too large"))
    let kept = try ResultsFolder(tool.folder + "/results/small").journal()
    #expect(kept.damaged == [])
    #expect(kept.entries.count > 5)
    #expect(try await tool("run", "small.json", "--quiet").status == 0)
    #expect(try ResultsFolder(tool.folder + "/results/small").journal().entries.count == 400)
  }

  /// A disk, not permission bits: those do not stop a superuser.
  @Test(.enabled(if: canMount, "needs the right to mount a tmpfs"))
  func `results on a read-only disk end with 73, stay as they are and can be looked at`() async throws {
    let tool = try Tool()
    let disk = try #require(SmallDisk(tool.folder + "/results"))
    try tool.write(Small.experiment(), to: "small.json")
    let first = try await tool("run", "small.json", "--quiet")
    try tool.write(Small.experiment(seeds: 4), to: "larger.json")
    let before = try content(of: disk.path)
    #expect(before.count >= 4)
    try #require(disk.setReadOnly(true))
    func errors(_ arguments: String...) async throws -> String {
      let answer = try await Tool.run(Tool.executable, arguments, in: tool.folder)
      #expect(answer.output == "")
      return "\(answer.status) \(answer.errors)"
    }
    let folder = "results/small.palimpsest"
    #expect(
      try await errors("run", "larger.json", "--output", "results/small.h5", "--quiet")
        == "73 \(folder)/plan-1.json: cannot write: Read-only file system\n")
    #expect(
      try await errors("run", "larger.json", "--output", "results/other.h5", "--quiet")
        == "73 results/other.palimpsest/journal: cannot make the folder: Read-only file system\n")
    #expect(
      try await errors("collect", "results/small") == "73 results/small.h5: cannot write: Read-only file system\n")
    let fresh = try await errors("run", "small.json", "--quiet", "--fresh")
    #expect(fresh.hasPrefix("73 results/small.h5: cannot be removed: "))
    let report = try await tool("report", "results/small.h5")
    #expect(report.status == 0 && report.errors == "")
    #expect(first.output.hasPrefix(report.output.dropLast(1)))
    #expect(try await tool("status", "results/small.h5").status == 0)
    #expect(try content(of: disk.path) == before)
    try #require(disk.setReadOnly(false))
    let rest = try await tool("run", "larger.json", "--output", "results/small.h5")
    #expect(rest.status == 0 && rest.errors.contains(", 6 were done already"))
    #expect(try ResultsFolder(disk.path + "/small").journal().entries.count == 8)
  }

  /// Everything below a folder: files with their bytes.
  private func content(of folder: String) throws -> [String: [UInt8]] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
    return Dictionary(uniqueKeysWithValues: names.map { ($0, (try? Files.read(folder + "/" + $0)) ?? []) })
  }

  @Test(arguments: ["results", "results/small.palimpsest", "results/small.palimpsest/journal"])
  func `a folder deleted during the run ends it with 73, says what is lost, and the next call makes it anew`(
    deleted: String
  ) async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(seeds: 2000), to: "small.json")
    let script = """
      while running && [ $(lines) -lt 2 ]; do sleep 0.01; done
      rm -rf \(deleted); rm -rf \(deleted)
      """
    let arguments = ["run", "small.json", "--jobs", "1", "--quiet"]
    let answer = try await tool.accompanied(by: script, "results/small", arguments)
    #expect(answer.status == 73)
    #expect(answer.output == "")
    let message = try Regex(
      #"results/small\.palimpsest/journal/\S+\.jsonl: this file was removed while the sweep wrote to it\. "#
        + #"\d+ finished runs are lost; run again to go on\n"#)
    #expect(answer.errors.wholeMatch(of: message) != nil, "\(answer.errors)")
    try tool.write(Small.experiment(), to: "small.json")
    let again = try await tool("run", "small.json", "--quiet")
    #expect(again.status == 0 && again.errors == "")
    #expect(try ResultsFolder(tool.folder + "/results/small").journal().entries.count == 6)
  }

  @Test func `two processes share one plan, and no run is done twice`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(seeds: 150), to: "small.json")
    async let first = tool("run", "small.json", "--quiet", "--jobs", "1")
    async let second = tool("run", "small.json", "--quiet", "--jobs", "1")
    let answers = try await [first, second]
    #expect(answers.map(\.status) == [0, 0])
    #expect(answers[0].output == answers[1].output)
    let folder = ResultsFolder(tool.folder + "/results/small")
    let entries = try folder.journal().entries
    #expect(Set(entries.map(\.runID)).count == 300)
    #expect(entries.count == 300)
    #expect(try CubeTable(file: folder.cube).runs == 300)
  }

  @Test func `processes that collect at once leave a cube and its own manifest`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(seeds: 20), to: "small.json")
    _ = try await tool("run", "small.json", "--quiet")
    let script = """
      for i in 1 2 3 4 5 6 7 8; do '\(Tool.executable)' collect results/small >/dev/null & ids="$ids $!"; done
      for id in $ids; do wait $id || echo $?; done
      """
    let answer = try await Tool.run("/bin/bash", ["-c", script], in: tool.folder)
    let said = answer.errors.split(separator: "\n")
    #expect(answer.output == "" && said.allSatisfy { $0.contains("is making the .h5 file; waiting for it") })
    let folder = ResultsFolder(tool.folder + "/results/small")
    #expect(!folder.hasForeignCube)
    #expect(CubeManifest(of: folder)?.history.count == 9)
    #expect(try !Files.names(in: folder.folder).contains { $0.contains("lock") || $0.contains(".tmp.") })
  }

  @Test func `a cube that is not the manifest's is noticed and made anew`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(), to: "small.json")
    let first = try await tool("run", "small.json", "--quiet")
    try tool.write("half a cu", to: "results/small.h5")
    let again = try await tool("run", "small.json", "--quiet")
    #expect(again.status == 0)
    #expect(again.output == first.output)
    #expect(
      again.errors == """
        results/small.h5: this is not the file that results/small.palimpsest/manifest.json describes; it is made anew

        """)
    #expect(try CubeTable(file: ResultsFolder(tool.folder + "/results/small").cube).runs == 6)
  }

  @Test func `runs that left the plan leave the cube and are counted`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(seeds: 3), to: "small.json")
    _ = try await tool("run", "small.json", "--quiet")
    try tool.write(Small.experiment(seeds: 2), to: "small.json")
    let fewer = try await tool("run", "small.json", "--quiet")
    #expect(fewer.errors == "2 runs of the journal are not in the plan any more and left out\n")
    #expect(try CubeTable(file: ResultsFolder(tool.folder + "/results/small").cube).runs == 4)
    try tool.write(Small.experiment(seeds: 3), to: "small.json")
    #expect(try await tool("run", "small.json").errors == "all 6 runs were done already\n")
  }

  @Test func `a file that could not be made again is not replaced`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(), to: "small.json")
    try tool.write("another program's", to: "results/small.h5")
    for flags in [[], ["--fresh"]] {
      let foreign = try await Tool.run(
        Tool.executable, ["run", "small.json", "--quiet"] + flags, in: tool.folder)
      #expect(foreign.status == 73)
      #expect(
        foreign.errors
          == "results/small.h5: this file would be replaced, and it is no file of ours. Choose another --output, or move "
          + "the file away\n")
    }
    #expect(try Files.read(tool.folder + "/results/small.h5") == Array("another program's".utf8))
    #expect(!tool.exists("results/small.palimpsest"))

    #expect(try await tool("run", "small.json", "--quiet", "--output", "b").status == 0)
    let cube = try Files.read(tool.folder + "/b.h5")
    try FileManager.default.removeItem(atPath: tool.folder + "/b.palimpsest")
    let alone = try await tool("run", "small.json", "--quiet", "--output", "b")
    #expect(alone.status == 73)
    #expect(
      alone.errors
        == "b.h5: this file would be replaced, and its folder b.palimpsest is not there, so it could not be made again. "
        + "Choose another --output, or move the file away\n")
    let status = try await tool("status", "b.h5")
    #expect(status.status == 66)
    #expect(
      status.errors
        == "b.palimpsest: no results here; \"palimpsest run FILE\" makes them. b.h5 alone can be read by \"report\", "
        + "\"export\" and \"merge\"\n")
    #expect(try Files.read(tool.folder + "/b.h5") == cube)
    #expect(try await tool("run", "small.json", "--quiet", "--output", "b", "--fresh").status == 0)
  }

  @Test func `a cube whose journals are gone stays until its runs are done again`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(), to: "small.json")
    #expect(try await tool("run", "small.json", "--quiet").status == 0)
    let cube = try Files.read(tool.folder + "/results/small.h5")
    try FileManager.default.removeItem(atPath: tool.folder + "/results/small.palimpsest/journal")
    let collect = try await tool("collect", "results/small.h5")
    #expect(collect.status == 73)
    #expect(
      collect.errors
        == "results/small.h5: it holds 6 runs and the journals in results/small.palimpsest/journal only 0, so it is left "
        + "as it is. \"palimpsest run FILE\" does the missing ones again; to make it without them, move it away\n")
    #expect(try Files.read(tool.folder + "/results/small.h5") == cube)
    // A cube that is also not the manifest's is not made anew before they are.
    try Files.replace(tool.folder + "/results/small.h5", with: cube + [0])
    let run = try await tool("run", "small.json", "--quiet")
    #expect(run.status == 0 && run.errors.contains("so it is left as it is"))
    #expect(try await tool("collect", "results/small.h5").status == 0)
  }

  @Test func `fresh removes what Palimpsest made and nothing else`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(), to: "small.json")
    _ = try await tool("run", "small.json", "--quiet", "--seeds", "4", "--limit", "1")
    _ = try await tool("run", "small.json", "--quiet")
    #expect(try ResultsFolder(tool.folder + "/results/small").generations == [0, 1])
    try tool.write("mine", to: "results/small.palimpsest/notes.txt")
    try tool.write("mine", to: "results/other.h5")
    let fresh = try await tool("run", "small.json", "--fresh", "--quiet")
    #expect(fresh.status == 0)
    #expect(try ResultsFolder(tool.folder + "/results/small").generations == [0])
    #expect(try ResultsFolder(tool.folder + "/results/small").journal().entries.count == 6)
    #expect(tool.exists("results/small.palimpsest/notes.txt") && tool.exists("results/other.h5"))
  }
}
