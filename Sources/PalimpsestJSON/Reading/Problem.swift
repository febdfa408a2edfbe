/// Something wrong with a file: where, in which setting, and what.
public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
  public var file: String
  /// Nil where there is no place: a value that was built in code, a file that can't be opened.
  public var place: Place?
  /// The setting, such as `strategies.ewc.ewc.strength`; empty where the place says it all.
  public var path: String
  /// What is wrong and, where it can be known, what would be right.
  public var message: String
  /// The other place of a thing said twice: where it was said first.
  public var earlier: Place?

  public init(file: String, place: Place?, path: String = "", message: String, earlier: Place? = nil) {
    self.file = file
    self.place = place
    self.path = path
    self.message = message
    self.earlier = earlier
  }

  public init(file: String, line: Int, column: Int, path: String = "", message: String) {
    self.init(file: file, place: Place(line: line, column: column), path: path, message: message)
  }

  public var line: Int? { place?.line }
  public var column: Int? { place?.column }

  /// `file:line:column: path: message`; a place or path that isn't there is left out with its colon. One line that can
  /// be seen as a whole, whatever the file holds.
  public var description: String {
    let location = place.map { "\(file):\($0)" } ?? file
    return visible([location, shownPath, message].filter { !$0.isEmpty }.joined(separator: ": "))
  }

  /// Keys are the user's and may be of any length.
  private var shownPath: String {
    path.count <= 200 ? path : String(path.prefix(150)) + "…" + String(path.suffix(49))
  }
}

extension Problem: Comparable {
  /// By file, then place (none before the first), then path and message.
  public static func < (a: Problem, b: Problem) -> Bool {
    if a.file != b.file { return a.file < b.file }
    let start = Place(line: 0, column: 0)
    let (here, there) = (a.place ?? start, b.place ?? start)
    return here != there ? here < there : (a.path, a.message) < (b.path, b.message)
  }
}

/// All that is wrong, sorted by place: what a reader throws.
public struct Problems: Error, Sendable, Hashable, CustomStringConvertible {
  private var sorted: [Problem]

  public init(_ problems: some Sequence<Problem> = []) {
    sorted = problems.sorted()
  }

  /// Adds one at its place.
  public mutating func append(_ problem: Problem) {
    sorted.insert(problem, at: sorted.firstIndex { problem < $0 } ?? sorted.endIndex)
  }

  public mutating func append(contentsOf problems: some Sequence<Problem>) {
    sorted = (sorted + problems).sorted()
  }

  /// Throws itself unless it is empty.
  public func throwIfAny() throws(Problems) {
    if !isEmpty { throw self }
  }

  /// More are not shown: nobody reads them.
  public static let mostShown = 100

  /// Those that are shown.
  public var shown: ArraySlice<Problem> { sorted.prefix(Problems.mostShown) }

  /// How many are not.
  public var hiddenCount: Int { count - shown.count }

  /// One line a problem; behind the first hundred how many more there are.
  public var description: String {
    let rest = hiddenCount == 0 ? [] : ["and \(hiddenCount) more problem\(hiddenCount == 1 ? "" : "s")"]
    return (shown.map(\.description) + rest).joined(separator: "\n")
  }
}

extension Problems: RandomAccessCollection {
  public var startIndex: Int { sorted.startIndex }
  public var endIndex: Int { sorted.endIndex }
  public subscript(index: Int) -> Problem { sorted[index] }
}
