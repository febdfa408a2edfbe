import Foundation
import Palimpsest
import Testing

/// A launch on which workers are started by hand.
struct Trial {
  let tool: Tool
  let plan: Plan
  let results: ResultsFolder
  let record: LaunchRecord

  /// - Parameters:
  ///   - epochs: how long a run takes.
  ///   - patience: seconds.
  init(seeds: Int = 12, epochs: Int = 2000, tasks: Int = 2, patience: Double = 2, checkpointEvery: String? = nil) throws
  {
    tool = try Tool()
    let text = Small.experiment(
      strategies: #""naive": []"#, training: "\"epochs\": \(epochs), \"batch\": 4", seeds: seeds)
    try tool.write(text, to: "small.json")
    plan = try Plan(Experiment.read(text, file: "small.json"))
    results = ResultsFolder(tool.folder + "/r")
    var request = LaunchRequest(engine: "script", tasks: tasks, program: Tool.executable)
    (request.patience, request.checkpointEvery) = (patience, checkpointEvery)
    guard
      case .launch(let record) = try LaunchPlanner.prepare(
        plan, results, request, library: DatasetFolder([]), isOver: { _ in false })
    else { throw Missing() }
    self.record = record
  }

  private struct Missing: Error {}

  /// Runs a shell's script. It knows `worker K`, which becomes the task K of the launch, `lines`, how many runs stand in the journals, and
  /// `until CONDITION…`, which waits a minute at most.
  func script(_ script: String) async throws -> Tool.Answer {
    let whole = """
      worker() { exec \(Tool.executable) worker r --launch 1 --task "$@" 2>>task-$1; }
      lines() { cat r.palimpsest/journal/*.jsonl 2>/dev/null | wc -l; }
      until_true() { for i in $(seq 1200); do eval "$1" && return; sleep 0.05; done; echo "never: $1"; exit 99; }
      \(script)
      """
    return try await Tool.run("/bin/bash", ["-c", whole], in: tool.folder)
  }

  func said(_ task: Int) throws -> String {
    String(decoding: try Files.read(tool.folder + "/task-\(task)"), as: UTF8.self)
  }

  /// Every run of the plan is there; so many lines more than runs at most, and these with equal bits.
  func check(doubled most: Int = 0) async throws {
    let entries = try results.journal().entries
    #expect(Set(entries.map(\.runID)) == Set(plan.runs.map(\.id)))
    #expect(entries.count <= plan.runs.count + most)
    #expect(try results.leases(ofLaunch: 1).allSatisfy { $0.isDone && !$0.isPoisoned })
    #expect(try await tool("collect", "r").status == 0)
    #expect(try await tool("run", "small.json", "--jobs", "2", "--quiet", "--output", "straight.h5").status == 0)
    #expect(try await tool("compare", "r.h5", "straight.h5", "--same-bits").status == 0)
  }
}
