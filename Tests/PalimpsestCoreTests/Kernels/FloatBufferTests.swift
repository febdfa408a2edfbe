import PalimpsestCore
import Testing

@Suite struct FloatBufferTests {
  @Test func `a copy keeps its values when the original is written`() {
    var original = FloatBuffer([1, 2, 3])
    let copy = original
    original[1] = 9
    original.scale(by: 2)
    original.withMutableSpan { $0[0] = -1 }
    original.resize(to: 5)
    #expect(copy.array == [1, 2, 3])
    #expect(original.array == [-1, 18, 6, 0, 0])
  }

  @Test func `the original keeps its values when a copy is written`() {
    let original = FloatBuffer([1, 2, 3])
    var copy = original
    copy.add(original)
    copy.fill(7)
    #expect(original.array == [1, 2, 3])
    #expect(copy.array == [7, 7, 7])
  }

  @Test(arguments: [0, 1, 15, 16, 17, 40, 1000])
  func `resizing keeps the first elements and adds zeros`(length: Int) {
    var buffer = FloatBuffer((1...20).map(Float.init))
    buffer.resize(to: length)
    let kept = (0..<length).map { $0 < 20 ? Float($0 + 1) : 0 }
    #expect(buffer.array == kept)
    buffer.resize(to: 30)
    #expect(buffer.array == (0..<30).map { $0 < min(length, 20) ? Float($0 + 1) : 0 })
  }

  @Test func `an element that was cut off comes back as 0`() {
    var buffer = FloatBuffer([1, 2, 3])
    buffer.resize(to: 1)
    buffer.resize(to: 3)
    #expect(buffer.array == [1, 0, 0])
  }

  @Test(arguments: [0, 1, 7, 16, 17, 333, 4096])
  func `memory starts at a 64-byte boundary`(count: Int) {
    var buffer = FloatBuffer(repeating: 1, count: count)
    #expect(address(buffer) % 64 == 0)
    buffer.resize(to: 2 * count + 5)
    #expect(address(buffer) % 64 == 0)
    var copy = buffer
    copy[0] = 2
    #expect(address(copy) % 64 == 0)
    #expect(address(copy) != address(buffer))
  }

  @Test func `shrinking and growing again keeps the memory`() {
    var buffer = FloatBuffer(count: 100)
    let before = address(buffer)
    buffer.resize(to: 3)
    buffer.resize(to: 100)
    #expect(address(buffer) == before)
  }

  @Test func `buffers are equal by bits`() {
    #expect(FloatBuffer([.nan, 1]) == FloatBuffer([.nan, 1]))
    #expect(FloatBuffer([0]) != FloatBuffer([-0.0]))
    #expect(FloatBuffer([1]) != FloatBuffer([1, 0]))
    #expect(FloatBuffer([1]) != FloatBuffer([Float(1).nextUp]))
    #expect(FloatBuffer(count: 0) == FloatBuffer([]))
  }

  @Test func `what is outside the ranges is cleared or left alone`() {
    var buffer = FloatBuffer((1...8).map(Float.init))
    buffer.add(FloatBuffer(repeating: 10, count: 8), in: [1..<3, 6..<7])
    #expect(buffer.array == [1, 12, 13, 4, 5, 6, 17, 8])
    buffer.clear(outside: [1..<3, 6..<7])
    #expect(buffer.array == [0, 12, 13, 0, 0, 0, 17, 0])
  }

  private func address(_ buffer: FloatBuffer) -> UInt {
    buffer.withSpan { span in unsafe span.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
  }

  @Test func `one line of arithmetic is a loop over the vectors, as far as the shortest reaches`() {
    var g = FloatBuffer([1, 2, 3])
    g.update { 2 * $0 }
    #expect(g.array == [2, 4, 6])
    g.update(with: FloatBuffer([10, 20])) { $0 + $1 }
    #expect(g.array == [12, 24, 6])
    g.update(with: FloatBuffer([1, 1, 1]), FloatBuffer([2, 3])) { g, a, b in g - a * b }
    #expect(g.array == [10, 21, 6])
    #expect(g.sum(with: FloatBuffer([1, 2])) { $0 * $1 } == 52)
    #expect(g.sum(with: FloatBuffer([1, 2, 3]), FloatBuffer([1])) { $0 * $1 * $2 } == 10)
  }
}
