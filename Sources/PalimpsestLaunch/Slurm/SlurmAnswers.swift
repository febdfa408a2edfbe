/// Reads what Slurm's programs print: plain columns, which are alike from 20.11 to 24.05; its JSON is not.
enum SlurmAnswers {
  /// The number of a job that was taken: `35`, or `35;cluster` where there are several clusters.
  /// - Throws: ``EngineError`` for anything else.
  static func job(_ answer: EngineAnswer) throws(EngineError) -> String {
    // Warnings of plug-ins may stand before it.
    let id = answer.lines.last?.prefix { $0 != ";" } ?? ""
    guard !id.isEmpty, id.allSatisfy({ $0.isASCII && $0.isNumber }) else {
      throw EngineError(.strange, "sbatch: a job's number was expected, found \"\(answer.output.prefix(200))\"")
    }
    return String(id)
  }

  /// The job of that name and comment among lines of `%F|%j|%k`. A cluster that keeps no comments prints `(null)`.
  static func job(called name: String, _ comment: String, in answer: EngineAnswer) -> String? {
    for line in answer.lines {
      let fields = columns(line)
      guard fields.count >= 3, fields[1] == name, [comment, "(null)", ""].contains(fields[2]) else { continue }
      return fields[0]
    }
    return nil
  }

  /// Tasks of an array at most, from `scontrol show config`: `MaxArraySize = 1001` is one above the largest index; nil where that
  /// does not stand there.
  static func mostTasks(_ answer: EngineAnswer) -> Int? {
    for line in answer.lines {
      let fields = line.split(separator: "=").map { $0.filter { $0 != " " } }
      if fields.count == 2, fields[0] == "MaxArraySize", let size = Int(fields[1]) { return max(1, size - 1) }
    }
    return nil
  }

  /// Lines of `%F|%K|%T|%N|%j|%k|%r`: array, index, state, node, name, comment, reason.
  static func states(_ answer: EngineAnswer, _ jobs: SlurmJobs) -> [TaskState] {
    let states = answer.lines.compactMap { line -> TaskState? in
      let fields = columns(line)
      guard fields.count >= 7, jobs.isOurs(name: fields[4], comment: fields[5]),
        let task = jobs.task(fields[0], fields[1])
      else { return nil }
      let reason = fields[6...].joined(separator: "|")
      return TaskState(
        task: task, job: "\(fields[0])_\(fields[1])", phase: phase(fields[2]), word: fields[2],
        reason: reason == "None" ? "" : reason, host: fields[3] == "n/a" ? "" : fields[3])
    }
    return states.sorted { $0.task < $1.task }
  }

  /// Lines of `JobID,State,ExitCode,NodeList,JobName` with bars between.
  static func accounted(_ answer: EngineAnswer, _ jobs: SlurmJobs) -> [TaskState] {
    answer.lines.compactMap { line in
      let fields = columns(line)
      let names = fields[0].split(separator: "_", omittingEmptySubsequences: false).map(String.init)
      guard fields.count >= 5, jobs.isOurs(name: fields[4]), names.count == 2, let task = jobs.task(names[0], names[1])
      else { return nil }
      // `CANCELLED by 1000`
      let word = String(fields[1].prefix { $0 != " " })
      let host = ["None assigned", "n/a"].contains(fields[3]) ? "" : fields[3]
      return TaskState(
        task: task, job: fields[0], phase: phase(word), word: word,
        reason: fields[2] == "0:0" ? "" : "exit \(fields[2])",
        host: host)
    }
  }

  private static func columns(_ line: String) -> [String] {
    line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingSpaces }
  }

  private static func phase(_ word: String) -> TaskState.Phase {
    switch word {
    case "PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD": .waiting
    case "RUNNING", "SUSPENDED", "STOPPED", "RESIZING", "SIGNALING": .running
    case "COMPLETING", "STAGE_OUT": .ending
    default: .ended
    }
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
