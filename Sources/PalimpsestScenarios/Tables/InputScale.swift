import PalimpsestCore

/// How input values are scaled before a network sees them.
///
/// Least, largest, mean and deviation are those of all training rows of the data set, whatever rows a task takes of
/// them. Test rows are scaled by the same figures and may leave [0, 1].
public enum InputScale: String, ParameterChoice {
  /// To [0, 1]: pixels over the largest value a pixel can have (255 for bytes; in a table of images the largest there
  /// is), columns of other tables between their least and largest value.
  case unit
  /// Mean 0 and deviation 1 (divided by n): one pair of figures for all pixels of images, one a column of other tables.
  case standard
  /// As in the file.
  case none
}

extension Dataset {
  /// All rows, scaled. Images become (or stay) bytes, other tables floats; a column that never varies becomes 0.
  ///
  /// - Parameter scale: what a scenario's parameter says; its figures are those of the rows in ``training``.
  /// - Returns: as many rows and columns, in the same order.
  /// - Cost: one pass over the training rows for its figures; floats are copied once, bytes are shared.
  public func table(scaled scale: InputScale) -> Table {
    if let pixels = Pixels(self, scale) { return pixels.table }
    guard let values = inputs.rawFloats, scale != .none else { return inputs }
    return Table(scaled(values, by: scalings(scale)), columns: inputs.columns)
  }

  /// How ``table(scaled:)`` scales a value, for ``InputDescription/scales``: the same for all pixels of images, else column by
  /// column; none where values stay as they are.
  public func scalings(_ scale: InputScale) -> [InputScaling] {
    if let pixels = Pixels(self, scale) { return [.pixel(factor: pixels.factor, offset: pixels.offset)] }
    guard let values = inputs.rawFloats, scale != .none else { return [] }
    return (0..<inputs.columns).map { column in
      scale == .unit ? extent(of: column, values) : spread(of: column, values)
    }
  }

  /// A column's least value, and its largest above it.
  private func extent(of column: Int, _ values: FloatBuffer) -> InputScaling {
    values.withSpan { values in
      var least = Float.infinity
      var largest = -Float.infinity
      for row in training {
        least = min(least, values[row * inputs.columns + column])
        largest = max(largest, values[row * inputs.columns + column])
      }
      return .column(shift: least, divisor: largest - least)
    }
  }

  /// A column's mean, and its deviation.
  private func spread(of column: Int, _ values: FloatBuffer) -> InputScaling {
    values.withSpan { values in
      var sum = 0.0
      for row in training { sum += Double(values[row * inputs.columns + column]) }
      let mean = sum / Double(training.count)
      var squares = 0.0
      for row in training {
        let distance = Double(values[row * inputs.columns + column]) - mean
        squares += distance * distance
      }
      return .column(shift: Float(mean), divisor: Float((squares / Double(training.count)).squareRoot()))
    }
  }

  private func scaled(_ values: FloatBuffer, by scales: [InputScaling]) -> FloatBuffer {
    var result = values
    result.withMutableSpan { values in
      for row in 0..<inputs.rows {
        for column in scales.indices {
          let place = row * scales.count + column
          values[place] = scales[column].apply(values[place])
        }
      }
    }
    return result
  }
}
