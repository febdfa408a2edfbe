import PalimpsestCore

/// The images of a data set as bytes, with the factor and the offset that scale them: what paddings and rotations work
/// on. A place outside an image is byte 0, scaled like any other.
struct Pixels: Sendable {
  let bytes: [UInt8]
  /// Pixels a row.
  let columns: Int
  let factor: Float
  let offset: Float

  /// Nil where the data set holds neither bytes nor images of whole numbers from 0 to 255.
  init?(_ dataset: Dataset, _ scale: InputScale) {
    guard let (bytes, peak) = dataset.pixels else { return nil }
    self.bytes = bytes
    columns = dataset.inputs.columns
    switch scale {
    case .none: (factor, offset) = (1, 0)
    case .unit: (factor, offset) = (1 / Float(peak), 0)
    case .standard:
      let training = bytes[dataset.training.lowerBound * columns..<dataset.training.upperBound * columns]
      (factor, offset) = standardScale(training)
    }
  }

  var table: Table { table(of: bytes) }

  /// Other bytes of the same columns under the same scale.
  func table(of bytes: [UInt8]) -> Table { Table(bytes: bytes, columns: columns, scale: factor, offset: offset) }
}

/// The factor and offset that give bytes mean 0 and deviation 1; both 0 where all bytes are equal.
private func standardScale(_ bytes: ArraySlice<UInt8>) -> (Float, Float) {
  var counts = [Int](repeating: 0, count: 256)
  for byte in bytes { counts[Int(byte)] += 1 }
  let mean = counts.indices.reduce(0.0) { $0 + Double($1 * counts[$1]) } / Double(bytes.count)
  let squares = counts.indices.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) * Double(counts[$1]) }
  let deviation = (squares / Double(bytes.count)).squareRoot()
  return deviation > 0 ? (Float(1 / deviation), Float(-mean / deviation)) : (0, 0)
}

extension Dataset {
  /// The bytes, and the largest value a pixel has: 255 for bytes, in a table of images the largest of the training
  /// rows.
  fileprivate var pixels: (bytes: [UInt8], peak: UInt8)? {
    if let bytes = inputs.rawBytes { return (bytes, 255) }
    guard image != nil, let values = inputs.rawFloats, let bytes = wholeBytes(values) else { return nil }
    let training = bytes[training.lowerBound * inputs.columns..<training.upperBound * inputs.columns]
    return (bytes, max(1, training.max() ?? 1))
  }

  private func wholeBytes(_ values: FloatBuffer) -> [UInt8]? {
    values.withSpan { values in
      var bytes: [UInt8] = []
      bytes.reserveCapacity(values.count)
      for i in values.indices {
        guard let byte = UInt8(exactly: values[i]) else { return nil }
        bytes.append(byte)
      }
      return bytes
    }
  }
}
