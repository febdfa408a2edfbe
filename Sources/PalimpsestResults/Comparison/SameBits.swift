import PalimpsestJSON
import PalimpsestMetrics

/// Whether runs of two files with the same scenario, strategy and seed have the same accuracies, bit for bit: R of sampled
/// labels and without their noise, and the metrics.
public struct SameBits: Sendable {
  /// Pairs that were looked at, up to the first that differ.
  public let runs: Int
  /// The first difference with its place; nil where there is none.
  public let difference: String?
  /// Runs that only one of the files has.
  public let single: Int

  /// - Throws: ``ComparisonError`` where the files share no run.
  public init(_ old: MeasuredRuns, _ new: MeasuredRuns, scenario: String? = nil) throws(ComparisonError) {
    let wanted = try scenario.map { name throws(ComparisonError) in
      try new.scenarios.meant(by: name, "scenario", in: new.source)
    }
    let (before, after) = (old.byKey(wanted), new.byKey(wanted))
    let shared = new.keys(wanted).filter { before[$0] != nil }
    guard !shared.isEmpty else { throw .noSharedRun(old, new) }
    let isRounded = old.isRounded || new.isRounded
    var looked = 0
    var found: String?
    for key in shared where found == nil {
      guard let a = before[key], let b = after[key] else { continue }
      looked += 1
      found = RunDifference(a, b, old, new, isRounded: isRounded).words.map { "\(key.text): \($0)" }
    }
    (runs, difference) = (looked, found)
    single = before.count + after.count - 2 * shared.count
  }

  public var text: String {
    let only = single > 0 ? "; \(single) runs are in one of the files alone" : ""
    return difference ?? "\(runs) pairs of runs have equal accuracies, bit for bit" + only + "."
  }

  public var json: JSONValue {
    [
      "pairs": JSONValue(runs), "same_bits": JSONValue(difference == nil),
      "first_difference": difference.map { JSONValue($0) } ?? .null, "runs_of_one_file": JSONValue(single),
    ]
  }
}

/// What tells a run from others of its file, and is the same in another.
private struct RunKey: Hashable {
  let scenario: SweptLabel
  let strategy: SweptLabel
  let seed: Int

  var text: String { "\(scenario.text), \(strategy.text), seed \(seed)" }
}

extension MeasuredRuns {
  private func key(_ run: Run) -> RunKey {
    let configuration = configurations[run.configuration]
    return RunKey(scenario: configuration.scenario, strategy: configuration.strategy, seed: run.seed)
  }

  fileprivate func keys(_ scenarios: [SweptLabel]?) -> [RunKey] {
    runs.map(key).filter { scenarios?.contains($0.scenario) ?? true }.distinct
  }

  fileprivate func byKey(_ scenarios: [SweptLabel]?) -> [RunKey: Run] {
    let pairs = runs.map { (key($0), $0) }.filter { scenarios?.contains($0.0.scenario) ?? true }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }
}

/// The first difference of two runs.
private struct RunDifference {
  /// Nil where there is none.
  private(set) var words: String?

  init(
    _ a: MeasuredRuns.Run, _ b: MeasuredRuns.Run, _ old: MeasuredRuns, _ new: MeasuredRuns, isRounded: Bool
  ) {
    func said(_ what: String, _ a: String, _ b: String) -> String {
      "\(what) is \(a) in \(old.source) and \(b) in \(new.source)."
    }
    if a.status != b.status {
      words = said("the run", a.status.rawValue, b.status.rawValue)
      return
    }
    for kind in AccuracyKind.allCases {
      let (x, y) = (a.accuracies[kind], b.accuracies[kind])
      guard let place = RunDifference.place(x, y, isRounded: isRounded) else { continue }
      let what = "\(kind.prefix)accuracy on task \(place.task) after task \(place.after)"
      words = said(what, number(x, place), number(y, place))
      return
    }
    for (place, metric) in new.metrics.enumerated()
    where old.metrics.indices.contains(place) && a.status == .completed {
      let (x, y) = (a.values[place], b.values[place])
      if !isSame(x, y, isRounded: false) {
        words = said(metric.column(b.kind), String(x), String(y))
        return
      }
    }
  }

  /// Tasks that only one has are a difference.
  private static func place(_ a: AccuracyMatrix?, _ b: AccuracyMatrix?, isRounded: Bool) -> (after: Int, task: Int)? {
    let tasks = max(a?.tasks ?? 0, b?.tasks ?? 0)
    for after in 0..<tasks {
      for task in 0..<tasks where !isSame(entry(a, after, task), entry(b, after, task), isRounded: isRounded) {
        return (after, task)
      }
    }
    return nil
  }
}

private func entry(_ matrix: AccuracyMatrix?, _ after: Int, _ task: Int) -> Double {
  guard let matrix, after < matrix.tasks, task < matrix.tasks else { return .nan }
  return matrix[after, task]
}

private func number(_ matrix: AccuracyMatrix?, _ place: (after: Int, task: Int)) -> String {
  let x = entry(matrix, place.after, place.task)
  return x.isNaN ? "not measured" : String(x)
}

/// NaN is what was not measured, whatever its bits.
private func isSame(_ a: Double, _ b: Double, isRounded: Bool) -> Bool {
  if a.isNaN || b.isNaN { return a.isNaN && b.isNaN }
  return isRounded ? Float(a).bitPattern == Float(b).bitPattern : a.bitPattern == b.bitPattern
}
