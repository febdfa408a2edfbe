import Foundation
import Palimpsest
import PalimpsestCube
import Testing

/// Results folders that are damaged, shared by mistake, or not where they should be.
struct FolderTests {
  let tool: Tool

  init() throws {
    tool = try Tool()
    try tool.write(Small.experiment(), to: "small.json")
  }

  func palimpsest(_ arguments: String...) async throws -> Tool.Answer {
    try await Tool.run(Tool.executable, arguments, in: tool.folder)
  }

  // MARK: - Plans

  /// Whoever does as the message says loses nothing, not even the order of the runs.
  @Test func `a damaged plan is refused with 65, and once it is moved away the same command goes on`() async throws {
    let first = try await palimpsest("run", "small.json", "--quiet")
    let folder = ResultsFolder(tool.folder + "/results/small")
    let plan = try Files.read(folder.planFile)
    var damaged = plan
    damaged[plan.count / 2] ^= 4
    try Files.replace(folder.planFile, with: damaged)
    for command in [["run", "small.json", "--quiet"], ["report", "results/small"], ["status", "results/small"]] {
      let answer = try await Tool.run(Tool.executable, command, in: tool.folder)
      #expect(answer.status == 65 && answer.output == "")
      #expect(
        answer.errors
          == "results/small.palimpsest/plan.json: this plan is damaged: its checksum is not that of its content. No "
          + "finished run is lost: move the file away and run the experiment again as before (\"palimpsest run FILE\"), "
          + "which writes it anew and goes on\n")
    }
    try FileManager.default.moveItem(atPath: folder.planFile, toPath: folder.planFile + ".damaged")
    let again = try await palimpsest("run", "small.json")
    #expect(again.status == 0 && again.output == first.output)
    #expect(again.errors == "all 6 runs were done already\n")
    #expect(try Files.read(folder.planFile) == plan)
  }

  @Test func `another experiment on the same output is noticed with 75, and nothing is lost`() async throws {
    try tool.write(Small.experiment(seeds: 4000), to: "long.json")
    try tool.write(Small.experiment(name: "other", training: #""epochs": 1"#), to: "other.json")
    let script = """
      while running && [ $(lines) -lt 2 ]; do sleep 0.01; done
      '\(Tool.executable)' run other.json --output results/small --quiet >other.txt 2>/dev/null; echo $? >other.status
      """
    let answer = try await tool.accompanied(
      by: script, "results/small", ["run", "long.json", "--quiet", "--jobs", "1"])
    #expect(answer.status == 75)
    #expect(answer.output == "")
    #expect(
      answer.errors
        == "results/small.palimpsest/plan-1.json: another process has put another plan here meanwhile. No finished run "
        + "is lost; run again to go on, with another --output where it is another experiment\n")
    #expect(try Files.read(tool.folder + "/other.status") == Array("0\n".utf8))
    #expect(try Files.read(tool.folder + "/other.txt").count > 200)
    let folder = ResultsFolder(tool.folder + "/results/small")
    let done = try folder.journal().entries.count
    #expect(done > 8 && done < 8006)
    #expect(try CubeTable(file: folder.cube).runs == 6)
    let again = try await palimpsest("run", "long.json", "--seeds", "1")
    #expect(again.errors.contains("all 2 runs were done already\n"))
  }

  // MARK: - Paths

  @Test func `a link as output leads to the file, also with --fresh`() async throws {
    try Files.makeFolder(tool.folder + "/disk")
    try FileManager.default.createSymbolicLink(
      atPath: tool.folder + "/a.h5", withDestinationPath: "disk/cube.h5")
    for flags in [[], ["--fresh"]] {
      let answer = try await Tool.run(
        Tool.executable, ["run", "small.json", "--quiet", "--output", "a.h5"] + flags, in: tool.folder)
      #expect(answer.status == 0 && answer.errors == "")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: tool.folder + "/a.h5") == "disk/cube.h5")
      #expect(try Files.names(in: tool.folder + "/disk") == ["cube.h5"])
    }
    #expect(try await palimpsest("report", "disk/cube.h5").status == 0)
  }

  @Test func `what can never work is refused, and a folder that is made is named`() async throws {
    let null = try await palimpsest("run", "small.json", "--output", "/dev/null")
    #expect(null.status == 64)
    #expect(
      null.errors
        == "--output \"/dev/null\": this is a device, a pipe or a socket; a file name is wanted, such as results/small.h5\n"
    )
    let below = try await palimpsest("run", "small.json", "--output", "small.json/x.h5")
    #expect(below.status == 73)
    let folder = tool.folder + "/new/deep"
    let made = try await palimpsest("run", "small.json", "--quiet", "--output", folder + "/x.h5")
    #expect(made.status == 0 && made.errors == "\(folder): this folder was not there and has been made\n")
    #expect(try await palimpsest("run", "small.json", "--quiet", "--output", folder + "/y.h5").errors == "")
  }

  /// What makes a command one of a user whom permissions bind; nil where the tool lies out of his reach.
  static let bound: String? = {
    if getuid() != 0 { return "" }
    let become = ["--reuid=65534", "--regid=65534", "--clear-groups"]
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/setpriv")
    process.arguments = become + [Tool.executable, "--version"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    process.waitUntilExit()
    return process.terminationStatus == 0 ? (["setpriv"] + become).joined(separator: " ") : nil
  }()

  @Test(.enabled(if: bound != nil, "needs another user than root who can start the tool"))
  func `a folder that may not be listed is an error to every command`() async throws {
    _ = try await palimpsest("run", "small.json", "--quiet")
    let script = """
      if [ $(id -u) = 0 ]; then chown -R 65534:65534 .; fi
      chmod 300 results/small.palimpsest
      for command in 'run small.json --quiet' 'status results/small' 'report results/small.palimpsest' 'collect results/small'
      do timeout 20 \(Self.bound ?? "") '\(Tool.executable)' $command; echo $?; done
      chmod 700 results/small.palimpsest
      """
    let answer = try await Tool.run("/bin/bash", ["-c", script], in: tool.folder)
    #expect(answer.output == "66\n66\n66\n66\n")
    let error = "results/small.palimpsest: cannot list: Permission denied\n"
    #expect(answer.errors == String(repeating: error, count: 4))
  }

  @Test func `too few files that may be open are told with 69, and none ends in a signal`() async throws {
    let script = """
      for files in $(seq 3 20); do
        (ulimit -n $files; exec '\(Tool.executable)' run small.json --quiet --output limited) >/dev/null 2>errors-$files
        echo $files $?
      done
      """
    let answer = try await Tool.run("/bin/bash", ["-c", script], in: tool.folder)
    var ends: [Int: Int] = [:]
    for line in answer.output.split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      ends[numbers[0]] = numbers[1]
    }
    #expect(ends.count == 18)
    // With three files the system's loader ends what it cannot load.
    #expect(ends.filter { $0.key > 3 }.allSatisfy { [0, 69].contains($0.value) }, "\(ends)")
    #expect(ends[20] == 0 && ends[6] == 69)
    let said = String(decoding: try Files.read(tool.folder + "/errors-6"), as: UTF8.self)
    #expect(said == "too few files may be open at once; at least 32 are wanted: ulimit -n 32\n")
  }

  // MARK: - Starting over

  @Test func `fresh with only forgets the runs that are chosen, and runs them again`() async throws {
    let first = try await palimpsest("run", "small.json", "--quiet")
    let folder = ResultsFolder(tool.folder + "/results/small")
    let before = try folder.journal().entries
    let runs = try folder.plan().runs.filter { $0.configuration == 1 }.map(\.id)
    let fresh = try await palimpsest("run", "small.json", "--quiet", "--fresh", "--only", "strategy=replay")
    #expect(fresh.status == 0 && fresh.output == first.output)
    #expect(fresh.errors == "--fresh --only: 3 finished runs are forgotten, the others stay\n")
    let after = try folder.journal()
    #expect(after.damaged == [] && after.entries.count == 6)
    let lines = after.entries.map(\.line)
    for entry in before { #expect(lines.contains(entry.line) == !runs.contains(entry.runID)) }
    let one = try await palimpsest("run", "small.json", "--fresh", "--only", "seed=1", "--limit", "1", "--quiet")
    #expect(one.status == 75)
    #expect(one.errors.hasPrefix("--fresh --only: 2 finished runs are forgotten, the others stay\n"))
    #expect(try folder.journal().entries.count == 5)
    #expect(try await palimpsest("run", "small.json", "--quiet").output == first.output)
  }
}
