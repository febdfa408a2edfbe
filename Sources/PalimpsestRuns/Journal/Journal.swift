import PalimpsestJSON
import PalimpsestMetrics

/// Everything the journals of a folder hold.
public struct Journal: Sendable {
  /// Entries in the order of file names and lines; those read later come behind.
  public private(set) var entries: [JournalEntry] = []
  /// Lines that were torn or damaged: file and line number.
  public var damaged: [String] { files.damaged + files.torn }

  /// The files, in order.
  var paths: [String] { files.paths }

  private var files: JournalFiles

  /// Entries that are in no file.
  package init(entries: [JournalEntry]) {
    self.entries = entries
    files = JournalFiles(folder: nil)
  }

  /// Reads all journals of a folder; a folder that is not there holds none.
  /// - Cost: about 20 µs a run of five tasks, shared by all cores.
  public init(folder: String) throws(FileError) {
    files = JournalFiles(folder: folder)
    try readOn()
  }

  /// Reads what was appended since.
  public mutating func readOn() throws(FileError) {
    try files.readOn(to: &entries) { piece in
      piece.map({ EntryScanner() }) { line, bytes, scanner in JournalEntry.read(line, in: bytes, &scanner) }
    }
  }
}

/// Who has run what: id, status and worker of every line, without what was measured. To see what is done and to watch.
public struct JournalIndex: Sendable {
  public struct Entry: Sendable, Equatable {
    public var runID: String
    public var status: RunRecord.Status
    /// Which worker ran it: host-pid-number.
    public var worker: String
    /// Seconds since 1970, when the run began.
    public var started: Double
  }

  /// In the order of file names and lines; those read later come behind.
  public private(set) var entries: [Entry] = []
  /// Lines whose checksum or content is not right: file and line number.
  public var damaged: [String] { files.damaged }
  /// Lines without an end: file and line number. They are being written, or their writer is gone.
  public var torn: [String] { files.torn }

  private var files: JournalFiles

  /// Reads all journals of a folder; a folder that is not there holds none.
  /// - Cost: about 3 µs a run of five tasks, most of it for the checksum.
  public init(folder: String) throws(FileError) {
    files = JournalFiles(folder: folder)
    try readOn()
  }

  /// Reads what was appended since: for whoever watches.
  /// - Parameter own: files whose names begin so are passed over; nil: none.
  /// - Returns: how many entries are new; they are the last ones.
  @discardableResult
  public mutating func readOn(besides own: String? = nil) throws(FileError) -> Int {
    let known = entries.count
    try files.readOn(to: &entries, besides: own) { piece in
      piece.map({}) { line, bytes, _ in JournalLine.isWhole(line) ? Entry(line, bytes) : nil }
    }
    return entries.count - known
  }
}

/// The journals of a folder and how far each has been read.
struct JournalFiles: Sendable {
  /// Nil: there are no files.
  let folder: String?
  /// Packed ones are passed over.
  private let skipsPacked: Bool
  var damaged: [String] = []
  /// Lines without an end, at the ends of files.
  var torn: [String] = []
  private var places: [String: JournalPlace] = [:]

  init(folder: String?, skipsPacked: Bool = false) { (self.folder, self.skipsPacked) = (folder, skipsPacked) }

  /// Those that have been read and hold whole lines alone, and how many bytes were read of each.
  var whole: [String: Int] {
    let others = Set((damaged + torn).map { $0.prefix(upTo: $0.lastIndex(of: ":") ?? $0.endIndex) })
    let known = places.map { ((folder ?? "") + "/" + $0.key, $0.value.offset) }
    return Dictionary(uniqueKeysWithValues: known.filter { !others.contains($0.0[...]) })
  }

  /// Those that have been read.
  var paths: [String] { places.keys.sorted().map { (folder ?? "") + "/" + $0 } }

  /// Appends what the lines hold that were not read yet.
  /// - Parameters:
  ///   - own: files whose names begin so are passed over.
  ///   - entries: what lines hold; nil for those that are damaged.
  mutating func readOn<Entry>(
    to read: inout [Entry], besides own: String? = nil, _ entries: (JournalPiece) -> [[Entry?]]
  ) throws(FileError) {
    try eachPiece(besides: own) { _, piece in
      let (found, wrong) = JournalFiles.sorted(entries(piece), piece.first)
      read += found
      return wrong
    }
  }

  /// Goes through the lines that were not read yet, a piece of a file at a time.
  /// - Parameters:
  ///   - own: files whose names begin so are passed over.
  ///   - start: where to begin in a file that is met for the first time.
  ///   - lines: the path and some lines of it. Returns the numbers of those that are damaged.
  mutating func eachPiece(
    besides own: String? = nil, from start: (String) -> JournalPlace = { _ in JournalPlace() },
    _ lines: (String, JournalPiece) -> [Int]
  ) throws(FileError) {
    guard let folder else { return }
    torn = []
    for name in try Files.names(in: folder) where JournalFile.isName(name) {
      if let own, name.hasPrefix(own) { continue }
      if skipsPacked && PackedJournal.isName(name) { continue }
      let file = JournalFile(path: folder + "/" + name)
      var place = places[name] ?? start(file.path)
      var wrong: [String] = []
      let rest = try file.pieces(from: &place) { piece in
        wrong += lines(file.path, piece).map { "\(file.path):\($0)" }
      }
      places[name] = place
      damaged += wrong
      if rest > 0 { torn.append("\(file.path):\(place.lines + 1)") }
    }
  }

  /// What lines hold, and the numbers of those that are damaged.
  /// - Parameter first: number of the first line.
  static func sorted<Entry>(_ parts: [[Entry?]], _ first: Int) -> (found: [Entry], wrong: [Int]) {
    var (found, wrong, number) = ([Entry](), [Int](), first)
    for entry in parts.joined() {
      if let entry { found.append(entry) } else { wrong.append(number) }
      number += 1
    }
    return (found, wrong)
  }
}

extension JournalIndex.Entry {
  /// - Returns: nil where the line is no entry.
  init?(_ line: ArraySlice<UInt8>, _ bytes: [UInt8]) {
    if let entry = try? JournalIndex.Entry(head: line, bytes) {
      self = entry
    } else if let entry = JournalEntry.read(line) {
      self.init(runID: entry.runID, status: entry.record.status, worker: entry.worker, started: entry.started)
    } else {
      return nil
    }
  }

  /// - Returns: nil where the line is damaged.
  init?(whole line: ArraySlice<UInt8>) {
    guard JournalLine.isWhole(line) else { return nil }
    let bytes = Array(line)
    self.init(bytes[...], bytes)
  }

  private static let openings = [
    "{\"run_id\":", ",\"started\":", ",\"host\":", ",\"worker\":", ",\"instruction_set\":", ",\"toolkit_version\":",
    ",\"git_commit\":", ",\"record\":{\"status\":",
  ].map { Array($0.utf8) }

  /// The usual form: the status is the first member of the record, so nothing behind it is read.
  private init(head line: ArraySlice<UInt8>, _ bytes: [UInt8]) throws(UnusualJSON) {
    var scanner = JSONScanner(line, in: bytes)
    (runID, worker, started, status) = ("", "", .nan, .completed)
    for (place, opening) in JournalIndex.Entry.openings.enumerated() {
      guard scanner.skip(opening) else { throw UnusualJSON() }
      switch place {
      case 0: runID = try scanner.string()
      case 1: started = try scanner.double()
      case 3: worker = try scanner.string()
      case 7: status = try scanner.status()
      default: try scanner.skipString()
      }
    }
  }
}

extension JournalIndex {
  /// Ids of runs that need not be done any more.
  /// - Parameter retryFailed: those that failed or diverged are to be done again.
  func settled(retryFailed: Bool) -> Set<String> {
    Set(entries.lazy.filter { !retryFailed || $0.status == .completed }.map(\.runID))
  }
}
