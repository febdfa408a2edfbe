import PalimpsestJSON

/// Where launches lie beside the journal: `launch/3.json` (what was submitted), `launch/3.todo` (its runs, cut into blocks),
/// `launch/3.lease/` (blocks in hand), `launch/3.done/` (finished ones), `log/3/` (what its tasks said), `bin/` (the pinned program).
extension ResultsFolder {
  public var launchFolder: String { folder + "/launch" }

  /// Copies of programs that workers run.
  public var programFolder: String { folder + "/bin" }

  public func launchFile(_ number: Int) -> String { "\(launchFolder)/\(number).json" }

  package func todoFile(_ number: Int) -> String { "\(launchFolder)/\(number).todo" }

  package func leaseFolder(_ number: Int) -> String { "\(launchFolder)/\(number).lease" }

  package func doneFolder(_ number: Int) -> String { "\(launchFolder)/\(number).done" }

  /// What the tasks of a launch said.
  public func launchLogFolder(_ number: Int) -> String { "\(logFolder)/\(number)" }

  /// Numbers of the launches that have a record, in order.
  /// - Throws: ``PalimpsestJSON/FileError`` where the folder cannot be listed.
  public func launchNumbers() throws -> [Int] { try numbers(ending: ".json") }

  /// Numbers that are taken: also those of launches that are being made.
  func takenLaunchNumbers() throws(FileError) -> [Int] { try numbers(ending: ".todo") }

  private func numbers(ending: String) throws(FileError) -> [Int] {
    try Files.names(in: launchFolder).compactMap { name in
      guard name.hasSuffix(ending) else { return nil }
      let digits = name.dropLast(ending.count)
      return Int(digits).flatMap { $0 > 0 && String($0) == digits ? $0 : nil }
    }.sorted()
  }
}
