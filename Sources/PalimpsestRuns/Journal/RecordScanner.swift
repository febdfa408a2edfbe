import PalimpsestCore
import PalimpsestJSON
import PalimpsestMetrics

/// Reads journal lines of the usual form, some twenty times as fast as by way of a tree. What lines repeat (names of
/// tasks, machine, version, a scenario's truth) is read once and shared by their entries.
package struct EntryScanner {
  private var host = Repeated("")
  private var worker = Repeated("")
  private var instructionSet = Repeated("")
  private var toolkitVersion = Repeated("")
  private var gitCommit = Repeated("")
  private var toolkitCommit = Repeated("")
  private var tasks = Repeated<[String]>([])
  private var truth = Repeated<ScenarioTruth?>(nil)

  package init() {}

  private static let keys = JSONKeys([
    "run_id", "started", "host", "worker", "instruction_set", "toolkit_version", "git_commit", "record",
    "toolkit_commit", "crc",
  ])

  /// - Parameter line: without its newline; its checksum is not looked at.
  /// - Throws: where the line is not of the usual form; the general reader may still know it.
  package mutating func entry(_ line: ArraySlice<UInt8>, in bytes: [UInt8]) throws(UnusualJSON) -> JournalEntry {
    var scanner = JSONScanner(line, in: bytes)
    var (runID, record): (String?, RunRecord?)
    var (started, host, worker, instructionSet, version, commit) = (Double.nan, "", "", "", "", "")
    var toolkitCommit = ""
    try scanner.object(EntryScanner.keys) { (scanner, key) throws(UnusualJSON) in
      switch key {
      case 0: runID = try scanner.string()
      case 1: started = try scanner.double()
      case 2: host = try self.host.text(&scanner)
      case 3: worker = try self.worker.text(&scanner)
      case 4: instructionSet = try self.instructionSet.text(&scanner)
      case 5: version = try toolkitVersion.text(&scanner)
      case 6: commit = try gitCommit.text(&scanner)
      case 7: record = try self.record(&scanner)
      case 8: toolkitCommit = try self.toolkitCommit.text(&scanner)
      default: _ = try scanner.string()
      }
    }
    guard let runID, let record, scanner.isAtEnd else { throw UnusualJSON() }
    return JournalEntry(
      runID: runID, record: record, started: started, host: host, worker: worker, instructionSet: instructionSet,
      toolkitVersion: version, gitCommit: commit, toolkitCommit: toolkitCommit)
  }

  private static let recordKeys = JSONKeys([
    "status", "tasks", "accuracy", "log_loss", "accuracy_before", "cost", "error", "zero_shot_unmeasured",
    "expected_accuracy", "expected_accuracy_before", "curve", "truth",
  ])

  private mutating func record(_ scanner: inout JSONScanner) throws(UnusualJSON) -> RunRecord {
    var record = RunRecord(status: .completed, tasks: [])
    var needed = 0
    try scanner.object(EntryScanner.recordKeys) { (scanner, key) throws(UnusualJSON) in
      switch key {
      case 0: record.status = try scanner.status()
      case 1: record.tasks = try tasks.texts(&scanner)
      case 2: record.accuracy = try scanner.matrix(record.tasks.count)
      case 3: record.logLoss = try scanner.matrix(record.tasks.count)
      case 4: record.accuracyBefore = try scanner.doubles(record.tasks.count)
      case 5: record.cost = try scanner.cost(record.tasks.count)
      case 6: record.error = try scanner.string()
      case 7: record.zeroShotUnmeasured = try scanner.string()
      case 8: record.expectedAccuracy = try scanner.matrix(record.tasks.count)
      case 9: record.expectedAccuracyBefore = try scanner.doubles(record.tasks.count)
      case 10: record.curve = try scanner.curve(record.tasks.count)
      default:
        record.truth = try truth.value(&scanner) { scanner throws(UnusualJSON) in
          try scanner.truth(record.tasks.count)
        }
      }
      if key <= 5 { needed += 1 }
    }
    guard needed == 6 else { throw UnusualJSON() }
    return record
  }
}

/// A value that line after line writes with the same bytes.
private struct Repeated<Value> {
  private var bytes: [UInt8] = []
  private var value: Value

  init(_ value: Value) { self.value = value }

  mutating func value(
    _ scanner: inout JSONScanner, _ read: (inout JSONScanner) throws(UnusualJSON) -> Value
  ) throws(UnusualJSON) -> Value {
    if !bytes.isEmpty && scanner.skip(bytes) { return value }
    let start = scanner.position
    value = try read(&scanner)
    bytes = Array(scanner.bytes[start..<scanner.position])
    return value
  }
}

extension Repeated<String> {
  mutating func text(_ scanner: inout JSONScanner) throws(UnusualJSON) -> String {
    try value(&scanner) { scanner throws(UnusualJSON) in try scanner.string() }
  }
}

extension Repeated<[String]> {
  mutating func texts(_ scanner: inout JSONScanner) throws(UnusualJSON) -> [String] {
    try value(&scanner) { scanner throws(UnusualJSON) in try scanner.strings() }
  }
}

extension JSONScanner {
  package mutating func status() throws(UnusualJSON) -> RunRecord.Status {
    guard let status = RunRecord.Status(rawValue: try string()) else { throw UnusualJSON() }
    return status
  }

  fileprivate mutating func strings() throws(UnusualJSON) -> [String] {
    var texts: [String] = []
    try array { scanner throws(UnusualJSON) in texts.append(try scanner.string()) }
    return texts
  }

  /// - Parameter count: how many there will probably be.
  fileprivate mutating func doubles(_ count: Int) throws(UnusualJSON) -> [Double] {
    var values: [Double] = []
    values.reserveCapacity(count)
    try array { scanner throws(UnusualJSON) in values.append(try scanner.double()) }
    return values
  }

  fileprivate mutating func rows(_ count: Int) throws(UnusualJSON) -> [[Double]] {
    var rows: [[Double]] = []
    rows.reserveCapacity(count)
    try array { scanner throws(UnusualJSON) in rows.append(try scanner.doubles(count)) }
    return rows
  }

  /// A square matrix of that many tasks, else nothing.
  fileprivate mutating func matrix(_ tasks: Int) throws(UnusualJSON) -> AccuracyMatrix {
    var values: [Double] = []
    values.reserveCapacity(tasks * tasks)
    var count = 0
    try array { scanner throws(UnusualJSON) in
      try scanner.array { scanner throws(UnusualJSON) in values.append(try scanner.double()) }
      count += 1
      if values.count != count * tasks { throw UnusualJSON() }
    }
    guard count == tasks else { throw UnusualJSON() }
    return AccuracyMatrix(tasks: tasks, values: values)
  }

  private static let costKeys = JSONKeys([
    "time_total", "time_train", "time_evaluate", "time_task", "steps", "examples", "multiply_adds", "bytes_model",
    "bytes_optimizer", "bytes_importance", "bytes_memory", "revision",
  ])

  fileprivate mutating func cost(_ tasks: Int) throws(UnusualJSON) -> RunCost {
    var cost = RunCost()
    cost.timeTotal = .nan
    cost.timeTrain = .nan
    cost.timeEvaluate = .nan
    cost.revision = 1
    try object(JSONScanner.costKeys) { (scanner, key) throws(UnusualJSON) in
      switch key {
      case 0: cost.timeTotal = try scanner.double()
      case 1: cost.timeTrain = try scanner.double()
      case 2: cost.timeEvaluate = try scanner.double()
      case 3: cost.timeTask = try scanner.doubles(tasks)
      case 4: cost.steps = try scanner.int()
      case 5: cost.examples = try scanner.int()
      case 6: cost.learner.multiplyAdds = try scanner.int()
      case 7: cost.learner.bytesModel = try scanner.int()
      case 8: cost.learner.bytesOptimizer = try scanner.int()
      case 9: cost.learner.bytesImportance = try scanner.int()
      case 10: cost.learner.bytesMemory = try scanner.int()
      default: cost.revision = try scanner.int()
      }
    }
    return cost
  }

  private static let pointKeys = JSONKeys(["task", "examples", "accuracy", "expected_accuracy"])

  fileprivate mutating func curve(_ tasks: Int) throws(UnusualJSON) -> [CurvePoint] {
    var points: [CurvePoint] = []
    try array { scanner throws(UnusualJSON) in points.append(try scanner.point(tasks)) }
    return points
  }

  private mutating func point(_ tasks: Int) throws(UnusualJSON) -> CurvePoint {
    var point = CurvePoint(task: 0, examples: 0, accuracy: [], expectedAccuracy: nil)
    var needed = 0
    try object(JSONScanner.pointKeys) { (scanner, key) throws(UnusualJSON) in
      switch key {
      case 0: point.task = try scanner.int()
      case 1: point.examples = try scanner.int()
      case 2: point.accuracy = try scanner.doubles(tasks)
      default: point.expectedAccuracy = try scanner.doubles(tasks)
      }
      if key <= 2 { needed += 1 }
    }
    guard needed == 3 else { throw UnusualJSON() }
    return point
  }

  private static let truthKeys = JSONKeys([
    "bayes_accuracy", "cross_accuracy", "total_variation", "hellinger", "joint_ceiling",
  ])

  fileprivate mutating func truth(_ tasks: Int) throws(UnusualJSON) -> ScenarioTruth {
    var truth = ScenarioTruth(
      bayesAccuracy: [], crossAccuracy: [], totalVariation: [], hellinger: [], jointCeiling: .nan)
    var needed = 0
    try object(JSONScanner.truthKeys) { (scanner, key) throws(UnusualJSON) in
      switch key {
      case 0: truth.bayesAccuracy = try scanner.doubles(tasks)
      case 1: truth.crossAccuracy = try scanner.rows(tasks)
      case 2: truth.totalVariation = try scanner.rows(tasks)
      case 3: truth.hellinger = try scanner.rows(tasks)
      default: truth.jointCeiling = try scanner.double()
      }
      if key <= 3 { needed += 1 }
    }
    guard needed == 4 else { throw UnusualJSON() }
    return truth
  }
}
