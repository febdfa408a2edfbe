import HDF5
import PalimpsestMetrics
import PalimpsestResults

/// A dimension of the cube.
enum CubeAxis: String, CaseIterable {
  case run
  case afterTask = "after_task"
  case task
  /// The second task of a pair.
  case taskOther = "task_other"
  /// Evaluations within tasks, counted over the whole run.
  case evaluation
  case configuration
}

/// The dimensions with their scales, in the order in which they stand in the file.
struct CubeAxes {
  private let lengths: [CubeAxis: Int]
  private let scales: [CubeAxis: HDF5Dataset]

  /// Writes the scales: `run` holds positions in the plan, so it has gaps where runs are missing; the other coordinates
  /// count from 0.
  init(_ root: HDF5Group, _ results: Results) throws(HDF5Error) {
    let lengths = CubeAxes.lengths(results)
    var scales: [CubeAxis: HDF5Dataset] = [:]
    for axis in CubeAxis.allCases {
      guard let length = lengths[axis] else { continue }
      switch axis.longName {
      case let longName?:
        let values = axis == .run ? results.rows.map { Int32(clamping: $0.run.index) } : (0..<length).map { Int32($0) }
        scales[axis] = try root.writeScale(axis.rawValue, longName, values)
      case nil: scales[axis] = try root.createDimension(axis.rawValue, length: length)
      }
    }
    self.lengths = lengths
    self.scales = scales
  }

  /// 0 for a dimension that the file does not have.
  func length(_ axis: CubeAxis) -> Int { lengths[axis] ?? 0 }

  func has(_ axis: CubeAxis) -> Bool { lengths[axis] != nil }

  /// - Precondition: the file has the dimension.
  subscript(_ axis: CubeAxis) -> HDF5Dataset {
    guard let scale = scales[axis] else { preconditionFailure("the cube has no dimension \(axis.rawValue)") }
    return scale
  }

  private static func lengths(_ results: Results) -> [CubeAxis: Int] {
    let tasks = results.rows.reduce(0) { max($0, $1.entry.record.tasks.count) }
    let evaluations = results.rows.reduce(0) { max($0, $1.entry.record.curve.count) }
    var lengths: [CubeAxis: Int] = [
      .run: results.rows.count, .afterTask: tasks, .task: tasks, .configuration: results.plan.configurations.count,
    ]
    if results.rows.contains(where: { $0.entry.record.truth != nil }) { lengths[.taskOther] = tasks }
    if evaluations > 0 { lengths[.evaluation] = evaluations }
    return lengths
  }
}

extension CubeAxis {
  /// What its coordinates are; nil for a bare dimension.
  fileprivate var longName: String? {
    switch self {
    case .run: "Position of the run in the plan"
    case .afterTask: "Last task trained on"
    case .task: "Task evaluated"
    case .evaluation: "Index of the evaluation within tasks"
    case .taskOther, .configuration: nil
    }
  }
}

extension HDF5Group {
  func writeScale<T: HDF5Number>(
    _ name: String, _ longName: String, _ values: [T]
  ) throws(HDF5Error) -> HDF5Dataset {
    let scale = try write(name, values, shape: [values.count])
    try scale.attributes.set("long_name", longName)
    try scale.attributes.set("units", "1")
    try scale.makeScale()
    return scale
  }
}
