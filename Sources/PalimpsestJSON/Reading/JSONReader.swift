/// Reads JSON with comments: RFC 8259, `//` and `/* */`, and nothing else.
///
/// A syntax error ends the reading with one problem. A key given twice in one object is a problem too, but reading goes
/// on and the first value stays, so whoever decodes the tree can report what else is wrong at once.
///
/// - Cost: one pass, about 50 MB/s; recursion is bounded by `depthLimit`.
public enum JSONReader {
  /// Experiment files are about 6 deep. At 64, reading and writing stay inside the 512 kB of a thread's stack even in
  /// debug builds (measured).
  public static let standardDepthLimit = 64

  public static func read(_ bytes: [UInt8], file: String, depthLimit: Int = standardDepthLimit) -> JSONDocument {
    let source = Source(file: file, bytes: bytes)
    var parser = JSONParser(bytes, depthLimit: depthLimit)
    do {
      let root = try parser.document()
      return JSONDocument(source: source, root: root, problems: Problems(parser.repeats(in: source)))
    } catch {
      let problem = source.problem(at: error.offset, error.message)
      return JSONDocument(source: source, root: nil, problems: Problems(parser.repeats(in: source) + [problem]))
    }
  }

  public static func read(_ text: String, file: String, depthLimit: Int = standardDepthLimit) -> JSONDocument {
    read(Array(text.utf8), file: file, depthLimit: depthLimit)
  }
}

/// What reading a file gave: the tree, unless the syntax is broken, and all problems met so far.
public struct JSONDocument: Sendable {
  public let source: Source
  /// Nil after a syntax error.
  public let root: JSONValue?
  public let problems: Problems

  /// The tree, if there was no problem at all.
  public func value() throws(Problems) -> JSONValue {
    guard let root, problems.isEmpty else { throw problems }
    return root
  }
}
