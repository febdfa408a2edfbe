import HDF5
import Palimpsest
import PalimpsestCube

/// Compares two cubes bit for bit: groups, datasets, shapes, types, dimensions, values and attributes, all in order.
enum CubeComparison {
  /// Datasets whose values tell who made a run when, and by which command the cube was made.
  private static let aside: Set = [
    "/started", "/time_total", "/time_train", "/time_evaluate", "/time_task", "/host", "/worker", "/provenance/command",
  ]
  /// The lines of all collects.
  private static let attributesAside: Set = ["/@history"]

  /// The paths in which the two differ, attributes as `/path@name`; empty where they are equal.
  static func differences(_ a: HDF5Group, _ b: HDF5Group) throws -> [String] {
    let (datasets, groups) = (try a.datasetNames(), try a.groupNames())
    guard try datasets == b.datasetNames() else { return ["\(a.path): names of datasets"] }
    guard try groups == b.groupNames() else { return ["\(a.path): names of groups"] }
    return try attributeDifferences(a.path, a.attributes, b.attributes)
      + datasets.flatMap { try differences(a.dataset($0), b.dataset($0)) }
      + groups.flatMap { try differences(a.group($0), b.group($0)) }
  }

  private static func differences(_ a: HDF5Dataset, _ b: HDF5Dataset) throws -> [String] {
    let isSame = try form(a) == form(b) && (aside.contains(a.path) || content(a) == content(b))
    return try (isSame ? [] : [a.path]) + attributeDifferences(a.path, a.attributes, b.attributes)
  }

  private static func attributeDifferences(
    _ path: String, _ a: HDF5Attributes, _ b: HDF5Attributes
  ) throws -> [String] {
    let names = try a.names()
    guard try names == b.names() else { return ["\(path)@: names of attributes"] }
    return try names.map { ("\(path)@\($0)", $0) }
      .filter { try !attributesAside.contains($0.0) && content(a, $0.1) != content(b, $0.1) }.map(\.0)
  }

  private static func form(_ dataset: HDF5Dataset) throws -> [String] {
    try ["\(dataset.element())"] + dataset.shape().map { "\($0)" } + dataset.dimensionNames().map { $0 ?? "" }
  }

  private static func content(_ dataset: HDF5Dataset) throws -> [String] {
    switch try dataset.element() {
    case .string: try dataset.strings()
    case .integer: try dataset.read(as: Int64.self).map { "\($0)" }
    case .float: try dataset.read(as: Double.self).map { "\($0.bitPattern)" }
    case .other: []
    }
  }

  /// References, by which dimensions are attached, count by their number alone: ``form(_:)`` has the dimensions' names.
  private static func content(_ attributes: HDF5Attributes, _ name: String) throws -> [String] {
    let (element, shape) = try attributes.kind(of: name)
    let values: [String] =
      switch element {
      case .string: try attributes.strings(name)
      case .integer: try attributes.numbers(name, as: Int64.self).map { "\($0)" }
      case .float: try attributes.numbers(name, as: Double.self).map { "\($0.bitPattern)" }
      case .other: []
      }
    return ["\(element)"] + shape.map { "\($0)" } + values
  }
}
