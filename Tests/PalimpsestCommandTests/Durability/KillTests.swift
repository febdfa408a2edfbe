import Foundation
import PalimpsestTesting
import Testing

/// SIGKILL at random moments loses no run that a whole journal line acknowledged, never leaves a cube that cannot be
/// read, and changes no bit of the final cube.
///
///     PALIMPSEST_KILLS=200 swift test -c release --filter KillTests
@Suite(.serialized) struct KillTests {
  /// Kills in each phase, and runs of the plan.
  static let kills = Int(ProcessInfo.processInfo.environment["PALIMPSEST_KILLS"] ?? "") ?? (Tier.slow ? 200 : 0)

  @Test func `twenty-six kills lose nothing`() throws {
    for (phase, kills) in [(KillLoop.Phase.running, 8), (.streaming, 6), (.collecting, 6), (.expanding, 6)] {
      try check(phase, kills: kills, runs: 200)
    }
  }

  @Test(.enabled(if: kills > 0), arguments: KillLoop.Phase.allCases)
  func `many kills over two thousand runs lose nothing`(phase: KillLoop.Phase) throws {
    try check(phase, kills: KillTests.kills, runs: 2000)
  }

  private func check(_ phase: KillLoop.Phase, kills: Int, runs: Int) throws {
    let patience: Double =
      switch phase {
      case .running, .streaming: runs < 1000 ? 0.25 : 0.8
      case .collecting: runs < 1000 ? 0.08 : 0.5
      case .expanding: 0.12
      }
    var loop = try KillLoop(Tool(), phase, runs: runs, patience: patience)
    try loop.run(kills: kills)
    #expect(try loop.differences() == [])
    let finding = loop.finding
    #expect(finding.problems == [])
    #expect(finding.kills >= kills)
    #expect(finding.acknowledged > 0)
    print(
      "kills while \(phase.rawValue): \(finding.kills) of \(finding.kills + finding.survived) starts, "
        + "\(finding.rounds) rounds, \(finding.acknowledged) acknowledged runs kept, \(finding.cubesOpened) cubes opened"
    )
  }
}
