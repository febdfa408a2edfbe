/// A value that is not allowed, as a message names it: `0 as element 2`, `1e39, which is too large for a 32-bit float`.
public struct FoundValue: Sendable, CustomStringConvertible {
  public var shown: String
  /// Why it is none of those allowed, where that is not plain to see.
  public var reason: String?

  public init(_ shown: String, because reason: String? = nil) {
    self.shown = shown
    self.reason = reason
  }

  public var description: String { shown + (reason.map { ", which " + $0 } ?? "") }
}

extension ParameterType {
  public static func found(_ value: ParameterValue, _ bounds: Bounds) -> FoundValue { FoundValue(value.found) }
}

extension Int {
  public static func found(_ value: ParameterValue, _ bounds: Bounds) -> FoundValue {
    guard let x = value.double, bounds.upper == nil, x >= 0x1p63 else { return FoundValue(value.found) }
    return FoundValue(value.found, because: "is too large for a 64-bit integer")
  }
}

extension Float {
  public static func found(_ value: ParameterValue, _ bounds: Bounds) -> FoundValue {
    guard let x = value.double else { return FoundValue(value.found) }
    if value.isLostDigits { return FoundValue(value.found, because: "is too small for a 32-bit float") }
    guard bounds.contains(x) else { return FoundValue(value.found) }
    let stored = Float(x)
    let reason =
      if !stored.isFinite {
        "is too large for a 32-bit float"
      } else if stored == 0 {
        "is too small for a 32-bit float"
      } else {
        "a 32-bit float rounds to \(shortest(Double(stored)))"
      }
    return FoundValue(value.found, because: reason)
  }
}

extension Double {
  public static func found(_ value: ParameterValue, _ bounds: Bounds) -> FoundValue {
    guard let x = value.double else { return FoundValue(value.found) }
    if value.isLostDigits { return FoundValue(value.found, because: "is too small for a 64-bit float") }
    guard !x.isFinite, bounds.contains(x) else { return FoundValue(value.found) }
    return FoundValue(value.found, because: "is too large for a 64-bit float")
  }
}

extension Array where Element: ParameterType {
  /// The first element that is wrong, else the length.
  public static func found(_ value: ParameterValue, _ bounds: Bounds) -> FoundValue {
    guard case .list(let values) = value else { return FoundValue(value.found) }
    guard let place = values.firstIndex(where: { Element($0, bounds) == nil }) else {
      return FoundValue(values.isEmpty ? "an empty list" : "a list of \(values.count)")
    }
    let element = Element.found(values[place], bounds)
    return FoundValue("\(element.shown) as element \(place + 1)", because: element.reason)
  }
}

extension Optional where Wrapped: ParameterType {
  public static func found(_ value: ParameterValue, _ bounds: Bounds) -> FoundValue { Wrapped.found(value, bounds) }
}

extension ParameterValue {
  fileprivate var double: Double? {
    guard case .number(let text) = self else { return nil }
    return Double(text)
  }

  /// True where a number other than 0 is read as 0.
  fileprivate var isLostDigits: Bool {
    guard case .number(let text) = self, Double(text) == 0 else { return false }
    return text.prefix { $0 != "e" && $0 != "E" }.contains { ("1"..."9").contains($0) }
  }
}
