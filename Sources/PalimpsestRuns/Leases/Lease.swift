import PalimpsestJSON

/// Who holds blocks: one thread of a worker.
package struct LeaseHolder: Sendable, Equatable {
  package var host: String
  package var process: Int
  package var task: Int
  /// Of the process, from 0.
  package var thread = 0
  /// The engine's id of the array; empty where there is none.
  package var job = ""
  /// Grows with each start of the task.
  package var restart = 0

  package init(host: String, process: Int, task: Int, thread: Int = 0, job: String = "", restart: Int = 0) {
    (self.host, self.process, self.task, self.thread) = (host, process, task, thread)
    (self.job, self.restart) = (job, restart)
  }

  /// True where the other is what this task was before it was started anew: it lives no more.
  func follows(_ other: LeaseHolder) -> Bool {
    !job.isEmpty && job == other.job && task == other.task && restart > other.restart
  }
}

/// A lease as it stands in its file: who took a block, and from where on its journal may have runs of it.
package struct Lease: Sendable, Equatable {
  package var holder: LeaseHolder
  /// The journal's file name.
  package var journal: String
  /// Its length when the block was taken.
  package var offset: Int
  /// Runs of the block that were done then.
  package var finished = 0
  /// How many holders in a row, up to the one before this, fell silent without a run finished or a word of what they died of.
  package var silences = 0

  /// As many have shown that it is a run of the block that ends its process.
  static let mostSilences = 3

  package init(_ holder: LeaseHolder, journal: String, offset: Int, finished: Int = 0, silences: Int = 0) {
    (self.holder, self.journal, self.offset) = (holder, journal, offset)
    (self.finished, self.silences) = (finished, silences)
  }

  /// File names of the holders' journals, each once. Names that lead elsewhere are none of ours.
  static func journals(of holders: [Lease]) -> [String] {
    var met: Set<String> = []
    return holders.map(\.journal).filter { !$0.isEmpty && !$0.contains("/") && met.insert($0).inserted }
  }

  package var content: [UInt8] {
    let json = JSONValue(
      JSONObject([
        ("format", 1), ("host", JSONValue(holder.host)), ("process", JSONValue(holder.process)),
        ("task", JSONValue(holder.task)), ("thread", JSONValue(holder.thread)), ("job", JSONValue(holder.job)),
        ("restart", JSONValue(holder.restart)), ("journal", JSONValue(journal)), ("offset", JSONValue(offset)),
        ("finished", JSONValue(finished)), ("silences", JSONValue(silences)),
      ]))
    return Array((json.compactText + "\n").utf8)
  }

  /// - Returns: nil where the bytes are no lease.
  package init?(_ bytes: [UInt8]) {
    guard let json = JSONReader.read(bytes, file: "lease").root, let host = json["host"]?.string,
      let process = json["process"]?.int, let task = json["task"]?.int, let thread = json["thread"]?.int,
      let job = json["job"]?.string, let restart = json["restart"]?.int, let journal = json["journal"]?.string,
      let offset = json["offset"]?.int, offset >= 0, let finished = json["finished"]?.int,
      let silences = json["silences"]?.int, silences >= 0
    else { return nil }
    self.init(
      LeaseHolder(host: host, process: process, task: task, thread: thread, job: job, restart: restart),
      journal: journal, offset: offset, finished: finished, silences: silences)
  }
}

/// Names of leases and markers: `0417.2`, `0417`, `0417.poison`.
enum LeaseName {
  static func lease(_ block: Int, _ generation: Int) -> String { marker(block) + ".\(generation)" }

  static func marker(_ block: Int) -> String {
    let digits = String(block)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  static func poison(_ block: Int) -> String { marker(block) + ".poison" }

  /// Block and generation of a lease; nil for other names.
  static func parse(lease name: String) -> (block: Int, generation: Int)? {
    let halves = name.split(separator: ".", omittingEmptySubsequences: false)
    guard halves.count == 2, let block = Int(halves[0]), let generation = Int(halves[1]), block >= 0, generation >= 0,
      generation < Int(Int32.max), lease(block, generation) == name
    else { return nil }
    return (block, generation)
  }

  /// Block of a marker, also of a poisoned one; nil for other names.
  static func parse(marker name: String) -> (block: Int, isPoison: Bool)? {
    guard let block = name.split(separator: ".").first.flatMap({ Int($0) }), block >= 0 else { return nil }
    if name == marker(block) { return (block, false) }
    return name == poison(block) ? (block, true) : nil
  }
}
