import PalimpsestScenarios
import Testing

/// 12 rows of `label,a,b`, packed by Python's gzip at level 9: one block of Huffman codes.
private let packedTable = bytes(
  hex:
    "1f8b08000000000002031d8a390ec03010027bbf658ac5717c3cc796d2f9ff75d00a0946c0dde7bb6c4e09ac222c73a5991faab9d9c5eb26"
    + "e85ec5f03398c92b7b459e24c70f7c58b6e754000000")

private let table = "label,a\n0,1\n1,2\n0,3\n1,4\n"

@Suite struct GzipTests {
  @Test func `a packed table reads as the plain one`() throws {
    let scratch = try Scratch()
    try scratch.write("set/t.csv.gz", packedTable)
    let set = try scratch.library.dataset(named: "set")
    #expect(set.labels == [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1])
    #expect(set.values[5] == [5, 4])  // the writer's rule: i, i² mod 7
  }

  @Test func `members of a file follow each other`() throws {
    let scratch = try Scratch()
    let bytes = Array(table.utf8)
    try scratch.write("set/t.csv.gz", stored(Array(bytes[..<11])) + stored(Array(bytes[11...])))
    #expect(try scratch.library.dataset(named: "set").values == [[1], [2], [3], [4]])
  }

  @Test func `zero bytes after the last member are padding`() throws {
    let scratch = try Scratch()
    try scratch.write("set/t.csv.gz", stored(Array(table.utf8)) + [UInt8](repeating: 0, count: 300))
    #expect(try scratch.library.dataset(named: "set").labels.count == 4)
  }

  @Test(arguments: [packedTable, stored(Array(table.utf8))])
  func `a file cut anywhere is refused with the place of the cut`(whole: [UInt8]) throws {
    let scratch = try Scratch()
    try scratch.write("set/t.csv.gz", whole)
    #expect(scratch.error(reading: "set") == nil)
    for end in 1..<whole.count {
      try scratch.write("set/t.csv.gz", Array(whole[..<end]))
      #expect(
        scratch.error(reading: "set")
          == "set/t.csv.gz: byte \(end): the file ends inside its gzip data: it is cut off. Get it anew")
    }
  }

  @Test func `a second member cut anywhere is refused`() throws {
    let scratch = try Scratch()
    let member = stored(Array(table.utf8))
    let second = stored(Array("0,5\n1,6\n".utf8))
    for end in 1..<second.count {
      try scratch.write("set/t.csv.gz", member + second[..<end])
      #expect(
        scratch.error(reading: "set")
          == "set/t.csv.gz: byte \(member.count + end): the file ends inside its gzip data: it is cut off. Get it anew")
    }
  }

  @Test func `any changed byte is an error or changes nothing that is read`() throws {
    let scratch = try Scratch()
    let whole = stored(Array(table.utf8))
    for place in whole.indices {
      var bytes = whole
      bytes[place] ^= 0x55
      try scratch.write("set/t.csv.gz", bytes)
      let isMeaningless = (4...9).contains(place)  // time, compression and system in the header
      #expect((scratch.error(reading: "set") == nil) == isMeaningless, "byte \(place)")
    }
  }

  @Test func `damage says where and what`() throws {
    let scratch = try Scratch()
    var bytes = stored(Array(table.utf8))
    bytes[20] ^= 1
    try scratch.write("set/t.csv.gz", bytes)
    #expect(
      scratch.error(reading: "set")
        == "set/t.csv.gz: near byte 43: the gzip data are damaged (incorrect data check). Get the file anew")
    try scratch.write("set/t.csv.gz", stored(Array(table.utf8)) + [0, 0, 9])
    #expect(
      scratch.error(reading: "set")
        == "set/t.csv.gz: near byte 49: the gzip data are damaged (data after the end). Get the file anew")
  }

  @Test func `a name in gz needs gzip data`() throws {
    let scratch = try Scratch()
    try scratch.write("set/t.csv.gz", table)
    #expect(
      scratch.error(reading: "set")
        == "set/t.csv.gz: byte 0: found 6c 61, but a gzip file begins with 1f 8b. "
        + "If it is not packed take .gz off its name"
    )
  }

  @Test func `an empty file is refused`() throws {
    let scratch = try Scratch()
    try scratch.write("set/t.csv.gz", [UInt8]())
    #expect(scratch.error(reading: "set") == "set/t.csv.gz: the file is empty")
  }
}
