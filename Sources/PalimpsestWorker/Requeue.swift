import Foundation
import PalimpsestLaunch

/// Asks Slurm to start a task anew that ended before its work: what ends politely Slurm does not start again by itself.
struct Requeue {
  let calls = EngineCalls()
  /// Such as `35_2`; nil: this process is no task of Slurm.
  let task: String?

  init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
    if let array = environment["SLURM_ARRAY_JOB_ID"], let number = environment["SLURM_ARRAY_TASK_ID"] {
      task = "\(array)_\(number)"
    } else {
      task = environment["SLURM_JOB_ID"]
    }
  }

  /// - Returns: what to say where it did not work; nil where it did.
  func ask() async -> String? {
    guard let task else { return nil }
    do {
      _ = try await calls.output("scontrol", ["requeue", task])
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Whether Slurm ends the task for another with more right to the node, and not because somebody cancelled it.
  func isPreempted() async -> Bool {
    guard let task, let answer = try? await calls.output("scontrol", ["show", "job", task, "--oneliner"]) else {
      return false
    }
    let time = answer.output.split(separator: " ").first { $0.hasPrefix("PreemptTime=") }
    return time.map { !$0.hasSuffix("=None") && !$0.hasSuffix("=Unknown") } ?? false
  }
}
