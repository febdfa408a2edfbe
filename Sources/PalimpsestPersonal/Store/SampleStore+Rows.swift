import PalimpsestCore

extension SampleStore {
  /// All rows as an update takes them, in their order, of the person's stage.
  public func rows() -> Rows {
    var inputs = Matrix(rows: count, columns: format.columns)
    var features: [Float] = []
    var (labels, times): ([Int32], [Int64]) = ([], [])
    for row in 0..<count {
      let (time, label) = read(row, into: &features)
      for (column, feature) in features.enumerated() { inputs[row, column] = feature }
      labels.append(Int32(label))
      times.append(time)
    }
    return Rows(inputs, .labels(labels), experience: PersonalModel.stage, times: times)
  }
}
