/// Places of finite numbers in ascending order of these, equal ones in their own order.
///
/// - Precondition: at most 2³² numbers.
/// - Cost: linear where few share their nearest 32-bit float: three passes over eleven bits each, then a sort of those that share
///   one among themselves. A comparing sort takes several times longer.
func stableOrder(_ numbers: [Double]) -> [Int] {
  precondition(numbers.count <= 1 << 32, "\(numbers.count) numbers to be put in order")
  var entries = numbers.indices.map { UInt64(orderKey(numbers[$0])) << 32 | UInt64($0) }
  var room = entries
  for lowest in [32, 43, 54] where pass(entries, lowest, into: &room) { swap(&entries, &room) }
  var order = entries.map { Int($0 & 0xFFFF_FFFF) }
  var first = 0
  while first < order.count {
    var end = first + 1
    while end < order.count, entries[end] >> 32 == entries[first] >> 32 { end += 1 }
    if end - first > 1 { order[first..<end].sort { (numbers[$0], $0) < (numbers[$1], $1) } }
    first = end
  }
  return order
}

/// Puts entries in order of eleven of their bits.
/// - Returns: false where the bits are alike in all of them, and nothing was put anywhere.
private func pass(_ entries: [UInt64], _ lowest: Int, into sorted: inout [UInt64]) -> Bool {
  var ends = [Int](repeating: 0, count: 2048)
  var places = ends.mutableSpan
  for entry in entries { places[Int(entry >> lowest & 2047)] += 1 }
  var end = 0
  for digit in places.indices {
    if places[digit] == entries.count { return false }
    (places[digit], end) = (end, end + places[digit])
  }
  var output = sorted.mutableSpan
  for entry in entries {
    let digit = Int(entry >> lowest & 2047)
    output[places[digit]] = entry
    places[digit] += 1
  }
  return true
}

/// Integers in the order of the nearest floats, which is the numbers' own but for ties; 0 and −0 have one.
private func orderKey(_ number: Double) -> UInt32 {
  let bits = (Float(number) + 0).bitPattern
  return bits >> 31 == 0 ? bits | 1 << 31 : ~bits
}
