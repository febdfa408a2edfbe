import Foundation
import PalimpsestCore
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestRuns
import TestFixtures
import Testing

/// Numbers that try every way of reading and writing: all sizes, short and long, beside powers of two and ten.
private func numbers(_ count: Int) -> [Double] {
  var random = Seed(7).stream("numbers")
  let any = (0..<count).map { _ in Double(bitPattern: random.next()) }.filter(\.isFinite)
  let shares = (0..<count).map { _ in Double(random.next() >> 11) * 0x1p-53 }
  let times = shares.map { $0 * 1e-4 }
  let sizes = shares.indices.map { shares[$0] * pow(10, Double($0 % 24 - 7)) }
  let short = (0..<count).map { _ in Double(random.next() % 100_000) / 1000 }
  let edges = (-30...30).flatMap { n in [pow(10, Double(n)), pow(2, Double(n))] }
    .flatMap { [$0, $0.nextUp, $0.nextDown, -$0] }
  return any + shares + times + sizes + short + edges
    + [0, 1, 0x1p53, 0x1p53 + 2, 0x1p54, 1e21, 1e22, 1e23, .leastNonzeroMagnitude, .greatestFiniteMagnitude]
}

private func scanned(_ text: String) -> Double? {
  let bytes = Array(text.utf8)
  var scanner = JSONScanner(bytes[...], in: bytes)
  guard let value = try? scanner.double(), scanner.isAtEnd else { return nil }
  return value
}

@Suite struct JournalScanTests {
  @Test func `a number comes back from its text bit for bit`() {
    for number in numbers(20_000) {
      var json = JSONBytes()
      json.append(number)
      let text = String(decoding: json.bytes, as: UTF8.self)
      #expect(scanned(text)?.bitPattern == (number == 0 ? 0 : number.bitPattern), "\(text)")
      #expect(scanned(number.description)?.bitPattern == number.bitPattern, "\(number)")
    }
  }

  @Test func `a number is written as the canonical form has it`() {
    for number in numbers(5000) {
      var json = JSONBytes()
      json.append(number)
      #expect(String(decoding: json.bytes, as: UTF8.self) == JSONValue(number).compactText)
    }
  }

  /// Digits whose 128-bit product does not decide, numbers halfway between two others, and longer ones.
  @Test(arguments: [
    "9007199254740993", "9007199254740993.0", "18014398509481986", "1.00000000000000011102230246251565404236",
    "2.2250738585072012e-308", "4.9406564584124654e-324", "8.5e22", "9223372036854775807", "0.30000000000000004",
    "123456789012345678901234567890", "7.2057594037927933e16", "6929495644600919.5", "3.1415926535897932384626433e-55",
    "1e-400",
  ])
  func `a number is the nearest there is`(text: String) throws {
    #expect(scanned(text)?.bitPattern == Double(text)?.bitPattern)
  }

  @Test(arguments: ["01", "1.", ".5", "-", "+1", "1e", "1e999", "NaN", "0x10", "--1", ""])
  func `what is no number is not read as one`(text: String) {
    #expect(scanned(text) == nil)
  }

  /// The check value in every table of CRCs.
  @Test func `the checksum is that of ISO 3309`() {
    let text = Array("xx123456789".utf8)
    #expect(CRC32.checksum(text[2...]) == 0xCBF4_3926)
    #expect(CRC32.checksum(text[2...2]) == 0x83DC_EFB7)
    #expect(CRC32.checksum([]) == 0)
  }

  @Test func `our own lines are read without a tree`() throws {
    var scanner = EntryScanner()
    for entry in [fullEntry(), entry("a"), fullEntry()] {
      let line = entry.line.dropLast()
      #expect(try scanner.entry(line, in: Array(line)) == entry)
    }
  }

  /// Seals a line as the writer does.
  private func sealed(_ body: String) -> [UInt8] {
    let bytes = Array(body.utf8)
    return bytes + Array(",\"crc\":\"\(String(format: "%08x", CRC32.checksum(bytes[...])))\"}".utf8)
  }

  @Test func `keys in another order, unknown keys and whitespace make no difference`() throws {
    let record = """
      {"later":{"a":[1,{"b":"]}"}]},"tasks":["a","b"],"integers":{"run":{"steps":3}},"status":"completed","numbers":\
      {"run task":{"accuracy_before":[0.5,-0.25]},"run after_task task":{"log_loss":[[1,2],[3,4]],"accuracy":\
      [[0.5,null],[0.25,1e0]]},"run":{"time_total":0.5}},"format":2}
      """
    let usual = sealed("{\"run_id\":\"r\",\"started\":2.5,\"record\":\(record),\"more\":true")
    var scanner = EntryScanner()
    let entry = try scanner.entry(usual[...], in: usual)
    #expect(entry.runID == "r" && entry.started == 2.5 && entry.record.cost.steps == 3)
    #expect(entry.record.accuracy == AccuracyMatrix([[0.5, .nan], [0.25, 1]]))
    #expect(entry.record.accuracyBefore == [0.5, -0.25])
    let spaced = record.replacing(":", with: ": ").replacing(",\"", with: ", \"")
    let turned = sealed("{\"more\": true, \"record\": \(spaced), \"run_id\": \"r\", \"started\": 2.5")
    #expect(throws: UnusualJSON.self) { try scanner.entry(turned[...], in: turned) }
    // As lines, for NaN is not equal to itself.
    #expect(JournalEntry.read(turned[...])?.line == JournalEntry.read(usual[...])?.line)
    #expect(JournalEntry.read(turned[...])?.line == entry.line)
  }

  @Test func `a matrix that has not one row a task is read as it is`() throws {
    var record = entry("a").record
    record.accuracy = AccuracyMatrix([[0.5, 1]])
    let odd = entry("a", record)
    let back = try #require(JournalEntry.read(odd.line.dropLast()))
    #expect(back.record.accuracy.rows == [[0.5, 1]])
    #expect(back == odd)
  }

  @Test(arguments: [
    #""numbers":{"run task":{"a":[1,[2]]}}"#, #""numbers":{"run after_task task":{"a":[[1],[2,3]]}}"#,
    #""numbers":{"task":{"a":[1]}}"#, #""numbers":{"run":{"a":"1"}}"#, #""integers":{"run":{"a":0.5}}"#,
    #""numbers":{"run":{"a":1}},"integers":{"run":{"a":1}}"#, #""numbers":{"run task":{"a":[1]},"run":{"a":1}}"#,
    #""measures":[{"name":"a"}]"#, #""ticks":{"layer":[1,"b"]}"#,
  ])
  func `observations that are not of their form make no record`(members: String) {
    let line = sealed("{\"run_id\":\"r\",\"record\":{\"status\":\"completed\",\"format\":2,\"tasks\":[],\(members)}")
    #expect(JournalEntry.read(line[...]) == nil)
  }

  @Test(arguments: [
    #""numbers":{"run":{"time\u0000total":1}}"#, #""numbers":{"run":{"a/b":1}}"#, #""integers":{"run a.b":{"a":[1]}}"#,
    #""integers":{"run a a":{"n":[[1]]}}"#, #""numbers":{"run run":{"a":[1]}}"#, #""ticks":{"..":[1]}"#,
    #""measures":[{"name":"/a","long_name":"","unit":"1","definition":"","subject":"cost","direction":"lower","type":"f64","#
      + #""axes":[],"repeatable":true}]"#,
  ])
  func `a record with names that can be no dataset's is none`(member: String) {
    let head = #"{"run_id":"r","record":{"status":"completed","format":2,"tasks":[],"#
    #expect(JournalEntry.read(sealed(head + member + "}")[...]) == nil)
    #expect(JournalEntry.read(sealed(head + " " + member + "}")[...]) == nil)
    #expect(JournalEntry.read(sealed(head + #""numbers":{"run":{"a":1}}}"#)[...]) != nil)
  }

  @Test func `a record of a later form is none`() {
    let line = sealed(#"{"run_id":"r","record":{"status":"completed","format":3,"tasks":[]}"#)
    #expect(JournalEntry.read(line[...]) == nil)
  }

  @Test func `a line from before there were observations is the record it was`() throws {
    let line = sealed(
      #"""
      {"run_id":"0123456789abcdef0123456789abcdef","started":1700000000.5,"host":"host","worker":"host-1-0",\#
      "instruction_set":"avx2","toolkit_version":"0.1.0","git_commit":"abc","record":{"status":"diverged",\#
      "tasks":["morning \"é\" 🌅","night\nshift"],"accuracy":[[0.30000000000000004,null],[0.3333333333333333,5e-324]],\#
      "log_loss":[[0.6931471805599453,null],[1e-300,123456.789]],"accuracy_before":[0.5,null],"cost":{"time_total":1.5,\#
      "time_train":1.25,"time_evaluate":0.25,"time_task":[0.75,0.5],"steps":12,"examples":192,\#
      "multiply_adds":9007199254740993,"bytes_model":1,"bytes_optimizer":2,"bytes_importance":3,"bytes_memory":4,\#
      "revision":2},"error":"the loss is nan in step 3 of task 1",\#
      "zero_shot_unmeasured":"outputs of tasks not yet learned are masked","expected_accuracy":[[0.25,null],[null,1]],\#
      "expected_accuracy_before":[null,0.125],"curve":[{"task":0,"examples":48,"accuracy":[0.75,null]},\#
      {"task":1,"examples":96,"accuracy":[0.5,1],"expected_accuracy":[null,0.0625]}],"truth":{"bayes_accuracy":\#
      [0.86,0.87],"cross_accuracy":[[0.86,0.5],[0.4,0.87]],"total_variation":[[0,0.3],[0.3,0]],"hellinger":[[0,0.2],\#
      [0.2,0]],"joint_ceiling":0.8}},"toolkit_commit":"def"
      """#)
    let old = try #require(JournalEntry.read(line[...]))
    #expect(old == fullEntry())
    #expect(old.record.hasSameResults(as: fullEntry().record))
    #expect(JournalEntry.read(old.line.dropLast()) == old)
    let body = String(decoding: line.dropLast(18), as: UTF8.self)
    let older = sealed(body.replacing(#""bytes_memory":4,"revision":2"#, with: #""bytes_memory":4"#))
    #expect(older.count < line.count)
    #expect(JournalEntry.read(older[...])?.record.cost.revision == 1)
  }

  @Test func `what only its observer knows is in the line, and comes back with what it means`() throws {
    var record = entry("a").record
    let norms = Measure(
      "layer_norm", "Norm of each layer", unit: "m", definition: "√Σ θ²", direction: .lower, storage: .f64,
      along: [MeasureAxis("layer", "Layer"), MeasureAxis("side", nil)])
    record.observe(
      Observation("layer_norm", along: [Axis("layer", 2), Axis("side", 2)], .numbers([1, 2, .nan, 0.1])), as: norms)
    record.observe(Observation("windows", along: [Axis("examples_seen", 2)], .integers([-1, 3])))
    record.ticks = ["layer": .labels(["first", "é"]), "examples_seen": .positions([1000, 2000])]
    let given = entry("a", record)
    let line = given.line
    var scanner = EntryScanner()
    for _ in 0..<2 { #expect(try scanner.entry(line.dropLast(), in: line) == given) }
    let spaced = sealed(String(decoding: line.dropLast(19), as: UTF8.self).replacing("{\"status", with: "{ \"status"))
    #expect(JournalEntry.read(spaced[...]) == given)
    #expect(given.record.declared == [norms] && given.line == JournalEntry.read(spaced[...])?.line)
  }

  @Test(arguments: ["{\"run_id\":\"r\"", "{\"run_id\":3,\"record\":{}", "{\"run_id\":\"r\",\"record\":[]", "[1", "{"])
  func `a whole line that is no entry is none`(body: String) {
    #expect(JournalEntry.read(sealed(body)[...]) == nil)
  }
}

@Suite struct JournalIndexTests {
  @Test func `the index has id, status and worker of every line`() throws {
    let folder = try TemporaryFolder()
    let entries = [entry("a"), fullEntry(), entry("c", .failed, worker: "other-1-1")]
    try Data(entries.flatMap(\.line)).write(to: URL(fileURLWithPath: folder("j.jsonl")))
    let index = try JournalIndex(folder: folder.path)
    #expect(index.entries.map(\.runID) == entries.map(\.runID))
    #expect(index.entries.map(\.status) == [.completed, .diverged, .failed])
    #expect(index.entries.map(\.worker) == ["host-1-0", "host-1-0", "other-1-1"])
    #expect(index.entries.map(\.started) == entries.map(\.started))
    #expect(index.damaged.isEmpty && index.torn.isEmpty)
  }

  @Test func `what is appended is read on, a torn line only when it is whole`() throws {
    let folder = try TemporaryFolder()
    let lines = ["a", "b", "c"].map { entry($0).line }
    let whole = lines.reduce([], +)
    let url = URL(fileURLWithPath: folder("j.jsonl"))
    try Data(whole[..<(lines[0].count + 7)]).write(to: url)
    var index = try JournalIndex(folder: folder.path)
    var journal = try Journal(folder: folder.path)
    #expect(index.entries.map(\.runID) == ["a"])
    #expect(index.torn == ["\(folder.path)/j.jsonl:2"] && index.damaged.isEmpty)
    #expect(try index.readOn() == 0)
    try Data(whole).write(to: url)
    try Data(entry("d").line).write(to: URL(fileURLWithPath: folder("k.jsonl")))
    #expect(try index.readOn() == 3)
    try journal.readOn()
    #expect(index.entries.map(\.runID) == ["a", "b", "c", "d"])
    #expect(journal.entries.map(\.runID) == ["a", "b", "c", "d"])
    #expect(index.torn.isEmpty && index.damaged.isEmpty && journal.damaged.isEmpty)
  }

  @Test func `a damaged line is told by file and line, and the rest is read`() throws {
    let folder = try TemporaryFolder()
    var lines = ["a", "b", "c"].map { entry($0).line }
    lines[1][lines[1].count - 40] ^= 1
    try Data(lines.reduce([], +)).write(to: URL(fileURLWithPath: folder("j.jsonl")))
    let index = try JournalIndex(folder: folder.path)
    #expect(index.entries.map(\.runID) == ["a", "c"])
    #expect(index.damaged == ["\(folder.path)/j.jsonl:2"])
  }

  /// Pieces of a file are a megabyte: lines lie across their borders, and one is longer than a piece.
  @Test func `lines across the pieces of a file are read whole`() throws {
    let folder = try TemporaryFolder()
    var long = entry("long", .failed).record
    long.error = String(repeating: "é", count: 1_300_000)
    let entries = (0..<6000).map { entry("run \($0)") } + [entry("long", long), entry("last")]
    try Data(entries.flatMap(\.line)).write(to: URL(fileURLWithPath: folder("j.jsonl")))
    #expect(try JournalIndex(folder: folder.path).entries.map(\.runID) == entries.map(\.runID))
    #expect(try Journal(folder: folder.path).entries == entries)
  }
}
