import PalimpsestJSON

/// Reads a plan's file as it was written: a line a component and configuration, without a tree of them all.
extension StoredPlan {
  /// - Parameter file: what a message names.
  /// - Throws: ``Problems`` where the bytes are no plan, or one that is damaged.
  package init(_ bytes: [UInt8], file: String) throws(Problems) {
    let seal = SealedJSON.isIntact(bytes)
    if seal == false { throw StoredPlan.damaged(file, "its checksum is not that of its content") }
    let (format, plan) = try StoredPlan.read(bytes, file)
    if format >= StoredPlan.firstSealed && seal == nil { throw StoredPlan.damaged(file, "its checksum is gone") }
    self = plan
    if let wrong = firstWrong(isSealed: seal != nil) { throw StoredPlan.damaged(file, wrong) }
  }

  /// A plan without its runs (``pinned``), from the file of a launch, whose own checksum was right.
  /// - Throws: ``Problems`` where the bytes are no plan.
  package init(pinned bytes: [UInt8], file: String) throws(Problems) { self = try StoredPlan.read(bytes, file).plan }

  private static func read(_ bytes: [UInt8], _ file: String) throws(Problems) -> (format: Int, plan: StoredPlan) {
    if let read = StoredPlan.read(lines: bytes) { return read }
    let json: JSONValue
    do {
      json = try JSONReader.read(bytes, file: file).value()
    } catch {
      let place = error.first.flatMap(\.place).map { " (line \($0.line), column \($0.column))" } ?? ""
      throw damaged(file, "it is not JSON\(place)")
    }
    let format = json["format"]?.int
    if let format, format > formats.upperBound {
      let message = "this is a plan of format \(format), of a later version; 1 to \(formats.upperBound) are known here"
      throw Problems([Problem(file: file, place: nil, message: message)])
    }
    guard let format, let plan = StoredPlan(json) else { throw damaged(file, "something in it is no part of a plan") }
    return (format, plan)
  }

  /// What is wrong, and how to go on: runs are kept in the journals, and their experiment makes the plan.
  private static func damaged(_ file: String, _ what: String) -> Problems {
    Problems([
      Problem(
        file: file, place: nil,
        message: "this plan is damaged: \(what). No finished run is lost: move the file away and run the experiment "
          + "again as before (\"palimpsest run FILE\"), which writes it anew and goes on")
    ])
  }

  /// - Returns: nil where anything is not as ``json`` writes it, or wrote it before there was a seal.
  private static func read(lines bytes: [UInt8]) -> (format: Int, plan: StoredPlan)? {
    var lines = PlanLines(bytes)
    guard let head = lines.head, let document = JSONReader.read(head, file: "").root,
      let format = document["format"]?.int, format > 1, var plan = StoredPlan(document),
      let (components, configurations) = try? lines.rest(isSealed: format >= firstSealed)
    else { return nil }
    plan.configurations = configurations
    return components.isEmpty && !configurations.isEmpty ? nil : (format, plan)
  }
}

/// The lines of a plan's file.
private struct PlanLines {
  private let bytes: [UInt8]
  private var position = 0
  private var isBroken: Bool

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    isBroken = !bytes.allSatisfy { $0 < 0x80 } && String(validating: bytes, as: UTF8.self) == nil
  }

  /// Everything before the components, as a document of its own. Reading goes on behind their opening line.
  var head: [UInt8]? {
    mutating get {
      if isBroken { return nil }
      while let line = next() {
        guard bytes[line].elementsEqual("\"components\":[".utf8) else { continue }
        return bytes[..<line.lowerBound] + Array("\"components\":[],\"configurations\":[]}".utf8)
      }
      return nil
    }
  }

  /// The next line without its end.
  private mutating func next() -> Range<Int>? {
    guard position < bytes.count,
      let end = SystemCalls.firstIndex(of: UInt8(ascii: "\n"), in: bytes, position..<bytes.count)
    else { return nil }
    defer { position = end + 1 }
    return position..<end
  }

  /// Components, then configurations, and a line for the seal where there is one.
  mutating func rest(isSealed: Bool) throws(UnusualJSON) -> ([StoredComponent], [StoredConfiguration]) {
    let components = try components
    guard let opening = next(), bytes[opening].elementsEqual("\"configurations\":[".utf8) else { throw UnusualJSON() }
    var configurations: [StoredConfiguration] = []
    try elements(until: isSealed ? "]," : "]}") { (scanner) throws(UnusualJSON) in
      configurations.append(try StoredConfiguration(&scanner, components, configurations.last))
    }
    if isSealed && next() == nil { throw UnusualJSON() }
    guard position == bytes.count else { throw UnusualJSON() }
    return (components, configurations)
  }

  /// The components, which keep the bytes of their own lines and not those of the whole file.
  private var components: [StoredComponent] {
    mutating get throws(UnusualJSON) {
      let start = position
      while let line = next(), !bytes[line].elementsEqual("],".utf8) {}
      let own = Array(bytes[start..<position])
      position = start
      var components: [StoredComponent] = []
      try elements(until: "],") { (scanner) throws(UnusualJSON) in
        components.append(try StoredComponent(&scanner, own, from: start))
      }
      return components
    }
  }

  /// Calls `element` for each line up to the one that ends the list. All but the last end in a comma.
  private mutating func elements(
    until end: String, _ element: (inout JSONScanner) throws(UnusualJSON) -> Void
  ) throws(UnusualJSON) {
    var hasComma = true
    while let line = next() {
      if !hasComma || bytes[line].elementsEqual(end.utf8) {
        guard !hasComma, bytes[line].elementsEqual(end.utf8) else { throw UnusualJSON() }
        return
      }
      var scanner = JSONScanner(bytes[line], in: bytes)
      try element(&scanner)
      hasComma = scanner.skip(UInt8(ascii: ","))
      guard scanner.isAtEnd else { throw UnusualJSON() }
    }
    throw UnusualJSON()
  }
}

extension StoredComponent {
  /// `["strategy",{…}]`
  /// - Parameter kept: the scanner's bytes from place `first` on, as far as components go.
  fileprivate convenience init(
    _ scanner: inout JSONScanner, _ kept: [UInt8], from first: Int
  ) throws(UnusualJSON) {
    try scanner.expect(UInt8(ascii: "["))
    guard let place = Place(rawValue: try scanner.string()), place != .whole else { throw UnusualJSON() }
    try scanner.expect(UInt8(ascii: ","))
    let start = scanner.position
    try scanner.passValue()
    let end = scanner.position
    try scanner.expect(UInt8(ascii: "]"))
    self.init(place, kept, start - first..<end - first)
  }
}

extension StoredConfiguration {
  /// `["scenario","strategy",[components],[run ids],[positions]]`, the last where there are any.
  /// - Parameter last: the configuration before: labels are mostly its own.
  fileprivate init(
    _ scanner: inout JSONScanner, _ components: [StoredComponent], _ last: StoredConfiguration?
  ) throws(UnusualJSON) {
    try scanner.expect(UInt8(ascii: "["))
    let labels = (try scanner.string(), try scanner.next { (s) throws(UnusualJSON) in try s.string() })
    let numbers = try scanner.next { (s) throws(UnusualJSON) in try s.integers() }
    guard numbers.allSatisfy(components.indices.contains) else { throw UnusualJSON() }
    let ids = try scanner.next { (s) throws(UnusualJSON) in try RunIDs(&s) }
    var positions: [Int]?
    if scanner.current == UInt8(ascii: ",") {
      positions = try scanner.next { (s) throws(UnusualJSON) in try s.integers() }
    }
    try scanner.expect(UInt8(ascii: "]"))
    guard positions.map({ $0.count == ids.count }) ?? true else { throw UnusualJSON() }
    self.init(
      scenario: last?.scenario == labels.0 ? last?.scenario ?? labels.0 : labels.0,
      strategy: last?.strategy == labels.1 ? last?.strategy ?? labels.1 : labels.1,
      components: numbers.map { components[$0] }, runIDs: ids, positions: positions)
  }
}

extension JSONScanner {
  /// What stands behind a comma.
  fileprivate mutating func next<Value>(
    _ read: (inout JSONScanner) throws(UnusualJSON) -> Value
  ) throws(UnusualJSON) -> Value {
    try expect(UInt8(ascii: ","))
    return try read(&self)
  }

  fileprivate mutating func integers() throws(UnusualJSON) -> [Int] {
    var numbers: [Int] = []
    try array { (scanner) throws(UnusualJSON) in numbers.append(try scanner.int()) }
    return numbers
  }
}
