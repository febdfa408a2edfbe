import PalimpsestCore
import PalimpsestJSON

/// Reads the `random` of a block: {"samples": 200, "seed": 7, "space": {path: {"log-uniform": [1e-4, 1e-1]}}}.
extension ExperimentReader {
  mutating func randomFactor(_ value: JSONValue, _ place: String, _ scope: inout SweepScope) -> [SweepFactor] {
    guard let object = value.object else {
      report(value, place, "expected an object with \"samples\" and \"space\", found \(value.shown)")
      return []
    }
    checkKeys(object, ["samples", "seed", "space"], place)
    let samples = samples(object["samples"], in: value, place)
    let seed = drawSeed(object["seed"], place)
    guard let space = object["space"] else {
      report(value, place, "\"space\" is missing: paths and distributions, such as {\"uniform\": [0, 1]}")
      return []
    }
    let settings = entries(space, place + ".space", "distributions", &scope, isStepped: true) { reader, entry in
      reader.distribution(entry).map { .drawn($0, seed: seed, path: entry.path) }
    }
    return settings.isEmpty ? [] : [SweepFactor(count: samples, settings)]
  }

  private mutating func samples(_ value: JSONValue?, in random: JSONValue, _ place: String) -> Int {
    guard let value else {
      report(random, place, "\"samples\" is missing: how many draws")
      return 1
    }
    guard let samples = value.int, samples >= 1, samples <= ExperimentReader.mostRuns else {
      let range = "a whole number in [1, \(ExperimentReader.mostRuns)]"
      report(value, place + ".samples", "expected \(range), found \(value.shown)")
      return 1
    }
    return samples
  }

  private mutating func drawSeed(_ value: JSONValue?, _ place: String) -> Int {
    guard let value else { return 0 }
    guard let seed = value.int, seed >= 0 else {
      report(value, place + ".seed", "expected a whole number ≥ 0, found \(value.shown)\(value.tooLarge)")
      return 0
    }
    return seed
  }

  // MARK: - Distributions

  private mutating func distribution(_ entry: SweepEntry) -> Distribution? {
    let example = "{\"uniform\": [0, 1]}"
    guard let object = entry.value.object, object.count == 1, let (name, member) = object.members.elements.first else {
      report(entry.value, entry.place, "expected one distribution such as \(example), found \(entry.value.shown)")
      return nil
    }
    guard Distribution.names.contains(name) else {
      let known = isHelpful ? suggestion(for: name, among: Distribution.names) : ""
      let problem = "no distribution is called \"\(name)\"" + known
      problems.append(document.source.problem(at: member.keyOffset, path: entry.place, problem))
      return nil
    }
    let place = "\(entry.place).\(name)"
    if name == "choice" { return choice(member.value, entry, place) }
    if let words = entry.words {
      report(member.value, place, "draws numbers, and the parameter is \(words): expected {\"choice\": […]}")
      return nil
    }
    return name == "normal" ? normal(member.value, entry, place) : range(name, member.value, entry, place)
  }

  private mutating func choice(_ value: JSONValue, _ entry: SweepEntry, _ place: String) -> Distribution? {
    guard let values = value.array, !values.isEmpty else {
      report(value, place, "expected a list of at least one value, found \(value.shown)")
      return nil
    }
    for (index, value) in values.enumerated() { check(value, entry, "\(place)[\(index)]") }
    return .choice(values.map(\.parameterValue))
  }

  private mutating func normal(_ value: JSONValue, _ entry: SweepEntry, _ place: String) -> Distribution? {
    let numbers = value.array?.compactMap(\.double) ?? []
    guard numbers.count == 2, value.array?.count == 2, numbers[1] > 0 else {
      report(value, place, "expected [mean, standard deviation > 0], found \(value.shown)")
      return nil
    }
    let reach = Distribution.normalReach * numbers[1]
    let ends = [numbers[0] - reach, numbers[0] + reach].map { entry.isWhole ? $0.rounded() : $0 }
    if let problem = ends.lazy.compactMap({ entry.problem($0.parameterValue) }).first {
      let hint =
        "draws go as far as \(Distribution.normalReach) deviations: take a smaller one, or another distribution"
      report(value, place, "\(problem); \(hint)")
      return nil
    }
    return .normal(mean: numbers[0], deviation: numbers[1], isWhole: entry.isWhole)
  }

  /// Whole numbers where the distribution or the parameter is one of whole numbers.
  private mutating func range(
    _ name: String, _ value: JSONValue, _ entry: SweepEntry, _ place: String
  ) -> Distribution? {
    let isLogarithmic = name.hasPrefix("log-")
    let isWhole = entry.isWhole || name.hasSuffix("integer")
    guard let ends = value.array, ends.count == 2, let lower = ends[0].double, let upper = ends[1].double,
      lower < upper, !isLogarithmic || lower > 0, !isWhole || ends.allSatisfy(\.isExactInteger)
    else {
      let numbers = (isWhole ? "whole numbers" : "numbers") + (isLogarithmic ? " > 0" : "")
      report(value, place, "expected two \(numbers), the smaller first, found \(value.shownInFull)")
      return nil
    }
    for (index, end) in ends.enumerated() { check(end, entry, "\(place)[\(index)]") }
    switch (isWhole, isLogarithmic) {
    case (true, true): return .logInteger(Int(lower), Int(upper))
    case (true, false): return .integer(Int(lower), Int(upper))
    case (false, true): return .logUniform(lower, upper)
    case (false, false): return .uniform(lower, upper)
    }
  }
}

extension JSONValue {
  /// A whole number that a `Double` holds exactly.
  fileprivate var isExactInteger: Bool { int.map { $0.magnitude <= 1 << 53 } ?? false }

  /// As it stands in the file, where that is short.
  fileprivate var shownInFull: String {
    let text = compactText
    return array != nil && text.count <= 40 ? text : shown
  }
}

extension SweepEntry {
  private var kinds: [ParameterKind] {
    targets.compactMap { experiment.declaration($0)?.kind }.map { kind in
      if case .optional(let wrapped) = kind { wrapped } else { kind }
    }
  }

  /// True where any of the parameters is a whole number.
  var isWhole: Bool { kinds.contains(.integer) }

  /// What a parameter that is no number expects; nil where all are numbers.
  var words: String? { kinds.first { $0 != .integer && $0 != .number }?.expectation(.any) }
}
