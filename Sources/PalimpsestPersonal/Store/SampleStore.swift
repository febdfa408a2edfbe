import PalimpsestCore

/// A person's rows, as an app keeps them from day to day: append-only bytes with a checksum a row. It touches no file; the app writes ``bytes``, or
/// appends what ``append(_:)`` returns.
///
///     var store = try SampleStore(reading: bytes, expecting: .int8(columns: 10))
///     if !store.damage.isEmpty { replace(file, with: store.bytes) }
///     file.append(try store.append(sample))
///
/// The bytes: a header ("PLS", the version, the format, columns, ranges, its CRC-32), then rows of equal length: time, label, features, CRC-32
/// of these; numbers are little-endian. Since rows are of equal length and each has its own checksum, damage costs what it hit and nothing else: a
/// row that was damaged, or not written to its end when the app was killed, is left out and told in ``damage``. Then the file is to be replaced by ``bytes``,
/// for what would be appended behind a torn row could not be read.
///
/// - Memory: ``SampleFormat/bytesPerRow`` a row: 23 for ten features of a byte (11 of them features and label).
public struct SampleStore: Sendable, Equatable {
  /// Of the format.
  public static let version = 1
  private static let magic = [UInt8]("PLS".utf8)

  public let format: SampleFormat
  /// What the file is to hold.
  public private(set) var bytes: [UInt8]
  /// What was of no use in the bytes that were read.
  public private(set) var damage: [SampleDamage] = []
  private let headerLength: Int

  /// An empty store.
  /// - Throws: ``SampleStoreError/columns(_:)``, ``SampleStoreError/range(column:)``.
  public init(_ format: SampleFormat) throws(SampleStoreError) {
    if let problem = format.problem() { throw problem }
    self.format = format
    bytes = SampleStore.header(of: format)
    headerLength = bytes.count
  }

  /// What was kept.
  ///
  /// - Parameter expected: what the rows are known to be kept in. With it they are read where the header is damaged, too; any other format is refused.
  /// - Throws: ``SampleStoreError`` where the bytes are no store, of another version, of a damaged header that nothing expected
  ///   can take the place of, or of a format that is not expected. Damaged rows throw nothing: see ``damage``.
  public init(reading bytes: [UInt8], expecting expected: SampleFormat? = nil) throws(SampleStoreError) {
    let found: SampleFormat?
    do throws(SampleStoreError) {
      found = try SampleStore.format(of: bytes)
    } catch {
      guard let expected, error == .header || SampleStore.isDamaged(header: bytes, of: expected) else { throw error }
      found = nil
    }
    if let found, let expected, found != expected { throw .otherFormat }
    guard let format = found ?? expected else { throw .header }
    try self.init(format)
    if found == nil { damage.append(.header) }
    takeRows(of: bytes)
  }

  /// Rows.
  public var count: Int { (bytes.count - headerLength) / format.bytesPerRow }

  /// A row, from 0, the oldest first.
  public subscript(row: Int) -> Sample {
    var features: [Float] = []
    let (time, label) = read(row, into: &features)
    return Sample(time: time, features: features, label: label)
  }

  /// A row's features take the place of what `features` holds, in its memory where that is large enough.
  /// - Parameter row: from 0, the oldest first.
  @discardableResult
  public func read(_ row: Int, into features: inout [Float]) -> (time: Int64, label: Int) {
    precondition(row >= 0 && row < count, "row \(row) of \(count)")
    let place = headerLength + row * format.bytesPerRow
    features.removeAll(keepingCapacity: true)
    for column in 0..<format.columns { features.append(feature(column, of: place + 9)) }
    return (bytes.number(Int64.self, at: place), Int(bytes[place + 8]))
  }

  /// Takes a row in.
  ///
  /// - Returns: its bytes, to be appended to the file.
  /// - Throws: ``SampleStoreError`` where features are not as many as the columns, or no finite numbers, or the label is outside 0...255;
  ///   the store is then as it was.
  @discardableResult
  public mutating func append(_ sample: Sample) throws(SampleStoreError) -> ArraySlice<UInt8> {
    guard sample.features.count == format.columns else {
      throw .features(sample.features.count, columns: format.columns)
    }
    if let column = sample.features.firstIndex(where: { !$0.isFinite }) { throw .notFinite(column: column) }
    guard let label = UInt8(exactly: sample.label) else { throw .label(sample.label) }
    let start = bytes.count
    bytes.append(number: sample.time)
    bytes.append(label)
    for (column, feature) in sample.features.enumerated() { append(feature, column) }
    bytes.append(number: Checksum.crc32(bytes[start...]))
    return bytes[start...]
  }

  /// Forgets all rows: their bytes are overwritten, then given back. ``bytes`` holds a header alone, and is to replace the file.
  public mutating func erase() {
    for place in bytes.indices.dropFirst(headerLength) { bytes[place] = 0 }
    bytes = [UInt8](bytes.prefix(headerLength))
    damage = []
  }

  // MARK: - Rows

  private mutating func takeRows(of source: [UInt8]) {
    var place = headerLength
    let length = format.bytesPerRow
    while place + length <= source.count {
      let end = place + length
      if Checksum.crc32(source[place..<(end - 4)]) == source.number(UInt32.self, at: end - 4) {
        bytes += source[place..<end]
      } else {
        damage.append(.row((place - headerLength) / length, byte: place))
      }
      place = end
    }
    if place < source.count { damage.append(.torn(byte: place, count: source.count - place)) }
  }

  private mutating func append(_ feature: Float, _ column: Int) {
    guard case .int8(let ranges) = format else { return bytes.append(number: feature.bitPattern) }
    let (low, high) = (Double(ranges[column].lowerBound), Double(ranges[column].upperBound))
    let code = ((Double(feature) - low) / (high - low) * 255).rounded(.toNearestOrEven)
    bytes.append(UInt8(min(255, max(0, code))))
  }

  private func feature(_ column: Int, of place: Int) -> Float {
    guard case .int8(let ranges) = format else {
      return Float(bitPattern: bytes.number(UInt32.self, at: place + 4 * column))
    }
    let (low, high) = (Double(ranges[column].lowerBound), Double(ranges[column].upperBound))
    return Float(low + (high - low) * (Double(bytes[place + column]) / 255))
  }

  // MARK: - Header

  private static func header(of format: SampleFormat) -> [UInt8] {
    var bytes = magic + [UInt8(version)]
    if case .int8 = format { bytes.append(1) } else { bytes.append(0) }
    bytes.append(number: UInt16(format.columns))
    if case .int8(let ranges) = format {
      for range in ranges {
        bytes.append(number: range.lowerBound.bitPattern)
        bytes.append(number: range.upperBound.bitPattern)
      }
    }
    bytes.append(number: Checksum.crc32(bytes[...]))
    return bytes
  }

  private static func format(of bytes: [UInt8]) throws(SampleStoreError) -> SampleFormat {
    guard bytes.starts(with: magic) else { throw .notAStore }
    guard bytes.count >= 7 else { throw .header }
    guard bytes[3] == version else { throw .version(Int(bytes[3])) }
    let columns = Int(bytes.number(UInt16.self, at: 5))
    let end = bytes[4] == 1 ? 7 + 8 * columns : 7
    guard bytes[4] <= 1, bytes.count >= end + 4, Checksum.crc32(bytes[..<end]) == bytes.number(UInt32.self, at: end)
    else {
      throw .header
    }
    guard bytes[4] == 1 else { return .float32(columns: columns) }
    return .int8(try (0..<columns).map { column throws(SampleStoreError) in try range(column, of: bytes) })
  }

  /// Bytes that begin as a store of that format does, but for damage: to the checksum alone, or to what it is of, or cut off.
  private static func isDamaged(header bytes: [UInt8], of format: SampleFormat) -> Bool {
    guard format.problem() == nil else { return false }
    let whole = header(of: format)
    let found = bytes.prefix(whole.count)
    guard found.count == whole.count else { return !found.isEmpty && whole.starts(with: found) }
    return found.dropLast(4) == whole.dropLast(4) || found.suffix(4) == whole.suffix(4)
  }

  private static func range(_ column: Int, of bytes: [UInt8]) throws(SampleStoreError) -> ClosedRange<Float> {
    let low = Float(bitPattern: bytes.number(UInt32.self, at: 7 + 8 * column))
    let high = Float(bitPattern: bytes.number(UInt32.self, at: 11 + 8 * column))
    guard low < high else { throw .range(column: column) }
    return low...high
  }
}
