import ArgumentParser
import Foundation
import Palimpsest

/// `palimpsest predict MODEL --input TABLE`.
struct PredictCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "predict", abstract: "Predict the rows of a table with a saved model.",
    discussion: """
      Runs of an experiment with "output": {"keep": ["model"]} save their models. The answer is a table in the order of \
      the rows: the prediction, then its probabilities (of label 1 where labels are yes or no, else one a class).
      """)

  @Argument(help: "A .model file; or results (the .h5 file or the .palimpsest folder) with --run.") var model: String
  @Option(name: .customLong("run"), help: "Which run of the results: its id, or as much of its beginning as is needed.")
  var runID: String?
  @Option(help: "The table: separated text, by columns' names where the model knows names, else in its order.")
  var input: String
  @Option(help: "The task the rows belong to, by name or by number from 0; without it the task is unknown.")
  var task: String?
  @Option(help: "Where the predictions go (default: standard output).") var output: String?

  func run() throws {
    if let output { try OptionChecks.file(output, "--output", example: "predictions.csv") }
    let saved = try SavedModel(path: modelFile(), catalog: PalimpsestTool.catalog)
    let task = try task.map { try index(of: $0, in: saved.about) }
    let table = try readTable(saved.about)
    warnOfFractions(table, saved.about)
    let text = PredictionTable(saved.about).text(saved.predictions(table, task: task))
    guard let output else { return StandardOutput.write(text) }
    try Files.replace(output, with: text)
  }

  private func modelFile() throws -> String {
    guard let run = runID else {
      guard model.hasSuffix(".h5") || model.hasSuffix(".palimpsest") else { return model }
      throw UsageError("\(model): these are results; name one of their runs with --run")
    }
    let folder = ResultsFolder(model)
    let names = try Files.names(in: folder.detailFolder).filter { $0.hasSuffix(".model") }
    let matches = names.filter { $0.hasPrefix(run) }
    if matches.count == 1 { return folder.detailFolder + "/" + matches[0] }
    if matches.count > 1 { throw UsageError("--run: \(matches.count) runs begin with \"\(run)\"; give more of the id") }
    let advice = "Experiments with \"output\": {\"keep\": [\"model\"]} save models"
    throw FileError(.missing, "\(folder.detailFolder): no model of run \"\(run)\" among \(names.count). \(advice)")
  }

  private func index(of task: String, in about: SavedModel.About) throws -> Int {
    let names = about.tasks.map(\.name)
    if let index = names.firstIndex(of: task) { return index }
    if let index = Int(task), names.indices.contains(index) { return index }
    let near = suggestion(for: task, among: names)
    let known = names.prefix(12).joined(separator: ", ") + (names.count > 12 ? ", …" : "")
    throw UsageError("--task: no task is called \"\(task)\"\(near.isEmpty ? ". The model knows " + known : near)")
  }

  private func readTable(_ about: SavedModel.About) throws -> Matrix {
    if let table = about.inputs?.table { return try NumberTable(input, table).values }
    let names = about.inputs?.columns ?? []
    return names.isEmpty
      ? try NumberTable(input, columns: about.columns).values : try NumberTable(input, columns: names).values
  }
}

extension PredictCommand {
  /// Pixels that were scaled before would be scaled twice.
  private func warnOfFractions(_ table: Matrix, _ about: SavedModel.About) {
    guard about.inputs?.takesPixels == true else { return }
    guard let fraction = table.values.array.first(where: { $0 != $0.rounded() }) else { return }
    StandardError.write(
      "\(input): \(fraction) is no whole number. The model takes pixels as they are in the files of its data set and "
        + "scales them itself.")
  }
}

/// Predictions as separated text: `prediction,probability_…`; of rows with any number of labels a probability for each, of values
/// one number for each.
private struct PredictionTable {
  private let about: SavedModel.About
  private let names: [String]

  init(_ about: SavedModel.About) {
    self.about = about
    let known = about.inputs?.outputs ?? []
    names = known.isEmpty ? (0..<about.shape.target.answers).map(String.init) : known
  }

  func text(_ predictions: [Prediction]) -> String {
    predictions.reduce(into: line(header)) { text, prediction in
      let answer = prediction.output.map { [names[$0]] } ?? []
      text += line(answer + (prediction.probabilities + prediction.values).map { "\($0)" })
    }
  }

  private var header: [String] {
    switch about.shape.target {
    case .binary: ["prediction", "probability_\(names[1])"]
    case .classes: ["prediction"] + names.map { "probability_\($0)" }
    case .multiLabel: names.map { "probability_\($0)" }
    case .values: names
    }
  }

  private func line(_ cells: [String]) -> String { cells.map(csvField).joined(separator: ",") + "\n" }
}
