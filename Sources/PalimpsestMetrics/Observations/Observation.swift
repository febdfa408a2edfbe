/// One thing that a run observed: numbers along named axes, row by row. What it means a ``Measure`` of the same name says.
///
///     Observation("accuracy", along: [Axis("after_task", 2), Axis("task", 2)], .numbers([0.9, 0.5, 0.7, 0.8]))
///
/// What was not measured is NaN, or −1 among integers.
public struct Observation: Sendable, Equatable {
  public let name: ObservationName
  /// From the slowest to the fastest; none for one number.
  public let axes: [Axis]
  public private(set) var values: Values

  /// The numbers of an observation. How the results store them is the measure's affair.
  public enum Values: Sendable {
    case numbers([Double])
    case integers([Int])
  }

  /// - Precondition: there is one value for each place along the axes.
  public init(_ name: ObservationName, along axes: [Axis] = [], _ values: Values) {
    let places = axes.reduce(1) { $0 * $1.length }
    precondition(values.count == places, "\(name): \(values.count) values are not one for each of \(places) places")
    self.name = name
    self.axes = axes
    self.values = values
  }

  /// One number.
  public init(_ name: ObservationName, _ number: Double) { self.init(name, .numbers([number])) }

  /// One integer.
  public init(_ name: ObservationName, _ integer: Int) { self.init(name, .integers([integer])) }

  /// The numbers, integers as the nearest of them and −1 as NaN.
  public var numbers: [Double] {
    switch values {
    case .numbers(let values): values
    case .integers(let values): values.map { $0 == -1 ? .nan : Double($0) }
    }
  }

  /// The integers; nil where it holds numbers.
  public var integers: [Int]? {
    if case .integers(let values) = values { return values }
    return nil
  }
}

/// An axis as one run has it.
public struct Axis: Sendable, Hashable {
  public let name: String
  public let length: Int

  public init(_ name: String, _ length: Int) {
    self.name = name
    self.length = length
  }
}

/// What the places along an axis of a run are called, or where they lie. Without either they count from 0.
public enum AxisTicks: Sendable, Equatable {
  /// Names of tasks, users, classes.
  case labels([String])
  /// Ascending: rows seen at the right edge of each window.
  case positions([Int])
}

extension Observation.Values: Equatable {
  public var count: Int {
    switch self {
    case .numbers(let values): values.count
    case .integers(let values): values.count
    }
  }

  /// Equal as they are read back from text: one number that is not finite is as good as another.
  public static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.numbers(let a), .numbers(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0 == $1 || !$0.isFinite && !$1.isFinite }
    case (.integers(let a), .integers(let b)): a == b
    default: false
    }
  }
}

/// The name of an observation: found among others by a number rather than by its letters.
public struct ObservationName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  public let text: String
  private let key: UInt64

  /// Lower-case with underscores: `weight_norm`.
  public init(_ text: String) {
    self.text = text
    // FNV-1a.
    key = text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  public init(stringLiteral text: String) { self.init(text) }

  /// Whether a text can name an observation or an axis: a lower-case letter, then lower-case letters, digits and underscores, 64 at
  /// most. It becomes a dataset's name and a key, so nothing else may stand there.
  package static func isName(_ text: String) -> Bool {
    let isLower = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    guard let first = text.utf8.first, isLower(first), text.utf8.count <= 64 else { return false }
    return text.utf8.allSatisfy { isLower($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
  }

  /// Whether axes can stand beside `run`: names, each once.
  package static func areAxes(_ names: some Collection<String>) -> Bool {
    names.allSatisfy { isName($0) && $0 != "run" } && Set(names).count == names.count
  }

  public var description: String { text }

  public static func == (a: Self, b: Self) -> Bool { a.key == b.key && a.text == b.text }

  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
