import Foundation
import PalimpsestScenarios
import Testing

/// Small files that unpack to gigabytes.
@Suite(.serialized) struct BombTests {
  /// gzip data that hold `start` and then 1.3 GB of one byte: a stored block, and one of Huffman codes that repeats the
  /// byte 258 times with every 13 bits. They never end: no reader is to get there.
  private func bomb(_ start: [UInt8], then byte: UInt8) -> [UInt8] {
    let length = UInt16(start.count)
    let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
    let stored: [UInt8] = [0, UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255), UInt8(~length >> 8)]
    // Last block, fixed codes (1, 01 from the low bit up); the literal has 8 bits, 48 + byte; length 258 is 11000101,
    // distance 1 is 00000, codes from their high bit on.
    let first = [1, 1, 0] + (0..<8).map { Int(48 + byte) >> (7 - $0) & 1 }
    let repeated = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]
    let head = first + (0..<8).flatMap { _ in repeated }
    let period = (0..<8).flatMap { _ in repeated }
    // 11 bits and 104 more are not whole bytes: the pattern is shifted by 3.
    let shifted = Array((head + period)[16..<120])
    return header + stored + start + packed(Array(head[..<16]))
      + [[UInt8]](repeating: packed(shifted), count: (8 << 20) / 13).flatMap { $0 }
  }

  /// Eight bits a byte, the first the lowest.
  private func packed(_ bits: [Int]) -> [UInt8] {
    stride(from: 0, to: bits.count, by: 8).map { place in
      UInt8((0..<8).reduce(0) { $0 | bits[place + $1] << $1 })
    }
  }

  /// What reading a set whose file is a bomb says, in how long, and how far it drove the peak of the memory.
  private func reading(_ file: String, _ bomb: [UInt8]) throws -> (error: String?, time: Duration, peak: Int) {
    let scratch = try Scratch()
    if file.contains("idx") { try scratch.writeImages("set") }
    try? FileManager.default.removeItem(atPath: scratch.path + "/set/" + file.replacing(".gz", with: ""))
    try scratch.write("set/" + file, bomb)
    let before = peak()
    var error: String?
    let time = ContinuousClock().measure { error = scratch.error(reading: "set") }
    return (error, time, peak() - before)
  }

  /// The most memory the process has had, in MB.
  private func peak() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
    return (line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) / 1024
  }

  @Test func `no more images are unpacked than the header declares`() throws {
    let answer = try reading("train-images-idx3-ubyte.gz", bomb(idx([2, 2, 3], []), then: 0))
    #expect(
      answer.error
        == "set/train-images-idx3-ubyte.gz: byte 16: 2 images of 2 × 3 take 12 bytes, but more follow the header")
    #expect(answer.time < .seconds(1))
    #expect(answer.peak < 300)
  }

  @Test func `a header that declares more than is ever read is refused at once`() throws {
    let answer = try reading("train-images-idx3-ubyte.gz", bomb(idx([1 << 20, 1 << 10, 1 << 10], []), then: 0))
    #expect(
      answer.error
        == "set/train-images-idx3-ubyte.gz: byte 16: 1048576 images of 1024 × 1024 are more than 4 GiB, the most that "
        + "is read of a data file")
    #expect(answer.time < .seconds(1))
  }

  @Test func `a table of zero bytes ends at the first`() throws {
    let answer = try reading("t.csv.gz", bomb(Array("label,a\n".utf8), then: 0))
    #expect(answer.error?.hasPrefix("set/t.csv.gz:2: column 1: a zero byte") == true)
    #expect(answer.time < .seconds(1))
    #expect(answer.peak < 300)
  }

  @Test func `a row that never ends is given up`() throws {
    let answer = try reading("t.csv.gz", bomb(Array("label,a\n0,".utf8), then: UInt8(ascii: "1")))
    #expect(answer.error == "set/t.csv.gz:2: the row is longer than 64 MiB, the most that is read")
    let quoted = try reading("t.csv.gz", bomb(Array("label,a\n0,1\n0,\"".utf8), then: UInt8(ascii: "1")))
    #expect(
      quoted.error
        == "set/t.csv.gz:3: a quotation mark opens here and is not closed within 64 MiB, the most that is read of a row"
    )
    #expect(answer.peak < 400 && quoted.peak < 400)
  }
}
