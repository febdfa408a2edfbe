import PalimpsestCore
import PalimpsestStrategies

/// The name of a drift detector of `standardParts`, as it stands in a file.
public struct DetectorName: ParameterChoice {
  /// Such as `page-hinkley`.
  public let rawValue: String
  let type: any DriftDetector.Type

  /// - Returns: nil where no detector is called that.
  public init?(rawValue: String) {
    guard let name = DetectorName.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = name
  }

  /// - Parameter type: one of `standardParts`.
  public init(_ type: any DriftDetector.Type) {
    rawValue = type.name
    self.type = type
  }

  public static let allCases: [DetectorName] = standardParts.compactMap { part in
    (part as? any DriftDetector.Type).map(DetectorName.init)
  }

  public static func == (one: DetectorName, other: DetectorName) -> Bool { one.rawValue == other.rawValue }
}

/// A drift detector of any type, which a state keeps as its name and what it holds.
struct NamedDetector: Sendable {
  var detector: any DriftDetector

  var name: DetectorName { DetectorName(type(of: detector)) }
}

extension NamedDetector: Codable {
  private enum Field: String, CodingKey { case name, state }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    let name = try fields.decode(DetectorName.self, forKey: .name)
    detector = try name.type.init(from: fields, forKey: .state)
  }

  func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(name, forKey: .name)
    try fields.encode(detector, forKey: .state)
  }
}

extension DriftDetector {
  /// What stands there, checked as every state is.
  fileprivate init<Key>(from fields: KeyedDecodingContainer<Key>, forKey key: Key) throws {
    self = try fields.decode(Self.self, forKey: key)
  }
}
