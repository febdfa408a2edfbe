import OrderedCollections
import PalimpsestCore
import PalimpsestJSON
import PalimpsestPersonal

/// What an experiment says of single people.
extension ExperimentReader {
  /// - Returns: nil where its runs do not go on with them.
  mutating func personal(_ object: JSONObject) -> PersonalBlock? {
    guard let value = object["personal"] else {
      for key in ["policies", "safeguards"] where object[key] != nil {
        report(
          keyOf: key, in: object, key,
          "it counts beside \"personal\" alone: add \"personal\": {}, or take \"\(key)\" away")
      }
      return nil
    }
    let settings = settings(PersonalSettings.self, value, "personal")
    return PersonalBlock(
      settings: settings, policies: components(object["policies"], "policies", "policy", catalog.policies),
      safeguards: components(object["safeguards"], "safeguards", "safeguard", catalog.safeguards))
  }

  private mutating func components<T>(
    _ value: JSONValue?, _ path: String, _ kind: String, _ known: OrderedDictionary<String, T>
  ) -> OrderedDictionary<String, Component>? {
    guard let value else { return nil }
    var result: OrderedDictionary<String, Component> = [:]
    for (label, member) in labelled(value, value, path, "at least one \(kind) under a label of yours") {
      result[label] = component(member, "\(path).\(label)", kind, known)
    }
    return result
  }
}
