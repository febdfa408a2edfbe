import ArgumentParser
import Palimpsest

/// `palimpsest generate SCENARIO --output DIR`.
struct GenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate", abstract: "A scenario's stream as plain files, for others to train on the same data.",
    discussion: """
      Writes train.csv and test.csv with a row a line (task, concept, user, time, p*, label, inputs), events.jsonl where \
      rows are made of what people did, and manifest.json with the settings and digests. Rows are those that the runs of \
      an experiment with these settings and this seed see, scaled as they see them; where a stream shows the test rows \
      too, held_out in train.csv is 1 for those. An earlier stream in the folder is replaced, anything else is left alone.
      """)

  @Argument(help: "A scenario, as \"list scenarios\" has it; with --experiment the label of one in that file.")
  var scenario: String
  @Option(help: "The folder for the files.") var output: String
  @Option(help: "The seed of the rows.") var seed = 0
  @Option(
    name: .customLong("set"), help: "A setting of the scenario, as in --set driftTV=0.2; may be given several times.")
  var sets: [String] = []
  @Option(help: "An experiment file that has the scenario.") var experiment: String?

  func validate() throws {
    if output.isEmpty { throw ValidationError("--output \"\": a folder is wanted, such as data") }
    if seed < 0 { throw ValidationError("--seed \(seed): a seed is 0 or more.") }
  }

  func run() throws {
    let scenario = try configured()
    let prepared: any PreparedScenario
    do {
      prepared = try scenario.prepare(from: DatasetFolder.standard())
    } catch let error as ScenarioError {
      throw UsageError("\(self.scenario)\(error.parameter.map { "." + $0 } ?? ""): \(error.description)")
    } catch let error as DatasetError {
      guard let parameter = error.parameter else { throw error }
      throw UsageError("\(self.scenario).\(parameter): \(error.problem)")
    }
    for remark in prepared.remarks { StandardError.write("\(self.scenario): \(remark)") }
    let digest = try GeneratedFiles(scenario, prepared, seed: seed).write(to: output)
    print(visible("\(output)/manifest.json"))
    StandardError.write("content \(digest)")
  }

  /// The scenario with its settings, read as an experiment's are.
  private func configured() throws -> any Scenario {
    let catalog = PalimpsestTool.catalog
    let read = try file(catalog).overridden(by: Overrides(set: sets.map { "scenarios.\(scenario).\($0)" }))
    guard let component = read.scenarios[scenario] else {
      throw unknown("no scenario of \(experiment ?? "") is called", among: read.scenarios.keys)
    }
    return try catalog.scenario(component)
  }

  private func file(_ catalog: Catalog) throws -> Experiment {
    if let experiment { return try ExperimentFile(experiment).experiment() }
    if catalog.scenarios[scenario] == nil { throw unknown("no scenario is called", among: catalog.scenarios.keys) }
    let text =
      #"{"name": "generate", "scenarios": {"\#(scenario)": {"name": "\#(scenario)"}}, "strategies": {"none": []}}"#
    return try Experiment.read(text, file: "generate", catalog: catalog)
  }

  private func unknown(_ what: String, among names: some Sequence<String>) -> UsageError {
    UsageError("\(what) \"\(scenario)\"\(suggestion(for: scenario, among: names))")
  }
}
