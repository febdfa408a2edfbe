import ArgumentParser
import Palimpsest

/// `palimpsest validate FILE…`.
struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Check experiment files: every problem, with its place.",
    discussion: "A JSON Schema among the files (NAME.schema.json) is passed over, so that a whole folder can be named.")

  @Argument(help: "Experiment files.") var files: [String]
  @OptionGroup var changes: ExperimentOptions
  @OptionGroup var json: JSONOption

  func run() throws {
    let checks = files.filter { !$0.hasSuffix(".schema.json") }.map { FileCheckResult($0, changes) }
    if json.json {
      print(JSONValue(checks.map(\.json)).prettyText)
    } else {
      for check in checks { check.show() }
    }
    if checks.contains(where: { $0.status == .notThere }) { throw End(.notThere) }
    if checks.contains(where: { $0.status != .done }) { throw End(.badFile) }
  }
}

/// What checking one file found.
private struct FileCheckResult {
  let file: String
  var status = ExitStatus.done
  var summary = ""
  var problems: [Problem] = []

  init(_ argument: String, _ changes: ExperimentOptions) {
    file = argument
    do {
      let experiment = try changes.experiment(ExperimentFile(argument))
      summary = planLine(configurations: try Plan(experiment).configurations.count, seeds: experiment.seeds.count)
    } catch let error as Problems {
      status = .badFile
      problems = Array(error)
    } catch {
      status = ExitStatus(error) ?? .badFile
      problems = [Problem(file: "", place: nil, message: String(describing: error))]
    }
  }

  func show() {
    if status == .done { return print("\(file): \(summary)") }
    for problem in problems { StandardError.write(problem.file.isEmpty ? problem.message : problem.description) }
  }

  var json: JSONValue {
    [
      "file": JSONValue(file), "valid": JSONValue(status == .done),
      "problems": JSONValue(problems.map(\.json)),
    ]
  }
}

extension Problem {
  fileprivate var json: JSONValue {
    [
      "line": line.map { JSONValue($0) } ?? .null, "column": column.map { JSONValue($0) } ?? .null,
      "path": JSONValue(path), "message": JSONValue(message),
    ]
  }
}

/// `palimpsest schema`.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print the JSON Schema (2020-12) of experiment files.")

  func run() throws { print(ExperimentSchema(PalimpsestTool.catalog).text, terminator: "") }
}
