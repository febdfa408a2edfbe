import Foundation
import PalimpsestCore
import PalimpsestPersonal
import Testing
import habit_app

@Suite struct StateFolderTests {
  private func message(_ body: () throws -> Void) -> String? {
    do { try body() } catch { return "\(error)" }
    return nil
  }

  @Test func `it goes on where it paused`() throws {
    let (whole, parted) = (try PersonFolder(), try PersonFolder())
    let lines = try whole.live().lines
    var found: [String] = []
    for _ in 0..<12 { found += try parted.live(days: 20).lines }
    #expect(found == lines && lines.count > 170)
    #expect(try parted.newest() == whole.newest())
  }

  @Test func `a log that grows is gone on with`() throws {
    let text = try PersonFolder.log.get()
    let whole = try PersonFolder()
    let lines = try whole.live().lines
    // Cut in the middle of a line.
    let folder = try PersonFolder(log: String(text.prefix(text.count / 2)))
    var found = try folder.live().lines
    try folder.write([UInt8](text.utf8), "log")
    found += try folder.live().lines
    #expect(found == lines)
    #expect(try folder.newest() == whole.newest())
  }

  @Test func `what happens is noted, behind a line that a kill has cut too`() throws {
    let folder = try PersonFolder(log: "0 8.0 3 app-opened\n0 9.0 3 reminder-se")
    for words in [["0", "20", "3", "habit-completed"], ["1", "8.5", "4", "zone-changed", "-9"]] {
      #expect(try App.run(["note", folder.path] + words).status == 0)
    }
    let (lines, loop) = try folder.live()
    #expect(lines[0] == "log, before byte 39: \"0 9.0 3 reminder-se\" is no entry DAY HOUR DATE KIND [VALUE]")
    #expect(loop.counts.entries == 3 && loop.counts.days == 1 && loop.evening?.day == 0)
    #expect(try folder.bytes("log").count == loop.cursor)
    let answer = try App.run(["note", folder.path, "1", "25", "4", "app-opened"])
    #expect(answer.status == 1 && answer.errors == "habit-app: hour 25.0 is not in 0..<24\n")
  }

  @Test func `a damaged generation costs a day, not a bit`() throws {
    let whole = try PersonFolder()
    let lines = try whole.live().lines
    var rng = Seed(4).stream("flips")
    let folder = try PersonFolder()
    try folder.live(days: 50)
    let slots = ["state-a", "state-b"]
    let bytes = try slots.map { try folder.bytes($0) }
    for round in 0..<8 {
      for (slot, bytes) in zip(slots, bytes) { try folder.write(bytes, slot) }
      let slot = round % 2
      var damaged = bytes[slot]
      damaged[rng.index(below: damaged.count)] ^= UInt8(1 << rng.index(below: 8))
      try folder.write(round < 6 ? damaged : Array(bytes[slot].prefix(damaged.count / (round - 4))), slots[slot])
      let found = try folder.live().lines
      #expect(found.first?.contains("/\(slots[slot]): ") == true, "\(found.prefix(2))")
      #expect(found.dropFirst().first?.hasPrefix("going on from the other generation") == true)
      #expect(lines.suffix(100) == found.suffix(100))
      #expect(try folder.newest() == whole.newest())
    }
  }

  @Test func `a state of another version is told`() throws {
    let folder = try PersonFolder()
    try folder.live(days: 9)
    for slot in ["state-a", "state-b"] {
      var bytes = try folder.bytes(slot)
      bytes[3] = 9
      try folder.write(bytes, slot)
    }
    let found = message { try folder.live() }
    #expect(
      found == "\(folder.path)/state-a: a state of version 9; this app reads version 1. No generation can be read; "
        + "habit-app anew learns everything again from the log")
    try StateFolder(folder.path).forget()
    let whole = try PersonFolder()
    #expect(try folder.live().lines == whole.live().lines)
  }

  @Test func `a payload that contradicts itself is told with its place`() throws {
    let folder = try PersonFolder()
    var state = StateFolder(folder.path)
    try state.save(StateEncoder.bytes(of: ["features": 3]))
    let found = try #require(message { try folder.live() })
    #expect(found.hasPrefix("generation 1: ") && found.hasSuffix("learns everything again from the log"), "\(found)")
  }

  @Test func `what is no shipped model, and no folder, is told`() throws {
    let folder = try PersonFolder()
    try folder.write([1, 2, 3], "shipped")
    #expect(message { try folder.live() } != nil)
    try FileManager.default.removeItem(atPath: folder.path + "/shipped")
    #expect(
      message { try folder.live() }
        == "\(folder.path)/shipped: there is no model. It comes with the app; habit-life makes one")
    #expect(message { _ = try HabitSession("/nowhere") } == "/nowhere/lock: cannot write: No such file or directory")
  }

  @Test func `two at once are refused`() throws {
    let folder = try PersonFolder()
    let session = try HabitSession(folder.path)
    #expect(message { try folder.live() }?.hasSuffix("wait until it has ended") == true)
    withExtendedLifetime(session) {}
  }

  @Test func `another rule than the state's is refused`() throws {
    let folder = try PersonFolder()
    try folder.live(days: 3)
    let found = message { _ = try HabitSession(folder.path, rule: ThresholdRule.self) }
    #expect(found == "the state decides by \"thompson\", not by \"threshold\"; leave --rule out, or begin anew")
  }

  @Test func `a log that has become shorter is told`() throws {
    let folder = try PersonFolder()
    try folder.live(days: 40)
    try folder.write([UInt8]("0 8.0 3 app-opened\n".utf8), "log")
    #expect(message { try folder.live() }?.contains("up to which it was learned from") == true)
  }

  // MARK: - Erasing

  /// Where a part of some bytes stands in the files of a folder, but for the model that was shipped.
  private func traces(of bytes: [UInt8], in folder: PersonFolder) throws -> [String] {
    let wanted = Data(bytes)
    return try folder.names.filter { $0 != "shipped" }.filter {
      Data(try folder.bytes($0)).range(of: wanted) != nil
    }
  }

  @Test func `erasing leaves neither samples nor weights nor snapshots nor the log`() throws {
    let folder = try PersonFolder()
    let loop = try folder.live(days: 120).loop
    let sample = Array(loop.samples.bytes.suffix(23))
    let state = try loop.saved()
    // Of the state's middle, where the models' weights are.
    let pieces = stride(from: 200, to: state.count - 64, by: 400).map { Array(state[$0..<($0 + 48)]) }
    #expect(try traces(of: sample, in: folder) != [])
    #expect(try pieces.allSatisfy { try traces(of: $0, in: folder) != [] })
    #expect(try App.run(["erase", folder.path]).status == 0)
    #expect(folder.names == ["lock", "shipped"])
    #expect(try ([sample] + pieces).allSatisfy { try traces(of: $0, in: folder) == [] })
    // It begins with somebody new.
    #expect(try folder.live().lines == [])
  }

  @Test func `an erasure that was interrupted is ended by the next start`() throws {
    let folder = try PersonFolder()
    try folder.live(days: 20)
    try folder.write([], "erasing")
    #expect(try folder.live().loop.counts == LifeCounts())
    #expect(!folder.names.contains("log") && !folder.names.contains("erasing"))
  }

  @Test func `the command line says what it wants`() throws {
    for (words, wanted) in [
      ([], "what to do?"), (["go", "x"], "\"go\" is no command"), (["run", "x", "--days", "0"], "--days wants"),
      (["run", "x", "--rule", "dice"], "--rule: \"dice\" is none of"),
    ] {
      let answer = try App.run(words)
      #expect(answer.status == 1 && answer.errors.contains(wanted), "\(answer.errors)")
    }
  }

  @Test func `half a year takes less than five megabytes of its own`() throws {
    let folder = try PersonFolder()
    let answer = try App.run(["measure", folder.path])
    let line = answer.output.split(separator: "\n").first { $0.hasPrefix("memory of its own:") }
    #if os(Linux)
      let own = try #require(line.flatMap { Int($0.split(separator: " ")[4]) }, "\(answer.output) \(answer.errors)")
      #expect((1...5000).contains(own), "\(folder.names)")
    #endif
  }
}
