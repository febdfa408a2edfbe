import PalimpsestExperiments
import PalimpsestJSON

/// Plans as results folders keep them.
enum Plans {
  /// More runs take too long for one input.
  private static let mostRuns = 100

  static func seeds() throws -> [[UInt8]] {
    try Experiments.seeds.prefix(2).compactMap { bytes in
      guard let experiment = try? Experiment.read(bytes, file: "seed.json") else { return nil }
      return StoredPlan(try Plan(experiment)).json
    }
  }

  static func tryPlan(_ bytes: [UInt8]) throws -> Bool {
    guard let plan = try? StoredPlan(resealed(bytes), file: "plan.json") else { return false }
    try checkText(of: plan)
    return true
  }

  /// The seal, the last 77 bytes, is made anew: else hardly any plan that was changed would pass.
  private static func resealed(_ bytes: [UInt8]) -> [UInt8] {
    SealedJSON.isIntact(bytes) == nil ? bytes : SealedJSON.sealed(Array(bytes.dropLast(77)))
  }

  /// What an experiment file asks for, if it is not much, can be planned, and the plan can be kept.
  static func checkPlan(of experiment: Experiment) throws {
    guard experiment.runCount <= mostRuns, experiment.select == nil else { return }
    guard let plan = try? Plan(experiment) else { return }
    try checkText(of: StoredPlan(plan))
  }

  /// A plan that is written reads back as one with the same text and the same runs.
  private static func checkText(of plan: StoredPlan) throws {
    let text = plan.json
    guard let again = try? StoredPlan(text, file: "again.json") else {
      throw FuzzFault("a plan that was written cannot be read: \(String(decoding: text, as: UTF8.self))")
    }
    try expect(again.json == text, "written again it is another plan")
    try expect(again.runs.map(\.id) == plan.runs.map(\.id), "written again it has other runs")
  }
}
