import HDF5
import PalimpsestMetrics

/// What runs observed: one dataset a measure, padded along its axes to the longest run.
extension CubeWriter {
  /// - Parameter subjects: of the measures meant.
  func writeMeasures(_ subjects: Measure.Subject...) throws(HDF5Error) {
    for measure in survey.measures where subjects.contains(measure.subject) {
      let dataset = try write(measure)
      if !measure.flags.isEmpty { try write(measure.flags, measure.storage, to: dataset) }
      if !measure.definition.isEmpty { try dataset.attributes.set("definition", clean(measure.definition)) }
      if let text = whyUndefined(measure) { try dataset.attributes.set("undefined_because", clean(text)) }
      if Measure.standard[measure.name] == nil && measure.isRepeatable {
        try dataset.attributes.set(Cube.repeatable, "bit for bit")
      }
    }
  }

  /// As the CF conventions have it: values of the dataset's own type, and a word for each.
  private func write(_ flags: [Measure.Flag], _ storage: Measure.Storage, to dataset: HDF5Dataset) throws(HDF5Error) {
    let (attributes, values) = (dataset.attributes, flags.map(\.value))
    switch storage {
    case .f64: try attributes.set("flag_values", values.map { Double($0) })
    case .f32: try attributes.set("flag_values", values.map { Float($0) })
    case .i64: try attributes.set("flag_values", values.map { Int64($0) })
    case .i32: try attributes.set("flag_values", values.map { Int32(clamping: $0) })
    case .i8: try attributes.set("flag_values", values.map { Int8(clamping: $0) })
    }
    try attributes.set("flag_meanings", flags.map(\.meaning).joined(separator: " "))
  }

  /// Of one number a run that some runs do not have, where they say why.
  private func whyUndefined(_ measure: Measure) -> String? {
    guard measure.isScalar else { return nil }
    let without = rows.lazy.map(\.entry.record).filter { $0.status == .completed && $0.number(measure.name).isNaN }
    return Reasons(without.compactMap { $0.whyUndefined(measure.name) }).text
  }

  private func write(_ measure: Measure) throws(HDF5Error) -> HDF5Dataset {
    switch measure.storage {
    case .f64: try writeNumbers(measure) { $0 }
    case .f32: try writeNumbers(measure) { Float($0) }
    case .i64: try writeIntegers(measure) { Int64($0) }
    case .i32: try writeIntegers(measure) { Int32(clamping: $0) }
    case .i8: try writeIntegers(measure) { Int8(clamping: $0) }
    }
  }

  /// NaN stands for what is missing.
  private func writeNumbers<T: HDF5Number & BinaryFloatingPoint>(
    _ measure: Measure, _ convert: (Double) -> T
  ) throws(HDF5Error) -> HDF5Dataset {
    var block = PaddedRuns<T>(fill: .nan, measure.axes.map { axes.length($0.name) }, runs: rows.count)
    for (run, row) in rows.enumerated() {
      guard let observation = row.entry.record[measure] else { continue }
      switch observation.values {
      case .numbers(let values): block.set(run, observation.axes) { convert(values[$0]) }
      case .integers: block.set(run, observation.axes) { [values = observation.numbers] in convert(values[$0]) }
      }
    }
    return try write(measure, block.values, fill: .nan)
  }

  /// −1 stands for what is missing, and is told to only where something is: readers turn such integers into numbers.
  private func writeIntegers<T: HDF5Number & FixedWidthInteger>(
    _ measure: Measure, _ convert: (Int) -> T
  ) throws(HDF5Error) -> HDF5Dataset {
    let lengths = measure.axes.map { axes.length($0.name) }
    var block = PaddedRuns<T>(fill: -1, lengths, runs: rows.count)
    var isPadded = false
    for (run, row) in rows.enumerated() {
      guard let observation = row.entry.record[measure], let values = observation.integers else {
        isPadded = true
        continue
      }
      isPadded = isPadded || observation.axes.map(\.length) != lengths
      block.set(run, observation.axes) { convert(values[$0]) }
    }
    return try write(measure, block.values, fill: isPadded ? -1 : nil)
  }

  /// True of what is the name of a column that says what a run is.
  private func isTaken(_ name: String) -> Bool { Cube.columns.contains(name) || hyperparameterNames.contains(name) }

  private func write<T: HDF5Number>(_ measure: Measure, _ values: [T], fill: T?) throws(HDF5Error) -> HDF5Dataset {
    let name = isTaken(measure.name.text) ? Cube.measuredPrefix + measure.name.text : measure.name.text
    if measure.isScalar {
      return try column(name, clean(measure.longName), units: clean(measure.unit), fill: fill, values)
    }
    let shape = measure.dimensions.map { axes.length($0) }
    let dataset = try root.write(name, values, shape: shape, storage: .runs(of: shape), fill: fill)
    try dataset.attributes.set("long_name", clean(measure.longName))
    try dataset.attributes.set("units", clean(measure.unit))
    return try dataset.attach(measure.dimensions.map { axes[$0] })
  }
}

extension RunRecord {
  /// What was observed, where it is along the axes of its measure.
  fileprivate subscript(measure: Measure) -> Observation? {
    guard let observation = self[measure.name], observation.axes.count == measure.axes.count,
      zip(observation.axes, measure.axes).allSatisfy({ $0.name == $1.name })
    else { return nil }
    return observation
  }
}

extension Cube {
  /// Before the name of a measure, or of somebody's own metric, where the file has that name for something else.
  static let measuredPrefix = "measured_"

  /// The attribute of datasets that the toolkit does not know itself: the same run has the same values anywhere.
  static let repeatable = "repeatable"
}

/// The values of all runs in one array, each run's padded to the same lengths.
struct PaddedRuns<T> {
  private(set) var values: [T]
  private let lengths: [Int]
  private let perRun: Int

  init(fill: T, _ lengths: [Int], runs: Int) {
    self.lengths = lengths
    perRun = lengths.reduce(1, *)
    values = [T](repeating: fill, count: runs * perRun)
  }

  /// Takes as much of a run's values as fits.
  mutating func set(_ run: Int, _ axes: [Axis], _ value: (Int) -> T) { copy(axes, 0, 0, run * perRun, value) }

  /// - Parameters:
  ///   - from: the place along the axes before, in the run's own array.
  ///   - to: where that begins in this one.
  private mutating func copy(_ axes: [Axis], _ level: Int, _ from: Int, _ to: Int, _ value: (Int) -> T) {
    guard level < axes.count else { return values[to] = value(from) }
    let length = axes[level].length
    let steps = lengths[(level + 1)...].reduce(1, *)
    let isLast = level + 1 == axes.count
    for i in 0..<min(length, lengths[level]) {
      if isLast {
        values[to + i] = value(from * length + i)
      } else {
        copy(axes, level + 1, from * length + i, to + i * steps, value)
      }
    }
  }
}
