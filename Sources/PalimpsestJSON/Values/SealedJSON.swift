/// JSON with a checksum of itself: the last member of the object, `"sha256"`, on a line of its own, is that of all bytes
/// before it. Any reader of JSON reads it; a flipped bit anywhere is seen.
package enum SealedJSON {
  /// Opens the end of the file; 64 hex digits and ``closing`` follow.
  private static let opening = Array("\"sha256\":\"".utf8)
  private static let closing = Array("\"}\n".utf8)
  private static let length = opening.count + 64 + closing.count

  /// - Parameter body: the object up to the comma before its last member.
  package static func sealed(_ body: [UInt8]) -> [UInt8] {
    body + opening + Array(sha256(body).utf8) + closing
  }

  /// An object as people read it, and its seal.
  package static func sealed(_ object: JSONObject) -> [UInt8] {
    let text = JSONValue(object).prettyText.dropLast("\n}".count)
    return sealed(Array((text + ",\n").utf8))
  }

  /// Nil for a file without a seal; else whether its bytes are those that were sealed.
  package static func isIntact(_ bytes: [UInt8]) -> Bool? {
    let end = bytes.suffix(length)
    guard end.count == length, end.starts(with: opening) else { return nil }
    let digest = sha256(bytes[..<end.startIndex])
    return end.elementsEqual(opening + Array(digest.utf8) + closing)
  }
}

extension JSONValue {
  /// What `element` makes of each element of an array; nil where this is no array or one of them is nothing: damage must
  /// not shorten a list.
  package func list<Element>(_ element: (JSONValue) -> Element?) -> [Element]? {
    guard let array else { return nil }
    let elements = array.compactMap(element)
    return elements.count == array.count ? elements : nil
  }
}
