import Foundation
import PalimpsestPersonal
import PalimpsestTesting
import Testing
import habit_app

/// SIGKILL at random moments: no entry of the log is lost or taken twice, and every prediction has the bits it has in a life without.
@Suite(.serialized) struct KillTests {
  @Test func `fifteen kills change no bit`() throws { try check(kills: 15) }

  @Test(.enabled(if: Tier.slow)) func `two hundred kills change no bit`() throws { try check(kills: 200) }

  private func check(kills: Int) throws {
    var loop = try KillLoop()
    try loop.run(kills: kills)
    #expect(loop.problems == [])
    #expect(loop.kills >= kills && loop.rounds >= 1 && loop.updatesMet > 0)
    print(
      "\(loop.kills) kills, \(loop.rounds) whole lives, \(loop.updatesMet) kills within an update, "
        + "\(loop.daysMet.count) different days")
  }
}

/// Starts the app again and again.
struct KillLoop {
  private let folder = try? PersonFolder()
  private let wanted: (lines: [String: String], state: [UInt8])
  /// Of one life without kills.
  private let seconds: Double
  private let entries: [Int: Int]
  private var said: [String: String] = [:]
  private(set) var kills = 0
  private(set) var rounds = 0
  /// Kills after which an update was to be gone on with.
  private(set) var updatesMet = 0
  private(set) var daysMet: Set<Int> = []
  private(set) var problems: [String] = []

  init() throws {
    let whole = try PersonFolder()
    let start = Date()
    let answer = try App.run(["run", whole.path, "--daily"])
    seconds = Date().timeIntervalSince(start)
    #expect(answer.status == 0, "\(answer.errors)")
    wanted = (KillLoop.lines(answer.output), try #require(try whole.newest()))
    let lines = EventLog.lines(try whole.bytes("log"), from: 0)
    entries = Dictionary(uniqueKeysWithValues: [(0, 0)] + lines.enumerated().map { ($0.element.next, $0.offset + 1) })
    #expect(wanted.lines.count > 150 && lines.allSatisfy { $0.entry != nil })
  }

  /// The lines that name what they are of, by that; the line before the last newline may have been cut.
  private static func lines(_ output: String) -> [String: String] {
    let whole = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return Dictionary(
      whole.compactMap { line in
        line.split(separator: ":", maxSplits: 1).first.map { (String($0), String(line)) }
      }, uniquingKeysWith: { $1 })
  }

  mutating func run(kills: Int) throws {
    let folder = try #require(folder)
    while self.kills < kills || rounds == 0 {
      let isLast = self.kills >= kills
      let patience = isLast ? nil : Double.random(in: 0...min(0.5, seconds / 4))
      let answer = try App.run(["run", folder.path, "--daily"], killedAfter: patience)
      take(answer.output)
      if answer.wasKilled {
        self.kills += 1
        try check(folder)
      } else {
        if answer.status != 0 { problems.append("ended with \(answer.status): \(answer.errors)") }
        try finish(folder)
      }
    }
  }

  private mutating func take(_ output: String) {
    for (key, line) in KillLoop.lines(output) {
      if let before = said[key], before != line { problems.append("\(before), then \(line)") }
      said[key] = line
    }
  }

  /// What was left behind: a state that is whole, whose counts are those of the log up to its place.
  private mutating func check(_ folder: PersonFolder) throws {
    var found: [String] = []
    let saved = try StateFolder(folder.path).saved(problems: &found)
    problems += found
    guard let newest = saved.first else { return }
    var loop = try HabitLoop(shipped: PersonFolder.shipped.get())
    try loop.restore(newest.payload)
    if loop.isUpdating { updatesMet += 1 }
    daysMet.insert(loop.counts.days)
    if loop.counts.entries != entries[loop.cursor] {
      problems.append("\(loop.counts.entries) entries by byte \(loop.cursor), not \(entries[loop.cursor] ?? -1)")
    }
    if loop.samples.count != loop.counts.life.rows { problems.append("\(loop.samples.count) samples, \(loop.counts)") }
  }

  private mutating func finish(_ folder: PersonFolder) throws {
    rounds += 1
    if try folder.newest() != wanted.state { problems.append("round \(rounds): another state") }
    if said != wanted.lines { problems.append("round \(rounds): \(said.count) lines, not \(wanted.lines.count)") }
    said = [:]
    let answer = try App.run(["anew", folder.path])
    if answer.status != 0 || folder.names.contains("state-a") { problems.append("anew: \(answer.errors)") }
  }
}
