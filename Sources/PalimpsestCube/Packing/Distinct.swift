/// Values that are few and come up often, each once.
struct Distinct<Value: Hashable & Sendable>: Sendable {
  /// In the order in which they came up.
  private(set) var values: [Value] = []
  private var places: [Value: Int32] = [:]
  /// That of the value before: most are like it.
  private var latest = 0

  /// - Parameter values: those that come first, each once.
  init(_ values: [Value] = []) { for value in values { _ = place(of: value) } }

  /// The value's place among ``values``.
  mutating func place(of value: Value) -> Int32 {
    if latest < values.count && values[latest] == value { return Int32(clamping: latest) }
    if let place = places[value] {
      latest = Int(place)
      return place
    }
    latest = values.count
    places[value] = Int32(clamping: latest)
    values.append(value)
    return Int32(clamping: latest)
  }

  /// The places here of another one's values, which are taken where they are new.
  mutating func places(of others: Distinct) -> [Int32] { others.values.map { place(of: $0) } }
}

/// One text a run, each distinct one in memory once.
struct DistinctTexts: Sendable {
  private var known = Distinct<String>()
  private var places: [Int32] = []

  mutating func add(_ text: String) { places.append(known.place(of: text)) }

  /// Takes those of the runs behind.
  mutating func add(_ others: DistinctTexts) {
    let own = known.places(of: others.known)
    places += others.places.map { own[Int($0)] }
  }

  /// One a run.
  var texts: [String] { places.map { known.values[Int($0)] } }
}
