import PalimpsestJSON
import PalimpsestMetrics

extension Comparison {
  /// For programs: every number in full; the names are stable.
  public var json: JSONValue {
    var object: JSONObject = [
      "experiment": JSONValue(name), "metric": JSONValue(metric.name), "unit": JSONValue(metric.unit),
      "direction": JSONValue(metric.direction.rawValue),
    ]
    switch form {
    case .pairs: object["reference"] = .null
    case .reference(let name): object["reference"] = JSONValue(name)
    case .files(let old, let new): (object["old"], object["new"]) = (JSONValue(old), JSONValue(new))
    }
    object["adjustment"] = JSONValue(adjustment.rawValue)
    object["comparisons"] = JSONValue(tested)
    object["level"] = JSONValue(Comparison.level)
    object["equivalence"] = margin.json
    object["wanted_difference"] = wanted.json
    object["differing_settings"] = JSONValue(differences.map { JSONValue($0) })
    object["scenarios"] = JSONValue(scenarios.map(json))
    object["pooled"] = JSONValue(pooled.map(\.json))
    object["notes"] = JSONValue((limits + notes).map { JSONValue($0) })
    return JSONValue(object)
  }

  private func json(_ scenario: Scenario) -> JSONValue {
    [
      "scenario": JSONValue(scenario.name), "accuracy_kind": JSONValue(scenario.kind.rawValue),
      "pairs": JSONValue(scenario.pairs.map(json)),
    ]
  }

  private func json(_ pair: Pair) -> JSONValue {
    let difference = pair.difference
    var object: JSONObject = [
      "a": JSONValue(pair.a.label), "b": JSONValue(pair.b.label), "n": JSONValue(pair.seeds.count),
      "seeds": JSONValue(pair.seeds.map { JSONValue($0) }), "mean_a": Interval(pair.valuesOfA).map(\.mean).json,
      "mean_b": Interval(pair.valuesOfB).map(\.mean).json, "difference": (difference?.interval.mean).json,
      "half_width": (difference?.interval.halfWidth).json, "deviation": (difference?.interval.deviation).json,
      "wins": JSONValue(difference?.wins ?? 0), "ties": JSONValue(difference?.ties ?? 0), "p": pair.p.json,
      "adjusted_p": pair.adjusted.json, "d_z": (difference?.effect).json, "g_z": (difference?.unbiasedEffect).json,
      "improvement_probability": pair.probability.json,
    ]
    object["equivalent"] = margin == nil ? .null : JSONValue(pair.isEquivalent(within: margin))
    object["detectable_difference"] = pair.detectable.json
    if let wanted { object["seeds_wanted"] = pair.seeds(toSee: wanted).map { JSONValue($0) } ?? .null }
    object["differences"] = JSONValue((difference?.differences ?? []).map { JSONValue($0) })
    object["sentence"] = JSONValue(sentence(pair))
    return JSONValue(object)
  }
}

extension Comparison.Pooled {
  fileprivate var json: JSONValue {
    [
      "a": JSONValue(a), "b": JSONValue(b), "scenarios": JSONValue(scenarios),
      "improvement_probability": JSONValue(probability), "wins": JSONValue(wins), "n": JSONValue(count),
    ]
  }
}

extension Double? {
  /// Null where there is none.
  fileprivate var json: JSONValue { map { JSONValue($0) } ?? .null }
}
