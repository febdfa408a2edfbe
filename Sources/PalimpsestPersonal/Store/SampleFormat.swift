/// One row of a person: features, what happened, and when.
public struct Sample: Sendable, Equatable {
  /// Seconds on the clock of the event log.
  public let time: Int64
  /// As many as the store has columns.
  public let features: [Float]
  /// 0...255; of a habit 1 where it was kept, else 0.
  public let label: Int

  public init(time: Int64, features: [Float], label: Int) {
    self.time = time
    self.features = features
    self.label = label
  }
}

/// How a ``SampleStore`` keeps features.
public enum SampleFormat: Sendable, Equatable {
  /// Four bytes a feature: every bit is kept.
  case float32(columns: Int)
  /// A byte a feature: the nearest of 256 numbers from a column's lower to its upper end, both among them. One outside becomes the nearest
  /// end. What comes back differs by half a step, (upper − lower)/510, at most.
  case int8([ClosedRange<Float>])

  /// A byte a feature, each in 0...1: the columns of habits.
  public static func int8(columns: Int) -> SampleFormat {
    .int8([ClosedRange<Float>](repeating: 0...1, count: columns))
  }

  /// Features of a row.
  public var columns: Int {
    switch self {
    case .float32(let columns): columns
    case .int8(let ranges): ranges.count
    }
  }

  /// Bytes of a row: 8 of time, 1 of label, the features, 4 of checksum. 23 for ten features of a byte, 53 for ten floats.
  public var bytesPerRow: Int { 13 + featureBytes }

  var featureBytes: Int { if case .float32(let columns) = self { 4 * columns } else { columns } }

  /// Why nothing can be kept so.
  func problem() -> SampleStoreError? {
    guard (1...SampleFormat.mostColumns).contains(columns) else { return .columns(columns) }
    guard case .int8(let ranges) = self else { return nil }
    let wrong = ranges.firstIndex {
      !($0.lowerBound.isFinite && $0.upperBound.isFinite && $0.lowerBound < $0.upperBound)
    }
    return wrong.map { .range(column: $0) }
  }

  static let mostColumns = 65_535
}

/// What a ``SampleStore`` cannot read or take in.
public enum SampleStoreError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The bytes do not begin as those of a store do.
  case notAStore
  /// They are of another version of the format.
  case version(Int)
  /// What stands before the rows is damaged or cut off: how rows were kept is not known.
  case header
  /// The store keeps rows otherwise than was expected.
  case otherFormat
  /// So many columns.
  case columns(Int)
  /// A column, from 0, without a range of two finite ends, the lower one below the upper.
  case range(column: Int)
  /// A row of so many features for a store of so many columns.
  case features(Int, columns: Int)
  /// A feature, from 0, that is no finite number.
  case notFinite(column: Int)
  /// A label outside 0...255.
  case label(Int)

  public var description: String {
    switch self {
    case .notAStore: "these bytes are no samples: they begin with \"PLS\" there"
    case .version(let version): "samples of version \(version); this program reads version \(SampleStore.version)"
    case .header: "the samples' first bytes are damaged; say which format is expected, and their rows can be read"
    case .otherFormat: "the samples are kept in another format than is expected"
    case .columns(let count): "\(count) columns; a store has 1 to \(SampleFormat.mostColumns)"
    case .range(let column): "column \(column) has no range of two finite ends, the lower one below the upper"
    case .features(let count, let columns): "a row of \(count) features for a store of \(columns) columns"
    case .notFinite(let column): "feature \(column) is no finite number; leave the row out or fill it"
    case .label(let label): "the label \(label) is not in 0...255"
    }
  }
}

/// Bytes of a store that were of no use when it was read; all others were.
public enum SampleDamage: Sendable, Equatable, CustomStringConvertible {
  /// What stands before the rows. The expected format took its place.
  case header
  /// A row, from 0 as it stands in the bytes, whose checksum is not that of its bytes; it begins at that byte.
  case row(Int, byte: Int)
  /// A row that was never written to its end: so many bytes, from that byte on.
  case torn(byte: Int, count: Int)

  public var description: String {
    switch self {
    case .header: "the first bytes were damaged; rows were read in the expected format"
    case .row(let row, let byte): "row \(row), at byte \(byte), was damaged and is left out"
    case .torn(let byte, let count):
      "the last \(count) bytes, from byte \(byte) on, are a row that was not written to its end"
    }
  }
}
