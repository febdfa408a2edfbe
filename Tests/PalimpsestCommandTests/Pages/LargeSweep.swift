import Palimpsest
import TestFixtures

/// Results of runs that were never run.
enum LargeSweep {
  /// 400 configurations of 50 seeds, three tasks each.
  static func write(to folder: ResultsFolder) throws {
    let rates = (1...20).map { String(0.001 * Double($0)) }.joined(separator: ", ")
    let capacities = (1...20).map { String(10 * $0) }.joined(separator: ", ")
    let text = """
      {
        "name": "large", "question": "How large?", "scenarios": { "visible": { "name": "habit-phases", "phases": [0, 1, 3] } },
        "strategies": { "replay": [{ "name": "reservoir" }] }, "seeds": 50,
        "sweep": { "grid": {
          "training.optimizer.rate": [\(rates)], "strategies.replay.reservoir.capacity": [\(capacities)]
        } }
      }
      """
    let plan = try StoredPlan(Plan(Experiment.read(text, file: "large.json")))
    try folder.write(plan)
    let lines = plan.configurations.enumerated().flatMap { place, configuration in
      configuration.runIDs.enumerated().flatMap { seed, id in entry(id, record(place, seed)).line }
    }
    try Files.replace(folder.journalFolder + "/large.jsonl", with: lines)
  }

  private static func record(_ place: Int, _ seed: Int) -> RunRecord {
    let level = 0.6 + 0.005 * Double(place % 20) + 0.003 * Double(place / 20)
    let noise = { (k: Int) in 0.001 * Double((seed * 37 + k * 11 + place * 7) % 40) }
    let rows = (0..<3).map { after in
      (0..<3).map { task in task <= after ? level - 0.02 * Double(after - task) + noise(3 * after + task) : 0.5 }
    }
    var record = RunRecord(status: .completed, tasks: ["morning", "night", "travel"])
    record.accuracy = AccuracyMatrix(rows)
    record.expectedAccuracy = record.accuracy
    (record.accuracyBefore, record.expectedAccuracyBefore) = ([0.5, 0.5, 0.5], [0.5, 0.5, 0.5])
    record.truth = ScenarioTruth(
      bayesAccuracy: [0.9, 0.9, 0.9], crossAccuracy: [[0.9, 0.8, 0.7], [0.8, 0.9, 0.8], [0.7, 0.8, 0.9]],
      totalVariation: [[0, 0.2, 0.4], [0.2, 0, 0.2], [0.4, 0.2, 0]],
      hellinger: [[0, 0.1, 0.3], [0.1, 0, 0.1], [0.3, 0.1, 0]], jointCeiling: 0.85)
    record.cost.learner.bytesModel = 1000
    record.cost.learner.bytesImportance = 0
    record.cost.learner.bytesMemory = 40 * (place / 20 + 1)
    record.cost.learner.multiplyAdds = 1_000_000 + 1000 * place
    return record
  }
}
