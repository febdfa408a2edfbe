import OrderedCollections
import PalimpsestCore
import PalimpsestJSON

/// The JSON Schema (draft 2020-12) of the experiment files a catalogue can read, made from its declarations.
///
/// A named component is checked by `if name = X then …`, not by `oneOf`: a validator's message then names the parameter
/// that is wrong. What no schema can say stays with the reader: keys given twice, a sweep's paths into one file's labels, lists that
/// step together, one parameter set twice, the order of two ends, the length of a name in bytes.
public struct ExperimentSchema: Sendable {
  let catalog: Catalog

  public init(_ catalog: Catalog = .standard) { self.catalog = catalog }

  public var json: JSONValue {
    let members: [(String, JSONValue)] = [
      ("$schema", "https://json-schema.org/draft/2020-12/schema"),
      ("title", "Palimpsest experiment"),
      ("description", "One experiment: scenarios × strategies × sweep × seeds. Made by \"palimpsest schema\"."),
      ("type", "object"),
      ("required", ["name", "scenarios", "strategies"]),
      ("properties", JSONValue(properties)),
      ("additionalProperties", false),
      ("if", ["required": ["personal"]]),
      ("then", withPeople),
      ("else", ["if": ["required": ["stream"]], "then": inStream, "else": overTasks]),
      ("$defs", JSONValue(definitions)),
    ]
    return JSONValue(JSONObject(members))
  }

  /// As committed: indented, with a newline at the end.
  public var text: String { json.prettyText + "\n" }

  // MARK: - The file

  private var properties: JSONObject {
    [
      "$schema": ["type": "string", "description": "Where this schema lies, for editors."],
      "format": ["const": 1, "description": "Format of the file."],
      "name": [
        "type": "string", "pattern": "^[-._0-9A-Za-z\\u00aa-\\uffff]+$", "maxLength": JSONValue(Label.mostCharacters),
        "description": "A short name: letters, digits, \"-\", \"_\" and \".\".",
      ],
      "question": ["type": "string", "description": "What the experiment is to answer."],
      "scenarios": labelled("scenario", "Scenarios under labels of yours."),
      "model": reference("model"),
      "training": reference("training"),
      "strategies": labelled("strategy", "Strategies under labels of yours: lists of parts."),
      "evaluation": reference("evaluation"),
      "stream": reference("stream"),
      "personal": reference("personal"),
      "policies": labelled("policy", "Update policies under labels of yours, beside \"personal\"."),
      "safeguards": labelled("safeguard", "Safeguards under labels of yours, beside \"personal\"."),
      "seeds": seeds,
      "select": reference("select"),
      "sweep": reference("sweep"),
      "output": reference("output"),
      "execution": reference("execution"),
    ]
  }

  private func labelled(_ definition: String, _ description: String) -> JSONValue {
    [
      "type": "object", "minProperties": 1, "additionalProperties": reference(definition),
      "propertyNames": ["pattern": JSONValue(printable), "minLength": 1, "maxLength": JSONValue(Label.mostCharacters)],
      "description": JSONValue(description),
    ]
  }

  /// Not only spaces, and nothing that cannot be seen, as ``Label`` has it. Validators differ in how they write characters
  /// beyond U+FFFF: those few, and joiners outside of emoji, are the reader's.
  private var printable: String {
    let hidden = [
      "0000-\\u001f", "007f-\\u009f", "00ad", "034f", "0600-\\u0605", "061c", "06dd", "070f", "0890-\\u0891", "08e2",
      "115f-\\u1160", "17b4-\\u17b5", "180e", "200b-\\u200c", "200e-\\u200f", "2028-\\u202e", "2060-\\u206f", "3164",
      "feff", "ffa0", "fff0-\\ufffb",
    ]
    return "^(?=.*\\S)[^" + hidden.map { "\\u" + $0 }.joined() + "]*$"
  }

  /// A count, a list, or a range: each keyword speaks of one type alone.
  private var seeds: JSONValue {
    [
      "description": "A count, a list of whole numbers, or {\"from\": 100, \"count\": 5}.",
      "type": ["integer", "array", "object"], "minimum": 1, "maximum": JSONValue(ExperimentReader.mostSeeds),
      "items": ["type": "integer", "minimum": 0, "maximum": JSONValue(Int.max)], "minItems": 1, "uniqueItems": true,
      "properties": [
        "from": [
          "type": "integer", "minimum": 0, "maximum": JSONValue(ExperimentReader.largestFirstSeed),
          "description": "The first seed.",
        ],
        "count": [
          "type": "integer", "minimum": 1, "maximum": JSONValue(ExperimentReader.mostSeeds),
          "description": "How many seeds.",
        ],
      ],
      "required": ["from", "count"], "additionalProperties": false,
    ]
  }

  // MARK: - Definitions

  private var definitions: JSONObject {
    var result: JSONObject = [
      "scenario": component(catalog.scenarios.keys, "scenario"),
      "strategy": strategy,
      "part": component(catalog.parts.keys, "part"),
      "optimizer": component(catalog.optimizers.keys, "optimizer"),
      "model": settings(ModelSettings.self, "The network of every strategy."),
      "training": settings(
        TrainingSettings.self, "How every strategy is trained.", besides: [("optimizer", reference("optimizer"))]),
      "evaluation": settings(EvaluationSettings.self, "When and what is evaluated."),
      "stream": settings(StreamSettings.self, StreamSettings.summary),
      "personal": settings(PersonalSettings.self, PersonalSettings.summary),
      "policy": component(catalog.policies.keys, "policy"),
      "safeguard": component(catalog.safeguards.keys, "safeguard"),
      "select": select,
      "output": settings(OutputSettings.self, "What is kept of each run beside its record; no result depends on it."),
      "execution": settings(ExecutionSettings.self, ExecutionSettings.summary),
    ]
    add(catalog.scenarios, "scenario", to: &result)
    add(catalog.parts, "part", to: &result)
    add(catalog.optimizers, "optimizer", to: &result)
    add(catalog.policies, "policy", to: &result)
    add(catalog.safeguards, "safeguard", to: &result)
    for (name, schema) in SweepSchema(catalog).definitions { result[name] = schema }
    return result
  }

  /// How hyper-parameters are chosen before the runs that are reported.
  private var select: JSONValue {
    let description =
      "Hyper-parameters are chosen on seeds of their own, equally many trials a strategy, then reported."
    var tuning = seeds.object ?? JSONObject()
    tuning["description"] =
      "Seeds of the trials, none of them the experiment's; a count: the first so many that are not."
    var object =
      settings(
        SelectSettings.self, description,
        besides: [
          ("over", reference("sweep")), ("seeds", JSONValue(tuning)), ("subjectTo", catalog.constraintSchema),
        ]
      )
      .object ?? JSONObject()
    var properties = object["properties"]?.object ?? JSONObject()
    var criterion = properties["criterion"]?.object ?? JSONObject()
    criterion["enum"] = JSONValue(catalog.criteria.map { JSONValue($0.name) })
    properties["criterion"] = JSONValue(criterion)
    object["properties"] = JSONValue(properties)
    object["required"] = ["over", "seeds"]
    return JSONValue(object)
  }

  private func add<T>(_ types: OrderedDictionary<String, T>, _ kind: String, to result: inout JSONObject) {
    for (name, type) in types {
      guard let part = type as? any Part.Type else { continue }
      result["\(kind).\(name)"] = settings(
        part, part.summary, besides: [("name", ["const": JSONValue(name), "description": JSONValue("Which \(kind).")])])
    }
  }

  /// An object with a name that decides about its other keys.
  private func component(_ names: some Sequence<String>, _ kind: String) -> JSONValue {
    let names = Array(names)
    return [
      "type": "object", "required": ["name"], "description": JSONValue("One \(kind): its name and its parameters."),
      "properties": [
        "name": ["enum": JSONValue(names.map { JSONValue($0) }), "description": JSONValue("Which \(kind).")]
      ],
      "allOf": JSONValue(
        names.map { name in
          [
            "if": ["properties": ["name": ["const": JSONValue(name)]], "required": ["name"]],
            "then": reference("\(kind).\(name)"),
          ]
        }),
    ]
  }

  private func settings(
    _ type: any Configurable.Type, _ description: String, besides others: [(String, JSONValue)] = []
  ) -> JSONValue {
    return [
      "type": "object", "description": JSONValue(description),
      "properties": JSONValue(JSONObject(others + properties(of: type, under: ""))), "additionalProperties": false,
    ]
  }

  /// - Parameter prefix: path of the object they stand in.
  private func properties(of type: any Configurable.Type, under prefix: String) -> [(String, JSONValue)] {
    let (names, table) = (NestedNames(type, under: prefix), ParameterTable.of(type))
    let values = names.values.compactMap { name in
      table.declaration(prefix + name).map { (name, JSONValue($0.schema)) }
    }
    let lists = names.lists.compactMap { name in
      table.declaration(prefix + name).map { (name, list($0, of: properties(of: type, under: "\(prefix)\(name).0."))) }
    }
    return values + lists
      + names.objects.map { name in
        let members = properties(of: type, under: prefix + name + ".")
        return (
          name,
          [
            "type": "object", "description": JSONValue("Settings that belong together: \(name)."),
            "properties": JSONValue(JSONObject(members)), "additionalProperties": false,
          ]
        )
      }
  }

  private func list(_ declaration: ParameterDeclaration, of members: [(String, JSONValue)]) -> JSONValue {
    var schema = declaration.schema
    schema["items"] = [
      "type": "object", "properties": JSONValue(JSONObject(members)), "additionalProperties": false,
    ]
    return JSONValue(schema)
  }

  func reference(_ definition: String) -> JSONValue { ["$ref": JSONValue("#/$defs/\(definition)")] }
}
