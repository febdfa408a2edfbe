import HDF5

/// A file's content as plain values: what a file that nobody vouches for is turned into before anything is done with it.
///
/// libhdf5 can crash on a damaged file, at once or much later. So such a file is read whole by one who may crash (see
/// ``CubeReading``), and what was read is written anew: all further reading is that of a file made here.
package struct PlainCube: Sendable {
  package var root = PlainGroup()
  /// What is in the file and cannot be in a cube: a sentence each.
  package var leftOut: [String] = []
}

package struct PlainGroup: Sendable {
  package var name = ""
  package var attributes: [PlainAttribute] = []
  package var datasets: [PlainDataset] = []
  package var groups: [PlainGroup] = []
}

package struct PlainAttribute: Sendable {
  package var name: String
  /// `[]` for a single value.
  package var shape: [Int]
  package var values: CubeValues
}

package struct PlainDataset: Sendable {
  package var name: String
  package var shape: [Int]
  /// The dimension along each axis; empty where there is none.
  package var dimensions: [String]
  /// Nil for a netCDF dimension without coordinates.
  package var values: CubeValues?
  package var attributes: [PlainAttribute]

  var isScale: Bool { dimensions == [name] }
}

// MARK: - Writing it anew

extension PlainCube {
  /// The content in a file of our own making.
  package func file(named name: String) throws(HDF5Error) -> HDF5File {
    let file = try HDF5File.create(named: name)
    try root.write(to: file.root, [:])
    return file
  }
}

extension PlainGroup {
  /// - Parameter outer: dimensions of the groups around this one.
  fileprivate func write(to group: HDF5Group, _ outer: [String: HDF5Dataset]) throws(HDF5Error) {
    for attribute in attributes { try attribute.write(to: group.attributes) }
    var scales = outer
    var others: [(PlainDataset, HDF5Dataset)] = []
    for dataset in datasets {
      let written = try dataset.write(to: group)
      if dataset.isScale { scales[dataset.name] = written } else { others.append((dataset, written)) }
    }
    for (dataset, written) in others {
      for (axis, name) in dataset.dimensions.enumerated() {
        if let scale = scales[name] { try written.attach(scale, axis: axis) }
      }
    }
    for inner in groups { try inner.write(to: group.createGroup(inner.name), scales) }
  }
}

extension PlainDataset {
  fileprivate func write(to group: HDF5Group) throws(HDF5Error) -> HDF5Dataset {
    guard let values else { return try group.createDimension(name, length: shape.first ?? 0) }
    let dataset = try group.write(name, values, shape: shape)
    for attribute in attributes { try attribute.write(to: dataset.attributes) }
    if isScale { try dataset.makeScale() }
    return dataset
  }
}

extension PlainAttribute {
  fileprivate func write(to attributes: HDF5Attributes) throws(HDF5Error) {
    switch values {
    case .float(let values): try write(values, to: attributes)
    case .double(let values): try write(values, to: attributes)
    case .integer8(let values): try write(values, to: attributes)
    case .integer32(let values): try write(values, to: attributes)
    case .integer64(let values): try write(values, to: attributes)
    case .text(let values):
      if shape.isEmpty, let value = values.first {
        try attributes.set(name, value)
      } else {
        try attributes.set(name, values)
      }
    }
  }

  private func write<T: HDF5Number>(_ values: [T], to attributes: HDF5Attributes) throws(HDF5Error) {
    if shape.isEmpty, let value = values.first {
      try attributes.set(name, value)
    } else {
      try attributes.set(name, values)
    }
  }
}
