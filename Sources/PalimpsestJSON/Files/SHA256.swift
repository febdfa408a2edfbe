#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// SHA-256 (FIPS 180-4) of bytes that come in parts, by the system's library: libcrypto, CryptoKit on Apple's systems.
///
/// A value: a copy goes on by itself, so texts that begin alike share the work for their beginning.
package struct SHA256: Sendable {
  /// Bytes of a digest.
  package static let length = 32

  #if canImport(CryptoKit)
    private var state = CryptoKit.SHA256()
  #else
    private var state = SHA256_CTX()
  #endif

  package init() {
    #if !canImport(CryptoKit)
      unsafe SHA256_Init(&state)
    #endif
  }

  package mutating func add(_ bytes: ArraySlice<UInt8>) {
    #if canImport(CryptoKit)
      state.update(data: bytes)
    #else
      unsafe bytes.withUnsafeBytes { _ = unsafe SHA256_Update(&state, $0.baseAddress, $0.count) }
    #endif
  }

  package mutating func add(_ bytes: [UInt8]) { add(bytes[...]) }

  /// The digest of the bytes so far; more may follow.
  package var digest: [UInt8] {
    #if canImport(CryptoKit)
      return Array(state.finalize())
    #else
      var end = state
      return unsafe [UInt8](unsafeUninitializedCapacity: SHA256.length) { buffer, count in
        unsafe SHA256_Final(buffer.baseAddress, &end)
        count = SHA256.length
      }
    #endif
  }

  /// The digest in hex.
  package var hex: String { SHA256.hex(digest[...]) }

  package static func digest(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    var hash = SHA256()
    hash.add(bytes)
    return hash.digest
  }

  package static func digest(of bytes: [UInt8]) -> [UInt8] { digest(of: bytes[...]) }

  /// Who works it out: `OpenSSL 3.0.17 1 Jul 2025`.
  package static var library: String {
    #if canImport(CryptoKit)
      return "CryptoKit"
    #else
      return unsafe String(cString: OpenSSL_version(OPENSSL_VERSION))
    #endif
  }

  /// Two lower-case digits a byte.
  package static func hex(_ bytes: ArraySlice<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.count)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// SHA-256 of bytes, in hex.
public func sha256(_ bytes: [UInt8]) -> String { sha256(bytes[...]) }

/// SHA-256 of bytes, in hex.
public func sha256(_ bytes: ArraySlice<UInt8>) -> String { SHA256.hex(SHA256.digest(of: bytes)[...]) }
