import Foundation
import HDF5
import Palimpsest
import PalimpsestCube

/// Starts the built tool and ends it with SIGKILL at random moments, again and again.
struct KillLoop {
  /// Streaming is running through streams, which leave checkpoints behind every few rows.
  enum Phase: String, CaseIterable, Sendable { case running, streaming, collecting, expanding }

  /// What was seen.
  struct Finding {
    var kills = 0
    /// Starts that ended by themselves before they were killed.
    var survived = 0
    var rounds = 1
    var acknowledged = 0
    var cubesOpened = 0
    var problems: [String] = []
  }

  let tool: Tool
  let phase: Phase
  /// Runs of the plan.
  let runs: Int
  /// Longest time from start to kill, in seconds: at first.
  private(set) var patience: Double
  private(set) var finding = Finding()
  private var acknowledged: Set<String> = []

  init(_ tool: Tool, _ phase: Phase, runs: Int, patience: Double) throws {
    self.tool = tool
    self.phase = phase
    self.runs = runs
    self.patience = patience
    try tool.write(KillLoop.experiment(phase, runs: runs), to: "sweep.json")
    try tool.write(KillLoop.experiment(phase, runs: runs - runs / 5), to: "smaller.json")
  }

  private static func experiment(_ phase: Phase, runs: Int) -> String {
    phase == .streaming ? streams(seeds: runs / 2) : Small.experiment(name: "sweep", seeds: runs / 2)
  }

  /// Late labels, alarms that act, test rows: all that a stream's checkpoint holds.
  private static func streams(seeds: Int) -> String {
    """
    {
      "name": "sweep",
      "scenarios": { "sea": { "name": "sea", "rowsPerTask": 500, "testRows": 100 } },
      "stream": { "window": 100, "boundaries": "detected", "labels": { "delay": 20, "missing": 0.1 } },
      "evaluation": { "everyRows": 250 },
      "strategies": {
        "ewc": [{ "name": "ewc" }, { "name": "adwin" }],
        "replay": [{ "name": "reservoir", "capacity": 20 }, { "name": "ddm", "action": "reset-weights" }]
      },
      "seeds": \(seeds)
    }
    """
  }

  private var folder: ResultsFolder { ResultsFolder(tool.folder + "/results/sweep") }

  /// Kills that many times, and on until one has met acknowledged runs, then lets the tool finish.
  mutating func run(kills: Int) throws {
    if phase == .collecting { _ = try start(["run", "sweep.json", "--quiet", "--jobs", "2"], killedAfter: nil) }
    while finding.kills < kills || finding.acknowledged + acknowledged.count == 0 && finding.kills < kills + 20 {
      let known = acknowledged.count
      let ended = try start(arguments, killedAfter: .random(in: 0...patience))
      if phase != .collecting { adapt(hasEnded: ended, hasAcknowledged: acknowledged.count > known) }
      if ended { finding.survived += 1 } else { finding.kills += 1 }
      check()
      let isRunning = phase == .running || phase == .streaming
      if phase == .expanding && (finding.kills + finding.survived) % 5 == 0 || isRunning && ended {
        try beginAnew()
      }
    }
    // The last round is to meet a kill too, so that what is compared was interrupted.
    if !Files.exists(folder.journalFolder) { _ = try start(arguments, killedAfter: patience / 2) }
    try finish("results/sweep.h5")
    check()
  }

  /// Takes the sweep to its end. One that has grown has its new runs behind the first ones.
  private mutating func finish(_ output: String) throws {
    for file in phase == .expanding ? ["smaller.json", "sweep.json"] : ["sweep.json"] {
      _ = try start(["run", file, "--quiet", "--jobs", "2", "--output", output], killedAfter: nil)
    }
  }

  /// On a busy machine little happens in a time that is plenty on another; a kill is to meet work.
  private mutating func adapt(hasEnded: Bool, hasAcknowledged: Bool) {
    if hasEnded { patience /= 1.5 } else if !hasAcknowledged { patience = min(patience * 2, 10) }
  }

  /// The smaller sweep begins; then both take turns.
  private var growing: String {
    (try? folder.hasPlan) != true || finding.kills % 2 == 0 ? "smaller.json" : "sweep.json"
  }

  private var arguments: [String] {
    switch phase {
    case .running: ["run", "sweep.json", "--quiet", "--jobs", "2", "--collect-every", "0.05"]
    case .streaming: ["run", "sweep.json", "--quiet", "--jobs", "2", "--checkpoint-every", "100"]
    case .collecting: ["collect", "results/sweep"]
    case .expanding: ["run", growing, "--quiet", "--output", "results/sweep.h5"]
    }
  }

  /// - Returns: true where the process ended before it was killed.
  private mutating func start(_ arguments: [String], killedAfter seconds: Double?) throws -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: Tool.executable)
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: tool.folder)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    guard let seconds else {
      process.waitUntilExit()
      if process.terminationStatus != 0 {
        finding.problems.append("the last run ended with \(process.terminationStatus)")
      }
      return true
    }
    Thread.sleep(forTimeInterval: seconds)
    acknowledged.formUnion(try ids())
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return process.terminationReason == .exit
  }

  private func ids() throws -> Set<String> {
    Set(try JournalIndex(folder: folder.journalFolder).entries.map(\.runID))
  }

  private mutating func check() {
    do {
      let lost = acknowledged.subtracting(try ids())
      if !lost.isEmpty { finding.problems.append("\(lost.count) acknowledged runs are lost") }
      if try !folder.generations.isEmpty { _ = try folder.plan() }
      guard Files.exists(folder.cube) else { return }
      let root = try HDF5File.open(bytes: Files.read(folder.cube)).root
      let cube = try root.dataset("run_id").strings()
      finding.cubesOpened += 1
      if !Set(cube).isSubset(of: try ids()) { finding.problems.append("the cube has runs that the journal has not") }
    } catch {
      finding.problems.append("\(error)")
    }
  }

  private mutating func beginAnew() throws {
    finding.acknowledged += acknowledged.count
    finding.rounds += 1
    acknowledged = []
    try folder.removeResults()
  }

  /// What the killed sweep and one that ran through do not have in common; times, host, worker, command and history
  /// aside.
  mutating func differences() throws -> [String] {
    finding.acknowledged += acknowledged.count
    try finish("straight.h5")
    let a = try HDF5File.open(bytes: Files.read(folder.cube)).root
    let b = try HDF5File.open(bytes: Files.read(tool.folder + "/straight.h5")).root
    return try CubeComparison.differences(a, b)
  }
}
