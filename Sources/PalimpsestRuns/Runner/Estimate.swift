import Foundation
import PalimpsestCore
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestScenarios

/// What the rest of a plan takes on this machine.
public struct Estimate: Sendable {
  /// What the time of a pair's runs rests on.
  public enum Basis: Sendable, Equatable {
    /// The mean of that many finished runs.
    case finished(Int)
    /// The first steps of that many configurations.
    case probe(Int)
    /// The mean of the other pairs: there are too many to probe them all.
    case others
  }

  /// One scenario and strategy.
  public struct Pair: Sendable {
    public let scenario: String
    public let strategy: String
    public let runsLeft: Int
    /// With the run's share of the data, which are made once for all runs of a seed with equal scenario settings.
    public let secondsPerRun: Double
    public let basis: Basis
  }

  public let pairs: [Pair]
  /// Runs at a time.
  public let jobs: Int
  /// Runs that would begin now.
  public let runsLeft: Int
  /// Of this process with that many runs at a time.
  public let bytes: Int
  /// Until the scenarios of the runs left are prepared: data sets read, what no file keeps calibrated.
  public let preparationSeconds: Double

  /// Of all runs left, at that many at a time, and of preparing their scenarios.
  public var seconds: Double {
    let chosen = pairs.reduce(0) { $0 + $1.runsLeft }
    guard chosen > 0 else { return 0 }
    let work = pairs.reduce(0) { $0 + Double($1.runsLeft) * $1.secondsPerRun }
    return preparationSeconds + work * Double(runsLeft) / Double(chosen) / Double(max(min(jobs, runsLeft), 1))
  }

  /// Pairs probed at most; the others are taken to be alike.
  static let mostProbed = 16

  /// Takes the times of finished runs where a pair has any, and else probes.
  /// - Parameters:
  ///   - budget: seconds for all probes, apart from preparing the scenarios and ending a task.
  /// - Throws: ``PalimpsestScenarios/ScenarioError``, ``PalimpsestScenarios/DatasetError`` where a scenario cannot be
  ///   prepared; ``PalimpsestCore/CompositionError``; ``PreparationError`` where a network does not fit in memory.
  public init(
    _ summary: PlanSummary, _ catalog: Catalog, library: any DatasetLibrary, jobs: Int, budget: Double = 0.5,
    calibrations: CalibrationCache = CalibrationCache()
  ) throws {
    let pending = summary.pairs.filter { $0.done < $0.runs }
    let unknown = pending.filter(\.seconds.isEmpty)
    let probed = Estimate.spread(unknown, Estimate.mostProbed)
    var prober = Prober(catalog, library, calibrations, budget: budget / Double(max(probed.count, 1)))
    var known: [String: (Double, Basis)] = [:]
    for pair in pending where !pair.seconds.isEmpty {
      known[pair.key] = (mean(pair.seconds), .finished(pair.seconds.count))
    }
    for pair in probed { known[pair.key] = (try prober.seconds(pair), .probe(pair.samples.count)) }
    let others = mean(known.values.map(\.0))
    let data = try Estimate.dataSeconds(of: pending, &prober)
    pairs = pending.map { pair in
      let (seconds, basis) = known[pair.key] ?? (others, .others)
      return Pair(
        scenario: pair.scenario, strategy: pair.strategy, runsLeft: pair.runs - pair.done,
        secondsPerRun: seconds + (data[pair.scenario] ?? 0), basis: basis)
    }
    self.jobs = jobs
    preparationSeconds = prober.preparationSeconds(of: pending, jobs: jobs)
    runsLeft = summary.toRun
    bytes = (ProcessMemory.resident ?? 0) + (jobs - 1) * prober.bytesPerRun
  }

  /// A run's share of making its data, by scenario.
  private static func dataSeconds(of pairs: [PlanSummary.Pair], _ prober: inout Prober) throws -> [String: Double] {
    let scenarios = Dictionary(grouping: pairs, by: \.scenario)
    let tried = try spread(scenarios.keys.sorted(), mostProbed).map { scenario in
      let pairs = scenarios[scenario] ?? []
      let sharing = pairs.reduce(0) { $0 + $1.configurations }
      let different = pairs.reduce(into: Set()) { $0.formUnion($1.scenarios) }.count
      return (scenario, try prober.dataSeconds(pairs[0]) * Double(different) / Double(max(sharing, 1)))
    }
    let known = Dictionary(uniqueKeysWithValues: tried)
    let others = mean(known.values)
    return scenarios.mapValues { known[$0[0].scenario] ?? others }
  }

  /// So many of a list, evenly spread.
  private static func spread<Element>(_ list: [Element], _ count: Int) -> [Element] {
    guard list.count > count else { return list }
    return (0..<count).map { list[$0 * list.count / count] }
  }
}

extension PlanSummary.Pair {
  fileprivate var key: String { scenario + "\n" + strategy }
}

private func mean(_ values: some Collection<Double>) -> Double {
  values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
}

/// Probes configurations; those of equal scenario settings share a prepared scenario.
private struct Prober {
  private let catalog: Catalog
  private let library: any DatasetLibrary
  private let calibrations: CalibrationCache
  /// Seconds a pair.
  private let budget: Double
  private var prepared: [Component: any PreparedScenario] = [:]
  /// Processor time of preparing those.
  private var preparation: [Component: Double] = [:]
  /// Processor time of making the data of a seed.
  private var making: [Component: Double] = [:]
  /// The data made last.
  private var latest: (scenario: Component, data: any DriftStream)?
  /// The most that one run was seen to add to the process.
  private(set) var bytesPerRun = 0

  init(_ catalog: Catalog, _ library: any DatasetLibrary, _ calibrations: CalibrationCache, budget: Double) {
    self.catalog = catalog
    self.library = library
    self.calibrations = calibrations
    self.budget = budget
  }

  /// The mean over the samples of a pair.
  mutating func seconds(_ pair: PlanSummary.Pair) throws -> Double {
    mean(try pair.samples.map { try seconds($0, budget: budget / Double(pair.samples.count)) })
  }

  private mutating func seconds(_ configuration: Configuration, budget: Double) throws -> Double {
    let resolved = try ResolvedConfiguration(configuration, catalog)
    _ = try prepare(configuration.scenario, resolved)
    let before = ProcessMemory.resident ?? 0
    let data = try self.data(configuration.scenario, resolved)
    let seconds: Double
    if let personal = resolved.personal {
      var probe = try PersonalProbe(personal, resolved, data: data, seed: 0)
      seconds = probe.seconds(budget: budget / 2)
    } else if let settings = resolved.stream {
      var probe = try StreamProbe(settings, resolved, data: data, seed: 0)
      seconds = probe.seconds(budget: budget)
    } else {
      var probe = try RunProbe(resolved, data: data, seed: 0)
      seconds = probe.seconds(budget: budget)
    }
    bytesPerRun = max(bytesPerRun, (ProcessMemory.resident ?? 0) - before)
    return seconds
  }

  /// Of the first of a pair's settings.
  mutating func dataSeconds(_ pair: PlanSummary.Pair) throws -> Double {
    guard let sample = pair.samples.first else { return 0 }
    if making[sample.scenario] == nil { _ = try data(sample.scenario, ResolvedConfiguration(sample, catalog)) }
    return making[sample.scenario] ?? 0
  }

  private mutating func data(_ component: Component, _ resolved: ResolvedConfiguration) throws -> any DriftStream {
    if let latest, latest.scenario == component { return latest.data }
    let scenario = try prepare(component, resolved)
    let start = ThreadClock.seconds
    let data = Run.data(of: scenario, seed: 0)
    making[component] = ThreadClock.seconds - start
    latest = (component, data)
    return data
  }

  private mutating func prepare(_ component: Component, _ resolved: ResolvedConfiguration) throws
    -> any PreparedScenario
  {
    if let known = prepared[component] { return known }
    let start = ThreadClock.seconds
    let new = try calibrations.prepare(
      resolved.scenario, from: library, forPeople: resolved.personal != nil)
    preparation[component] = ThreadClock.seconds - start
    prepared[component] = new
    return new
  }

  /// Seconds of preparing the scenarios of those pairs. What was calibrated for the probes is kept in a file; scenarios with other
  /// settings take as long as those of their kind that were probed. Calibrations are worked out beside each other.
  func preparationSeconds(of pairs: [PlanSummary.Pair], jobs: Int) -> Double {
    let names = Dictionary(grouping: pairs.reduce(into: Set()) { $0.formUnion($1.scenarios) }, by: \.name)
    return names.reduce(0) { sum, kind in
      let probed = kind.value.compactMap { preparation[$0] }
      let isCalibrated = catalog.scenarios[kind.key] is any CalibratedScenario.Type
      let again = isCalibrated && calibrations.folder != nil ? kind.value.count - probed.count : kind.value.count
      return sum + mean(probed) * Double(again) / Double(isCalibrated ? max(min(jobs, again), 1) : 1)
    }
  }
}

/// Memory of this process that lies in the machine's: bytes, nil where the system does not say.
package enum ProcessMemory {
  package static var resident: Int? { pages.map { $0.resident * pageBytes } }

  /// Without what lies in files as it is on disk, code of programs and libraries: all processes share that.
  package static var own: Int? { pages.map { ($0.resident - $0.shared) * pageBytes } }

  private static let pageBytes = Int(sysconf(Int32(_SC_PAGESIZE)))

  /// The second and third number of statm(5).
  private static var pages: (resident: Int, shared: Int)? {
    guard let bytes = try? Files.read("/proc/self/statm") else { return nil }
    let numbers = String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
    return numbers.count < 3 ? nil : (numbers[1], numbers[2])
  }
}
