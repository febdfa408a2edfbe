import ArgumentParser
import Palimpsest

extension DatasetsCommand {
  struct Describe: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "describe", abstract: "Read a data set and say what it became: rows, classes, inputs, gaps.")

    @Argument(help: "Name of the data set.") var name: String
    @OptionGroup var json: JSONOption

    func run() throws {
      let library = DatasetFolder.standard()
      let description = DatasetDescription(
        dataset: try library.dataset(named: name), folder: library.location(of: name) ?? "")
      json.print(description.text, or: description.json)
    }
  }
}

/// What reading a data set made of it.
private struct DatasetDescription {
  let dataset: Dataset
  let folder: String

  /// Rows of the training or the test part with each class.
  private func counts(_ rows: Range<Int>) -> [Int] {
    var counts = [Int](repeating: 0, count: dataset.classes.count)
    for row in rows where dataset.targetValues == nil { counts[Int(dataset.labels[row])] += 1 }
    return counts
  }

  var text: String {
    let facts = [
      ["folder", folder], ["rows", "\(dataset.training.count) to train on, \(dataset.test.count) to test on"],
      targets, ["inputs", inputs], ["times", dataset.times.map(\.name).joined(separator: ", ")],
      ["owners", dataset.owners.map { "\($0.names.count)" } ?? ""],
      ["order", dataset.arrivals.map { "of time, over \(($0.max() ?? 0) / 86_400) days" } ?? ""],
      ["digest", dataset.digest],
    ].filter { !$0[1].isEmpty }
    let columns = (dataset.table?.columns ?? []).map(\.cells)
    let table = columns.isEmpty ? "" : "\n" + aligned([["column", "read as", "missing"]] + columns, leftColumns: 3)
    return aligned(facts, leftColumns: 2) + table
  }

  private var targets: [String] {
    guard let values = dataset.targetValues else { return ["classes", classes] }
    let named = dataset.classes.prefix(12).joined(separator: ", ") + (dataset.classes.count > 12 ? ", …" : "")
    return [values.kind == .numbers ? "values" : "labels", "\(dataset.classes.count): \(named)"]
  }

  private var classes: String {
    let counts = counts(0..<dataset.labels.count)
    let named = zip(dataset.classes, counts).prefix(12).map { "\($0) (\($1))" }.joined(separator: ", ")
    return "\(dataset.classes.count): \(named)" + (counts.count > 12 ? ", …" : "")
  }

  private var inputs: String {
    let count = dataset.inputs.columns
    if let image = dataset.image { return "\(count): images of \(image.height) × \(image.width)" }
    guard let table = dataset.table else { return "\(count): numbers as they stand in the file" }
    return "\(count) of \(table.columns.count) columns"
  }

  var json: JSONValue {
    let training = counts(dataset.training)
    let test = counts(dataset.test)
    return [
      "name": JSONValue(dataset.name), "folder": JSONValue(folder), "training_rows": JSONValue(dataset.training.count),
      "test_rows": JSONValue(dataset.test.count),
      "classes": JSONValue(
        (dataset.targetValues == nil ? Array(dataset.classes.indices) : []).map { i in
          ["name": JSONValue(dataset.classes[i]), "training": JSONValue(training[i]), "test": JSONValue(test[i])]
        }), "values": JSONValue((dataset.targetValues?.kind == .numbers ? dataset.classes : []).map { JSONValue($0) }),
      "labels": JSONValue((dataset.targetValues?.kind == .labels ? dataset.classes : []).map { JSONValue($0) }),
      "inputs": JSONValue(dataset.columns.map { JSONValue($0) }),
      "input_count": JSONValue(dataset.inputs.columns),
      "columns": JSONValue((dataset.table?.columns ?? []).map(\.json)),
      "times": JSONValue(dataset.times.map { JSONValue($0.name) }),
      "owners": JSONValue((dataset.owners?.names ?? []).map { JSONValue($0) }),
      "in_order_of_time": JSONValue(dataset.arrivals != nil), "digest": JSONValue(dataset.digest),
    ]
  }
}

extension InputColumn {
  /// Name, what it is read as, what becomes of missing cells.
  fileprivate var cells: [String] { [name, reading, gaps] }

  private var reading: String {
    switch kind {
    case .number: "number"
    case .oneHot(let values): "\(values.count) inputs, one a value: \(shortened(values))"
    case .ordinal(let values): "0 to \(values.count - 1), in this order: \(shortened(values))"
    case .cyclic(let period): "sine and cosine of a number that comes back after \(shortest(period))"
    case .date(let form): "days since 1970, from \(form.rawValue)"
    }
  }

  private var gaps: String {
    guard let fill else { return "none" }
    let rows = "\(missing) \(missing == 1 ? "row" : "rows")"
    let own = if case .oneHot = kind { "all values 0" } else { "filled with \(fill)" }
    return "\(rows): \(own)" + (marksMissing ? ", and an input that says so" : "")
  }

  private func shortened(_ values: [String]) -> String {
    values.prefix(6).joined(separator: ", ") + (values.count > 6 ? ", …" : "")
  }

  fileprivate var json: JSONValue {
    let (kind, values): (String, [String]) =
      switch kind {
      case .number: ("number", [])
      case .oneHot(let values): ("one-hot", values)
      case .ordinal(let values): ("ordinal", values)
      case .date: ("date", [])
      case .cyclic: ("cyclic", [])
      }
    return [
      "name": JSONValue(name), "kind": JSONValue(kind), "values": JSONValue(values.map { JSONValue($0) }),
      "missing": JSONValue(missing), "fill": fill.map { JSONValue(Double($0)) } ?? .null,
      "indicator": JSONValue(marksMissing),
    ]
  }
}
