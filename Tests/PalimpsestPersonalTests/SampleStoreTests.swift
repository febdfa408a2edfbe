import PalimpsestCore
import PalimpsestPersonal
import Testing

@Suite struct SampleStoreTests {
  private func sample(_ row: Int, columns: Int = 3) -> Sample {
    Sample(
      time: Int64(row) * 86_400 - 3, features: (0..<columns).map { Float(Seed(1).uniform(row, $0, 0)) }, label: row % 2)
  }

  private func store(_ format: SampleFormat, rows: Int) throws -> SampleStore {
    var store = try SampleStore(format)
    for row in 0..<rows { try store.append(sample(row, columns: format.columns)) }
    return store
  }

  private static let formats: [SampleFormat] = [
    .float32(columns: 3), .int8(columns: 3), .int8([-2...5, 0...1, -1e30...3e38]),
  ]

  @Test(arguments: formats)
  func `what was written is read`(format: SampleFormat) throws {
    let store = try store(format, rows: 40)
    let read = try SampleStore(reading: store.bytes)
    #expect(read == store && read.count == 40 && read.damage == [] && read.format == format)
    #expect(try SampleStore(reading: store.bytes, expecting: format) == store)
    for row in 0..<40 {
      let (back, was) = (read[row], sample(row))
      #expect(back.time == was.time && back.label == was.label)
      guard case .int8(let ranges) = format else {
        #expect(back.features == was.features)
        continue
      }
      for column in 0..<3 {
        let step = (Double(ranges[column].upperBound) - Double(ranges[column].lowerBound)) / 255
        #expect(abs(Double(back.features[column]) - Double(was.features[column])) <= step * 0.500001)
      }
    }
  }

  @Test func `floats keep every bit, bytes the ends of their range and what lies outside as the nearest end`() throws {
    let special: [Float] = [-0.0, .leastNonzeroMagnitude, -.greatestFiniteMagnitude]
    var floats = try SampleStore(.float32(columns: 3))
    try floats.append(Sample(time: .min, features: special, label: 255))
    #expect(floats[0].features.map(\.bitPattern) == special.map(\.bitPattern))
    #expect(floats[0].time == .min && floats[0].label == 255)
    var bytes = try SampleStore(.int8([0...1, -2...2, 0...1]))
    try bytes.append(Sample(time: .max, features: [1, -2, 0], label: 0))
    try bytes.append(Sample(time: 0, features: [7, -1e30, -0.1], label: 0))
    #expect(bytes[0].features == [1, -2, 0] && bytes[0].time == .max)
    #expect(bytes[1].features == [1, -2, 0])
  }

  /// A row of a day: 8 B of time, 1 of label, 10 of features, 4 of checksum.
  @Test func `ten features take 23 bytes a row, or 53 as floats`() throws {
    let (small, large) = (try store(.int8(columns: 10), rows: 180), try store(.float32(columns: 10), rows: 180))
    #expect(small.bytes.count == 7 + 80 + 4 + 180 * 23 && large.bytes.count == 7 + 4 + 180 * 53)
    #expect(SampleFormat.int8(columns: 10).bytesPerRow == 23)
  }

  @Test func `appending to the file what append returns makes the file`() throws {
    var (store, file) = (try SampleStore(.int8(columns: 3)), [UInt8]())
    file += store.bytes
    for row in 0..<9 { file += try store.append(sample(row)) }
    #expect(file == store.bytes)
  }

  @Test func `the first bytes are those of the format`() throws {
    let store = try SampleStore(.float32(columns: 2))
    #expect(store.bytes.prefix(7) == [0x50, 0x4C, 0x53, 1, 0, 2, 0])
    // python3: zlib.crc32(b"PLS\x01\x00\x02\x00").to_bytes(4, "little")
    #expect(store.bytes.suffix(4) == [0x22, 0x4C, 0x1A, 0x33])
  }

  // MARK: - Damage

  @Test(arguments: [SampleFormat.float32(columns: 3), .int8(columns: 3)])
  func `a row that was not written to its end is left out and told`(format: SampleFormat) throws {
    let whole = try store(format, rows: 4)
    let length = format.bytesPerRow
    let start = whole.bytes.count - length
    for cut in 1..<length {
      let read = try SampleStore(reading: Array(whole.bytes.dropLast(cut)))
      #expect(read.damage == [.torn(byte: start, count: length - cut)])
      #expect(read.count == 3 && (0..<3).allSatisfy { read[$0] == whole[$0] })
      // What is to replace the file is whole again.
      #expect(try SampleStore(reading: read.bytes).damage == [])
    }
    let clean = try SampleStore(reading: Array(whole.bytes.dropLast(length)))
    #expect(clean.damage == [] && clean.count == 3)
  }

  /// Every bit of a small file: in the header it is an error, in a row that row is lost and no other.
  @Test(arguments: [SampleFormat.float32(columns: 3), .int8(columns: 3)])
  func `a flipped bit costs one row and nothing else`(format: SampleFormat) throws {
    let whole = try store(format, rows: 5)
    let header = whole.bytes.count - 5 * format.bytesPerRow
    for bit in 0..<(8 * whole.bytes.count) {
      var damaged = whole.bytes
      damaged[bit / 8] ^= 1 << (bit % 8)
      guard bit / 8 >= header else {
        #expect(throws: SampleStoreError.self) { try SampleStore(reading: damaged) }
        let saved = try SampleStore(reading: damaged, expecting: format)
        #expect(saved.damage == [.header] && saved.count == 5 && saved.bytes == whole.bytes)
        continue
      }
      let row = (bit / 8 - header) / format.bytesPerRow
      let read = try SampleStore(reading: damaged)
      #expect(read.damage == [.row(row, byte: header + row * format.bytesPerRow)])
      #expect((0..<4).map { read[$0] } == (0..<5).filter { $0 != row }.map { whole[$0] })
    }
  }

  @Test func `bytes that a file system left as 0 are no rows`() throws {
    let whole = try store(.int8(columns: 3), rows: 2)
    let read = try SampleStore(reading: whole.bytes + [UInt8](repeating: 0, count: 16 + 5))
    #expect(read.count == 2 && read.damage == [.row(2, byte: 67), .torn(byte: 83, count: 5)])
  }

  @Test func `a header that is cut off is an error, or an empty store where the format is known`() throws {
    let whole = try store(.int8(columns: 3), rows: 2)
    for count in 0..<35 {
      let cut = Array(whole.bytes.prefix(count))
      #expect(throws: count < 3 ? SampleStoreError.notAStore : .header) { try SampleStore(reading: cut) }
      guard count > 0 else { continue }
      let read = try SampleStore(reading: cut, expecting: .int8(columns: 3))
      #expect(read.damage == [.header] && read.count == 0)
    }
  }

  @Test func `other versions, formats and files are refused`() throws {
    let whole = try store(.int8(columns: 3), rows: 2)
    var newer = whole.bytes
    newer[3] = 2
    #expect(throws: SampleStoreError.version(2)) { try SampleStore(reading: newer) }
    #expect(throws: SampleStoreError.notAStore) { try SampleStore(reading: Array("PNG and so on".utf8)) }
    #expect(throws: SampleStoreError.notAStore) {
      try SampleStore(reading: Array("PNG and so on, and on, and on, and on".utf8), expecting: .int8(columns: 3))
    }
    #expect(throws: SampleStoreError.otherFormat) {
      try SampleStore(reading: whole.bytes, expecting: .int8(columns: 4))
    }
    #expect(throws: SampleStoreError.otherFormat) {
      try SampleStore(reading: whole.bytes, expecting: .float32(columns: 3))
    }
    #expect(SampleStoreError.version(2).description == "samples of version 2; this program reads version 1")
  }

  /// Whatever the bytes are, it ends with a store or an error.
  @Test func `random bytes stop nothing`() throws {
    let whole = try store(.int8(columns: 3), rows: 6)
    for game in 0..<5000 {
      let seed = Seed(53).derived("bytes", game)
      var bytes = Array(whole.bytes.prefix(Int(seed.uniform(0, 0, 0) * 140)))
      for flip in 0..<Int(seed.uniform(0, 0, 1) * 6) where !bytes.isEmpty {
        bytes[Int(seed.uniform(flip, 1, 0) * Double(bytes.count))] = UInt8(truncatingIfNeeded: seed.bits(flip, 2, 0))
      }
      guard let read = try? SampleStore(reading: bytes) else { continue }
      #expect((0..<read.count).allSatisfy { read[$0].features.count == read.format.columns })
    }
  }

  @Test func `rows that cannot be kept leave the store as it was`() throws {
    var store = try store(.int8(columns: 3), rows: 2)
    let before = store
    #expect(throws: SampleStoreError.features(2, columns: 3)) { try store.append(sample(0, columns: 2)) }
    #expect(throws: SampleStoreError.notFinite(column: 1)) {
      try store.append(Sample(time: 0, features: [0, .nan, 0], label: 0))
    }
    #expect(throws: SampleStoreError.label(256)) { try store.append(Sample(time: 0, features: [0, 0, 0], label: 256)) }
    #expect(throws: SampleStoreError.label(-1)) { try store.append(Sample(time: 0, features: [0, 0, 0], label: -1)) }
    #expect(store == before)
    #expect(throws: SampleStoreError.columns(0)) { try SampleStore(.float32(columns: 0)) }
    #expect(throws: SampleStoreError.columns(70_000)) { try SampleStore(.int8(columns: 70_000)) }
    #expect(throws: SampleStoreError.range(column: 1)) { try SampleStore(.int8([0...1, 2...2])) }
    #expect(throws: SampleStoreError.range(column: 0)) { try SampleStore(.int8([0...Float.infinity])) }
  }

  @Test func `erased is what was never there`() throws {
    var store = try store(.float32(columns: 3), rows: 20)
    store.erase()
    #expect(try store == SampleStore(.float32(columns: 3)))
    try store.append(sample(4))
    #expect(store.count == 1 && store[0] == sample(4))
  }
}
