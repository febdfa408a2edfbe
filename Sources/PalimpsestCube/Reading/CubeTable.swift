import HDF5
import PalimpsestJSON
import PalimpsestRuns

/// A cube of any origin, opened by itself: its datasets as columns that are read when they are asked for.
///
/// It needs neither folder nor manifest. The checksum at the file's end, and the manifest's where
/// there is one, are compared first; signature, length, schema and shapes are checked, and everything that libhdf5
/// refuses later is an error of this file. A file without a checksum is read whole first (see ``CubeReading``).
///
/// - Memory: the file, and one column at a time; without a checksum all values twice.
public struct CubeTable: Sendable {
  /// One dataset of the root.
  public struct Column: Sendable {
    public let name: String
    public let element: HDF5Element
    public let shape: [Int]
    /// The dimension along each axis.
    public let dimensions: [String]
    let dataset: HDF5Dataset

    /// One value a run.
    public var isRunColumn: Bool { dimensions == ["run"] }
  }

  /// The file's name, for messages and as the origin of runs.
  public let name: String
  public let columns: [Column]
  /// Number of runs.
  public let runs: Int
  /// What its user should know of the file beside its numbers: a sentence each.
  public let notes: [String]
  /// Journal lines that were damaged when it was made, where its manifest says so: what they held is not in it.
  public private(set) var damaged: [String] = []
  let root: HDF5Group
  private let places: [String: Int]

  /// - Throws: ``CubeError`` for a file that is no cube, or a damaged one; ``PalimpsestJSON/FileError``.
  public init(file: String) throws {
    guard Files.exists(file) else { throw CubeError(file: file, .missing, "there is no such file") }
    let bytes = try Files.read(file)
    let folder = ResultsFolder(file)
    let manifest = folder.cube == file ? CubeManifest(of: folder) : nil
    if let manifest, sha256(bytes) != manifest.cube {
      throw CubeError(folder, .damaged, "its checksum is not that of \(folder.manifestFile)")
    }
    try self.init(bytes: bytes, named: file)
    damaged = manifest?.damaged ?? []
  }

  /// - Throws: ``CubeError`` for bytes that are no cube, or a damaged one.
  public init(bytes: [UInt8], named name: String) throws {
    guard bytes.starts(with: [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]) else {
      throw CubeError(file: name, .damaged, "it is no HDF5 file")
    }
    let (root, notes) = try CubeTable.open(bytes, name)
    let schema = try? root.attributes.string("palimpsest_schema")
    guard schema == Cube.schema else {
      let found = schema.map { "its schema is \"\($0)\"" } ?? "it has no attribute palimpsest_schema"
      throw CubeError(file: name, .otherSchema, "\(found), not \"\(Cube.schema)\": it is no cube of this program")
    }
    let columns = try CubeTable.reading(name) { () throws(HDF5Error) in
      var columns: [Column] = []
      for name in try root.datasetNames() { columns.append(try Column(name, in: root)) }
      return columns
    }
    self.name = name
    self.root = root
    self.notes = notes
    self.columns = columns
    places = Dictionary(columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    runs = columns.first { $0.name == "run" }?.shape.first ?? -1
    try check()
  }

  /// The content, and what is to be known of it.
  private static func open(_ bytes: [UInt8], _ name: String) throws -> (HDF5Group, notes: [String]) {
    switch CubeSeal.isIntact(bytes) {
    case true?:
      return (try reading(name) { () throws(HDF5Error) in try HDF5File.open(bytes: bytes, named: name).root }, [])
    case false?:
      throw CubeError(file: name, .damaged, "it is damaged: its checksum is not that of its content")
    case nil:
      let plain = try CubeReading.read(bytes, named: name)
      let root = try reading(name) { () throws(HDF5Error) in try plain.file(named: name).root }
      let trust = "it has no checksum, as if another program wrote into it, so its numbers are taken on trust"
      return (root, ([trust] + plain.leftOut).map { "\(name): \($0)" })
    }
  }

  public func column(_ name: String) -> Column? { places[name].map { columns[$0] } }

  /// Turns an error of libhdf5 into one of the file: it is damaged.
  static func reading<Value>(_ file: String, _ body: () throws(HDF5Error) -> Value) throws(CubeError) -> Value {
    do {
      return try body()
    } catch {
      throw CubeError(
        file: file, .damaged, "it is damaged: cannot \(error.doing): \(error.cause ?? error.problem)")
    }
  }
}

extension CubeTable.Column {
  fileprivate init(_ name: String, in root: HDF5Group) throws(HDF5Error) {
    dataset = try root.dataset(name)
    self.name = name
    element = try dataset.element()
    shape = try dataset.shape()
    dimensions = try dataset.dimensionNames().map { $0 ?? "" }
  }

  /// A dimension with or without coordinates.
  var isScale: Bool { dimensions == [name] }
  /// A netCDF dimension without coordinates.
  func isBare() throws(HDF5Error) -> Bool { isScale ? try dataset.isBareDimension() : false }
}

extension HDF5Dataset {
  /// True of what ``HDF5Group/createDimension(_:length:)`` makes, and netCDF.
  func isBareDimension() throws(HDF5Error) -> Bool {
    guard try attributes.contains("NAME") else { return false }
    return try attributes.string("NAME").hasPrefix("This is a netCDF dimension but not a netCDF variable")
  }
}

// MARK: - Values

/// The values of a dataset, of the types that cubes have.
package enum CubeValues: Sendable {
  case float([Float])
  case double([Double])
  case integer8([Int8])
  case integer32([Int32])
  case integer64([Int64])
  case text([String])

  package var count: Int {
    switch self {
    case .float(let values): values.count
    case .double(let values): values.count
    case .integer8(let values): values.count
    case .integer32(let values): values.count
    case .integer64(let values): values.count
    case .text(let values): values.count
    }
  }
}

extension CubeTable {
  /// - Throws: ``CubeError`` where it is not there or of another type.
  public func strings(_ name: String) throws(CubeError) -> [String] {
    guard case .text(let values) = try values(name) else { throw wrongType(name, "texts") }
    return values
  }

  /// Integers of any width, exactly; numbers as the nearest `Double`.
  public func doubles(_ name: String) throws(CubeError) -> [Double] {
    switch try values(name) {
    case .float(let values): return values.map { Double($0) }
    case .double(let values): return values
    case .integer8(let values): return values.map { Double($0) }
    case .integer32(let values): return values.map { Double($0) }
    case .integer64(let values): return values.map { Double($0) }
    case .text: throw wrongType(name, "numbers")
    }
  }

  public func integers(_ name: String) throws(CubeError) -> [Int] {
    switch try values(name) {
    case .integer8(let values): return values.map { Int($0) }
    case .integer32(let values): return values.map { Int($0) }
    case .integer64(let values): return values.map { Int($0) }
    case .float, .double, .text: throw wrongType(name, "integers")
    }
  }

  func values(_ name: String) throws(CubeError) -> CubeValues {
    guard let column = column(name) else { throw CubeError(file: self.name, .damaged, "it has no dataset \(name)") }
    return try values(column)
  }

  func values(_ column: Column) throws(CubeError) -> CubeValues {
    try CubeTable.reading(name) { () throws(HDF5Error) in try column.dataset.cubeValues(column.element) }
  }

  /// A text attribute of a column; nil where there is none.
  func attribute(_ attribute: String, of column: String) -> String? {
    try? self.column(column)?.dataset.attributes.string(attribute)
  }

  /// A text attribute of the file; empty where there is none.
  func attribute(_ name: String) -> String { (try? root.attributes.string(name)) ?? "" }

  /// A number of runs of the file; 0 where there is none.
  func count(_ name: String) -> Int {
    let number = (try? root.attributes.number(name, as: Int64.self)) ?? 0
    return Int(clamping: min(max(0, number), 1 << 40))
  }

  private func wrongType(_ column: String, _ wanted: String) -> CubeError {
    CubeError(file: name, .damaged, "\(column) does not hold \(wanted)")
  }
}

extension HDF5Dataset {
  func cubeValues(_ element: HDF5Element) throws(HDF5Error) -> CubeValues {
    switch element {
    case .float(bits: 32): .float(try read(as: Float.self))
    case .float: .double(try read(as: Double.self))
    case .integer(bits: 8, signed: true): .integer8(try read(as: Int8.self))
    case .integer(bits: 32, signed: true), .integer(bits: 16, _), .integer(bits: 8, _):
      .integer32(try read(as: Int32.self))
    case .integer: .integer64(try read(as: Int64.self))
    case .string, .other: .text(try strings())
    }
  }
}
