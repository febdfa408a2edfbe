import Foundation
import PalimpsestCore
import PalimpsestJSON
import PalimpsestRuns
import PalimpsestScenarios
import Synchronization
import TestFixtures
import Testing

/// A scenario that counts how often it is calibrated, by `log`.
private struct CountedScenario: CalibratedScenario {
  static let name = "counted"
  static let summary = "Counts its calibrations."
  static let source = "For tests."

  @Parameter("Whose count.") var log: Int = 0
  @Parameter("What the numbers depend on.") var level: Double = 0.1
  @Parameter("What they do not.") var rows: Int = 1

  private static let counts = Mutex<[Int: Int]>([:])

  var count: Int { CountedScenario.counts.withLock { $0[log] ?? 0 } }

  /// A scenario whose count is 0.
  static func fresh(level: Double = 0.1) -> CountedScenario {
    var scenario = CountedScenario()
    scenario.log = Int.random(in: 1...Int.max / 2)
    scenario.level = level
    return scenario
  }

  var calibrationSettings: CountedScenario {
    var copy = self
    copy.rows = 1
    return copy
  }

  /// Numbers of every kind that a decimal text could spoil.
  var numbers: [Double] {
    [
      level, -0.0, 0.1 + 0.2, .pi, -1e-300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1 / 3,
      0x1.fffffffffffffp-3, level / 7,
    ]
  }

  func calibrate() throws -> [Double] {
    CountedScenario.counts.withLock { $0[log, default: 0] += 1 }
    if level < 0 { throw ScenarioError(parameter: "level", "\(level) is out of reach.") }
    return numbers
  }

  func prepared(by numbers: [Double]) throws -> (any PreparedScenario)? {
    numbers.count == 10 ? PreparedCount(numbers: numbers, rows: rows) : nil
  }

  func prepare(from library: any DatasetLibrary) throws -> any PreparedScenario {
    PreparedCount(numbers: try calibrate(), rows: rows)
  }
}

private struct PreparedCount: PreparedScenario {
  let numbers: [Double]
  let rows: Int

  func makeStream(seed: Seed) -> any DriftStream { StubStream([[0]], labels: [0]) }
}

@Suite struct CalibrationCacheTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func cache(program: String? = "one", mostFiles: Int = 100) -> CalibrationCache {
    CalibrationCache(folder: folder("cache"), program: program, leastTime: .zero, mostFiles: mostFiles)
  }

  /// The bits that a cache prepares a scenario with, which are to be those of the scenario itself.
  @discardableResult
  private func prepare(_ scenario: CountedScenario, _ cache: CalibrationCache) throws -> PreparedCount {
    let prepared = try #require(try cache.prepare(scenario, from: EmptyLibrary()) as? PreparedCount)
    #expect(prepared.numbers.map(\.bitPattern) == scenario.numbers.map(\.bitPattern))
    return prepared
  }

  private var files: [String] { (try? Files.names(in: folder("cache"))) ?? [] }

  private func path(_ place: Int = 0) throws -> String {
    try #require(files.count > place)
    return folder("cache") + "/" + files[place]
  }

  // MARK: - Hits

  @Test func `what one process worked out the next one takes, to the last bit`() throws {
    let scenario = CountedScenario.fresh()
    for _ in 0..<3 { try prepare(scenario, cache()) }
    #expect(scenario.count == 1 && files.count == 1)
  }

  @Test func `within a process nothing is worked out twice, with a folder or without`() throws {
    for cache in [cache(), CalibrationCache()] {
      let scenario = CountedScenario.fresh()
      for _ in 0..<3 { try prepare(scenario, cache) }
      #expect(scenario.count == 1)
    }
  }

  @Test func `settings that no number depends on share them, and stay what they are`() throws {
    var scenario = CountedScenario.fresh()
    try prepare(scenario, cache())
    scenario.rows = 9
    #expect(try prepare(scenario, cache()).rows == 9)
    #expect(scenario.count == 1 && files.count == 1)
  }

  @Test func `an error is not kept`() {
    let scenario = CountedScenario.fresh(level: -1)
    let cache = cache()
    for _ in 0..<2 { #expect(throws: ScenarioError.self) { try cache.prepare(scenario, from: EmptyLibrary()) } }
    #expect(scenario.count == 2 && files.isEmpty)
  }

  // MARK: - Misses

  @Test func `other settings have numbers of their own`() throws {
    var scenario = CountedScenario.fresh()
    for level in [0.1, 0.1.nextUp, 0.2] {
      scenario.level = level
      try prepare(scenario, cache())
    }
    #expect(scenario.count == 3 && files.count == 3)
  }

  @Test func `another program works its own numbers out`() throws {
    let scenario = CountedScenario.fresh()
    for program in ["one", "two", "one"] { try prepare(scenario, cache(program: program)) }
    #expect(scenario.count == 2 && files.count == 2)
  }

  @Test func `a program that nobody numbered keeps no file`() throws {
    let scenario = CountedScenario.fresh()
    for _ in 0..<2 { try prepare(scenario, cache(program: nil)) }
    #expect(scenario.count == 2 && files.isEmpty)
  }

  @Test(.enabled(if: KernelTable.compiled.contains("baseline") && KernelTable.name != "baseline"))
  func `another instruction set works its own numbers out`() async throws {
    let path = folder("cache")
    let scenario = CountedScenario.fresh()
    try prepare(scenario, cache())
    await #expect(processExitsWith: .success) { [path = path as String, log = scenario.log as Int] in
      try #require(KernelTable.select("baseline"))
      var scenario = CountedScenario()
      scenario.log = log
      let cache = CalibrationCache(folder: path, program: "one", leastTime: .zero)
      _ = try cache.prepare(scenario, from: EmptyLibrary())
      #expect(scenario.count == 1)
    }
    #expect(files.count == 2)
  }

  /// The name of a file says nothing: what stands in it must be what was asked for.
  @Test func `a file under another's name is not taken`() throws {
    let (one, two) = (CountedScenario.fresh(level: 1), CountedScenario.fresh(level: 2))
    try prepare(one, cache())
    let first = try path()
    try prepare(two, cache())
    let second = try #require(files.map { folder("cache") + "/" + $0 }.first { $0 != first })
    try Files.replace(second, with: Files.read(first))
    try prepare(two, cache())
    #expect(one.count == 1 && two.count == 2)
  }

  // MARK: - Damage

  @Test func `no changed byte changes a number`() throws {
    let scenario = CountedScenario.fresh()
    try prepare(scenario, cache())
    let (path, bytes) = (try path(), try Files.read(try path()))
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= UInt8(1 << (place % 7))
      try Files.replace(path, with: damaged)
      try prepare(scenario, cache())
      #expect(scenario.count == place + 2, "byte \(place)")
      #expect(try Files.read(path) == bytes)
    }
  }

  @Test func `a file that was cut off or has too much counts as none`() throws {
    let scenario = CountedScenario.fresh()
    try prepare(scenario, cache())
    let (path, bytes) = (try path(), try Files.read(try path()))
    let others =
      bytes.indices.map { Array(bytes[..<$0]) } + [bytes + bytes, bytes + [10], [UInt8](repeating: 0, count: 4096)]
    for (place, other) in others.enumerated() {
      try Files.replace(path, with: other)
      try prepare(scenario, cache())
      #expect(scenario.count == place + 2, "\(other.count) bytes")
    }
  }

  /// A seal of its own makes no numbers of what is none: too few, too many, not finite, no numbers at all.
  @Test(arguments: ["", "1", "1,2,3,4,5,6,7,8,9", "1,2,3,4,5,6,7,8,9,10,11", "1,2,3,4,5,6,7,8,9,x"])
  func `numbers that do not fit the settings are worked out again`(numbers: String) throws {
    let scenario = CountedScenario.fresh()
    try prepare(scenario, cache())
    let text = String(decoding: try Files.read(try path()), as: UTF8.self)
    let start = try #require(text.range(of: "\"numbers\":[")).upperBound
    let body = text[..<start] + numbers + "],"
    try Files.replace(try path(), with: body + "\"sha256\":\"\(sha256(Array(body.utf8)))\"}\n")
    try prepare(scenario, cache())
    #expect(scenario.count == 2)
  }

  @Test(arguments: ["folder", "pipe", "link"]) func `whatever else stands in a file's place is let be`(_ what: String)
    throws
  {
    let scenario = CountedScenario.fresh()
    try prepare(scenario, cache())
    let path = try path()
    try FileManager.default.removeItem(atPath: path)
    switch what {
    case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case "pipe":
      let code = unsafe mkfifo(path, 0o600)
      #expect(code == 0)
    default: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
    }
    try prepare(scenario, cache())
    #expect(scenario.count == 2)
  }

  @Test func `without a folder to write to all goes on`() throws {
    try Files.replace(folder("cache"), with: "a file")
    let (scenario, cache) = (CountedScenario.fresh(), cache())
    for _ in 0..<2 { try prepare(scenario, cache) }
    #expect(scenario.count == 1 && cache.extent.files == 0)
  }

  // MARK: - Others at work

  @Test func `many who read and write at once all have the right numbers`() async throws {
    let scenarios = (0..<4).map { CountedScenario.fresh(level: Double($0)) }
    await withTaskGroup(of: Void.self) { group in
      for turn in 0..<200 {
        group.addTask {
          do { try prepare(scenarios[turn % 4], cache()) } catch { Issue.record(error) }
        }
      }
    }
    #expect(files.count == 4 && files.allSatisfy { $0.hasSuffix(".calibration") })
    let counts = scenarios.map(\.count)
    for scenario in scenarios { try prepare(scenario, cache()) }
    #expect(scenarios.map(\.count) == counts)
  }

  @Test func `of too many files the older half goes`() throws {
    for level in 0..<6 {
      try prepare(CountedScenario.fresh(level: Double(level)), cache())
      let old = Date(timeIntervalSince1970: 1e9 + Double(level))
      for name in files {
        let path = folder("cache") + "/" + name
        let changed = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        if try #require(changed) > Date(timeIntervalSince1970: 1.1e9) {
          try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
        }
      }
    }
    let before = files
    let newest = try before.max { a, b in
      let dates = try [a, b].map {
        try FileManager.default.attributesOfItem(atPath: folder("cache") + "/" + $0)[.modificationDate] as? Date
      }
      return try #require(dates[0]) < #require(dates[1])
    }
    try prepare(CountedScenario.fresh(level: 9), cache(mostFiles: 5))
    #expect(files.count == 4)
    #expect(files.contains(try #require(newest)))
  }

  // MARK: - Where

  @Test func `the folder is the one named, else the user's own`() {
    func folder(_ environment: [String: String]) -> String? {
      CalibrationCache.standard(environment: environment).folder
    }
    #expect(folder(["PALIMPSEST_CACHE": "/c", "HOME": "/h"]) == "/c")
    #expect(folder(["PALIMPSEST_CACHE": "off", "HOME": "/h"]) == nil)
    #expect(folder([:]) == nil)
    #if os(Linux)
      #expect(folder(["HOME": "/h", "PALIMPSEST_CACHE": ""]) == "/h/.cache/palimpsest")
      #expect(folder(["HOME": "/h", "XDG_CACHE_HOME": "/x"]) == "/x/palimpsest")
    #endif
  }

  @Test func `this program has a number`() { #expect(CalibrationCache(folder: "/c").folder == "/c") }
}
