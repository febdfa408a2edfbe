import ArgumentParser
import Palimpsest

/// `palimpsest validate FILE…`.
struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Check experiment files: every problem, with its place.",
    discussion: """
      A JSON Schema among the files (NAME.schema.json) is passed over, so that Experiments/*.json can be named. Warnings are of \
      what is allowed and hardly wanted: a data set that is not there, one task alone, training that gets nowhere, a network too large for this machine.
      """)

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
  var problems = Problems()
  var warnings: [Warning] = []

  init(_ argument: String, _ changes: ExperimentOptions) {
    file = argument
    do {
      let source = try ExperimentFile(argument)
      let experiment = try changes.experiment(source)
      let plan = try Plan(experiment)
      warnings =
        experiment.warnings(file: source.path, library: .standard()) + plan.networkWarnings(file: source.path)
      summary =
        planLine(configurations: plan.configurations.count, seeds: experiment.seeds.count)
        + (experiment.select.map { "; hyper-parameters are chosen on \(seedWords($0.seeds))" } ?? "")
    } catch let error as Problems {
      status = .badFile
      problems = error
    } catch {
      status = ExitStatus(error) ?? .badFile
      problems = Problems([Problem(file: "", place: nil, message: String(describing: error))])
    }
  }

  func show() {
    warnings.show()
    if status == .done { return print("\(visible(file)): \(summary)") }
    StandardError.write(problems.description)
  }

  var json: JSONValue {
    [
      "file": JSONValue(file), "valid": JSONValue(status == .done),
      "problems": JSONValue(problems.shown.map(\.json)), "problemCount": JSONValue(problems.count),
      "warnings": JSONValue(warnings.map(\.problem.json)),
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

extension [Warning] {
  /// On standard error, a line each.
  func show() { for warning in self { StandardError.write(warning.description) } }
}

/// `palimpsest schema`.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "The JSON Schema (2020-12) of experiment files.",
    discussion: "It goes to standard output, or with --output to a file, which is replaced in one step.")

  @Option(help: "A file for the schema, such as experiment.schema.json.") var output: String?

  func run() throws {
    let text = ExperimentSchema(PalimpsestTool.catalog).text
    guard let output else { return print(text, terminator: "") }
    try OptionChecks.file(output, "--output", example: "experiment.schema.json")
    try Paths.makeFolder(for: output)
    try Files.replace(output, with: text)
    StandardError.write(output)
  }
}
