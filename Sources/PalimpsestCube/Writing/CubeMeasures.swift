import HDF5
import PalimpsestMetrics

/// What runs observed: one dataset a measure, padded along its axes to the longest run.
extension CubeWriter {
  /// - Parameter subjects: of the measures meant.
  func writeMeasures(_ subjects: Measure.Subject...) throws(HDF5Error) {
    for packed in pack.measures where subjects.contains(packed.measure.subject) {
      let measure = packed.measure
      let dataset = try packed.write(self)
      if !measure.flags.isEmpty { try write(measure.flags, measure.storage, to: dataset) }
      if !measure.definition.isEmpty { try dataset.attributes.set("definition", clean(measure.definition)) }
      if let text = packed.reasons.text { try dataset.attributes.set("undefined_because", clean(text)) }
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

  /// True of what is the name of a column that says what a run is.
  private func isTaken(_ name: String) -> Bool { Cube.columns.contains(name) || hyperparameterNames.contains(name) }

  /// One dataset along the runs and the axes of a measure.
  func write<T: HDF5Number>(_ measure: Measure, _ values: HDF5Rows<T>, fill: T?) throws(HDF5Error) -> HDF5Dataset {
    let name = isTaken(measure.name.text) ? Cube.measuredPrefix + measure.name.text : measure.name.text
    if measure.isScalar {
      return try column(name, clean(measure.longName), units: clean(measure.unit), fill: fill, values)
    }
    let dataset = try root.write(name, values, fill: fill)
    try dataset.attributes.set("long_name", clean(measure.longName))
    try dataset.attributes.set("units", clean(measure.unit))
    return try dataset.attach(measure.dimensions.map { axes[$0] })
  }
}

extension Cube {
  /// Before the name of a measure, or of somebody's own metric, where the file has that name for something else.
  static let measuredPrefix = "measured_"

  /// The attribute of datasets that the toolkit does not know itself: the same run has the same values anywhere.
  static let repeatable = "repeatable"
}
