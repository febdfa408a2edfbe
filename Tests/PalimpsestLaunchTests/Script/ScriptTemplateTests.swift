import Foundation
import PalimpsestJSON
import PalimpsestLaunch
import PalimpsestRuns
import TestFixtures
import Testing

/// Job scripts of engines that are not called.
struct ScriptTemplateTests {
  @Test func `every place is filled, once`() throws {
    let folder = try TemporaryFolder()
    let text = ScriptTemplate.placeholders.map { "{{\($0)}}" }.joined(separator: "\n")
    try text.write(toFile: folder.path + "/t", atomically: true, encoding: .utf8)
    let work = try Work.work(ResultsFolder("/r/a {{cpus}} b.h5"), 8, program: "/p/it's")
    #expect(
      try ScriptTemplate(folder.path + "/t").script(work)
        == "'/r/a {{cpus}} b.palimpsest'\n3\n8\n7\n2\n500\n240\n'/p/it'\\''s'")
  }

  @Test func `an unknown place, a file that is no text and a name that is none are told`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/t"
    try "{{launch}} {{taks}}".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: EngineError(.strange, "\(path): nothing is filled in for {{taks}}; did you mean \"tasks\"?")) {
      try ScriptTemplate(path)
    }
    try Files.replace(path, with: [0xFF, 0xFE])
    #expect(throws: EngineError(.strange, "\(path): a template is a text in UTF-8, and this is none")) {
      try ScriptTemplate(path)
    }
    #expect(
      throws: FileError(
        .missing,
        "pbss: there is no such template; those that are shipped are gridengine, htcondor, lsf, parallel, pbs, shell")
    ) { try ScriptTemplate("pbss") }
  }

  @Test(arguments: ScriptTemplate.shipped.keys.sorted())
  func `a shipped template is a script that a shell reads, and nothing in it is left open`(name: String) async throws {
    let work = try Work.work(ResultsFolder("/r/it's 50%/a.h5"), 8)
    let script = try ScriptTemplate(name).script(work)
    #expect(!script.contains("{{") && script.contains(" --launch 3 --task "))
    #expect(
      try await Work.calls.answer("sh", ["-n"], input: script)
        == EngineAnswer(status: 0, output: "", errors: ""))
  }

  /// The worker is a program that tells its arguments.
  private func run(_ name: String, _ program: String) async throws -> [String: [String]] {
    let folder = try TemporaryFolder()
    let worker = folder.path + "/wor ker"
    try "#!/bin/sh\nprintf '%s\\n' \"$@\"\n".write(toFile: worker, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker)
    let results = ResultsFolder(folder.path + "/it's $(date) 50%.h5")
    let script = try ScriptTemplate(name).script(Work.work(results, 3, program: worker))
    try Files.replace(folder.path + "/job.sh", with: script)
    _ = try await Work.calls.output(program, [folder.path + "/job.sh"])
    var said: [String: [String]] = [:]
    let host = try await Work.calls.output("uname", ["-n"]).lines[0] + "-"
    for file in try Files.names(in: results.launchLogFolder(3)) where file.hasSuffix(".log") {
      let text = String(decoding: try Files.read(results.launchLogFolder(3) + "/" + file), as: UTF8.self)
      let words = text.split(separator: "\n").map(String.init)
      said[file] = words.filter { $0 != results.folder && !$0.hasPrefix(host) }
      #expect(words.contains(results.folder))
    }
    return said
  }

  private static let told = Dictionary(
    uniqueKeysWithValues: (0..<3).map { task in
      (
        "\(task).log",
        ["worker", "--launch", "3", "--task", "\(task)", "--engine-job", "--jobs", "2", "--attempt", "0"]
      )
    })

  @Test func `a shell starts each task once, with a log of its own`() async throws {
    #expect(try await run("shell", "sh") == Self.told)
  }

  @Test(.enabled(if: works(["parallel", "--version"]), "GNU parallel is not installed"))
  func `GNU parallel starts each task once, with a log of its own`() async throws {
    #expect(try await run("parallel", "sh") == Self.told)
  }
}
