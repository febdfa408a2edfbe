import OrderedCollections
import PalimpsestCore
import PalimpsestJSON

/// The hashed text of a configuration in its pieces: canonical JSON, values equal to the default left out.
///
/// Equal pieces mean equal settings, however they were written.
struct ConfigurationText {
  /// The members of `training` before and after its optimiser, which is a component of its own.
  struct Training: Hashable {
    /// Each with a comma behind it.
    var before = ""
    /// Each with a comma before it.
    var after = ""

    /// The settings without the optimiser.
    var alone: String { "{" + (before.isEmpty ? after.dropFirst() : before.dropLast() + after) + "}" }
  }

  var scenario = ""
  var model = ""
  var training = Training()
  var optimizer = ""
  var parts: [String] = []
  var evaluation = ""
  /// Empty for a run through tasks: it has no such member.
  var stream = ""
  /// Settings, policy and safeguard of a run that goes on with single people; empty for any other.
  var personal = ""
  var policy = ""
  var safeguard = ""

  /// Everything of the hashed text before the seed.
  var identity: RunIdentity {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1024)
    func add(_ text: String) { bytes += text.utf8 }
    add("{\"configuration\":{\"evaluation\":")
    add(evaluation)
    add(",\"model\":")
    add(model)
    add(ConfigurationText.numerics)
    if !personal.isEmpty {
      add(",\"personal\":" + personal + ",\"policy\":" + policy + ",\"safeguard\":" + safeguard)
    }
    add(",\"scenario\":")
    add(scenario)
    add(",\"strategy\":[")
    for (i, part) in parts.enumerated() {
      if i > 0 { add(",") }
      add(part)
    }
    add("],")
    if !stream.isEmpty { add("\"stream\":" + stream + ",") }
    add("\"training\":{")
    add(training.before)
    add("\"optimizer\":")
    add(optimizer)
    add(training.after)
    add("}},\"seed\":")
    return RunIdentity(beforeSeed: bytes)
  }

  private static let numerics = ",\"numerics\":\(ResolvedConfiguration.numericsVersion)"
}

/// Writes the texts of configurations, one after another. What did not change since the last one is not written anew, so a
/// sweep costs what it varies.
struct ConfigurationWriter {
  private let catalog: Catalog
  private var forms: [String: CanonicalForm] = [:]
  private let model = CanonicalForm(ModelSettings.self)
  private let training = CanonicalForm(TrainingSettings.self)
  private let evaluation = CanonicalForm(EvaluationSettings.self)
  private let stream = CanonicalForm(StreamSettings.self)
  private let personal = CanonicalForm(PersonalSettings.self)
  private var last: Configuration?
  private var text = ConfigurationText()

  init(_ catalog: Catalog) { self.catalog = catalog }

  /// - Throws: ``ParameterError``, ``CompositionError`` for settings that no reader would have let through.
  mutating func text(_ configuration: Configuration) throws -> ConfigurationText {
    let old = last
    last = nil
    if old?.scenario != configuration.scenario {
      text.scenario = try form(of: configuration.scenario, in: catalog.scenarios).text(configuration.scenario)
    }
    if old?.model != configuration.model { text.model = try model.text(configuration.model) }
    if old?.training != configuration.training {
      text.training = try training.halves(configuration.training, around: "optimizer")
    }
    if old?.optimizer != configuration.optimizer {
      text.optimizer = try form(of: configuration.optimizer, in: catalog.optimizers).text(configuration.optimizer)
    }
    try writeParts(configuration.strategy, old: old?.strategy ?? [])
    if old?.evaluation != configuration.evaluation { text.evaluation = try evaluation.text(configuration.evaluation) }
    if old?.stream != configuration.stream { text.stream = try configuration.stream.map { try stream.text($0) } ?? "" }
    if old?.personal != configuration.personal { try write(configuration.personal) }
    last = configuration
    return text
  }

  private mutating func write(_ cell: PersonalCell?) throws {
    text.personal = try cell.map { try personal.text($0.settings) } ?? ""
    text.policy = try cell.map { try form(of: $0.policy, in: catalog.policies).text($0.policy) } ?? ""
    text.safeguard = try cell.map { try form(of: $0.safeguard, in: catalog.safeguards).text($0.safeguard) } ?? ""
  }

  private mutating func writeParts(_ parts: [Component], old: [Component]) throws {
    if parts.count != old.count { text.parts = [String](repeating: "", count: parts.count) }
    for (i, part) in parts.enumerated() where parts.count != old.count || old[i] != part {
      text.parts[i] = try form(of: part, in: catalog.parts).text(part)
    }
  }

  /// No name of a catalogue means two things.
  private mutating func form<T>(of component: Component, in types: OrderedDictionary<String, T>) throws -> CanonicalForm
  {
    if let form = forms[component.name] { return form }
    let form = CanonicalForm(try catalog.type(of: component, in: types))
    forms[component.name] = form
    return form
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

    fileprivate init(_ digest: [UInt8]) {
      func word(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
      high = word(digest.prefix(8))
      low = word(digest.dropFirst(8).prefix(8))
    }
  }

  private let beforeSeed: SHA256

  var digest: Digest { Digest(beforeSeed.digest) }

  /// - Parameter text: everything of the hashed text before the seed.
  init(beforeSeed text: [UInt8]) {
    var hash = SHA256()
    hash.add(text)
    beforeSeed = hash
  }

  /// The first 128 bits of SHA-256 over the canonical JSON of configuration and seed, in hex.
  public func runID(seed: Int) -> String { runKey(seed: seed).text }

  /// The same bits.
  func runKey(seed: Int) -> RunKey {
    var hash = beforeSeed
    hash.add(Array("\(seed)}".utf8))
    return RunKey(digest: hash.digest)
  }
}
