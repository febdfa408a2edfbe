import HDF5
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics

/// The group `selection`: every trial of a `select` block, what it scored on each tuning seed, and which were chosen.
/// Absent where nothing was selected. The runs of the trials themselves are in the cube beside this one
/// (`NAME.tuning.h5`): none of them is among the runs here.
extension CubeWriter {
  func writeSelection() throws(HDF5Error) {
    guard let selection = plan.selection.flatMap(Selection.init) else { return }
    let group = try root.createGroup("selection")
    try group.attributes.set("long_name", "How hyper-parameters were chosen before the runs of this file")
    try group.attributes.set("criterion", clean(selection.criterion))
    try group.attributes.set("direction", selection.direction.rawValue)
    if let tasks = selection.tasks { try group.attributes.set("tasks", Int64(tasks)) }
    if !selection.constraints.isEmpty {
      try group.attributes.set("subject_to", clean(selection.constraints.map(\.words).joined(separator: ", ")))
    }
    try SelectionWriter(group, selection).write()
  }
}

private struct SelectionWriter {
  private let group: HDF5Group
  private let selection: Selection
  private let trial: HDF5Dataset
  private let seed: HDF5Dataset
  private let trials: [TrialRow]

  init(_ group: HDF5Group, _ selection: Selection) throws(HDF5Error) {
    self.group = group
    self.selection = selection
    trials = selection.cells.flatMap { cell in
      cell.trials.enumerated().map { TrialRow(cell: cell, trial: $1, isChosen: cell.chosen == $0) }
    }
    trial = try group.writeScale("trial", "Trial, counted over all cells", (0..<trials.count).map { Int32($0) })
    seed = try group.writeScale("tuning_seed", "Seed of a trial's run", selection.seeds.map { Int64($0) })
  }

  func write() throws(HDF5Error) {
    try column("scenario", "Label of the scenario", trials.map(\.cell.scenario))
    try column("strategy", "Label of the strategy", trials.map(\.cell.strategy))
    try column("values", "Hyper-parameters of the trial that differ within its cell, as JSON", trials.map(\.valuesText))
    for name in names { try writeValues(name) }
    try column("score", "Mean of the criterion over the tuning seeds", trials.map(\.trial.mean), fill: .nan)
    try truths("chosen", "Chosen, and therefore run", trials.map(\.isChosen))
    try truths("does_not_help", "Chosen with strength 0 for some part", trials.map(\.isUseless))
    try column("kind", "Accuracy behind the criterion: sampled or expected", trials.map(\.cell.kind.rawValue))
    try column("held_out", "Share of training rows judged on; NaN: test rows", trials.map(\.heldOut), fill: .nan)
    try writeScores()
  }

  /// Hyper-parameters that differ in any cell, in the order in which they come up.
  private var names: [String] {
    let taken: Set = ["trial", "tuning_seed", "scenario", "strategy", "values", "score", "chosen", "kind", "held_out"]
    return trials.flatMap(\.trial.values.keys).reduce(into: []) { names, name in
      if !names.contains(name) && !taken.contains(name) { names.append(name) }
    }
  }

  /// Numbers where all values are numbers, else text.
  private func writeValues(_ name: String) throws(HDF5Error) {
    let values = trials.map { $0.trial.values[name] }
    if values.allSatisfy({ $0?.double != nil || $0 == nil }) {
      try column(name, "Hyper-parameter of the trial", values.map { $0?.double ?? .nan }, fill: .nan)
    } else {
      try column(name, "Hyper-parameter of the trial", values.map { $0?.plainText ?? "" })
    }
  }

  private func writeScores() throws(HDF5Error) {
    let scores = trials.flatMap(\.trial.scores)
    let dataset = try group.write("seed_score", scores, shape: [trials.count, selection.seeds.count], fill: .nan)
    try dataset.attributes.set("long_name", "The criterion on each tuning seed")
    try dataset.attributes.set("units", "1")
    try dataset.attach([trial, seed])
    let ids = try group.write("run_id", trials.flatMap(\.trial.runIDs), shape: [trials.count, selection.seeds.count])
    try ids.attributes.set("long_name", "Run behind the score")
    try ids.attach([trial, seed])
  }

  private func column(_ name: String, _ longName: String, _ values: [Double], fill: Double) throws(HDF5Error) {
    let dataset = try group.write(name, values, shape: [values.count], fill: fill)
    try dataset.attributes.set("units", "1")
    try describe(dataset, longName)
  }

  private func column(_ name: String, _ longName: String, _ values: [String]) throws(HDF5Error) {
    try describe(try group.write(name, values.map(clean)), longName)
  }

  private func truths(_ name: String, _ longName: String, _ values: [Bool]) throws(HDF5Error) {
    let dataset = try group.write(name, values.map { Int8($0 ? 1 : 0) }, shape: [values.count])
    try dataset.attributes.set("dtype", "bool")
    try describe(dataset, longName)
  }

  private func describe(_ dataset: HDF5Dataset, _ longName: String) throws(HDF5Error) {
    try dataset.attributes.set("long_name", longName)
    try dataset.attach(trial, axis: 0)
  }
}

/// A trial with what its cell says of it.
private struct TrialRow {
  let cell: SelectionCell
  let trial: SelectionTrial
  let isChosen: Bool

  var valuesText: String { JSONValue(trial.values).compactText }
  var isUseless: Bool { isChosen && !cell.unhelpful.isEmpty }
  var heldOut: Double { cell.heldOut ?? .nan }
}
