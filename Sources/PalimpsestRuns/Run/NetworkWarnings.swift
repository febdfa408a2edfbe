import Foundation
import PalimpsestExperiments
import PalimpsestJSON

extension Plan {
  /// Networks that this machine cannot hold whatever the data are, one warning for each width of layers.
  ///
  /// No scenario is made: what is counted lies between hidden layers, so a run may still be refused without a warning.
  /// - Parameters:
  ///   - file: the name of the file the experiment was read from.
  ///   - memory: the machine's, in bytes.
  /// - Cost: once for each model of the plan, not for each run.
  public func networkWarnings(
    file: String, memory: Double = Double(ProcessInfo.processInfo.physicalMemory)
  ) -> [Warning] {
    var seen: Set<Int32> = []
    let messages = configurations.compactMap { configuration in
      seen.insert(configuration.places.model).inserted
        ? NetworkSize(least: configuration.resolved).leastProblem(memory: memory) : nil
    }
    if messages.isEmpty { return [] }
    let document = JSONReader.read(experiment.text, file: file)
    return messages.map { Warning(problem: document.warning(["model", "hidden"], $0)) }
  }
}
