import PalimpsestCore
import PalimpsestScenarios

/// The IDX format of MNIST: a magic number, big-endian sizes, bytes.
///
/// - Source: LeCun's description of the format; of its types only unsigned bytes (08) occur in data sets of images.
enum IDX {
  /// Images: 00 00 08 03, their number, height, width, then a byte a pixel, row by row.
  struct Images {
    let file: DataFile
    let count: Int
    let size: ImageSize
    /// The whole file; pixels begin at byte 16.
    let bytes: [UInt8]

    var pixels: ArraySlice<UInt8> { bytes[16...] }
  }

  /// Labels: 00 00 08 01, their number, then a byte each.
  struct Labels {
    let file: DataFile
    /// The whole file; labels begin at byte 8.
    let bytes: [UInt8]

    var values: ArraySlice<UInt8> { bytes[8...] }
    var count: Int { bytes.count - 8 }
  }

  static func images(_ file: DataFile) throws -> Images {
    let bytes = try file.contents()
    let sizes = try header(file, bytes, "an image file", dimensions: ["images", "rows", "columns"])
    try checkLength(file, bytes, header: 16, sizes, "\(sizes[0]) images of \(sizes[1]) × \(sizes[2])")
    return Images(file: file, count: sizes[0], size: ImageSize(height: sizes[1], width: sizes[2]), bytes: bytes)
  }

  static func labels(_ file: DataFile) throws -> Labels {
    let bytes = try file.contents()
    let sizes = try header(file, bytes, "a label file", dimensions: ["labels"])
    try checkLength(file, bytes, header: 8, sizes, "\(sizes[0]) labels")
    return Labels(file: file, bytes: bytes)
  }

  /// The sizes after the magic number, each at least 1.
  private static func header(
    _ file: DataFile, _ bytes: [UInt8], _ kind: String, dimensions: [String]
  ) throws -> [Int] {
    let magic: [UInt8] = [0, 0, 8, UInt8(dimensions.count)]
    let found = bytes.prefix(4)
    guard found.elementsEqual(magic.prefix(found.count)) else {
      throw file.broken(
        "byte 0: the magic number is \(spaced(found)); \(kind) of IDX begins with \(spaced(magic[...]))")
    }
    let length = 4 + 4 * dimensions.count
    guard bytes.count >= length else {
      throw file.broken("byte \(bytes.count): the file ends inside its header of \(length) bytes")
    }
    return try dimensions.indices.map { i in
      let size = bytes[4 + 4 * i..<8 + 4 * i].reduce(0) { $0 << 8 | Int($1) }
      if size > 0 { return size }
      throw file.broken("byte \(4 + 4 * i): the number of \(dimensions[i]) is 0; it must be at least 1")
    }
  }

  private static func checkLength(
    _ file: DataFile, _ bytes: [UInt8], header: Int, _ sizes: [Int], _ what: String
  ) throws {
    let needed = sizes.reduce((product: 1, overflow: false)) { sum, size in
      let (product, overflow) = sum.product.multipliedReportingOverflow(by: size)
      return (product, overflow || sum.overflow)
    }
    let found = bytes.count - header
    if !needed.overflow && needed.product == found { return }
    let expected = needed.overflow ? "more bytes than there can be" : "\(needed.product) bytes"
    throw file.broken("byte \(header): \(what) take \(expected), but \(found) follow the header")
  }

  private static func spaced(_ bytes: ArraySlice<UInt8>) -> String { bytes.map(hex).joined(separator: " ") }
}

/// The four files of a data set in IDX.
struct IDXFiles: Equatable {
  let trainingImages: String
  let trainingLabels: String
  let testImages: String
  let testLabels: String

  /// Training rows first. The classes are the labels that occur, by number.
  func dataset(named name: String) throws -> Dataset {
    let training = try pair(trainingImages, trainingLabels)
    let test = try pair(testImages, testLabels)
    guard training.images.size == test.images.size else { throw differentSizes(training.images, test.images) }
    let labels = training.labels.values + test.labels.values
    let values = Set(labels).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: values.enumerated().map { ($1, Int32($0)) })
    let size = training.images.size
    return Dataset(
      name: name,
      inputs: Table(
        bytes: Array(training.images.pixels) + test.images.pixels, columns: size.height * size.width, scale: 1),
      labels: labels.map { numbers[$0] ?? 0 }, classes: values.map { "\($0)" },
      training: 0..<training.images.count, test: training.images.count..<labels.count, image: size,
      digest: [training.images.bytes, training.labels.bytes, test.images.bytes, test.labels.bytes]
        .map { sha256($0) }.joined(separator: ","))
  }

  private func pair(_ imagePath: String, _ labelPath: String) throws -> (images: IDX.Images, labels: IDX.Labels) {
    let images = try IDX.images(DataFile(path: imagePath))
    let labels = try IDX.labels(DataFile(path: labelPath))
    if images.count == labels.count { return (images, labels) }
    throw labels.file.broken(
      "byte 4: \(labels.count) labels, but \(imagePath) holds \(images.count) images; each needs one label")
  }

  private func differentSizes(_ training: IDX.Images, _ test: IDX.Images) -> DatasetError {
    test.file.broken(
      "byte 8: images of \(test.size.height) × \(test.size.width), but \(training.file.path) holds images of "
        + "\(training.size.height) × \(training.size.width)")
  }
}
