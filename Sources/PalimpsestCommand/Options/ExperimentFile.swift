import Palimpsest

/// An experiment file named on the command line: a path, or the name of a file in `Experiments`.
struct ExperimentFile {
  let path: String
  let bytes: [UInt8]

  /// Bytes that are read of an experiment file at most.
  private static let most = 64 << 20

  /// A pipe will do, so that a program can write the experiment: `run <(python sweep.py)`, `run /dev/stdin`.
  /// - Throws: ``FileError`` where it is not there or cannot be read.
  init(_ argument: String) throws {
    let shipped = "Experiments/\(argument).json"
    if argument == "-" && !Files.exists(argument) {
      throw UsageError("there is no file \"-\"; an experiment on standard input is called /dev/stdin")
    }
    path = !Files.exists(argument) && !argument.contains("/") && Files.exists(shipped) ? shipped : argument
    bytes = try Files.read(path, atMost: ExperimentFile.most, pipes: true)
  }

  /// - Throws: ``Problems`` with everything that is wrong.
  func experiment() throws -> Experiment { try Experiment.read(bytes, file: path, catalog: PalimpsestTool.catalog) }
}

extension PreparationError {
  /// The same with file, line and column; nil where no single parameter is to blame.
  func placed(in experiment: Experiment, _ file: ExperimentFile) -> (any Error)? {
    guard let parameter else { return nil }
    return Problems([
      experiment.problem(ofScenario: parameter.label, parameter: parameter.name, problem, file: file.path)
    ])
  }
}

extension Paths {
  /// Makes the folder that a file goes to, and says so where it was not there: a slip of the pen makes folders too.
  static func makeFolder(for file: String) throws {
    let folder = Paths.parent(of: file)
    if folder.isEmpty || Files.exists(folder) { return }
    try Files.makeFolder(folder)
    StandardError.write("\(folder): this folder was not there and has been made")
  }
}

extension Experiment {
  /// Where results go unless the command line says otherwise.
  /// - Throws: ``UsageError`` for a path that names no file.
  func output(_ given: String?) throws -> ResultsFolder {
    let standard = "results/\(name).h5"
    guard let given else { return ResultsFolder(standard) }
    if !given.hasSuffix(".palimpsest/") { try OptionChecks.file(given, "--output", example: standard) }
    return ResultsFolder(given)
  }
}
