import HDF5

/// Reads a whole file into plain values, each dataset and attribute judged before it is read.
///
/// What cannot be in a cube is left out and told; what cannot be read makes the whole file damaged.
package struct PlainReader {
  /// Groups within groups; cubes have three.
  private static let deepest = 8

  /// Bytes of the file, which cannot hold more than that.
  private let size: Int
  private var stored = 0
  private var leftOut: [String] = []

  private init(size: Int) { self.size = size }

  /// - Errors: what libhdf5 refuses, and what a file of that size cannot hold.
  package static func read(_ bytes: [UInt8], named name: String) throws(HDF5Error) -> PlainCube {
    let file = try HDF5File.open(bytes: bytes, named: name)
    var reader = PlainReader(size: bytes.count)
    let root = try reader.group(file.root, "", depth: 0)
    return PlainCube(root: root, leftOut: reader.leftOut)
  }

  private mutating func group(_ group: HDF5Group, _ name: String, depth: Int) throws(HDF5Error) -> PlainGroup {
    guard depth < PlainReader.deepest else {
      throw group.handle.task("list group \(group.path)").failure("groups are nested more than \(depth) deep")
    }
    var plain = PlainGroup(name: name)
    plain.attributes = try attributes(group.attributes)
    for name in try group.datasetNames() {
      if let dataset = try dataset(group.dataset(name)) { plain.datasets.append(dataset) }
    }
    for name in try group.otherNames() {
      leftOut.append("\(group.handle.path(of: name)) is a link to elsewhere or a type, and is left out")
    }
    for name in try group.groupNames() {
      plain.groups.append(try self.group(group.group(name), name, depth: depth + 1))
    }
    return plain
  }

  /// Nil for one of a type that cubes do not have.
  private mutating func dataset(_ dataset: HDF5Dataset) throws(HDF5Error) -> PlainDataset? {
    let element = try dataset.element()
    let (shape, dimensions) = (try dataset.shape(), try dataset.dimensionNames().map { $0 ?? "" })
    let attributes = try attributes(dataset.attributes)
    var plain = PlainDataset(name: dataset.name, shape: shape, dimensions: dimensions, attributes: attributes)
    if plain.isScale, try dataset.isBareDimension() {
      guard shape[0] <= size else {
        throw dataset.handle.task("read dimension \(dataset.path)").failure("it is longer than the file")
      }
      return plain
    }
    guard element.isOfCubes else {
      leftOut.append("\(dataset.path) holds \(element), which cubes do not have, and is left out")
      return nil
    }
    stored += try dataset.checkHolding(in: size)
    let task = dataset.handle.task("read dataset \(dataset.path)")
    if stored > size { throw task.failure("its values and those before it are more than the file's \(size) bytes") }
    let values = try dataset.cubeValues(element)
    try checkCount(values.count, fills: shape, task)
    plain.values = values
    return plain
  }

  private func attributes(_ attributes: HDF5Attributes) throws(HDF5Error) -> [PlainAttribute] {
    var plain: [PlainAttribute] = []
    for name in try attributes.names() where !HDF5Attributes.own.contains(name) || name == "_FillValue" {
      let (element, shape) = try attributes.kind(of: name)
      guard element.isOfCubes else { continue }
      let values = try attributes.cubeValues(name, element, atMost: size)
      plain.append(PlainAttribute(name: name, shape: values.count == 0 ? [0] : shape, values: values))
    }
    return plain
  }
}

extension HDF5Element {
  /// Whether cubes can hold all such values, in a type as wide or wider.
  fileprivate var isOfCubes: Bool {
    switch self {
    case .string: true
    case .float(let bits): bits <= 64
    case .integer(let bits, let signed): bits <= (signed ? 64 : 32)
    case .other: false
    }
  }
}

extension HDF5Attributes {
  /// - Parameter limit: bytes that all values may take.
  fileprivate func cubeValues(
    _ name: String, _ element: HDF5Element, atMost limit: Int
  ) throws(HDF5Error) -> CubeValues {
    let shape = try kind(of: name).shape
    guard let count = elementCount(shape), count <= limit else {
      throw owner.task("read attribute \(name) of \(owner.path)").failure(
        "its shape is \(shape), more than the file's \(limit) bytes can hold")
    }
    return switch element {
    case .float(bits: 32): .float(try numbers(name, as: Float.self))
    case .float: .double(try numbers(name, as: Double.self))
    case .integer(bits: 8, signed: true): .integer8(try numbers(name, as: Int8.self))
    case .integer(bits: 32, signed: true), .integer(bits: 16, _), .integer(bits: 8, _):
      .integer32(try numbers(name, as: Int32.self))
    case .integer: .integer64(try numbers(name, as: Int64.self))
    case .string, .other: .text(try strings(name))
    }
  }
}
