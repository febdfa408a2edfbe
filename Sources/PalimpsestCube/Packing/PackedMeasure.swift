import HDF5
import PalimpsestMetrics
import PalimpsestResults

/// What all runs observed of a measure, packed some runs at a time and padded along its axes to the longest run.
struct PackedMeasure: Sendable {
  let measure: Measure
  /// Of one number a run that some completed runs do not have, why.
  private(set) var reasons = Reasons()
  /// Whether some run's values are fewer than the longest run's, or none.
  private(set) var isPadded = false
  /// A column of the next runs, without any yet.
  let empty: MeasureColumn
  private let take: @Sendable (MeasureColumn) -> Void
  private let put: @Sendable (CubeWriter, Measure, Bool) throws(HDF5Error) -> HDF5Dataset

  /// - Parameter shape: of its dataset.
  init(_ measure: Measure, _ shape: [Int]) {
    self.measure = measure
    empty = MeasureColumn(measure, Array(shape.dropFirst()))
    let storage: HDF5Storage = measure.isScalar ? .column(shape[0]) : .runs(of: shape)
    (take, put) =
      switch measure.storage {
      case .f64: numbers(HDF5Rows<Double>(shape: shape, storage: storage)) { $0 }
      case .f32: numbers(HDF5Rows<Float>(shape: shape, storage: storage)) { Float($0) }
      case .i64: integers(HDF5Rows<Int64>(shape: shape, storage: storage)) { Int64($0) }
      case .i32: integers(HDF5Rows<Int32>(shape: shape, storage: storage)) { Int32(clamping: $0) }
      case .i8: integers(HDF5Rows<Int8>(shape: shape, storage: storage)) { Int8(clamping: $0) }
      }
  }

  /// Takes the values of the next runs; from one thread at a time.
  func append(_ column: MeasureColumn) { take(column) }

  /// Takes what else there is to say of them.
  mutating func note(_ column: MeasureColumn) {
    reasons.add(column.reasons)
    isPadded = isPadded || column.isPadded
  }

  /// Writes the dataset; what was taken is gone then.
  func write(_ writer: CubeWriter) throws(HDF5Error) -> HDF5Dataset { try put(writer, measure, isPadded) }
}

private typealias Rows = (
  take: @Sendable (MeasureColumn) -> Void, put: @Sendable (CubeWriter, Measure, Bool) throws(HDF5Error) -> HDF5Dataset
)

/// NaN stands for what is missing.
private func numbers<T: HDF5Number & BinaryFloatingPoint>(
  _ rows: HDF5Rows<T>, _ convert: @escaping @Sendable (Double) -> T
) -> Rows {
  (
    { rows.append($0.numbers.values.map(convert)) },
    { (writer, measure, _) throws(HDF5Error) in try writer.write(measure, rows, fill: .nan) }
  )
}

/// −1 stands for what is missing, and is told to only where something is: readers turn such integers into numbers.
private func integers<T: HDF5Number & FixedWidthInteger>(
  _ rows: HDF5Rows<T>, _ convert: @escaping @Sendable (Int) -> T
) -> Rows {
  (
    { rows.append($0.integers.values.map(convert)) },
    { (writer, measure, isPadded) throws(HDF5Error) in try writer.write(measure, rows, fill: isPadded ? -1 : nil) }
  )
}
