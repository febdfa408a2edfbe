import PalimpsestCore
import PalimpsestExperiments
import PalimpsestJSON

/// A checkpoint or a saved model as a file: what it is and for which run, then the state, then a checksum over all of it.
///
///     8 bytes  "PALIMPST"
///     4 bytes  format, little-endian: 1
///     8 bytes  length of the whole file, little-endian
///     n bytes  fields kind, run, numerics, arithmetic and state, as `StateEncoder` writes them
///     32 bytes SHA-256 of everything before
enum StateFile {
  enum Kind: String { case checkpoint, model }

  static let format: UInt32 = 1
  private static let magic = Array("PALIMPST".utf8)
  private static let headLength = 20

  private enum Field: String, CodingKey { case kind, run, numerics, arithmetic, state }

  // MARK: - Writing

  static func bytes(_ kind: Kind, run: String, state: (any Encoder) throws -> Void) throws -> [UInt8] {
    let body = try StateEncoder.bytes { encoder in
      var fields = encoder.container(keyedBy: Field.self)
      try fields.encode(kind.rawValue, forKey: .kind)
      try fields.encode(run, forKey: .run)
      try fields.encode(ResolvedConfiguration.numericsVersion, forKey: .numerics)
      try fields.encode(arithmetic, forKey: .arithmetic)
      try state(fields.superEncoder(forKey: .state))
    }
    let length = headLength + body.count + SHA256.length
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length)
    bytes += magic
    bytes += (0..<4).map { UInt8(truncatingIfNeeded: format >> (8 * $0)) }
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    bytes += body
    bytes += SHA256.digest(of: bytes)
    return bytes
  }

  /// Instruction sets that give the same bits: those with fused multiply-add, and the one without.
  private static var arithmetic: String { KernelTable.name == "baseline" ? "baseline" : "fused" }

  // MARK: - Reading

  /// - Parameters:
  ///   - run: the run the file must be of; nil: any.
  ///   - path: for messages.
  ///   - state: reads the state. Its limits are those given.
  /// - Throws: ``StateFileError``.
  static func read<R>(
    _ bytes: [UInt8], _ kind: Kind, run: String?, path: String, limits: StateLimits,
    state: (any Decoder) throws -> R
  ) throws(StateFileError) -> R {
    try checkFrame(bytes, path)
    do throws(StateError) {
      return try StateDecoder.read(bytes, in: headLength..<(bytes.count - SHA256.length), limits: limits) { decoder in
        let fields = try decoder.container(keyedBy: Field.self)
        try check(fields, kind, run, path)
        return try state(fields.superDecoder(forKey: .state))
      }
    } catch {
      throw StateFileError(.mismatch, path, "it cannot be used: \(error)")
    }
  }

  /// The bytes are those that were written.
  private static func checkFrame(_ bytes: [UInt8], _ path: String) throws(StateFileError) {
    let start = bytes.prefix(magic.count)
    guard start.elementsEqual(magic.prefix(start.count)), !bytes.isEmpty else {
      throw StateFileError(.foreign, path, "this is neither a checkpoint nor a saved model")
    }
    guard bytes.count >= headLength else {
      throw StateFileError(.truncated, path, "it is cut off after \(bytes.count) bytes")
    }
    let format = number(bytes[8..<12])
    guard format == UInt64(StateFile.format) else {
      let advice =
        format > UInt64(StateFile.format) ? "a newer version of the tool wrote it" : "there is no such format"
      throw StateFileError(.newer, path, "it has format \(format), this version reads \(StateFile.format): \(advice)")
    }
    let length = number(bytes[12..<20])
    guard length == UInt64(bytes.count), bytes.count >= headLength + SHA256.length else {
      throw StateFileError(.truncated, path, "it is cut off: it has \(bytes.count) bytes of \(length)")
    }
    let end = bytes.count - SHA256.length
    guard SHA256.digest(of: bytes[..<end]).elementsEqual(bytes[end...]) else {
      throw StateFileError(.damaged, path, "it is damaged: its checksum is not that of its content")
    }
  }

  private static func check(
    _ fields: KeyedDecodingContainer<Field>, _ kind: Kind, _ run: String?, _ path: String
  ) throws {
    func expect<T: Decodable & Equatable>(_ field: Field, _ wanted: T?, _ what: String) throws {
      let found = try fields.decode(T.self, forKey: field)
      if let wanted, found != wanted { throw StateError("\(what) \(found), not \(wanted)") }
    }
    try expect(.kind, kind.rawValue, "it is a")
    try expect(.run, run, "it is of run")
    try expect(.numerics, kind == .checkpoint ? ResolvedConfiguration.numericsVersion : nil, "it has numerics version")
    try expect(.arithmetic, kind == .checkpoint ? arithmetic : nil, "its instruction sets are")
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// A checkpoint or saved model that cannot be used: which file, and why.
public struct StateFileError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Kind: Sendable, Equatable {
    /// Something else altogether.
    case foreign
    /// Of a format this version does not know.
    case newer
    case truncated, damaged
    /// Of another run, another network, or not of this version's types.
    case mismatch
  }

  public let kind: Kind
  public let description: String

  init(_ kind: Kind, _ path: String, _ message: String) {
    self.kind = kind
    description = "\(path): \(message)"
  }
}

/// For tests of what stands behind the checksum.
package enum StateFiles {
  /// The bytes of a file without its checksum, with the length and the checksum they ask for.
  package static func signed(_ bytes: [UInt8]) -> [UInt8] {
    var copy = bytes
    for i in 0..<8 { copy[12 + i] = UInt8(truncatingIfNeeded: (bytes.count + 32) >> (8 * i)) }
    return copy + SHA256.digest(of: copy)
  }
}

extension Run {
  /// Goes to the end and keeps a checkpoint each so many steps.
  package mutating func saving(each steps: Int, into checkpoints: inout [[UInt8]]) {
    var count = 0
    while advance() {
      count += 1
      if count % steps == 0, let bytes = try? checkpoint("id") { checkpoints.append(bytes) }
    }
  }
}
