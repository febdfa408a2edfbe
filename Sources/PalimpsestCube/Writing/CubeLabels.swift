import HDF5
import PalimpsestMetrics

/// What the places along axes are called. Names may differ from run to run, yet few lists of them do: each stands once in
/// `task_name(task_naming, task)`, and the column `task_names(run)` says which one is a run's. Users and classes likewise.
extension CubeWriter {
  func writeLabels() throws(HDF5Error) {
    for axis in labelledAxes {
      guard let labels = pack.labels[axis], !labels.lists.isEmpty else { continue }
      try write(labels, axis)
    }
  }

  /// Tasks, and what runs name beside them.
  private var labelledAxes: [String] {
    let others = survey.tickedAxes.subtracting([MeasureAxis.task.name])
    return [MeasureAxis.task.name] + others.sorted().filter { axes.length($0) > 0 }
  }

  private func write(_ labels: CubeLabels, _ axis: String) throws(HDF5Error) {
    let names = CubeLabelNames(axis)
    let naming = try root.createDimension(names.dimension, length: labels.lists.count)
    let width = axes.length(axis)
    let texts = labels.lists.flatMap { list in
      list.prefix(width).map(clean) + repeatElement("", count: max(0, width - list.count))
    }
    let dataset = try root.write(names.variable, texts, shape: [labels.lists.count, width])
    try dataset.attributes.set("long_name", "Name of each place along \(axis)")
    try dataset.attach([naming, axes[axis]])
    try column(
      names.column, "Row of \(names.variable) that names the run's places along \(axis)",
      fill: labels.places.contains(-1) ? -1 : nil, labels.places)
  }
}

/// What the datasets of the names along an axis are called.
struct CubeLabelNames {
  let variable: String
  let dimension: String
  let column: String

  init(_ axis: String) {
    variable = axis + "_name"
    dimension = axis + "_naming"
    column = axis + "_names"
  }
}

/// Lists of names, each once, and which is whose.
struct CubeLabels: Sendable {
  private var known: Distinct<[String]>
  /// One a run; −1: none.
  private(set) var places: [Int32] = []

  /// - Parameter lists: those that come first.
  init(_ lists: [[String]] = []) { known = Distinct(lists) }

  /// In the order in which they came up.
  var lists: [[String]] { known.values }

  mutating func add(_ labels: [String]) { places.append(labels.isEmpty ? -1 : known.place(of: labels)) }

  /// Takes those of the runs behind.
  mutating func add(_ others: CubeLabels) {
    let own = known.places(of: others.known)
    places += others.places.map { $0 < 0 ? -1 : own[Int($0)] }
  }
}

extension RunRecord {
  func labels(along axis: String) -> [String] {
    if axis == MeasureAxis.task.name { return tasks }
    if case .labels(let labels)? = ticks[axis] { return labels }
    return []
  }
}
