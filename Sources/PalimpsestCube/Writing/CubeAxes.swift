import HDF5
import PalimpsestMetrics
import PalimpsestResults

/// The dimensions of a cube with their scales, in the order in which they stand in the file: runs, tasks, what else was
/// observed along, configurations, and what other observers added.
struct CubeAxes {
  /// Along which there are configurations; bare.
  static let configuration = "configuration"
  /// Those of `results/1`, in their order.
  private static let usual: [MeasureAxis] = [
    MeasureAxis("run", "Position of the run in the plan"), .afterTask, .task, .otherTask, .evaluation,
    MeasureAxis(configuration, nil),
  ]
  /// Dimensions of the schema.
  static let names = Set(usual.map(\.name) + [MeasureAxis.examplesSeen.name])

  private let lengths: [String: Int]
  private var scales: [String: HDF5Dataset] = [:]

  /// Writes the scales: `run` holds positions in the plan, so it has gaps where runs are missing; the others count from 0,
  /// but where runs say where their places lie.
  init(_ root: HDF5Group, _ runs: FinishedRuns, _ survey: ObservationSurvey) throws(HDF5Error) {
    lengths = CubeAxes.lengths(runs, survey)
    let others = survey.axes.filter { axis in !CubeAxes.usual.contains { $0.name == axis.name } }
    for axis in CubeAxes.usual + others {
      guard let length = lengths[axis.name] else { continue }
      scales[axis.name] = try CubeAxes.scale(root, axis, length, runs, survey)
    }
  }

  private static func scale(
    _ root: HDF5Group, _ axis: MeasureAxis, _ length: Int, _ runs: FinishedRuns, _ survey: ObservationSurvey
  ) throws(HDF5Error) -> HDF5Dataset {
    let isTaken = Cube.fixedNames.contains(axis.name) && !names.contains(axis.name)
    let name = isTaken ? "\(axis.name)_axis" : axis.name
    guard let longName = axis.longName else { return try root.createDimension(name, length: length) }
    if let positions = survey.positions[axis.name], positions.count == length {
      return try root.writeScale(name, clean(longName), positions.map { Int64($0) })
    }
    let values =
      axis.name == "run" ? runs.runs.map { Int32(clamping: $0.index) } : (0..<length).map { Int32($0) }
    return try root.writeScale(name, clean(longName), values)
  }

  /// As long as the longest run; tasks as many as the runs say they have.
  static func lengths(_ runs: FinishedRuns, _ survey: ObservationSurvey) -> [String: Int] {
    var lengths = survey.lengths
    lengths["run"] = runs.count
    lengths[configuration] = runs.plan.configurations.count
    for axis in [MeasureAxis.afterTask, .task, .otherTask] where axis != .otherTask || lengths[axis.name] != nil {
      lengths[axis.name] = survey.tasks
    }
    return lengths
  }

  /// 0 for a dimension that the file does not have.
  func length(_ axis: String) -> Int { lengths[axis] ?? 0 }

  /// - Precondition: the file has the dimension.
  subscript(_ axis: String) -> HDF5Dataset {
    guard let scale = scales[axis] else { preconditionFailure("the cube has no dimension \(axis)") }
    return scale
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
