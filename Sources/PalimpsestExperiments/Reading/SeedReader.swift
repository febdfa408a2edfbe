import PalimpsestJSON

/// Reads seeds: a count, a list or a range.
extension ExperimentReader {
  /// - Parameter path: where they stand: `seeds`.
  mutating func seeds(_ value: JSONValue?, _ path: String = "seeds") -> [Int] {
    guard let value else { return [0] }
    switch value.content {
    case .number where value.isBeyondInt: return tooMany(value, path)
    case .number:
      guard let count = value.int, count >= 1 else { break }
      return count <= ExperimentReader.mostSeeds ? Array(0..<count) : tooMany(value, path)
    case .array(let elements) where !elements.isEmpty: return seedList(elements, value, path)
    case .object(let object): return seedRange(object, value, path)
    default: break
    }
    report(
      value, path,
      "expected a count ≥ 1, a list of whole numbers ≥ 0, or {\"from\": 100, \"count\": 5}, found \(value.shown)")
    return [0]
  }

  private mutating func tooMany(_ value: JSONValue, _ path: String) -> [Int] {
    report(value, path, "expected at most \(ExperimentReader.mostSeeds) seeds, found \(value.shown)")
    return [0]
  }

  private mutating func seedList(_ elements: [JSONValue], _ value: JSONValue, _ path: String) -> [Int] {
    let seeds = elements.enumerated().compactMap { index, element in
      whole(element, 0...Int.max, "a whole number ≥ 0", "\(path)[\(index)]")
    }
    if Set(seeds).count != seeds.count { report(value, path, "a seed stands twice in the list") }
    return seeds.count == elements.count ? seeds : [0]
  }

  private mutating func seedRange(_ object: JSONObject, _ value: JSONValue, _ path: String) -> [Int] {
    checkKeys(object, ["from", "count"], path)
    for (key, what) in [("from", "the first seed"), ("count", "how many seeds")] where object[key] == nil {
      report(value, path, "\"\(key)\" is missing: \(what)")
    }
    let first = object["from"].flatMap { bounded($0, 0...ExperimentReader.largestFirstSeed, path + ".from") }
    let count = object["count"].flatMap { bounded($0, 1...ExperimentReader.mostSeeds, path + ".count") }
    guard let first, let count else { return [0] }
    return Array(first..<(first + count))
  }

  private mutating func bounded(_ value: JSONValue, _ range: ClosedRange<Int>, _ path: String) -> Int? {
    whole(value, range, "a whole number in [\(range.lowerBound), \(range.upperBound)]", path)
  }

  private mutating func whole(
    _ value: JSONValue, _ range: ClosedRange<Int>, _ wanted: String, _ path: String
  ) -> Int? {
    if let number = value.int, range.contains(number) { return number }
    let reason = range.upperBound == .max ? value.tooLarge : ""
    report(value, path, "expected \(wanted), found \(value.shown)\(reason)")
    return nil
  }
}

extension JSONValue {
  /// True for a number above all 64-bit integers.
  var isBeyondInt: Bool { numberText.map { (Double($0) ?? 0) >= 0x1p63 } ?? false }

  /// What a message adds where that is so.
  var tooLarge: String { isBeyondInt ? ", which is too large for a 64-bit integer" : "" }
}
