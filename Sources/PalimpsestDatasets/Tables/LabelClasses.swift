/// The classes that the texts of a label's column are.
///
/// Where all texts are numbers they are classes by their value, in the order of it: `0`, `0.0` and `-0` are one, called as it is met first. Numbers from
/// 2⁵³ on, of which several are one double, count as texts. Else each text is a class, in the order of their characters' codes.
struct LabelClasses {
  /// What the classes are called, in order.
  let names: [String]
  /// One a text: its class.
  let numbers: [Int32]

  /// - Parameter texts: different ones, in order of their first appearance.
  init(_ texts: [String]) {
    let keys = LabelClasses.keys(texts)
    var first: [String: Int] = [:]
    for (place, key) in keys.enumerated() where first[key] == nil { first[key] = place }
    let order = ordered(Set(first.values.map { texts[$0] }))
    let classes = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, Int32($0)) })
    (names, numbers) = (order, keys.map { classes[texts[first[$0] ?? 0]] ?? 0 })
  }

  /// Equal for texts of one class.
  private static func keys(_ texts: [String]) -> [String] {
    let values = texts.compactMap(Double.init)
    guard values.count == texts.count else { return texts }
    return zip(texts, values).map { text, value in value.magnitude < 0x1p53 ? "\(value + 0)" : text }
  }
}

/// By value where all are numbers, else by their characters' codes.
func ordered(_ labels: Set<String>) -> [String] {
  let byText = labels.sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
  let values = byText.compactMap { label in Double(label).map { (label, $0) } }
  return values.count == byText.count ? values.sorted { $0.1 < $1.1 }.map(\.0) : byText
}
