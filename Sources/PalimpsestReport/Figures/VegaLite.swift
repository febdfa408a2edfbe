import PalimpsestJSON
import PalimpsestResults

/// Pieces of Vega-Lite specifications: https://vega.github.io/vega-lite.
enum VegaLite {
  static let schema = "https://vega.github.io/schema/vega-lite/v5.json"

  /// A specification with data of its own: as CSV text, a third of what objects take.
  static func chart(_ values: [JSONObject], _ rest: JSONObject) -> JSONValue {
    var object: JSONObject = ["data": ["values": JSONValue(csv(values)), "format": ["type": "csv"]]]
    for key in rest.keys { object[key] = rest[key] }
    return JSONValue(object)
  }

  private static func csv(_ values: [JSONObject]) -> String {
    var names: [String] = []
    for value in values { for key in value.keys where !names.contains(key) { names.append(key) } }
    let lines = values.map { value in
      names.map { name in value[name].map { $0.isNull ? "" : csvField($0.plainText) } ?? "" }.joined(separator: ",")
    }
    return ([names.joined(separator: ",")] + lines).joined(separator: "\n")
  }

  static func named(_ specification: JSONValue, _ title: String) -> JSONValue {
    var object: JSONObject = ["$schema": JSONValue(schema), "title": JSONValue(title), "width": 480]
    for (key, value) in specification.object.map({ object in object.keys.map { ($0, object[$0] ?? .null) } }) ?? [] {
      object[key] = value
    }
    return JSONValue(object)
  }

  static func field(_ name: String, _ type: String, title: String? = nil, _ more: JSONObject = [:]) -> JSONValue {
    var object: JSONObject = ["field": JSONValue(name), "type": JSONValue(type)]
    if let title { object["title"] = JSONValue(title) }
    for key in more.keys { object[key] = more[key] }
    return JSONValue(object)
  }

  /// A number of the axis that need not contain 0.
  static func quantity(_ name: String, _ title: String) -> JSONValue {
    field(name, "quantitative", title: title, ["scale": ["zero": false]])
  }

  /// The strategies' own colours, in their order.
  static func strategies(_ names: [String]) -> JSONValue {
    let colours = names.indices.map {
      JSONValue($0 < Palette.strategies.count ? Palette.strategies[$0] : Palette.strategies[0])
    }
    return field(
      "strategy", "nominal", title: "strategy",
      ["scale": ["domain": JSONValue(names.map { JSONValue($0) }), "range": JSONValue(colours)]])
  }
}

/// Four significant digits: what a figure shows and no more.
func fourDigits(_ x: Double) -> JSONValue {
  guard x.isFinite else { return .null }
  if x == 0 { return 0 }
  var unit = 1.0
  while abs(x) / unit >= 10_000 { unit *= 10 }
  if unit > 1 { return JSONValue((x / unit).rounded() * unit) }
  var power = 1.0
  while abs(x) * power < 1000 && power < 1e12 { power *= 10 }
  let y = (x * power).rounded() / power
  return y == y.rounded() && abs(y) < 1e15 ? JSONValue(Int(y)) : JSONValue(y)
}
