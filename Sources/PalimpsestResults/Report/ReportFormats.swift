import PalimpsestJSON
import PalimpsestMetrics

extension Report {
  /// For programs: every number in full, undefined ones null with their reason.
  public var json: JSONValue {
    var object: JSONObject = [
      "experiment": JSONValue(name), "question": JSONValue(question), "planned": JSONValue(planned),
      "completed": JSONValue(completed), "failed": JSONValue(failed), "diverged": JSONValue(diverged),
      "level": 0.95, "rows": JSONValue(rows.map { $0.json(metrics) }),
    ]
    object["selection"] = selection?.json
    return JSONValue(object)
  }

  /// For programs: one line a row; mean, half-width and n of each metric.
  public var csv: String { csv() }

  /// - Parameter isSpreadsheetSafe: no text can be taken for a formula.
  public func csv(isSpreadsheetSafe: Bool = false) -> String {
    let settings = rows.settingNames
    let columns = metrics.flatMap { [$0.name, $0.name + "_half_width", $0.name + "_n"] }
    let header = ["scenario", "strategy"] + settings + ["bound", "told_task", "accuracy_kind"] + Report.Row.countNames
    let lines = rows.map { row in
      [row.scenario, row.strategy] + settings.map { row.text($0) } + row.counts + row.cells.flatMap(\.texts)
    }
    let cells = ([header + columns] + lines).map { $0.map { csvField(isSpreadsheetSafe ? formulaFree($0) : $0) } }
    return cells.map { $0.joined(separator: ",") }.joined(separator: "\n")
  }
}

extension Report.Row {
  func json(_ metrics: [Metric]) -> JSONValue {
    [
      "scenario": JSONValue(scenario), "strategy": JSONValue(strategy),
      "settings": JSONValue(JSONObject(settings.map { ($0.name, $0.value) })),
      "bound": JSONValue(marks.isBound), "told_task": JSONValue(marks.isToldTask),
      "accuracy_kind": JSONValue(kind.rawValue), "planned": JSONValue(planned), "completed": JSONValue(completed),
      "failed": JSONValue(failed), "diverged": JSONValue(diverged),
      "metrics": JSONValue(JSONObject(zip(metrics, cells).map { ($0.column(kind), $1.json($0)) })),
    ]
  }

  fileprivate func text(_ setting: String) -> String {
    settings.first { $0.name == setting }?.value.plainText ?? ""
  }

  fileprivate static let countNames = ["planned", "completed", "failed", "diverged"]

  fileprivate var counts: [String] {
    [marks.isBound, marks.isToldTask].map { String($0) } + [kind.rawValue]
      + [planned, completed, failed, diverged].map { String($0) }
  }
}

extension Report.Cell {
  fileprivate func json(_ metric: Metric) -> JSONValue {
    var object: JSONObject = [
      "mean": interval.map { JSONValue($0.mean) } ?? .null,
      "half_width": interval?.halfWidth.map { JSONValue($0) } ?? .null,
      "deviation": interval?.deviation.map { JSONValue($0) } ?? .null,
      "n": JSONValue(interval?.count ?? 0),
    ]
    if metric.subject != .accuracy { object["unit"] = JSONValue(metric.unit) }
    object["undefined_because"] = undefinedBecause.map { JSONValue($0) }
    return JSONValue(object)
  }

  fileprivate var texts: [String] {
    [
      interval.map { String($0.mean) } ?? "", interval?.halfWidth.map { String($0) } ?? "",
      String(interval?.count ?? 0),
    ]
  }
}

/// With an apostrophe before it where a spreadsheet would take a text for a formula, because of how it begins. What is a
/// number stays one.
package func formulaFree(_ text: String) -> String {
  guard let first = text.utf8.first, [0x3D, 0x2B, 0x2D, 0x40, 0x09, 0x0A, 0x0D].contains(first) else { return text }
  return Double(text) == nil ? "'" + text : text
}

/// RFC 4180: quoted where it holds a comma, a quote or a line end.
package func csvField(_ text: String) -> String {
  guard text.utf8.contains(where: { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }) else { return text }
  return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
}
