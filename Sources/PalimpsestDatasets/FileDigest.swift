import Crypto
import Foundation

/// SHA-256, in hex.
enum FileDigest {
  static func sha256(_ bytes: ArraySlice<UInt8>) -> String {
    var hash = SHA256()
    hash.update(data: bytes)
    return hash.finalize().map(hex).joined()
  }

  static func sha256(_ bytes: [UInt8]) -> String { sha256(bytes[...]) }
}
