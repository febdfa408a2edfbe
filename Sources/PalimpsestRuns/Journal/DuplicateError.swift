/// Two completed records of the same run that differ.
public struct DuplicateError: Error, Sendable, Equatable, CustomStringConvertible {
  /// One of the two.
  public struct Copy: Sendable, Equatable, CustomStringConvertible {
    /// Who ran it: host-pid-number.
    public let worker: String
    /// Journal file and line number; nil where the record is in no file.
    public let place: String?

    public var description: String { place.map { "\(worker) (\($0))" } ?? worker }
  }

  public let runID: String
  public let first: Copy
  public let second: Copy

  public var description: String {
    "run \(runID): the records of \(first) and \(second) differ, though the same run must give the same numbers. "
      + "Look for two versions of the program or processors without fused multiply-add; \"--fresh\" starts over."
  }
}

extension DuplicateError {
  package init(_ first: JournalEntry, _ second: JournalEntry, in journal: Journal) {
    self.init(first, second, places: DuplicateError.places(of: [first, second], in: journal.paths))
  }

  /// - Parameter paths: the journals that they are from.
  package init(_ first: JournalEntry, _ second: JournalEntry, paths: [String]) {
    self.init(first, second, places: DuplicateError.places(of: [first, second], in: paths))
  }

  private init(_ first: JournalEntry, _ second: JournalEntry, places: [String?]) {
    runID = first.runID
    self.first = Copy(worker: first.worker, place: places[0])
    self.second = Copy(worker: second.worker, place: places[1])
  }

  /// Where entries stand: file and line number, nil for one that is in no file now. Reads the files again, since this is
  /// for messages alone.
  private static func places(of entries: [JournalEntry], in paths: [String]) -> [String?] {
    let wanted = entries.map(\.line)
    var places = [String?](repeating: nil, count: wanted.count)
    for path in paths {
      var start = JournalPlace()
      try? JournalFile(path: path).lines(from: &start) { bytes, number in
        guard let entry = JournalEntry.read(bytes), entry.runID == entries[0].runID else { return }
        guard let match = wanted.indices.first(where: { places[$0] == nil && wanted[$0] == entry.line }) else { return }
        places[match] = "\(path):\(number)"
      }
    }
    return places
  }
}
