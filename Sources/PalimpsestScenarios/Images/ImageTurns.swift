import PalimpsestCore

/// How the images of each task are turned by blending pixels, as ``Rotated`` with `bilinear` does.
public struct ImageTurns: Sendable, Codable, Equatable {
  public var height: Int
  public var width: Int
  /// Counter-clockwise, one a task.
  public var degrees: [Double]

  public init(_ size: ImageSize, degrees: [Double]) {
    (height, width) = (size.height, size.width)
    self.degrees = degrees
  }

  /// The images as a task shows them.
  /// - Parameter values: one upright image a row, of whole numbers from 0 to 255; others count as the nearest of these.
  public func turned(_ values: Matrix, task: Int) -> Matrix {
    let rotation = Rotation(degrees: degrees[task], size: ImageSize(height: height, width: width))
    if rotation.isUpright { return values }
    var turned = values
    for row in 0..<values.rows {
      let bytes = (0..<values.columns).map { nearestByte(values[row, $0]) }
      for (column, byte) in rotation.bilinear(bytes).enumerated() { turned[row, column] = Float(byte) }
    }
    return turned
  }

  func problem(columns: Int) -> String? {
    let (pixels, isTooMany) = height.multipliedReportingOverflow(by: width)
    if height < 1 || width < 1 || isTooMany || pixels != columns {
      return "images of \(height) × \(width) for \(columns) columns"
    }
    return degrees.allSatisfy { abs($0) <= 3600 } ? nil : "images turned by \(degrees) degrees"
  }
}

private func nearestByte(_ x: Float) -> UInt8 { x > 0 ? UInt8(min(x.rounded(), 255)) : 0 }
