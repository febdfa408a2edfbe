import Crypto
import OrderedCollections
import PalimpsestCore

/// The hashed text of a configuration in its pieces: canonical JSON, values equal to the default left out.
///
/// Equal pieces mean equal settings, however they were written.
struct ConfigurationText {
  var scenario = ""
  var model = ""
  /// The members of `training` before and after its optimiser.
  var training = (before: "", after: "")
  var optimizer = ""
  var parts: [String] = []
  var evaluation = ""

  /// Everything of the hashed text before the seed.
  var identity: RunIdentity {
    var hash = SHA256()
    func add(_ text: String) { hash.update(data: Array(text.utf8)) }
    add("{\"configuration\":{\"evaluation\":\(evaluation),\"model\":\(model),")
    add("\"numerics\":\(ResolvedConfiguration.numericsVersion),\"scenario\":\(scenario),")
    add("\"strategy\":[\(parts.joined(separator: ","))],")
    add("\"training\":{\(training.before)\"optimizer\":\(optimizer)\(training.after)}},\"seed\":")
    return RunIdentity(beforeSeed: hash)
  }
}

/// Writes the texts of configurations, one after another. What did not change since the last one is not written anew, so a
/// sweep costs what it varies.
struct ConfigurationWriter {
  private let catalog: Catalog
  private var last: Configuration?
  private var text = ConfigurationText()

  init(_ catalog: Catalog) { self.catalog = catalog }

  /// - Throws: ``ParameterError``, ``CompositionError`` for settings that no reader would have let through.
  mutating func text(_ configuration: Configuration) throws -> ConfigurationText {
    let old = last
    last = nil
    if old?.scenario != configuration.scenario {
      text.scenario = try written(
        configuration.scenario, catalog.type(of: configuration.scenario, in: catalog.scenarios))
    }
    if old?.model != configuration.model { text.model = try written(configuration.model, ModelSettings.self) }
    if old?.training != configuration.training { text.training = try training(configuration.training) }
    if old?.optimizer != configuration.optimizer {
      text.optimizer = try written(
        configuration.optimizer, catalog.type(of: configuration.optimizer, in: catalog.optimizers))
    }
    try writeParts(configuration.strategy, old: old?.strategy ?? [])
    if old?.evaluation != configuration.evaluation {
      text.evaluation = try written(configuration.evaluation, EvaluationSettings.self)
    }
    last = configuration
    return text
  }

  private mutating func writeParts(_ parts: [Component], old: [Component]) throws {
    let texts = text.parts
    text.parts = try parts.enumerated().map { i, part in
      i < old.count && old[i] == part ? texts[i] : try written(part, catalog.type(of: part, in: catalog.parts))
    }
  }

  private func training(_ component: Component) throws -> (before: String, after: String) {
    let members = try members(of: component, TrainingSettings.self)
    return (
      members.filter { $0.key < "optimizer" }.map { $0.text + "," }.joined(),
      members.filter { $0.key > "optimizer" }.map { "," + $0.text }.joined()
    )
  }

  private func written(_ component: Component, _ type: any Configurable.Type) throws -> String {
    "{" + (try members(of: component, type)).map(\.text).joined(separator: ",") + "}"
  }

  /// The members that are not as declared, name and revision of a part among them, by the bytes of their keys.
  private func members(of component: Component, _ type: any Configurable.Type) throws -> [Member] {
    let table = ParameterTable.of(type)
    var members: [Member] = []
    if let part = type as? any Part.Type {
      members = [Member("name", .string(part.name)), Member("revision", .number(String(part.revision)))]
    }
    for (key, value) in component.given {
      guard let typed = try table.typed(key, value), typed != table.declaration(key)?.value else { continue }
      members.append(Member(key, typed))
    }
    return members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  private struct Member {
    let key: String
    let text: String

    init(_ key: String, _ value: ParameterValue) {
      self.key = key
      text = jsonQuoted(key) + ":" + Member.canonical(value)
    }

    /// The number of a typed value is canonical as it stands, unless it needs an exponent.
    private static func canonical(_ typed: ParameterValue) -> String {
      if case .number(let text) = typed, text != "-0", !text.utf8.contains(UInt8(ascii: "e")) { return text }
      return JSONValue(parameter: typed).canonicalText
    }
  }
}

extension Catalog {
  /// What the name of a component means.
  func type<T>(of component: Component, in types: OrderedDictionary<String, T>) throws -> any Configurable.Type {
    guard let type = types[component.name] as? any Configurable.Type else {
      throw CompositionError("nothing is called \"\(component.name)\"")
    }
    return type
  }
}

/// The identity of a configuration, ready to be joined with seeds.
public struct RunIdentity: Sendable {
  /// 128 bits that tell configurations apart.
  struct Digest: Hashable {
    private let high: UInt64
    private let low: UInt64

    fileprivate init(_ digest: SHA256.Digest) {
      func word(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
      high = word(digest.prefix(8))
      low = word(digest.dropFirst(8).prefix(8))
    }
  }

  private let beforeSeed: SHA256

  var digest: Digest { Digest(beforeSeed.finalize()) }

  init(beforeSeed: SHA256) { self.beforeSeed = beforeSeed }

  /// The first 128 bits of SHA-256 over the canonical JSON of configuration and seed, in hex.
  public func runID(seed: Int) -> String {
    var hash = beforeSeed
    hash.update(data: Array("\(seed)}".utf8))
    return hex(hash.finalize().prefix(16))
  }
}

/// SHA-256 of bytes, in hex.
public func sha256(_ bytes: [UInt8]) -> String { hex(SHA256.hash(data: bytes)) }

private func hex(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  text.reserveCapacity(64)
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}
