import PalimpsestJSON

extension [ScenarioMatches] {
  /// Settings in which contestants differ beside what is compared, a sentence each: `visible, hidden: training.epochs is 5 for
  /// naive and 20 for ewc.`
  ///
  /// - Parameter files: contestants are one strategy from two files, so its own settings count too.
  func differingSettings(_ files: (old: String, new: String)?) -> [String] {
    flatMap { match -> [Remark] in
      guard let files else {
        return DifferingRecords(match.contestants, apart: ["strategy", "policy", "safeguard"])
          .sentences { "for " + match.named($0) }
          .map { Remark(scenario: match.name, label: nil, what: $0) }
      }
      return match.pairs.flatMap { pair in
        DifferingRecords([pair.b, pair.a], apart: []).sentences {
          "in " + $0.map { [files.old, files.new][$0] }.listed
        }
        .map { Remark(scenario: match.name, label: pair.a.label, what: $0) }
      }
    }.sentences
  }
}

extension ScenarioMatches {
  /// Contestants by name while they are few: configurations of a sweep have long ones.
  fileprivate func named(_ places: [Int]) -> String {
    places.count > 4 ? "\(places.count) of \(contestants.count)" : places.map { contestants[$0].label }.listed
  }
}

/// Settings of several contestants by path.
private struct DifferingRecords {
  /// One a contestant; nil where they are not known.
  private let settings: [[String: String]?]

  /// - Parameter apart: members of a record that do not count.
  init(_ contestants: [Contestant], apart: Set<String>) {
    settings = contestants.map { contestant in
      guard let record = contestant.record().object else { return nil }
      return record.keys.filter { !apart.contains($0) }.reduce(into: [:]) { settings, key in
        record[key]?.flatten(key, into: &settings)
      }
    }
  }

  /// - Parameter whose: those at these places in words.
  func sentences(whose: ([Int]) -> String) -> [String] {
    let known = settings.indices.filter { settings[$0] != nil }
    let paths = Set(settings.flatMap { $0.map { Array($0.keys) } ?? [] }).sorted()
    return paths.compactMap { path in
      let values = settings.map { $0?[path] ?? "not there" }
      let groups = known.map { values[$0] }.distinct
      guard groups.count > 1 else { return nil }
      let words = groups.map { value in "\(value) \(whose(known.filter { values[$0] == value }))" }
      return "\(path) is \(words.joined(separator: " and "))."
    }
  }
}

extension JSONValue {
  /// Settings by path; a list of parts by their names, any other list as it is.
  fileprivate func flatten(_ path: String, into settings: inout [String: String]) {
    if let object, !object.isEmpty {
      for key in object.keys { object[key]?.flatten(path + "." + key, into: &settings) }
    } else if let parts = array, !parts.isEmpty, parts.allSatisfy({ $0["name"]?.string != nil }) {
      for part in parts { part.flatten(path + "." + (part["name"]?.string ?? ""), into: &settings) }
    } else {
      settings[path] = plainText
    }
  }
}
