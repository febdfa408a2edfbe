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
    let pixels: [UInt8]
    /// Of the whole file.
    let digest: String
  }

  /// Labels: 00 00 08 01, their number, then a byte each.
  struct Labels {
    let file: DataFile
    let values: [UInt8]
    /// Of the whole file.
    let digest: String
  }

  static func images(_ file: DataFile) throws -> Images {
    let content = try IDXContent(IDXHeader(file, "an image file", ["images", "rows", "columns"])) { sizes in
      "\(sizes[0]) images of \(sizes[1]) × \(sizes[2])"
    }
    let size = ImageSize(height: content.sizes[1], width: content.sizes[2])
    return Images(
      file: file, count: content.sizes[0], size: size, pixels: content.values, digest: content.digest)
  }

  static func labels(_ file: DataFile) throws -> Labels {
    let content = try IDXContent(IDXHeader(file, "a label file", ["labels"])) { "\($0[0]) labels" }
    return Labels(file: file, values: content.values, digest: content.digest)
  }
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
        bytes: training.images.pixels + test.images.pixels, columns: size.height * size.width, scale: 1),
      labels: labels.map { numbers[$0] ?? 0 }, classes: values.map { "\($0)" },
      training: 0..<training.images.count, test: training.images.count..<labels.count, image: size,
      digest: [training.images.digest, training.labels.digest, test.images.digest, test.labels.digest]
        .joined(separator: ","))
  }

  private func pair(_ imagePath: String, _ labelPath: String) throws -> (images: IDX.Images, labels: IDX.Labels) {
    let images = try IDX.images(DataFile(path: imagePath))
    let labels = try IDX.labels(DataFile(path: labelPath))
    if images.count == labels.values.count { return (images, labels) }
    throw labels.file.broken(
      "byte 4: \(labels.values.count) labels, but \(imagePath) holds \(images.count) images; each needs one label")
  }

  private func differentSizes(_ training: IDX.Images, _ test: IDX.Images) -> DatasetError {
    test.file.broken(
      "byte 8: images of \(test.size.height) × \(test.size.width), but \(training.file.path) holds images of "
        + "\(training.size.height) × \(training.size.width)")
  }
}
