import PalimpsestCore
import PalimpsestCube

/// Damages a cube without a checksum, the same way for the same seed.
///
/// Most of HDF5's own blocks have a checksum each, so that damage within them is found before it does harm. Half of the
/// damage to bytes therefore mends the block's checksum again: libhdf5 then believes what it reads.
struct CubeMutator {
  private let whole: [UInt8]
  /// The blocks with a checksum, which follows each.
  private let blocks: [Range<Int>]
  /// Beginnings of the heaps in which texts lie; these have none.
  private let heaps: [Int]

  /// - Parameter cube: its bytes, without the seal.
  init(_ cube: [UInt8]) {
    whole = cube
    let signatures = ["OHDR", "OCHK", "FRHP", "FHDB", "FSHD", "FSSE", "BTHD", "BTLF"].map { Array($0.utf8) }
    blocks = cube.indices.compactMap { start in
      let isBlock = start + 12 < cube.count && signatures.contains(Array(cube[start..<start + 4]))
      return isBlock ? CubeMutator.checkedBlock(cube, from: start) : nil
    }
    heaps = cube.indices.filter { cube[$0...].starts(with: "GCOL".utf8) }
  }

  /// Bytes that differ from the whole cube's.
  func mutant(_ seed: UInt64) -> [UInt8] {
    var random = Random(key: seed)
    while true {
      let mutant = seed.isMultiple(of: 2) ? bytes(&random) : try? forged(&random)
      if let mutant, mutant != whole { return mutant }
    }
  }

  /// The shortest stretch that its own checksum follows.
  private static func checkedBlock(_ cube: [UInt8], from start: Int) -> Range<Int>? {
    (start + 8..<min(start + 1024, cube.count - 4)).first { end in
      lookup3(cube[start..<end]) == number(cube, at: end)
    }.map { start..<$0 }
  }
}

// MARK: - Bytes

extension CubeMutator {
  private func bytes(_ random: inout Random) -> [UInt8] {
    var cube = whole
    switch random.index(below: 6) {
    case 0: for _ in 0...random.index(below: 4) { cube[random.index(below: cube.count)] ^= 1 << random.index(below: 8) }
    case 1: write(&cube, at: random.index(below: cube.count - 8), &random)
    case 2: write(&cube, at: heaps[random.index(below: heaps.count)] + random.index(below: 256), &random)
    case 3:
      let (from, to) = (random.index(below: cube.count - 64), random.index(below: cube.count - 64))
      cube.replaceSubrange(to..<to + 64, with: whole[from..<from + 64])
    default:
      let block = blocks[random.index(below: blocks.count)]
      let size = 1 << random.index(below: 4)
      write(&cube, at: block.lowerBound + 4 + random.index(below: max(1, block.count - 4 - size)), size: size, &random)
      let sum = lookup3(cube[block])
      for i in 0..<4 { cube[block.upperBound + i] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(i))) }
    }
    return cube
  }

  /// Writes over a number of 1 to 8 bytes with one that is seldom right.
  private func write(_ cube: inout [UInt8], at place: Int, size: Int = 8, _ random: inout Random) {
    let values: [UInt64] = [0, 1, 2, 0x7F, 0xFF, 0xFFFF, 1 << 31, 1 << 36, .max, .max >> 1, random.next()]
    let value = values[random.index(below: values.count)]
    for i in 0..<min(size, cube.count - place) { cube[place + i] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(i))) }
  }
}

// MARK: - Forgeries

extension CubeMutator {
  /// A valid HDF5 file of other content: what a program makes that knows HDF5 and not the cube.
  private func forged(_ random: inout Random) throws -> [UInt8] {
    var cube = try PlainReader.read(whole, named: "whole")
    for _ in 0...random.index(below: 2) {
      let place = random.index(below: cube.root.datasets.count)
      switch random.index(below: 9) {
      case 0: cube.root.datasets.remove(at: place)
      case 1: cube.root.attributes.remove(at: random.index(below: cube.root.attributes.count))
      case 2: cube.root.datasets[place].attributes = []
      case 3: cube.root.datasets[place].dimensions = cube.root.datasets[random.index(below: 20)].dimensions
      case 4: cube.root.datasets[place].dimensions = cube.root.datasets[place].shape.map { _ in "" }
      case 5:
        var again = cube.root
        again.name = "again"
        cube.root.groups[0].groups = [again]
      case 6: cube.root.datasets.swapAt(place, random.index(below: cube.root.datasets.count))
      case 7: cube.root.datasets[place].name = "other"
      default: cube.root.datasets[place].values = cube.root.datasets[place].values?.forged(&random)
      }
    }
    return try cube.file(named: "forged").image()
  }
}

extension CubeValues {
  /// As many values of another type, or of this and out of their range.
  fileprivate func forged(_ random: inout Random) -> CubeValues {
    let number = [Int64.max, .min, -1, 0, 1 << 40][random.index(below: 5)]
    switch random.index(below: 6) {
    case 0: return .text([String](repeating: "=\u{202E}\u{1B}[2J", count: count))
    case 1: return .double([Double](repeating: [.infinity, .nan, -1e308, 0][random.index(below: 4)], count: count))
    case 2: return .float([Float](repeating: .nan, count: count))
    case 3: return .integer8([Int8](repeating: Int8(truncatingIfNeeded: number), count: count))
    case 4: return .integer32([Int32](repeating: Int32(truncatingIfNeeded: number), count: count))
    default: return .integer64([Int64](repeating: number, count: count))
    }
  }
}

// MARK: - HDF5's checksum

private func number(_ bytes: [UInt8], at place: Int) -> UInt32 {
  (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * UInt32($1)) }
}

/// Jenkins' lookup3, as HDF5 sums its blocks.
private func lookup3(_ block: ArraySlice<UInt8>) -> UInt32 {
  func rotate(_ x: UInt32, _ k: UInt32) -> UInt32 { x << k | x >> (32 - k) }
  let start = 0xDEAD_BEEF &+ UInt32(block.count)
  var (a, b, c) = (start, start, start)
  var place = block.startIndex
  func word(_ offset: Int) -> UInt32 {
    (0..<4).reduce(0) { sum, i in
      let at = place + offset + i
      return at < block.endIndex ? sum | UInt32(block[at]) << (8 * UInt32(i)) : sum
    }
  }
  while block.endIndex - place > 12 {
    (a, b, c) = (a &+ word(0), b &+ word(4), c &+ word(8))
    (a, c) = ((a &- c) ^ rotate(c, 4), c &+ b)
    (b, a) = ((b &- a) ^ rotate(a, 6), a &+ c)
    (c, b) = ((c &- b) ^ rotate(b, 8), b &+ a)
    (a, c) = ((a &- c) ^ rotate(c, 16), c &+ b)
    (b, a) = ((b &- a) ^ rotate(a, 19), a &+ c)
    (c, b) = ((c &- b) ^ rotate(b, 4), b &+ a)
    place += 12
  }
  (a, b, c) = (a &+ word(0), b &+ word(4), c &+ word(8))
  c = (c ^ b) &- rotate(b, 14)
  a = (a ^ c) &- rotate(c, 11)
  b = (b ^ a) &- rotate(a, 25)
  c = (c ^ b) &- rotate(b, 16)
  a = (a ^ c) &- rotate(c, 4)
  b = (b ^ a) &- rotate(a, 14)
  return (c ^ b) &- rotate(b, 24)
}
