import OrderedCollections
import PalimpsestCore
import PalimpsestJSON

/// The JSON Schema of a sweep's blocks, made from a catalogue's declarations.
struct SweepSchema {
  private let catalog: Catalog

  init(_ catalog: Catalog) { self.catalog = catalog }

  var definitions: [(String, JSONValue)] {
    [
      ("sweep", block), ("sweep.lists", paths(list)), ("sweep.random", random),
      ("sweep.distribution", distribution(Distribution.descriptions)),
      ("sweep.choice", distribution(Distribution.descriptions.filter { $0.name == "choice" })),
    ]
  }

  /// A block holds blocks.
  private var block: JSONValue {
    [
      "type": "object", "additionalProperties": false,
      "description": "A block of the sweep: everything in it multiplies, and its cases add up.",
      "properties": [
        "set": described(paths(item), "Paths with one value each; an inner block may set another."),
        "grid": lists(
          "Paths such as strategies.ewc.ewc.strength or strategies.*.reservoir.capacity, each with values."),
        "zip": lists("Paths with lists of equal length that step together."),
        "random": reference("sweep.random"),
        "cases": [
          "type": "array", "minItems": 1, "items": reference("sweep"), "description": "Blocks that add up; {} is none.",
        ],
      ],
    ]
  }

  private var random: JSONValue {
    [
      "type": "object", "required": ["samples", "space"], "additionalProperties": false,
      "description": "Values drawn at random: more samples keep those there are.",
      "properties": [
        "samples": [
          "type": "integer", "minimum": 1, "maximum": JSONValue(ExperimentReader.mostRuns),
          "description": "How many draws.",
        ],
        "seed": [
          "type": "integer", "minimum": 0, "maximum": JSONValue(Int.max), "default": 0,
          "description": "Another seed gives other draws.",
        ],
        "space": described(paths(draw), "Paths, each with a distribution."),
      ],
    ]
  }

  private func lists(_ description: String) -> JSONValue {
    ["$ref": "#/$defs/sweep.lists", "description": JSONValue(description)]
  }

  private func described(_ schema: JSONValue, _ description: String) -> JSONValue {
    var object = schema.object ?? JSONObject()
    object["description"] = JSONValue(description)
    return JSONValue(object)
  }

  private func reference(_ definition: String) -> JSONValue { ["$ref": JSONValue("#/$defs/\(definition)")] }

  // MARK: - Values of one path

  /// What a path's ending may mean: where its declarations stand in the schema, and whether all are numbers.
  private struct Meaning {
    var definitions: [String] = []
    var isNumber = true
  }

  private func item(_ meaning: Meaning) -> JSONValue {
    let references = meaning.definitions.map(reference)
    return references.count == 1 ? references[0] : ["anyOf": JSONValue(references)]
  }

  private func list(_ meaning: Meaning) -> JSONValue { ["type": "array", "minItems": 1, "items": item(meaning)] }

  /// The ends of a range must be values of the parameter, as the words of a choice must.
  private func draw(_ meaning: Meaning) -> JSONValue {
    let ends = ["uniform", "log-uniform", "integer", "log-integer", "choice"].joined(separator: "|")
    return [
      "$ref": JSONValue("#/$defs/" + (meaning.isNumber ? "sweep.distribution" : "sweep.choice")),
      "patternProperties": JSONValue(JSONObject([("^(\(ends))$", JSONValue(["items": item(meaning)] as JSONObject))])),
    ]
  }

  /// One distribution of those given.
  private func distribution(_ known: [(name: String, items: JSONValue?, description: String)]) -> JSONValue {
    let members = known.map { name, items, description -> (String, JSONValue) in
      var schema: JSONObject = ["type": "array", "minItems": 1, "description": JSONValue(description)]
      if let items {
        schema["items"] = items
        schema["minItems"] = 2
        schema["maxItems"] = 2
      }
      return (name, JSONValue(schema))
    }
    return [
      "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
      "description": "One distribution.", "properties": JSONValue(JSONObject(members)),
    ]
  }

  // MARK: - Paths

  /// An object with one pattern for each path's ending.
  private func paths(_ values: (Meaning) -> JSONValue) -> JSONValue {
    [
      "type": "object", "additionalProperties": false,
      "patternProperties": JSONValue(JSONObject(meanings.map { ($0.key, values($0.value)) })),
    ]
  }

  private var meanings: OrderedDictionary<String, Meaning> {
    var meanings: OrderedDictionary<String, Meaning> = [:]
    func add(_ type: any Configurable.Type, _ prefix: String, _ definition: String) {
      for sweepable in type.declaredParameters.flatMap(\.sweepable) {
        let pattern = "^\(([prefix] + sweepable.pieces).joined(separator: "\\."))$"
        meanings[pattern, default: Meaning()].definitions.append(definition + sweepable.place)
        if !sweepable.kind.isNumber { meanings[pattern]?.isNumber = false }
      }
    }
    add(ModelSettings.self, "model", "model")
    add(TrainingSettings.self, "training", "training")
    add(EvaluationSettings.self, "evaluation", "evaluation")
    add(StreamSettings.self, "stream", "stream")
    add(PersonalSettings.self, "personal", "personal")
    for (name, type) in catalog.optimizers { add(type, "training\\.optimizer", "optimizer.\(name)") }
    for (name, type) in catalog.scenarios { add(type, "scenarios\\.[^.]+", "scenario.\(name)") }
    for (name, type) in catalog.policies { add(type, "policies\\.[^.]+", "policy.\(name)") }
    for (name, type) in catalog.safeguards { add(type, "safeguards\\.[^.]+", "safeguard.\(name)") }
    for (name, type) in catalog.parts { add(type, "strategies\\.[^.]+\\.\(name)", "part.\(name)") }
    return meanings
  }
}

extension Distribution {
  /// Each name with what its two numbers are (nil: a list of any length) and what it draws.
  fileprivate static let descriptions: [(name: String, items: JSONValue?, description: String)] = [
    ("uniform", ["type": "number"], "Uniform between two numbers, the smaller first."),
    (
      "log-uniform", ["type": "number", "exclusiveMinimum": 0], "The logarithm is uniform between two numbers above 0."
    ),
    ("normal", ["type": "number"], "Normal: mean and standard deviation."),
    ("integer", ["type": "integer"], "A whole number, both ends included."),
    (
      "log-integer", ["type": "integer", "exclusiveMinimum": 0],
      "A whole number with probability about 1/k, both ends included."
    ),
    ("choice", nil, "One of these values."),
  ]
}

extension ParameterDeclaration {
  /// What a path may name: itself, or of a list of objects the settings of any entry. Pieces of a pattern, and where the schema has it.
  fileprivate var sweepable: [(pieces: [String], place: String, kind: ParameterKind)] {
    let pieces = name.split(separator: ".").map(String.init)
    let place = pieces.map { "/properties/" + $0 }.joined()
    guard case .entries(let fields) = kind else { return [(pieces, place, kind)] }
    return fields.flatMap(\.sweepable).map { (pieces + ["[0-9]+"] + $0.pieces, place + "/items" + $0.place, $0.kind) }
  }
}

extension ParameterKind {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .number: true
    case .optional(let kind): kind.isNumber
    case .bool, .string, .choice, .list, .object, .entries: false
    }
  }
}
