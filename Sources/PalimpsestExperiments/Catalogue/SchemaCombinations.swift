import PalimpsestCore
import PalimpsestJSON
import PalimpsestScenarios

/// What may stand beside what: parts in one strategy, and blocks in one file.
extension ExperimentSchema {
  /// A list of parts: no name twice, and no two parts for a place that takes one.
  var strategy: JSONValue {
    let single: [Role] = [.memory, .isolation, .bound, .driftDetector]
    let places = single.map { role in names(of: role) }.filter { $0.count > 1 }
    return [
      "type": "array", "items": reference("part"),
      "description": "Parts of the learner; an empty list is plain fine-tuning.",
      "allOf": JSONValue((catalog.parts.keys.map { [$0] } + places).map(atMostOne) + whole),
    ]
  }

  /// What ``StreamRules`` refuses without a stream.
  var overTasks: JSONValue {
    var properties = strategies(without: names(of: .driftDetector))["properties"]?.object ?? JSONObject()
    let rows = EvaluationSettings.declaredParameters.filter { ["everyRows", "users"].contains($0.name) }
    properties["evaluation"] = ["properties": JSONValue(JSONObject(rows.map { ($0.name, absent($0)) }))]
    return ["properties": JSONValue(properties.merging(noPeople))]
  }

  /// Policies and safeguards count beside "personal" alone.
  private var noPeople: JSONObject { ["policies": false, "safeguards": false] }

  /// What ``PersonalRules`` refuses.
  var withPeople: JSONValue {
    let idle = names(of: .driftDetector) + names(of: .bound)
    var properties = strategies(without: idle)["properties"]?.object ?? JSONObject()
    let judged = EvaluationSettings.declaredParameters.filter { PersonalRules.evaluationKeys.contains($0.name) }
    let tasks = TrainingSettings.declaredParameters.filter { $0.name == "tasks" }
    properties["evaluation"] = ["properties": JSONValue(JSONObject(judged.map { ($0.name, absent($0)) }))]
    properties["training"] = ["properties": JSONValue(JSONObject(tasks.map { ($0.name, absent($0)) }))]
    let people = catalog.scenarios.filter { $0.value.hasPeople }.map { JSONValue($0.key) }
    properties["scenarios"] = [
      "additionalProperties": ["properties": ["name": ["enum": JSONValue(people)]]]
    ]
    return ["properties": JSONValue(properties.merging(["stream": false, "select": false]))]
  }

  /// What ``StreamRules`` refuses beside a stream, as far as a schema can say it.
  var inStream: JSONValue {
    var properties = JSONObject()
    let fed = FeedSettings.declaredParameters.map { ($0.name, absent($0)) }
    let refused = StreamRules.evaluationKeys + ["users"]
    let judged = EvaluationSettings.declaredParameters.filter { refused.contains($0.name) }
    properties["training"] = ["properties": JSONValue(JSONObject(fed))]
    properties["evaluation"] = ["properties": JSONValue(JSONObject(judged.map { ($0.name, absent($0)) }))]
    properties["select"] = false
    return ["properties": JSONValue(properties.merging(noPeople))]
  }

  /// Null is as good as nothing where it may stand.
  private func absent(_ parameter: ParameterDeclaration) -> JSONValue {
    if case .optional = parameter.kind { return ["type": "null"] }
    return false
  }

  private func strategies(without names: [String]) -> JSONValue {
    if names.isEmpty { return ["properties": JSONValue(JSONObject())] }
    return ["properties": ["strategies": ["additionalProperties": ["not": ["contains": named(names)]]]]]
  }

  private func names(of role: Role) -> [String] {
    catalog.parts.filter { role.isPlayed(by: $0.value) }.map(\.key)
  }

  private func atMostOne(of names: [String]) -> JSONValue {
    ["contains": named(names), "minContains": 0, "maxContains": 1]
  }

  /// A whole learner stands alone.
  private var whole: [JSONValue] {
    let names = names(of: .wholeLearner)
    return names.isEmpty ? [] : [["if": ["contains": named(names)], "then": ["maxItems": 1]]]
  }

  private func named(_ names: [String]) -> JSONValue {
    [
      "type": "object", "properties": ["name": ["enum": JSONValue(names.map { JSONValue($0) })]], "required": ["name"],
    ]
  }
}

extension JSONObject {
  fileprivate func merging(_ other: JSONObject) -> JSONObject {
    var result = self
    for (key, member) in other.members { result[key] = member.value }
    return result
  }
}
