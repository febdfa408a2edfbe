import PalimpsestJSON
import PalimpsestMetrics

/// What a candidate must keep to before it can be chosen: `"bytes_kept": { "atMost": 4096 }`. Its mean over the tuning seeds counts.
public struct SelectConstraint: Sendable, Equatable {
  /// A metric or cost.
  public let name: String
  public let atLeast: Double?
  public let atMost: Double?

  package init(name: String, atLeast: Double? = nil, atMost: Double? = nil) {
    (self.name, self.atLeast, self.atMost) = (name, atLeast, atMost)
  }

  /// False of what is not a number.
  package func holds(_ value: Double) -> Bool {
    value.isFinite && value >= atLeast ?? -.infinity && value <= atMost ?? .infinity
  }

  /// `bytes_kept at most 4096`.
  package var words: String {
    let ends = [atLeast.map { "at least \(shortNumber($0))" }, atMost.map { "at most \(shortNumber($0))" }]
    return name + " " + ends.compactMap(\.self).joined(separator: " and ")
  }

  var json: JSONValue {
    var object: JSONObject = ["name": JSONValue(name)]
    object["at_least"] = atLeast.map { JSONValue($0) }
    object["at_most"] = atMost.map { JSONValue($0) }
    return JSONValue(object)
  }

  init?(_ json: JSONValue) {
    guard let name = json["name"]?.string else { return nil }
    self.init(name: name, atLeast: json["at_least"]?.double, atMost: json["at_most"]?.double)
  }
}

/// Whole numbers without a point.
package func shortNumber(_ x: Double) -> String {
  x == x.rounded() && abs(x) < 1e15 ? String(Int(x)) : String(x)
}

extension Catalog {
  /// What a choice can be subject to: every metric, cost and number that trials have and that is the same whenever they run.
  public var constrained: [String] {
    let unsteady = Set(measures.filter { !$0.isRepeatable }.map(\.name.text))
    let needs: Set<Requirement> = [.joint, .scratch]
    return metrics.filter { needs.isDisjoint(with: $0.needs) && !unsteady.contains($0.name) }.map(\.name)
  }

  /// Bounds on what is chosen, by metric or cost.
  var constraintSchema: JSONValue {
    func end(_ what: String) -> JSONValue { ["type": "number", "description": JSONValue(what)] }
    return [
      "type": "object", "minProperties": 1,
      "description": "What a candidate must keep to, mean over the tuning seeds, by the name of a metric or cost.",
      "propertyNames": ["enum": JSONValue(constrained.map { JSONValue($0) })],
      "additionalProperties": [
        "type": "object", "minProperties": 1, "additionalProperties": false,
        "properties": ["atLeast": end("Its mean is this or more."), "atMost": end("Its mean is this or less.")],
      ],
    ]
  }
}

// MARK: - Reading

extension ExperimentReader {
  /// - Returns: in the file's order; none where nothing was given or it was wrong.
  mutating func constraints(_ value: JSONValue?) -> [SelectConstraint] {
    guard let value else { return [] }
    let path = "select.subjectTo"
    guard let object = value.object, !object.isEmpty else {
      report(value, path, "expected an object such as {\"bytes_kept\": {\"atMost\": 4096}}, found \(value.shown)")
      return []
    }
    return object.members.compactMap { constraint($0.key, $0.value.value, path + "." + $0.key) }
  }

  private mutating func constraint(_ name: String, _ value: JSONValue, _ path: String) -> SelectConstraint? {
    guard catalog.constrained.contains(name) else {
      let isKnown = catalog.metrics.contains { $0.name == name }
      report(
        value, path,
        isKnown
          ? "\"\(name)\" cannot bound a choice: it needs runs that trials do not have, or differs from run to run"
          : "no metric or cost is called \"\(name)\"" + suggestion(for: name, among: catalog.constrained))
      return nil
    }
    guard let object = value.object, !object.isEmpty else {
      report(value, path, "expected {\"atMost\": number}, {\"atLeast\": number} or both, found \(value.shown)")
      return nil
    }
    checkKeys(object, ["atLeast", "atMost"], path)
    let ends = ["atLeast", "atMost"].map { end(object[$0], path + "." + $0) }
    if let low = ends[0], let high = ends[1], low > high {
      report(value, path, "atLeast \(shortNumber(low)) is above atMost \(shortNumber(high)); nothing can keep to both")
    }
    return SelectConstraint(name: name, atLeast: ends[0], atMost: ends[1])
  }

  private mutating func end(_ value: JSONValue?, _ path: String) -> Double? {
    guard let value else { return nil }
    if let number = value.double { return number }
    report(value, path, "expected a number, found \(value.shown)")
    return nil
  }
}
