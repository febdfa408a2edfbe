import PalimpsestScenarios

/// A data set the toolkit knows: what it is, where to get it, and what its files must be. `datasets/manifest.json` is
/// this list.
public struct KnownDataset: Codable, Sendable, Equatable {
  /// A file as it was published.
  public struct File: Codable, Sendable, Equatable {
    public let name: String
    public let bytes: Int
    /// Of the file.
    public let sha256: String
    /// Of what it holds when unpacked: copies packed elsewhere differ in the file and agree in this.
    public let contentSHA256: String
  }

  public let name: String
  public let title: String
  public let trainingRows: Int
  public let testRows: Int
  public let columns: Int
  public let classes: Int
  /// Height and width where a row is an image.
  public let image: [Int]?
  /// The label's column where the files are tables.
  public let label: String?
  public let licence: String
  public let citation: String
  /// Where the files come from, for people.
  public let origin: String
  /// Folders or files to give to `datasets add NAME --from`.
  public let urls: [String]
  public let files: [File]
  /// How it is read as a log; nil where its rows have no order.
  public var log: KnownLog? = nil

  /// What a reader of tables has to know.
  var options: TableOptions {
    var options = TableOptions()
    options.label = label
    options.test = .rows(testRows)
    if let image, image.count == 2 { options.image = ImageSize(height: image[0], width: image[1]) }
    if let events = log?.events { options.derivation = .events(events) }
    options.origin = "the list of known data sets"
    return options
  }
}

extension KnownDataset {
  /// All known data sets.
  public static let all = [mnist, letters, digits] + logs

  public static func named(_ name: String) -> KnownDataset? { all.first { $0.name == name } }

  private static let mnist = KnownDataset(
    name: "mnist", title: "MNIST handwritten digits, 28 × 28 grey pixels", trainingRows: 60_000, testRows: 10_000,
    columns: 784, classes: 10, image: [28, 28], label: nil,
    licence: "CC BY-SA 3.0 (Y. LeCun, C. Cortes, C. Burges)",
    citation: "LeCun, Bottou, Bengio, Haffner, Proc. IEEE 86(11), 1998",
    origin: "the four original IDX files, as torchvision fetches them",
    urls: ["https://ossci-datasets.s3.amazonaws.com/mnist/", "https://storage.googleapis.com/cvdf-datasets/mnist/"],
    files: [
      File(
        name: "train-images-idx3-ubyte.gz", bytes: 9_630_610,
        sha256: "71524e2cd1ad2968737f7f2f2ff69cbfc32df8ccddff51593f7cb2d4e0eb5b64",
        contentSHA256: "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"),
      File(
        name: "train-labels-idx1-ubyte.gz", bytes: 28_878,
        sha256: "fe03b8bd7915f70bf5aa08be480aa413fbd85afcaa58b35d230d335f284fd88e",
        contentSHA256: "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"),
      File(
        name: "t10k-images-idx3-ubyte.gz", bytes: 1_602_050,
        sha256: "5634745efa576a17e7d4cf5cd9d09123c75e6538e5114267c2d156edaf519341",
        contentSHA256: "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"),
      File(
        name: "t10k-labels-idx1-ubyte.gz", bytes: 4_517,
        sha256: "ae18e77e031ccde52407f794d123116439864147d33ac992975f85dd4dc42af6",
        contentSHA256: "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"),
    ])

  private static let letters = KnownDataset(
    name: "letter-recognition", title: "Capital letters of 20 fonts as 16 integers", trainingRows: 16_000,
    testRows: 4_000, columns: 16, classes: 26, image: nil, label: "Letter",
    licence: "CC BY 4.0 (UCI Machine Learning Repository, data set 59)",
    citation: "P. W. Frey, D. J. Slate, Machine Learning 6, 1991",
    origin: """
      letter-recognition.data of GitHub davidgasquez/letter-recognition (with a header line), saved as \
      letter-recognition.csv; UCI's own file has no header line: put Letter,1,2, … 16 first
      """,
    urls: ["https://archive.ics.uci.edu/dataset/59/letter+recognition"],
    files: [
      File(
        name: "letter-recognition.csv.gz", bytes: 193_651,
        sha256: "63ca53ee88f46ce4fb2f96a46fac51190a58a355557eaec6e32b83ad841a77f6",
        contentSHA256: "9b63b12c9425f919cf32a4de0ffbbef25960ddeced6a0c15fc8cf2dbb530b403")
    ])

  private static let digits = KnownDataset(
    name: "digits8x8", title: "Small handwritten digits, 8 × 8 pixels of 0 to 16", trainingRows: 1_400, testRows: 397,
    columns: 64, classes: 10, image: [8, 8], label: "label",
    licence: "CC BY 4.0 (UCI data set 80), BSD-3-Clause (scikit-learn)",
    citation: "E. Alpaydin, C. Kaynak, 1998",
    origin: "scikit-learn's load_digits, written as a table: label, then p0 to p63",
    urls: ["https://archive.ics.uci.edu/dataset/80/optical+recognition+of+handwritten+digits"],
    files: [
      File(
        name: "digits.csv.gz", bytes: 53_640,
        sha256: "3dfa5abbe5f13b33c388acc86191880767382ea5dd79e363e944f526b208f0f1",
        contentSHA256: "d168c7e6f3c50d0eb1a859158aabd051dc9ac54cb9b20bf72ad3c2dfb765e010")
    ])
}
