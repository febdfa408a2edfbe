import PalimpsestExperiments

/// Counts runs by key: 0 for the first that comes, and on.
///
/// - Memory: 16 bytes a run, and 8 to 16 for the places where they are looked for, where the capacity is the number of runs.
package struct RunNumbers: Sendable {
  /// In the order of their numbers.
  package private(set) var keys: [RunKey] = []
  /// A number at the first free place from where its key belongs; −1 where there is none. At least half are free.
  private var places: [Int32] = []
  private var (last, step) = (-1, 1)
  /// Nobody can choose keys that all belong to one place.
  private let mix = (UInt64.random(in: .min ... .max) | 1, UInt64.random(in: .min ... .max) | 1)

  package init(minimumCapacity: Int) {
    keys.reserveCapacity(minimumCapacity)
    places = RunNumbers.empty(2 * max(8, minimumCapacity))
  }

  package var count: Int { keys.count }

  /// The number of a run; nil where it never came. Mostly runs are asked for in the order in which they came, or in another one that is
  /// as even: what is as far from the last one as that from the one before is tried first.
  package mutating func known(_ key: RunKey) -> Int? {
    let likely = last + step
    if keys.indices.contains(likely) && keys[likely] == key {
      last = likely
      return likely
    }
    let number = Int(places[place(of: key)])
    if number < 0 { return nil }
    (last, step) = (number, number - last)
    return number
  }

  /// The number of a run, which it may get now.
  package mutating func number(_ key: RunKey) -> (number: Int, isNew: Bool) {
    let place = place(of: key)
    if places[place] >= 0 { return (Int(places[place]), false) }
    places[place] = Int32(keys.count)
    keys.append(key)
    if 2 * keys.count > places.count { grow() }
    return (keys.count - 1, true)
  }

  /// Where a key's number stands, or would.
  private func place(of key: RunKey) -> Int {
    let hash = (key.high ^ key.high >> 32) &* mix.0 ^ (key.low ^ key.low >> 32) &* mix.1
    var place = Int(hash >> 32) & (places.count - 1)
    while places[place] >= 0 && keys[Int(places[place])] != key { place = (place + 1) & (places.count - 1) }
    return place
  }

  private mutating func grow() {
    places = RunNumbers.empty(2 * places.count)
    for (number, key) in keys.enumerated() { places[place(of: key)] = Int32(number) }
  }

  /// A power of two of free places.
  private static func empty(_ count: Int) -> [Int32] {
    [Int32](repeating: -1, count: 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount))
  }
}
