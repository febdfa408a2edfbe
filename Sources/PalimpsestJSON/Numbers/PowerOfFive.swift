/// Powers of 5 as 128-bit significands: what conversions between binary and decimal multiply with.
enum PowerOfFive {
  /// 5⁵⁵ is the last power of 5 below 2¹²⁸.
  static let reach = 55

  /// 5ⁿ for −55 ≤ n ≤ 55, moved so that the highest of 128 bits is set, rounded down: exact where n ≥ 0.
  static let significands: [UInt128] = {
    let exact = (0...reach).map { n in (0..<n).reduce(UInt128(1)) { power, _ in power * 5 } }
    let reciprocals = exact.dropFirst().map { five in
      let width = 128 - five.leadingZeroBitCount
      return five.dividingFullWidth((UInt128(1) << (width - 1), 0)).quotient
    }
    return reciprocals.reversed() + exact.map { $0 << $0.leadingZeroBitCount }
  }()
}
