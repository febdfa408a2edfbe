import PalimpsestCore
import PalimpsestJSON

/// The way out where grids of unequal sizes would give strategies unequal numbers of trials: as many draws for each.
extension Select {
  /// `. Draw as many for each: "over": {"random": {"samples": 9, "space": {…}}}`, ready to be pasted.
  /// - Parameter samples: the largest number of trials that any strategy would have had.
  func drawn(_ samples: Int) -> String {
    var space = JSONObject()
    for setting in over.steppedSettings { space[setting.path] = setting.values.distribution }
    let random: JSONValue = ["random": ["samples": JSONValue(samples), "space": JSONValue(space)]]
    return ". Draw as many for each: \"over\": \(random.compactText)"
  }
}

extension SweepBlock {
  /// Settings that take several values, those of the cases behind.
  fileprivate var steppedSettings: [SweptSetting] {
    factors.filter { $0.count > 1 }.flatMap(\.settings) + cases.flatMap(\.steppedSettings)
  }
}

extension SweptValues {
  /// What draws from the range of a list of numbers, else from the list.
  fileprivate var distribution: JSONValue {
    switch self {
    case .drawn(let distribution, _, _): distribution.json
    case .listed(let values):
      SweptValues.logarithmic(values) ?? ["choice": JSONValue(values.map { JSONValue(parameter: $0) })]
    }
  }

  /// Between the least and the largest of different numbers above 0; of a whole number whole ones are drawn.
  private static func logarithmic(_ values: [ParameterValue]) -> JSONValue? {
    let values = values.map { JSONValue(parameter: $0) }.sorted { ($0.double ?? 0) < ($1.double ?? 0) }
    guard let first = values.first, let last = values.last, values.allSatisfy({ ($0.double ?? 0) > 0 }),
      first.double != last.double
    else { return nil }
    return ["log-uniform": [first, last]]
  }
}

extension Distribution {
  /// As it stands in a file.
  fileprivate var json: JSONValue {
    switch self {
    case .uniform(let lower, let upper): ["uniform": [JSONValue(lower), JSONValue(upper)]]
    case .logUniform(let lower, let upper): ["log-uniform": [JSONValue(lower), JSONValue(upper)]]
    case .normal(let mean, let deviation, _): ["normal": [JSONValue(mean), JSONValue(deviation)]]
    case .integer(let lower, let upper): ["integer": [JSONValue(lower), JSONValue(upper)]]
    case .logInteger(let lower, let upper): ["log-integer": [JSONValue(lower), JSONValue(upper)]]
    case .choice(let values): ["choice": JSONValue(values.map { JSONValue(parameter: $0) })]
    }
  }
}
