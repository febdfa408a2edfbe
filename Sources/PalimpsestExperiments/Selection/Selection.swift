import PalimpsestJSON
import PalimpsestMetrics

/// What a `select` block chose, from which trials, by which criterion: kept in the plan and in the cube.
public struct Selection: Sendable, Equatable {
  /// Name of the metric that decided.
  public var criterion: String
  public var direction: Metric.Direction
  /// The tuning seeds: none of them is reported.
  public var seeds: [Int]
  /// How many tasks trials learned; nil: all.
  public var tasks: Int?
  /// What a candidate had to keep to.
  public var constraints: [SelectConstraint] = []
  /// The cells that had something to choose, in plan order.
  public var cells: [SelectionCell]

  package init(
    criterion: String, direction: Metric.Direction, seeds: [Int], tasks: Int?, cells: [SelectionCell]
  ) {
    self.criterion = criterion
    self.direction = direction
    self.seeds = seeds
    self.tasks = tasks
    self.cells = cells
  }
}

/// One scenario and strategy (and cell of the sweep) with its trials.
public struct SelectionCell: Sendable, Equatable {
  public let scenario: String
  public let strategy: String
  /// Which accuracy the criterion was computed from.
  public let kind: AccuracyKind
  /// Share of the training rows that trials were judged on; nil: test rows of the tuning seeds.
  public let heldOut: Double?
  /// What tells the cell from others of its scenario and strategy: hyper-parameters of the experiment's own sweep, by the names
  /// of their columns; none where there is no other.
  public var sweep = JSONObject()
  public let trials: [SelectionTrial]
  /// Place of the chosen trial; nil where no trial has the criterion on every seed.
  public var chosen: Int?
  /// Parts that do not help: the best strength for them is 0.
  public var unhelpful: [String] = []

  package init(
    scenario: String, strategy: String, kind: AccuracyKind, heldOut: Double?, trials: [SelectionTrial]
  ) {
    self.scenario = scenario
    self.strategy = strategy
    self.kind = kind
    self.heldOut = heldOut
    self.trials = trials
  }

  /// The place of the best number; of equals the first, never one that is not finite.
  package static func best(_ means: [Double], _ direction: Metric.Direction) -> Int? {
    var best: Int?
    for (index, mean) in means.enumerated() where mean.isFinite {
      guard let known = best else {
        best = index
        continue
      }
      if direction == .lower ? mean < means[known] : mean > means[known] { best = index }
    }
    return best
  }

  /// Hyper-parameters whose chosen value is the smallest or largest of three or more numbers that were tried, and not 0:
  /// a wider range might do better.
  public var atEdge: [String] {
    guard let chosen else { return [] }
    return trials[chosen].values.keys.filter { name in
      let tried = Set(trials.compactMap { $0.values[name]?.double })
      guard tried.count > 2, let value = trials[chosen].values[name]?.double, value != 0 else { return false }
      return value == tried.min() || value == tried.max()
    }
  }
}

/// One candidate and how it did on the tuning seeds.
public struct SelectionTrial: Sendable, Equatable {
  /// The hyper-parameters in which the candidates of the cell differ, by the names of their columns.
  public let values: JSONObject
  /// The criterion on each tuning seed; NaN where the run did not complete or does not have it.
  public let scores: [Double]
  public let runIDs: [String]
  /// What it does not keep to, with its own number: `bytes_kept 5136`.
  public var breaks: [String] = []

  package init(values: JSONObject, scores: [Double], runIDs: [String]) {
    self.values = values
    self.scores = scores
    self.runIDs = runIDs
  }

  /// NaN unless every seed has a score.
  public var mean: Double { scores.reduce(0, +) / Double(scores.count) }

  public static func == (a: SelectionTrial, b: SelectionTrial) -> Bool {
    a.values == b.values && a.runIDs == b.runIDs && a.scores.map(\.bitPattern) == b.scores.map(\.bitPattern)
      && a.breaks == b.breaks
  }
}

// MARK: - JSON

extension Selection {
  /// As the plan keeps it.
  public var json: JSONValue {
    var object: JSONObject = [
      "criterion": JSONValue(criterion), "direction": JSONValue(direction.rawValue),
      "seeds": JSONValue(seeds.map { JSONValue($0) }), "tasks": tasks.map { JSONValue($0) } ?? .null,
      "cells": JSONValue(cells.map(\.json)),
    ]
    if !constraints.isEmpty { object["subject_to"] = JSONValue(constraints.map(\.json)) }
    return JSONValue(object)
  }

  /// - Returns: nil where the JSON is no selection.
  public init?(_ json: JSONValue) {
    guard let criterion = json["criterion"]?.string,
      let direction = json["direction"]?.string.flatMap(Metric.Direction.init(rawValue:)),
      let seeds = json["seeds"]?.array?.compactMap(\.int), let cells = json["cells"]?.array
    else { return nil }
    self.init(
      criterion: criterion, direction: direction, seeds: seeds, tasks: json["tasks"]?.int,
      cells: cells.compactMap(SelectionCell.init))
    constraints = json["subject_to"]?.array?.compactMap(SelectConstraint.init) ?? []
    guard self.cells.count == cells.count else { return nil }
  }
}

extension SelectionCell {
  fileprivate var json: JSONValue {
    var object: JSONObject = [
      "scenario": JSONValue(scenario), "strategy": JSONValue(strategy), "kind": JSONValue(kind.rawValue),
      "held_out": heldOut.map { JSONValue($0) } ?? .null, "chosen": chosen.map { JSONValue($0) } ?? .null,
      "does_not_help": JSONValue(unhelpful.map { JSONValue($0) }), "trials": JSONValue(trials.map(\.json)),
    ]
    if !sweep.isEmpty { object["sweep"] = JSONValue(sweep) }
    return JSONValue(object)
  }

  fileprivate init?(_ json: JSONValue) {
    guard let scenario = json["scenario"]?.string, let strategy = json["strategy"]?.string,
      let kind = json["kind"]?.string.flatMap(AccuracyKind.init(rawValue:)),
      let trials = json["trials"]?.array?.compactMap(SelectionTrial.init), trials.count == json["trials"]?.array?.count
    else { return nil }
    self.init(scenario: scenario, strategy: strategy, kind: kind, heldOut: json["held_out"]?.double, trials: trials)
    chosen = json["chosen"]?.int.flatMap { trials.indices.contains($0) ? $0 : nil }
    unhelpful = json["does_not_help"]?.array?.compactMap(\.string) ?? []
    sweep = json["sweep"]?.object ?? sweep
  }
}

extension SelectionTrial {
  fileprivate var json: JSONValue {
    var object: JSONObject = [
      "values": JSONValue(values), "scores": JSONValue(scores.map { JSONValue($0) }),
      "runs": JSONValue(runIDs.map { JSONValue($0) }),
    ]
    if !breaks.isEmpty { object["breaks"] = JSONValue(breaks.map { JSONValue($0) }) }
    return JSONValue(object)
  }

  fileprivate init?(_ json: JSONValue) {
    guard let values = json["values"]?.object, let scores = json["scores"]?.array,
      let runs = json["runs"]?.array?.compactMap(\.string), runs.count == scores.count
    else { return nil }
    self.init(values: values, scores: scores.map { $0.double ?? .nan }, runIDs: runs)
    breaks = json["breaks"]?.array?.compactMap(\.string) ?? []
  }
}
