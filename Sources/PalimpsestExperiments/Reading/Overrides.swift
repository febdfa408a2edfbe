import PalimpsestCore
import PalimpsestJSON

/// Changes to an experiment from the command line, as they were typed.
public struct Overrides: Sendable, Equatable {
  /// `path=value`: one value in place of the file's.
  public var set: [String]
  /// `path=v1,v2,v3`: one more axis of the sweep's grid.
  public var over: [String]
  /// `10`, `100..109` or `1,2,7`.
  public var seeds: String?

  public init(set: [String] = [], over: [String] = [], seeds: String? = nil) {
    self.set = set
    self.over = over
    self.seeds = seeds
  }

  /// As arguments: `--set training.epochs=5`. What the results keep beside the text of the file.
  var arguments: [String] {
    self.set.map { "--set " + $0 } + over.map { "--over " + $0 } + (seeds.map { ["--seeds " + $0] } ?? [])
  }
}

extension Experiment {
  /// The experiment with changes made to it, under the checks its file went through.
  ///
  /// A value set so stands in the file's place: a sweep's `set` or case may override it, an axis that gives the parameter
  /// other values anyway is an error.
  /// - Throws: ``PalimpsestJSON/Problems``: everything that is wrong, each with the argument as its place.
  public func overridden(by overrides: Overrides) throws(Problems) -> Experiment {
    var change = ExperimentChange(self)
    for argument in overrides.set { change.set(argument) }
    for argument in overrides.over { change.over(argument) }
    if let seeds = overrides.seeds { change.seeds(seeds) }
    try change.problems.throwIfAny()
    change.checkStream()
    try change.problems.throwIfAny()
    change.experiment.overrides += overrides.arguments
    return change.experiment
  }
}

/// An experiment on its way from one to another.
private struct ExperimentChange {
  var experiment: Experiment
  var problems = Problems()

  init(_ experiment: Experiment) { self.experiment = experiment }

  private mutating func report(_ option: String, _ argument: String, _ message: String) {
    problems.append(Problem(file: "\(option) \"\(argument)\"", place: nil, message: message))
  }

  // MARK: - --set

  mutating func set(_ argument: String) {
    guard let (path, text) = assignment(argument) else { return report("--set", argument, "expected path=value") }
    if path == "name" { return rename(text, argument) }
    if path == "output.keep" { return keep(text, argument) }
    guard let targets = targets(path, "--set", argument) else { return }
    let value = SettingText.value(text)
    if let problem = problem(value, targets) {
      return report("--set", argument, problem + several(text, argument, targets))
    }
    if let taken = experiment.sweep.factor(stepping: targets) {
      return report("--set", argument, "the sweep gives values to \"\(taken)\" already; change them in the file")
    }
    for target in targets { experiment.set(target, to: value.parameterValue) }
  }

  private mutating func rename(_ name: String, _ argument: String) {
    if let problem = ExperimentReader.nameProblem(JSONValue(name)) { return report("--set", argument, problem) }
    experiment.name = name
  }

  /// What is kept is no part of a run's identity, so no part of the settings that `targets` knows.
  private mutating func keep(_ text: String, _ argument: String) {
    let value = SettingText.value(text)
    let list = value.array == nil ? JSONValue([value]) : value
    do {
      experiment.outputSettings = try OutputSettings(settings: ["keep": list.parameterValue])
    } catch {
      report("--set", argument, "\(error)")
    }
  }

  /// What is added where values for an axis stand in the place of one.
  private func several(_ text: String, _ argument: String, _ targets: [SettingTarget]) -> String {
    let values = SettingText.pieces(text).map(SettingText.value)
    guard values.count > 1, values.allSatisfy({ problem($0, targets) == nil }) else { return "" }
    return "; to try several values: --over \(argument)"
  }

  // MARK: - --over

  mutating func over(_ argument: String) {
    guard let (path, text) = assignment(argument) else { return report("--over", argument, "expected path=v1,v2,…") }
    guard let targets = targets(path, "--over", argument) else { return }
    let values = SettingText.pieces(text).map(SettingText.value)
    if let problem = values.compactMap({ problem($0, targets) }).first {
      return report("--over", argument, problem)
    }
    if let taken = experiment.sweep.anyFactor(setting: targets) {
      return report("--over", argument, "the sweep gives values to \"\(taken)\" already; change them in the file")
    }
    let axis = SweptSetting(path: path, targets: targets, values: .listed(values.map(\.parameterValue)))
    experiment.sweep.factors.append(SweepFactor(count: values.count, [axis]))
    checkSize("--over", argument)
  }

  // MARK: - --seeds

  mutating func seeds(_ argument: String) {
    guard let seeds = SeedText.seeds(argument) else {
      return report("--seeds", argument, "expected a count ≥ 1, a range such as 100..109, or a list such as 1,2,7")
    }
    guard seeds.count <= ExperimentReader.mostSeeds else {
      return report("--seeds", argument, "expected at most \(ExperimentReader.mostSeeds) seeds, found \(seeds.count)")
    }
    if Set(seeds).count != seeds.count { return report("--seeds", argument, "a seed stands twice in the list") }
    experiment.seeds = Array(seeds)
    experiment.select?.takeSeeds(besides: experiment.seeds)
    checkSize("--seeds", argument)
  }

  // MARK: - All together

  /// The file had no such contradiction.
  mutating func checkStream() {
    for found in experiment.contradictions {
      problems.append(
        Problem(file: "command line", place: nil, path: found.path.joined(separator: "."), message: found.message))
    }
  }

  // MARK: - Parts of an argument

  private func assignment(_ argument: String) -> (path: String, text: String)? {
    guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else { return nil }
    return (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
  }

  private mutating func targets(_ path: String, _ option: String, _ argument: String) -> [SettingTarget]? {
    do {
      return try SettingPath(path, experiment.catalog).targets(in: experiment)
    } catch {
      report(option, argument, error.message)
      return nil
    }
  }

  private func problem(_ value: JSONValue, _ targets: [SettingTarget]) -> String? {
    targets.lazy.compactMap { experiment.problem($0, value.parameterValue) }.first
  }

  private mutating func checkSize(_ option: String, _ argument: String) {
    if let problem = experiment.sizeProblem { report(option, argument, problem) }
  }
}

extension Experiment {
  /// Gives a parameter a value in place of the file's.
  fileprivate mutating func set(_ target: SettingTarget, to value: ParameterValue) {
    switch target {
    case .model(let key): model.given[key] = value
    case .training(let key): training.given[key] = value
    case .optimizer(let key): optimizer.given[key] = value
    case .evaluation(let key): evaluation.given[key] = value
    case .stream(let key): stream?.given[key] = value
    case .personal(let key): personal?.settings.given[key] = value
    case .policy(let label, let key): personal?.policies[label]?.given[key] = value
    case .safeguard(let label, let key): personal?.safeguards[label]?.given[key] = value
    case .scenario(let label, let key): scenarios[label]?.given[key] = value
    case .strategy(let label, let part, let key):
      let parts = strategies[label] ?? []
      strategies[label] = parts.map { component in
        var copy = component
        if copy.name == part { copy.given[key] = value }
        return copy
      }
    }
  }
}

extension SweepBlock {
  /// The path of a factor of this block, `set` left out, that gives one of the parameters its values.
  fileprivate func factor(stepping targets: [SettingTarget]) -> String? {
    path(setting: targets, in: factors.filter { !$0.isSet })
  }

  /// The path of any factor here or in the cases, `set` left out.
  fileprivate func anyFactor(setting targets: [SettingTarget]) -> String? {
    path(setting: targets, in: factors) ?? cases.lazy.compactMap { $0.anyFactor(setting: targets) }.first
  }

  private func path(setting targets: [SettingTarget], in factors: [SweepFactor]) -> String? {
    factors.lazy.flatMap(\.settings).first { !Set($0.targets).isDisjoint(with: targets) }?.path
  }
}

/// Values as they stand on a command line.
enum SettingText {
  /// JSON, or else a bare word taken as a string.
  static func value(_ text: String) -> JSONValue {
    let document = JSONReader.read(Array(text.utf8), file: "")
    guard document.problems.isEmpty, let root = document.root else { return JSONValue(text) }
    return root
  }

  /// Cuts at the commas outside brackets and quotes.
  static func pieces(_ text: String) -> [String] {
    var pieces = [""]
    var depth = 0
    var isQuoted = false
    for character in text {
      if character == "\"" { isQuoted.toggle() }
      if !isQuoted && "[{".contains(character) { depth += 1 }
      if !isQuoted && "]}".contains(character) { depth -= 1 }
      if character == "," && depth == 0 && !isQuoted {
        pieces.append("")
      } else {
        pieces[pieces.count - 1].append(character)
      }
    }
    return pieces
  }
}

/// Seeds as they stand on a command line.
enum SeedText {
  /// `10` is the seeds 0 to 9, `100..109` both ends and all between, `1,2,7` those.
  /// - Returns: nil for anything else, a seed below 0 or an empty range.
  static func seeds(_ text: String) -> (any RandomAccessCollection<Int>)? {
    if let count = Int(text) { return count >= 1 ? 0..<count : nil }
    return numbers(text)
  }

  /// `7`, `100..109` or `1,2,7`: the numbers themselves.
  static func numbers(_ text: String) -> (any RandomAccessCollection<Int>)? {
    if let dots = text.firstRange(of: "..") {
      guard let first = Int(text[..<dots.lowerBound]), let last = Int(text[dots.upperBound...]), first >= 0,
        first <= last, last < Int.max
      else { return nil }
      return first..<(last + 1)
    }
    let pieces = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = pieces.compactMap { Int($0) }.filter { $0 >= 0 }
    return numbers.count == pieces.count ? numbers : nil
  }
}
