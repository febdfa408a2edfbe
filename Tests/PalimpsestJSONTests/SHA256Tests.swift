import PalimpsestJSON
import Testing

struct SHA256Tests {
  /// The examples of FIPS 180-4 as NIST publishes them, and nothing at all.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ])
  func `digests are those of the standard`(_ text: String, _ digest: String) {
    #expect(sha256(Array(text.utf8)) == digest)
  }

  @Test func `parts give the digest of the whole, and a copy goes on by itself`() {
    var first = SHA256()
    first.add(Array("ab".utf8))
    var second = first
    second.add(Array("c".utf8))
    first.add(Array("xabcx".utf8)[1..<4])
    #expect(second.hex == sha256(Array("abc".utf8)))
    #expect(first.hex == sha256(Array("ababc".utf8)))
    #expect(first.hex == first.hex)
  }
}
