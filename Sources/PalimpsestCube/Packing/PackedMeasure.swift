import HDF5
import PalimpsestMetrics
import PalimpsestResults
import Synchronization

/// What all runs observed of a measure, packed some runs at a time and padded along its axes to the longest run.
protocol PackedMeasure: Sendable {
  var measure: Measure { get }
  /// Of one number a run that some completed runs do not have, why.
  var reasons: Reasons { get }

  /// Takes the next runs; from one thread at a time.
  func add(_ rows: [ResultRow])

  /// Writes the dataset; what was taken is gone then.
  func write(_ writer: CubeWriter) throws(HDF5Error) -> HDF5Dataset
}

extension Measure {
  /// - Parameter shape: of its dataset.
  func packed(_ shape: [Int]) -> any PackedMeasure {
    switch storage {
    case .f64: PackedNumbers<Double>(self, shape) { $0 }
    case .f32: PackedNumbers<Float>(self, shape) { Float($0) }
    case .i64: PackedIntegers<Int64>(self, shape) { Int64($0) }
    case .i32: PackedIntegers<Int32>(self, shape) { Int32(clamping: $0) }
    case .i8: PackedIntegers<Int8>(self, shape) { Int8(clamping: $0) }
    }
  }

  fileprivate func storage(of shape: [Int]) -> HDF5Storage { isScalar ? .column(shape[0]) : .runs(of: shape) }
}

/// NaN stands for what is missing.
private final class PackedNumbers<T: HDF5Number & BinaryFloatingPoint>: PackedMeasure {
  let measure: Measure
  private let values: HDF5Rows<T>
  private let convert: @Sendable (Double) -> T
  private let undefined = Mutex(Reasons())

  init(_ measure: Measure, _ shape: [Int], _ convert: @escaping @Sendable (Double) -> T) {
    self.measure = measure
    self.convert = convert
    values = HDF5Rows(shape: shape, storage: measure.storage(of: shape))
  }

  var reasons: Reasons { undefined.withLock { $0 } }

  func add(_ rows: [ResultRow]) {
    var block = PaddedRuns<T>(fill: .nan, Array(values.shape.dropFirst()), runs: rows.count)
    for (run, row) in rows.enumerated() {
      guard let observation = row.entry.record[measure] else { continue }
      switch observation.values {
      case .numbers(let values): block.set(run, observation.axes) { convert(values[$0]) }
      case .integers: block.set(run, observation.axes) { [values = observation.numbers] in convert(values[$0]) }
      }
    }
    values.append(block.values)
    undefined.withLock { $0.add(Reasons(of: measure, rows)) }
  }

  func write(_ writer: CubeWriter) throws(HDF5Error) -> HDF5Dataset { try writer.write(measure, values, fill: .nan) }
}

/// −1 stands for what is missing, and is told to only where something is: readers turn such integers into numbers.
private final class PackedIntegers<T: HDF5Number & FixedWidthInteger>: PackedMeasure {
  private struct State {
    var isPadded = false
    var reasons = Reasons()
  }

  let measure: Measure
  private let values: HDF5Rows<T>
  private let convert: @Sendable (Int) -> T
  private let state = Mutex(State())

  init(_ measure: Measure, _ shape: [Int], _ convert: @escaping @Sendable (Int) -> T) {
    self.measure = measure
    self.convert = convert
    values = HDF5Rows(shape: shape, storage: measure.storage(of: shape))
  }

  var reasons: Reasons { state.withLock { $0.reasons } }

  func add(_ rows: [ResultRow]) {
    let lengths = Array(values.shape.dropFirst())
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
    values.append(block.values)
    state.withLock {
      $0.isPadded = $0.isPadded || isPadded
      $0.reasons.add(Reasons(of: measure, rows))
    }
  }

  func write(_ writer: CubeWriter) throws(HDF5Error) -> HDF5Dataset {
    try writer.write(measure, values, fill: state.withLock { $0.isPadded } ? -1 : nil)
  }
}

extension Reasons {
  /// Why completed runs do not have a measure, where they say so.
  fileprivate init(of measure: Measure, _ rows: [ResultRow]) {
    self.init()
    guard measure.isScalar else { return }
    for row in rows where row.entry.record.status == .completed && row.entry.record.number(measure.name).isNaN {
      if let reason = row.entry.record.whyUndefined(measure.name) { add(reason) }
    }
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
