import Foundation
import PalimpsestExperiments
import PalimpsestJSON

/// The generations of a plan: `plan.json`, then `plan-1.json`, `plan-2.json`, … wherever the experiment had changed. The
/// latest counts; the others say where their runs stood.
extension ResultsFolder {
  /// The file of a generation, counted from 0.
  package func planFile(generation: Int) -> String { generation == 0 ? planFile : "\(folder)/plan-\(generation).json" }

  /// Numbers of the generations that are there, in order.
  package var generations: [Int] {
    get throws(FileError) { try Files.names(in: folder).compactMap(ResultsFolder.generation).sorted() }
  }

  /// True where a plan is kept here.
  public var hasPlan: Bool { get throws(FileError) { try !generations.isEmpty } }

  /// The number in a file's name, if that is how ``planFile(generation:)`` writes it.
  private static func generation(_ name: String) -> Int? {
    if name == "plan.json" { return 0 }
    guard name.hasPrefix("plan-"), name.hasSuffix(".json") else { return nil }
    let digits = name.dropFirst(5).dropLast(5)
    guard let number = Int(digits), 1...mostGenerations ~= number, digits == String(number) else { return nil }
    return number
  }

  /// Files with larger numbers are not ours.
  private static let mostGenerations = 999_999

  /// Keeps the plan: as a new generation, unless the latest has the same content. A run that an earlier generation had
  /// keeps its position, new ones follow behind the last. Of two processes that do this at once the second sees what the
  /// first has written.
  /// - Returns: the plan as it stands in its file.
  /// - Throws: ``PalimpsestJSON/FileError``; ``PalimpsestJSON/Problems`` where an earlier generation is damaged.
  @discardableResult
  public func write(_ plan: StoredPlan) throws -> StoredPlan { try keep(plan).plan }

  /// The same, with the generation in which the plan stands.
  func keep(_ plan: StoredPlan) throws -> (plan: StoredPlan, generation: Int) {
    try Files.makeFolder(journalFolder)
    let json = plan.json
    // Each failure is another process's success, or a file system that shows new files late.
    for attempt in 0..<100 {
      if attempt > 20 { Thread.sleep(forTimeInterval: 0.02) }
      guard let latest = try generations.last else {
        if try Files.create(planFile, with: json) { return (plan, 0) }
        continue
      }
      let known = try Files.read(planFile(generation: latest))
      if known == json { return (plan, latest) }
      let placed = try plan.placed(after: generations.map { try self.plan(generation: $0) })
      let placedJSON = placed.json
      if known == placedJSON { return (placed, latest) }
      if try Files.create(planFile(generation: latest + 1), with: placedJSON) { return (placed, latest + 1) }
    }
    throw FileError(.unwritable, "\(folder): the plan cannot be kept: a file with its name is there and is not listed")
  }

  /// The latest generation.
  /// - Throws: ``PalimpsestJSON/FileError`` where there is no plan or it cannot be read, ``PalimpsestJSON/Problems`` where it is damaged.
  public func plan() throws -> StoredPlan {
    guard let latest = try generations.last else { throw noPlan }
    return try plan(generation: latest)
  }

  private var noPlan: FileError {
    let given = String(folder.dropLast(".palimpsest".count))
    if given.hasSuffix(".json") && Files.exists(given) {
      return FileError(
        .missing,
        "\(given): results are asked for, and this is an experiment file; its results are results/NAME.h5 with its "
          + "\"name\", or what --output named")
    }
    let cubeAlone = ". \(cube) alone can be read by \"report\", \"export\" and \"merge\""
    return FileError(
      .missing,
      "\(folder): no results here; \"palimpsest run FILE\" makes them" + (Files.exists(cube) ? cubeAlone : ""))
  }

  package func plan(generation: Int) throws -> StoredPlan {
    let file = planFile(generation: generation)
    return try StoredPlan(try Files.read(file), file: file)
  }
}

extension StoredPlan {
  /// The same plan with the positions that its runs have in earlier generations, and new ones behind them.
  ///
  /// Runs of equal identity under several labels take the positions that their identity has, in order.
  func placed(after earlier: [StoredPlan]) -> StoredPlan {
    guard !earlier.isEmpty else { return self }
    let known = KnownPositions(earlier)
    var copy = self
    var next = known.end
    var taken: [String: Int] = [:]
    for index in configurations.indices {
      copy.configurations[index].positions = configurations[index].runIDs.map { id in
        let place = taken[id, default: 0]
        taken[id] = place + 1
        if let position = known[id, place] { return position }
        defer { next += 1 }
        return next
      }
    }
    return copy.hasRegularPositions ? self : copy
  }

  private var hasRegularPositions: Bool {
    configurations.enumerated().allSatisfy { index, configuration in
      (configuration.positions ?? []).enumerated().allSatisfy { $1 == index * seeds.count + $0 }
    }
  }
}

/// Where the runs of several generations stand.
private struct KnownPositions {
  private var positions: [String: [Int]] = [:]
  /// Behind the last.
  private(set) var end = 0

  init(_ plans: [StoredPlan]) {
    for plan in plans {
      var taken: [String: Int] = [:]
      for run in plan.runs {
        let place = taken[run.id, default: 0]
        taken[run.id] = place + 1
        if self[run.id, place] == nil { positions[run.id, default: []].append(run.index) }
        end = max(end, run.index + 1)
      }
    }
  }

  /// The position of the run with that identity under its first, second, … label.
  subscript(id: String, place: Int) -> Int? {
    guard let list = positions[id], place < list.count else { return nil }
    return list[place]
  }
}
