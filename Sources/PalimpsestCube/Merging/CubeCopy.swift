import HDF5

/// Copies what stands in one file into another that is being made.
extension HDF5Attributes {
  /// Attributes that HDF5 and netCDF-4 keep for themselves, and the fill value, which is written with its dataset.
  static let own: Set<String> = [
    "CLASS", "NAME", "REFERENCE_LIST", "DIMENSION_LIST", "DIMENSION_LABELS", "_Netcdf4Dimid", "_Netcdf4Coordinates",
    "_NCProperties", "_nc3_strict", "_FillValue",
  ]

  /// Copies all attributes but those that `other` has already; types that cubes do not have are left out.
  func copy(to other: HDF5Attributes, but left: Set<String> = []) throws(HDF5Error) {
    for name in try names() where !HDF5Attributes.own.contains(name) && !left.contains(name) {
      if try !other.contains(name) { try copy(name, to: other) }
    }
  }

  private func copy(_ name: String, to other: HDF5Attributes) throws(HDF5Error) {
    let (element, shape) = try kind(of: name)
    switch element {
    case .string:
      let texts = try strings(name)
      if shape.isEmpty, let text = texts.first { try other.set(name, text) } else { try other.set(name, texts) }
    case .float(bits: 32): try copy(name, shape, to: other, as: Float.self)
    case .float(bits: 64): try copy(name, shape, to: other, as: Double.self)
    case .integer(bits: 8, signed: true): try copy(name, shape, to: other, as: Int8.self)
    case .integer(bits: 32, signed: true): try copy(name, shape, to: other, as: Int32.self)
    case .integer(bits: 64, signed: true): try copy(name, shape, to: other, as: Int64.self)
    case .float, .integer, .other: break
    }
  }

  private func copy<T: HDF5Number>(
    _ name: String, _ shape: [Int], to other: HDF5Attributes, as type: T.Type
  ) throws(HDF5Error) {
    let numbers = try numbers(name, as: type)
    if shape.isEmpty, let number = numbers.first {
      try other.set(name, number)
    } else {
      try other.set(name, numbers)
    }
  }
}

extension HDF5Group {
  /// Copies datasets, attributes and groups of this group into an empty one. Dimensions become the group's own and take
  /// `suffix`, so that they cannot be mistaken for those of the file around it.
  func copy(to other: HDF5Group, suffix: String) throws(HDF5Error) {
    try attributes.copy(to: other.attributes)
    var scales: [String: HDF5Dataset] = [:]
    for name in try datasetNames() {
      let dataset = try dataset(name)
      let element = try dataset.element()
      let isBare = try dataset.isBareDimension()
      guard element != .other, !isBare else { continue }
      let shape = try dataset.shape()
      let filled = try dataset.attributes.contains("_FillValue")
      let copy = try other.write(name, try dataset.cubeValues(element), shape: shape, filled: filled)
      try dataset.attributes.copy(to: copy.attributes)
      for (axis, dimension) in try dataset.dimensionNames().enumerated() {
        let label = (dimension ?? "\(name)_\(axis)") + suffix
        if scales[label] == nil { scales[label] = try other.createDimension(label, length: shape[axis]) }
        if let scale = scales[label] { try copy.attach(scale, axis: axis) }
      }
    }
    for name in try groupNames() { try group(name).copy(to: try other.createGroup(name), suffix: suffix) }
  }

  /// Creates a dataset of any type that cubes have.
  /// - Parameter filled: NaN, or −1 among integers, is told to mean "missing".
  @discardableResult
  func write(
    _ name: String, _ values: CubeValues, shape: [Int], storage: HDF5Storage = .contiguous, filled: Bool = false
  ) throws(HDF5Error) -> HDF5Dataset {
    switch values {
    case .float(let values): try write(name, values, shape: shape, storage: storage, fill: filled ? .nan : nil)
    case .double(let values): try write(name, values, shape: shape, storage: storage, fill: filled ? .nan : nil)
    case .integer8(let values): try write(name, values, shape: shape, storage: storage, fill: filled ? -1 : nil)
    case .integer32(let values): try write(name, values, shape: shape, storage: storage, fill: filled ? -1 : nil)
    case .integer64(let values): try write(name, values, shape: shape, storage: storage, fill: filled ? -1 : nil)
    case .text(let values): try write(name, values, shape: shape)
    }
  }
}
