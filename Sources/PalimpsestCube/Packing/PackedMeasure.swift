import HDF5
import PalimpsestMetrics
import PalimpsestResults
import PalimpsestRuns
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
    var finder = ObservationFinder(measure)
    for (run, row) in rows.enumerated() {
      guard let observation = finder.observation(of: row) else { continue }
      switch observation.values {
      case .numbers(let values): block.set(run, observation.axes) { convert(values[$0]) }
      case .integers: block.set(run, observation.axes) { [values = observation.numbers] in convert(values[$0]) }
      }
    }
    values.append(block.values)
    undefined.withLock { $0.add(finder.reasons) }
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
    var finder = ObservationFinder(measure)
    for (run, row) in rows.enumerated() {
      guard let observation = finder.observation(of: row), let values = observation.integers else {
        isPadded = true
        continue
      }
      isPadded = isPadded || observation.axes.map(\.length) != lengths
      block.set(run, observation.axes) { convert(values[$0]) }
    }
    values.append(block.values)
    state.withLock {
      $0.isPadded = $0.isPadded || isPadded
      $0.reasons.add(finder.reasons)
    }
  }

  func write(_ writer: CubeWriter) throws(HDF5Error) -> HDF5Dataset {
    try writer.write(measure, values, fill: state.withLock { $0.isPadded } ? -1 : nil)
  }
}

/// Finds what run after run observed of a measure: mostly in the place where the run before has it.
private struct ObservationFinder {
  private let measure: Measure
  private var place = 0
  /// Why completed runs do not have the measure's number, where they say so.
  private(set) var reasons = Reasons()

  init(_ measure: Measure) { self.measure = measure }

  /// What a run observed, where it is along the axes of the measure.
  mutating func observation(of row: ResultRow) -> Observation? {
    let found = find(row.entry)
    if measure.isScalar, row.entry.record.status == .completed, found?.isNumber != true,
      let reason = row.entry.record.whyUndefined(measure.name)
    {
      reasons.add(reason)
    }
    guard let found, found.axes.count == measure.axes.count,
      zip(found.axes, measure.axes).allSatisfy({ $0.name == $1.name })
    else { return nil }
    return found
  }

  private mutating func find(_ entry: JournalEntry) -> Observation? {
    let observations = entry.record.observations
    if place < observations.count, observations[place].name == measure.name { return observations[place] }
    guard let found = observations.firstIndex(where: { $0.name == measure.name }) else { return nil }
    place = found
    return observations[found]
  }
}

extension Observation {
  /// One number, and it was measured.
  fileprivate var isNumber: Bool { axes.isEmpty && !numbers[0].isNaN }
}
