/// The root of all randomness of a run. Every consumer takes a stream of its own by name, so adding a consumer never shifts
/// another's numbers, and the data never depend on the strategy.
public struct Seed: Sendable, Hashable, Codable {
  let state: UInt64

  public init(_ value: UInt64) { state = mix(value ^ 0x5061_6C69_6D70_7365) }

  /// The generator of one named consumer, and of one of its parts where `index` is given (a task, a user).
  public func stream(_ name: String, _ index: Int = 0) -> Random { Random(key: derived(name, index).state) }

  /// A seed below this one, for a component that has consumers of its own.
  public func derived(_ name: String, _ index: Int = 0) -> Seed {
    var hash = state
    for byte in name.utf8 { hash = mix(hash ^ UInt64(byte)) }
    return Seed(raw: mix(hash &+ mix(UInt64(bitPattern: Int64(index)))))
  }

  /// A number in [0, 1) that depends on the seed and the three coordinates alone: any row can be drawn without the ones
  /// before it, and a knob changes nothing but what it governs.
  @inlinable
  public func uniform(_ a: Int, _ b: Int, _ c: Int) -> Double { Double(bits(a, b, c) >> 11) * 0x1p-53 }

  /// 64 bits that depend on the seed and the three coordinates alone.
  public func bits(_ a: Int, _ b: Int, _ c: Int) -> UInt64 {
    let first = mix(state &+ UInt64(bitPattern: Int64(a)) &* 0x9E37_79B9_7F4A_7C15)
    let second = mix(first &+ UInt64(bitPattern: Int64(b)) &* 0xD1B5_4A32_D192_ED03)
    return mix(second &+ UInt64(bitPattern: Int64(c)) &* 0x8CB9_2BA7_2F3D_8DD7)
  }

  private init(raw: UInt64) { state = raw }
}

/// SplitMix64's finaliser: a bijection of 64 bits in which every input bit reaches every output bit.
@usableFromInline
func mix(_ value: UInt64) -> UInt64 {
  var z = value &+ 0x9E37_79B9_7F4A_7C15
  z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
  z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
  return z ^ (z >> 31)
}

/// A stream of random numbers: xoshiro256++, seeded through SplitMix64. Bounded integers, shuffles and normals are our own,
/// because the standard library's algorithms are no promise across releases.
///
/// - Source: Blackman & Vigna, "Scrambled linear pseudorandom number generators", ACM Trans. Math. Softw. 2021.
public struct Random: RandomNumberGenerator, Sendable, Codable, Equatable {
  private var s0, s1, s2, s3: UInt64

  public init(key: UInt64) {
    s0 = mix(key)
    s1 = mix(key &+ 1)
    s2 = mix(key &+ 2)
    s3 = mix(key &+ 3)
  }

  @inline(__always)
  public mutating func next() -> UInt64 {
    let result = rotate(s0 &+ s3, 23) &+ s0
    let t = s1 << 17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    s3 = rotate(s3, 45)
    return result
  }

  @inline(__always)
  private func rotate(_ x: UInt64, _ k: UInt64) -> UInt64 { (x << k) | (x >> (64 - k)) }

  /// All bits are 0, which no key gives: then nothing but 0 comes out.
  var isStuck: Bool { s0 | s1 | s2 | s3 == 0 }

  /// Uniform in [0, 1), 53 bits.
  public mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Uniform in [0, 1), 24 bits.
  public mutating func uniformFloat() -> Float { Float(next() >> 40) * 0x1p-24 }

  /// Uniform in 0..<bound without modulo bias (Lemire 2019).
  @inline(__always)
  public mutating func index(below bound: Int) -> Int {
    precondition(bound > 0, "an index below \(bound)")
    let n = UInt64(bound)
    var product = next().multipliedFullWidth(by: n)
    if product.low < n {
      let threshold = (0 &- n) % n
      while product.low < threshold { product = next().multipliedFullWidth(by: n) }
    }
    return Int(product.high)
  }

  /// Standard normal (Marsaglia's polar method; the second value is dropped, so a draw has no hidden state).
  public mutating func normal() -> Double {
    while true {
      let u = 2 * uniform() - 1
      let v = 2 * uniform() - 1
      let s = u * u + v * v
      if s > 0 && s < 1 { return u * (-2 * Elementary.log(s) / s).squareRoot() }
    }
  }

  /// Fisher–Yates: every order equally likely.
  public mutating func shuffle<T>(_ values: inout [T]) { shuffle(&values, first: values.count) }

  /// The first `first` places become a uniform sample without replacement of the whole, in random order, whatever the
  /// order before.
  public mutating func shuffle<T>(_ values: inout [T], first: Int) {
    precondition(first <= values.count, "\(first) of \(values.count)")
    exchange(min(first, values.count - 1), of: &values)
  }

  /// The same for row numbers: a generic function is slow in the hands of another module.
  public mutating func shuffle(_ values: inout [Int32]) { exchange(values.count - 1, of: &values) }

  /// The same with a number drawn for every place, the last one's too, where nothing is left to choose.
  public mutating func sample(_ first: Int, of values: inout [Int32]) {
    precondition(first <= values.count, "\(first) of \(values.count)")
    exchange(first, of: &values)
  }

  @inline(__always)
  private mutating func exchange<T>(_ first: Int, of values: inout [T]) {
    var stream = self
    var places = values.mutableSpan
    var i = 0
    while i < first {
      places.swapAt(i, i + stream.index(below: places.count - i))
      i += 1
    }
    self = stream
  }
}
