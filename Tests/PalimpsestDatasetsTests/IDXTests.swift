import PalimpsestScenarios
import Testing

@Suite struct IDXTests {
  @Test(arguments: [false, true]) func `images and labels are read as they stand`(gzip: Bool) throws {
    let scratch = try Scratch()
    try scratch.writeImages("set", gzip: gzip)
    let set = try scratch.library.dataset(named: "set")
    #expect(set.values == [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11], [20, 21, 22, 23, 24, 25]])
    #expect(set.classes == ["3", "7"])
    #expect(set.labels == [1, 0, 1])
    #expect(set.training == 0..<2)
    #expect(set.test == 2..<3)
    #expect(set.image == ImageSize(height: 2, width: 3))
    #expect(set.inputs.rawBytes?.count == 18)
  }

  @Test func `a file's digest is that of its content, packed or not`() throws {
    let scratch = try Scratch()
    try scratch.writeImages("plain")
    try scratch.writeImages("packed", gzip: true)
    let digest = try scratch.library.dataset(named: "plain").digest
    #expect(try scratch.library.dataset(named: "packed").digest == digest)
    #expect(digest.split(separator: ",").map(\.count) == [64, 64, 64, 64])
  }

  /// The error after one file of the set has been replaced.
  private func error(_ file: String, _ bytes: [UInt8]) throws -> String? {
    let scratch = try Scratch()
    try scratch.writeImages("set")
    try scratch.write("set/\(file)", bytes)
    return scratch.error(reading: "set")
  }

  @Test func `a wrong magic number is shown beside the right one`() throws {
    #expect(
      try error("train-images-idx3-ubyte", [0, 0, 8, 1] + idx([2, 2, 3], Array(0..<12)).dropFirst(4))
        == "set/train-images-idx3-ubyte: byte 0: the magic number is 00 00 08 01; "
        + "an image file of IDX begins with 00 00 08 03")
    #expect(
      try error("t10k-labels-idx1-ubyte", [0, 0, 13, 1, 0, 0, 0, 1, 7])
        == "set/t10k-labels-idx1-ubyte: byte 0: the magic number is 00 00 0d 01; "
        + "a label file of IDX begins with 00 00 08 01")
  }

  @Test func `sizes that do not fit the file are refused`() throws {
    #expect(
      try error("train-images-idx3-ubyte", idx([2, 2, 3], Array(0..<13)))
        == "set/train-images-idx3-ubyte: byte 16: 2 images of 2 × 3 take 12 bytes, but 13 follow the header")
    #expect(
      try error("train-images-idx3-ubyte", idx([2, 0, 3], []))
        == "set/train-images-idx3-ubyte: byte 8: the number of rows is 0; it must be at least 1")
    let most = UInt32.max
    #expect(
      try error("train-images-idx3-ubyte", idx([most, most, most], [1]))
        == "set/train-images-idx3-ubyte: byte 16: 4294967295 images of 4294967295 × 4294967295 take "
        + "more bytes than there can be, but 1 follow the header")
  }

  @Test func `images and labels must be equally many`() throws {
    let message = try error("train-labels-idx1-ubyte", idx([3], [7, 3, 3]))
    #expect(message?.hasPrefix("set/train-labels-idx1-ubyte: byte 4: 3 labels, but ") == true)
    #expect(message?.hasSuffix("set/train-images-idx3-ubyte holds 2 images; each needs one label") == true)
  }

  @Test func `test images must have the size of training images`() throws {
    let message = try error("t10k-images-idx3-ubyte", idx([1, 3, 2], Array(20..<26)))
    #expect(message?.hasPrefix("set/t10k-images-idx3-ubyte: byte 8: images of 3 × 2, but ") == true)
    #expect(message?.hasSuffix("holds images of 2 × 3") == true)
  }

  @Test func `a file cut anywhere is refused`() throws {
    let scratch = try Scratch()
    let wholes = [
      ("train-images-idx3-ubyte", idx([2, 2, 3], Array(0..<12))), ("t10k-labels-idx1-ubyte", idx([1], [7])),
    ]
    for (file, whole) in wholes {
      for end in 0..<whole.count {
        try scratch.writeImages("set")
        try scratch.write("set/\(file)", Array(whole[..<end]))
        #expect(scratch.error(reading: "set")?.hasPrefix("set/\(file): ") == true, "\(file) cut at \(end)")
      }
    }
    try scratch.writeImages("set")
    try scratch.write("set/train-images-idx3-ubyte", [0, 0, 8, 3, 0, 0, 0])
    #expect(
      scratch.error(reading: "set")
        == "set/train-images-idx3-ubyte: byte 7: the file ends inside its header of 16 bytes")
  }

  @Test func `a missing file of the four is named`() throws {
    let scratch = try Scratch()
    try scratch.write("set/train-images-idx3-ubyte", idx([1, 1, 1], [1]))
    #expect(scratch.error(reading: "set")?.hasSuffix("set: there is no file train-labels-idx1-ubyte[.gz]") == true)
  }
}
