import Foundation
import HDF5
import Testing

/// Builds a file, and opens its image for reading.
func reopened(_ build: (HDF5Group) throws -> Void) throws -> HDF5Group {
  let file = try HDF5File.create()
  try build(file.root)
  return try HDF5File.open(bytes: file.image()).root
}

/// What a number type must survive: written as an array and read back, in each way of storing it.
private func expectRoundTrip<T: HDF5Number & Equatable>(_ values: [T], _ storage: HDF5Storage) throws {
  let root = try reopened {
    let dataset = try $0.write("x", values, shape: [2, 1, 3], storage: storage)
    try dataset.attributes.set("one", values[0])
    try dataset.attributes.set("all", values)
  }
  let dataset = try root.dataset("x")
  #expect(try dataset.shape() == [2, 1, 3])
  #expect(try dataset.element() == T.hdf5.element)
  #expect(try dataset.read(as: T.self) == values)
  #expect(try dataset.attributes.number("one", as: T.self) == values[0])
  #expect(try dataset.attributes.numbers("all", as: T.self) == values)
}

private let storages: [HDF5Storage] = [
  .contiguous, .rows(128), .chunks([1, 1, 2], deflate: 9), .chunks([100, 100, 100], deflate: 0, shuffle: false),
]

@Test(arguments: storages)
func `numbers of every type come back as written`(storage: HDF5Storage) throws {
  try expectRoundTrip([Float.greatestFiniteMagnitude, -0.1, .infinity, .leastNonzeroMagnitude, 0, 1], storage)
  try expectRoundTrip([Double.pi, -.infinity, .leastNonzeroMagnitude, 0, 1, -1e300], storage)
  try expectRoundTrip([Int8.min, .max, 0, 1, -1, 2], storage)
  try expectRoundTrip([Int32.min, .max, 0, 1, -1, 2], storage)
  try expectRoundTrip([Int64.min, .max, 0, 1, -1, 1 << 53 + 1], storage)
}

/// 70 chunks are more than wait at once, and the last has two of its three rows; libhdf5's own filters read them.
@Test func `chunks come back in their order, also before the image is made`() throws {
  func expect<T: HDF5Number & Equatable>(_ values: [T], fill: T?) throws {
    let file = try HDF5File.create()
    let written = try file.root.write("x", values, shape: [209, 2], storage: .rows(3), fill: fill)
    #expect(try written.read(as: T.self) == values)
    try file.root.write("y", values, shape: [209, 2], storage: .rows(200, deflate: 9, shuffle: false))
    let root = try HDF5File.open(bytes: file.image()).root
    #expect(try root.dataset("x").read(as: T.self) == values)
    #expect(try root.dataset("y").read(as: T.self) == values)
  }
  let numbers = (0..<418).map { $0 * 7919 % 251 - 125 }
  try expect(numbers.map { Double($0) / 7 }, fill: -1)
  try expect(numbers.map { Float($0) / 7 }, fill: nil)
  try expect(numbers.map { Int8($0) }, fill: nil)
  try expect(numbers.map { Int32($0) << 20 }, fill: 5)
  try expect(numbers.map { Int64($0) << 40 }, fill: nil)
}

/// Bytes that look random are stored, others deflated: here the planes of a chunk change between the two. libhdf5's own
/// filters read them, and random bytes take no more room than they have.
@Test func `chunks of random and of regular bytes come back as written`() throws {
  var state: UInt64 = 1
  let random = (0..<30_000).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int64(bitPattern: state ^ state >> 29)
  }
  let columns = [
    (values: random, bytes: 240_000), (random.map { $0 & 0xFF }, 30_000),
    (random.map { $0 & 0x00FF_00FF_0000_FF00 }, 90_000), (random.map { $0 & 1 }, 3750 * 3 / 2),
    (random.indices.map { $0 % 10_000 < 5000 ? random[$0] : 7 }, 120_000),
  ]
  for (values, bytes) in columns {
    let file = try HDF5File.create()
    try file.root.write("x", values, shape: [30_000], storage: .rows(10_000))
    let image = try file.image()
    #expect(try HDF5File.open(bytes: image).root.dataset("x").read(as: Int64.self) == values)
    #expect(image.count < bytes * 102 / 100 + 4096)
  }
}

@Test func `a file that is given up with chunks under way closes`() throws {
  for _ in 0..<20 {
    let file = try HDF5File.create()
    try file.root.write("x", [Double](repeating: 0.1, count: 100_000), shape: [100_000], storage: .rows(5000))
  }
  #expect(try reopened { try $0.write("x", [Int32(3)], shape: [1]) }.dataset("x").read(as: Int32.self) == [3])
}

private let words = ["réplay", "日本", "", "a\"b\n", String(repeating: "é", count: 40_000), "👩🏽‍🔬"]

@Test func `strings come back as written`() throws {
  let root = try reopened {
    try $0.write("column", words)
    try $0.write("table", words, shape: [3, 2], storage: .rows(2))
    try $0.write("text", words[4])
    try $0.write("none", [])
    try $0.attributes.set("title", "réplay 日本")
    try $0.attributes.set("words", words)
    try $0.attributes.set("empty", "")
  }
  #expect(try root.dataset("column").strings() == words)
  #expect(try root.dataset("table").strings() == words)
  #expect(try root.dataset("table").shape() == [3, 2])
  #expect(try root.dataset("text").strings() == [words[4]])
  #expect(try root.dataset("text").shape() == [])
  #expect(try root.dataset("none").strings() == [])
  #expect(try root.attributes.string("title") == "réplay 日本")
  #expect(try root.attributes.strings("words") == words)
  #expect(try root.attributes.string("empty") == "")
}

/// Swift calls the two spellings of é equal; their bytes differ.
@Test(arguments: [["vm"], [""], ["é", "e\u{301}", "e\u{301}", "é", "", "", "a", "a", ""]])
func `texts that repeat come back byte by byte`(pattern: [String]) throws {
  let texts = (0..<500).flatMap { _ in pattern }
  let found = try reopened { try $0.write("x", texts) }.dataset("x").strings()
  let isSame = found.elementsEqual(texts) { $0.utf8.elementsEqual($1.utf8) }
  #expect(isSame)
}

@Test func `a fill value of NaN is an attribute too, and NaN stays NaN`() throws {
  let root = try reopened {
    try $0.write("loss", [1, Float.nan, 3], shape: [3], storage: .rows(128), fill: .nan)
    try $0.write("seed", [Int64(-1)], shape: [1], fill: -1)
  }
  let loss = try root.dataset("loss").read(as: Float.self)
  #expect(loss[0] == 1 && loss[1].isNaN && loss[2] == 3)
  #expect(try root.dataset("loss").attributes.number("_FillValue", as: Float.self).isNaN)
  #expect(try root.dataset("seed").attributes.number("_FillValue", as: Int64.self) == -1)
}

@Test func `numbers are read as wider types, never as narrower ones`() throws {
  let root = try reopened {
    try $0.write("small", [Int8(-3)], shape: [1])
    try $0.write("single", [Float(0.5)], shape: [])
    try $0.write("seed", [Int64(3)], shape: [])
  }
  #expect(try root.dataset("small").read(as: Int64.self) == [-3])
  #expect(try root.dataset("small").read(as: Float.self) == [-3])
  #expect(try root.dataset("single").read(as: Double.self) == [0.5])
  #expect(throws: HDF5Error.self) { try root.dataset("single").read(as: Int64.self) }
  #expect(throws: HDF5Error.self) { try root.dataset("seed").read(as: Int32.self) }
  #expect(throws: HDF5Error.self) { try root.dataset("seed").read(as: Double.self) }
}

@Test func `members and attributes keep the order in which they were created`() throws {
  let names = (0..<20).map { "n\($0 * 7 % 20)" }
  let root = try reopened { root in
    for name in names {
      try root.write(name, [Int8(0)], shape: [1])
      try root.attributes.set(name, Int8(0))
      _ = try root.createGroup("group_" + name)
    }
    try root.group("group_n0").write("x", "deep")
  }
  #expect(try root.datasetNames() == names)
  #expect(try root.attributes.names() == names)
  #expect(try root.groupNames() == names.map { "group_" + $0 })
  #expect(try root.dataset("group_n0/x").path == "/group_n0/x")
  #expect(try root.group("group_n0").dataset("x").strings() == ["deep"])
  #expect(try root.attributes.contains("n0"))
  #expect(try !root.attributes.contains("m0"))
}

@Test(arguments: [0, 1, 3])
func `a cube of few or no runs keeps its shape and its dimensions`(runs: Int) throws {
  let accuracy = (0..<runs * 6).map { Float($0) }
  let root = try reopened { root in
    let run = try root.write("run", (0..<runs).map { Int32($0) }, shape: [runs])
    try run.makeScale()
    let task = try root.write("task", [Int32(0), 1, 2], shape: [3])
    try task.makeScale()
    let other = try root.createDimension("task_other", length: 2)
    try root.write("strategy", [String](repeating: "réplay", count: runs)).attach(run, axis: 0)
    try root.write("accuracy", accuracy, shape: [runs, 3, 2], storage: .rows(128), fill: .nan)
      .attach([run, task, other])
  }
  let dataset = try root.dataset("accuracy")
  #expect(try dataset.shape() == [runs, 3, 2])
  #expect(try dataset.read(as: Float.self) == accuracy)
  #expect(try dataset.dimensionNames() == ["run", "task", "task_other"])
  #expect(try root.dataset("strategy").dimensionNames() == ["run"])
  #expect(try root.dataset("strategy").strings().count == runs)
  #expect(try root.dataset("run").dimensionNames() == ["run"])
  #expect(try root.dataset("run").attributes.string("NAME") == "run")
}

@Test func `a dimension without coordinates is named as netCDF-4 does`() throws {
  let root = try reopened {
    let dimension = try $0.createDimension("configuration", length: 12)
    try $0.write("bare", [Int8](repeating: 0, count: 12), shape: [12])
    try $0.write("json", [String](repeating: "{}", count: 12)).attach(dimension, axis: 0)
  }
  let attributes = try root.dataset("configuration").attributes
  #expect(try attributes.string("CLASS") == "DIMENSION_SCALE")
  #expect(
    try attributes.string("NAME") == "This is a netCDF dimension but not a netCDF variable.        12")
  #expect(try root.dataset("json").dimensionNames() == ["configuration"])
  #expect(try root.dataset("bare").dimensionNames() == [nil])
}

@Test func `chunks are clamped to the dataset`() {
  #expect(HDF5Storage.rows(128).clamped(to: [300, 20, 4]) == [128, 20, 4])
  #expect(HDF5Storage.rows(128).clamped(to: [0, 20]) == [1, 20])
  #expect(HDF5Storage.chunks([0, 50]).clamped(to: [3, 20]) == [1, 20])
  #expect(HDF5Storage.contiguous.clamped(to: [3]) == nil)
}

@Test func `deflate makes the image smaller`() throws {
  func size(_ storage: HDF5Storage) throws -> Int {
    let file = try HDF5File.create()
    try file.root.write("x", [Double](repeating: 0.5, count: 100_000), shape: [100_000], storage: storage)
    return try file.image().count
  }
  #expect(try size(.contiguous) > 800_000)
  #expect(try size(.chunks([10_000], deflate: 1)) < 20_000)
}

@Test func `the same writes give the same bytes`() throws {
  func image() throws -> [UInt8] {
    let file = try HDF5File.create()
    let run = try file.root.write("run", [Int32(0), 1], shape: [2])
    try run.makeScale()
    try file.root.write("strategy", ["réplay", "日本"]).attach(run, axis: 0)
    try file.root.write("x", [Float(1), 2], shape: [2], storage: .rows(1), fill: .nan).attach(run, axis: 0)
    try file.root.createGroup("provenance").attributes.set("cpu", "x86")
    return try file.image()
  }
  let first = try image()
  // Times, if any were stored, would count whole seconds.
  Thread.sleep(forTimeInterval: 1.1)
  #expect(try image() == first)
}

@Test func `a file may grow after its image was taken, and a dataset keeps its file open`() throws {
  let file = try HDF5File.create()
  try file.root.write("a", "first")
  let early = try file.image()
  try file.root.write("b", "second")
  #expect(try HDF5File.open(bytes: early).root.datasetNames() == ["a"])
  #expect(try HDF5File.open(bytes: file.image()).root.datasetNames() == ["a", "b"])
  let dataset = try HDF5File.open(bytes: early).root.dataset("a")
  #expect(try dataset.strings() == ["first"])
}

@Suite struct HDF5RowsTests {
  /// 10 rows of 3, chunks of 4 rows: the last one is half empty.
  private let values = (0..<30).map { Float($0) / 7 }

  private func image(_ storage: HDF5Storage, in parts: [Int]?) throws -> [UInt8] {
    let file = try HDF5File.create()
    if let parts {
      let rows = HDF5Rows<Float>(shape: [10, 3], storage: storage)
      var first = 0
      for count in parts {
        rows.append(Array(values[3 * first..<3 * (first + count)]))
        first += count
      }
      try file.root.write("a", rows, fill: -1)
    } else {
      try file.root.write("a", values, shape: [10, 3], storage: storage, fill: -1)
    }
    try file.root.write("b", [Int8(1)], shape: [])
    return try file.image()
  }

  @Test(arguments: [HDF5Storage.rows(4), .rows(5), .rows(100), .contiguous, .chunks([4, 2])])
  func `rows that come in parts make the file of all at once`(storage: HDF5Storage) throws {
    let whole = try image(storage, in: nil)
    for parts in [[10], [1, 0, 9], [4, 4, 2], Array(repeating: 1, count: 10)] {
      #expect(try image(storage, in: parts) == whole, "\(parts)")
    }
  }

  @Test func `rows that do not fill the shape are refused`() throws {
    let rows = HDF5Rows<Float>(shape: [10, 3], storage: .rows(4))
    rows.append(Array(values.dropLast()))
    let file = try HDF5File.create(named: "a.h5")
    let error = #expect(throws: HDF5Error.self) { try file.root.write("a", rows) }
    #expect(
      error?.description == "a.h5: cannot write dataset /a: 29 values do not fill shape [10, 3], which has 30")
  }

  @Test func `an image in pieces is the image`() throws {
    let file = try HDF5File.create()
    try file.root.write("a", [Double](repeating: 1.5, count: 1 << 20), shape: [1 << 20])
    let image = try file.finished()
    var joined: [UInt8] = []
    image.forEachPiece { joined += $0 }
    #expect(joined.count == image.count && image.count > 8 << 20)
    #expect(joined == image.bytes(0..<image.count))
    // Byte 20 of superblock 0 tells readers that somebody has the file open for writing.
    #expect(joined[20..<24].allSatisfy { $0 == 0 })
    #expect(try HDF5File.open(bytes: joined).root.dataset("a").read(as: Double.self).count == 1 << 20)
  }
}
