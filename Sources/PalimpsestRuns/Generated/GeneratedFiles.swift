import PalimpsestCore
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestScenarios

/// A stream as plain files, so that others can train on the same data: `train.csv` and `test.csv` with a row a line, `events.jsonl` where
/// rows are made of what people did, and `manifest.json` with settings, tasks and digests.
///
/// A line has the task's number, the name of the task under whose law the row was made, the row's number in its task, p\* where the concepts' shares are told alone (of a mixture's training rows), whose row it is and when it arose (empty where nobody knows), p\*
/// (empty where it is not known), of a stream that shows them whether a run over tasks keeps the row for its tests (`held_out`), the label, and the inputs as a learner sees them, scaled; numbers are the shortest that give the same
/// 32-bit float again.
public struct GeneratedFiles {
  private let stream: any DriftStream
  private let scenario: any Scenario
  private let prepared: any PreparedScenario
  private let seed: Int
  /// One a task: all rows of a stream.
  private let training: [Rows]
  /// By task the places of rows that a run over tasks keeps for tests; nil: no such row is streamed.
  private let heldOut: [Set<Int32>]?
  private let tests: [Rows]

  /// - Parameter seed: the one of an experiment: rows are those that its runs with this seed see.
  public init(_ scenario: any Scenario, _ prepared: any PreparedScenario, seed: Int) {
    (self.scenario, self.prepared, self.seed) = (scenario, prepared, seed)
    let stream = Run.data(of: prepared, seed: seed)
    self.stream = stream
    training = stream.experiences.map { stream.streamedRowsWithOrigins(for: $0.index) }
    tests = stream.experiences.map { stream.evaluationSet(for: $0.index).rows }
    let kept = zip(stream.experiences, training).map { task, rows in
      Set(rows.places).subtracting(stream.trainingRows(for: task.index).places)
    }
    heldOut = kept.allSatisfy(\.isEmpty) ? nil : kept
  }

  /// Files that it writes.
  private static let names = ["train.csv", "test.csv", "events.jsonl", "manifest.json"]

  /// Clears the place for the files: what an earlier call has written goes.
  /// - Throws: ``PalimpsestJSON/FileError`` where the folder holds files of such names that are somebody's own.
  private static func clear(_ folder: String) throws {
    let there = names.filter { Files.exists("\(folder)/\($0)") }
    guard let first = there.first else { return }
    let manifest = try? JSONReader.read(Files.read("\(folder)/manifest.json"), file: "manifest.json").root
    guard manifest?["content_sha256"] != nil else {
      throw FileError(
        .unwritable,
        "\(folder)/\(first): the file is there, and no manifest.json beside it says that this tool wrote it. Choose another folder"
      )
    }
    // The manifest goes last: while it is there the folder is known for one of the tool's.
    for name in there where SystemCalls.unlink("\(folder)/\(name)") != 0 {
      throw FileError.system(.unwritable, "remove it", "\(folder)/\(name)")
    }
  }

  /// Writes the files into a folder, which is made where it is not there; the manifest last.
  /// - Returns: SHA-256 over the digests of the other files: equal for equal data.
  /// - Throws: ``PalimpsestJSON/FileError``.
  /// - Memory: the largest file.
  public func write(to folder: String) throws -> String {
    try Files.makeFolder(folder)
    try GeneratedFiles.clear(folder)
    var files: [(name: String, rows: Int, digest: String)] = []
    func keep(_ name: String, _ rows: Int, _ bytes: [UInt8]) throws {
      try Files.replace("\(folder)/\(name)", with: bytes)
      files.append((name, rows, sha256(bytes)))
    }
    for (name, sets) in [("train.csv", training), ("test.csv", tests)] {
      try keep(name, sets.reduce(0) { $0 + $1.count }, csv(sets, areTraining: name == "train.csv"))
    }
    if let events { try keep("events.jsonl", events.count, Array(events.joined().utf8)) }
    let content = sha256(Array(files.map { "\($0.name) \($0.digest)\n" }.joined().utf8))
    try Files.replace("\(folder)/manifest.json", with: manifest(files, content).prettyText + "\n")
    return content
  }

  // MARK: - Rows

  private var inputNames: [String] {
    let names = stream.inputs?.columns ?? []
    return names.isEmpty ? (0..<stream.shape.inputs).map { "x\($0 + 1)" } : names
  }

  private func csv(_ sets: [Rows], areTraining: Bool) -> [UInt8] {
    let isMixture = areTraining && stream.mixture(for: 0) != nil
    let head =
      ["task", "concept", "row", "user", "time", "p_true"] + (isMixture ? ["p_mixture"] : [])
      + (areTraining && heldOut != nil ? ["held_out"] : []) + ["label"]
      + inputNames
    var out = Array(head.map(quoted).joined(separator: ",").utf8)
    out.append(UInt8(ascii: "\n"))
    let names = stream.experiences.map { quoted($0.name) }
    for (task, rows) in sets.enumerated() {
      let makers = areTraining ? stream.concepts(for: task) : nil
      append(
        rows, task, areTraining ? stream.mixture(for: task) : nil, areTraining ? heldOut?[task] : nil, to: &out
      ) { names[makers?[$0] ?? task] }
    }
    return out
  }

  private func append(
    _ rows: Rows, _ task: Int, _ mixture: Matrix?, _ heldOut: Set<Int32>?, to out: inout [UInt8],
    concept: (_ row: Int) -> String
  ) {
    var batch = Batch(columns: rows.columns, capacity: 1000)
    for first in stride(from: 0, to: rows.count, by: 1000) {
      batch.removeAll()
      let range = first..<min(first + 1000, rows.count)
      batch.append(rows, range: range)
      for (i, row) in range.enumerated() {
        var line = "\(task),\(concept(row)),\(row)"
        line += "," + (rows.owners.map { String($0[row]) } ?? "") + "," + (rows.times.map { String($0[row]) } ?? "")
        line += "," + truth(of: rows, row)
        if let mixture { line += "," + chances(mixture, row) }
        if let heldOut { line += heldOut.contains(rows.places[row]) ? ",1" : ",0" }
        line += "," + targets(of: rows, row)
        for column in 0..<rows.columns { line += "," + shortest(batch.inputs[i, column]) }
        out += (line + "\n").utf8
      }
    }
  }

  /// p*(1), or p* of each label joined by spaces; empty where it is not known.
  private func truth(of rows: Rows, _ row: Int) -> String {
    if let truth = rows.truth { return shortest(truth[row]) }
    guard let all = rows.probabilities else { return "" }
    return (0..<all.columns).map { shortest(all[row, $0]) }.joined(separator: " ")
  }

  /// p(1), or p of each label joined by spaces.
  private func chances(_ p: Matrix, _ row: Int) -> String {
    p.columns == 2 ? shortest(p[row, 1]) : p.row(row).map(shortest).joined(separator: " ")
  }

  /// The label, or values joined by spaces.
  private func targets(of rows: Rows, _ row: Int) -> String {
    guard case .values(let values) = rows.targets else { return String(rows.labels[row]) }
    return (0..<values.columns).map { shortest(values[row, $0]) }.joined(separator: " ")
  }

  private func quoted(_ text: String) -> String {
    let isPlain = !text.contains { ",\"\n\r".contains($0) }
    return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  // MARK: - Events

  private var events: [String]? {
    guard let log = prepared as? any LoggingScenario else { return nil }
    let root = Run.dataSeed(seed)
    return stream.experiences.flatMap { task in
      log.loggedEvents(task: task.index, seed: root).map { event in
        var members: JSONObject = [
          "task": JSONValue(task.index), "user": JSONValue(event.user), "day": JSONValue(event.day),
          "hour": JSONValue(event.hour), "kind": JSONValue(event.kind),
        ]
        if let date = event.date { members["date"] = JSONValue(date) }
        if let value = event.value { members["value"] = JSONValue(value) }
        return JSONValue(members).compactText + "\n"
      }
    }
  }

  // MARK: - Manifest

  private func manifest(_ files: [(name: String, rows: Int, digest: String)], _ content: String) -> JSONValue {
    let shape: JSONObject = [
      "inputs": JSONValue(stream.shape.inputs), "outputs": JSONValue(stream.shape.outputs),
      "input_names": JSONValue(inputNames.map { JSONValue($0) }),
      "output_names": JSONValue((stream.inputs?.outputs ?? []).map { JSONValue($0) }),
    ]
    return JSONValue(
      [
        "format": 1, "scenario": partRecord(scenario), "seed": JSONValue(seed), "shape": JSONValue(shape),
        "tasks": JSONValue(stream.experiences.map(task)),
        "files": JSONValue(
          files.map { file in
            JSONValue(
              [
                "name": JSONValue(file.name), "rows": JSONValue(file.rows), "sha256": JSONValue(file.digest),
              ] as JSONObject)
          }), "content_sha256": JSONValue(content),
        "data_digest": JSONValue(Int(truncatingIfNeeded: ContentDigest(stream).value)),
      ] as JSONObject)
  }

  private func task(_ info: ExperienceInfo) -> JSONValue {
    let bayes = stream.truth?.bayesAccuracy[info.index] ?? .nan
    return JSONValue(
      [
        "name": JSONValue(info.name), "rows": JSONValue(training[info.index].count),
        "training_rows": JSONValue(training[info.index].count - (heldOut?[info.index].count ?? 0)),
        "test_rows": JSONValue(tests[info.index].count),
        "bayes_accuracy": bayes.isNaN ? .null : JSONValue(bayes),
      ] as JSONObject)
  }
}
