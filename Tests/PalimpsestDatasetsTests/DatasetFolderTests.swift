import Foundation
import PalimpsestDatasets
import PalimpsestScenarios
import Testing

@Suite struct DatasetFolderTests {
  @Test func `the variable's folders come before the two beside the working folder`() {
    let library = DatasetFolder.standard(environment: ["PALIMPSEST_DATASETS": "/a:b"])
    #expect(library.folders == ["/a", "b", "datasets", "../shared/data"])
    #expect(DatasetFolder.standard(environment: [:]).folders == ["datasets", "../shared/data"])
  }

  @Test func `the first folder that holds a set counts`() throws {
    let first = try Scratch()
    let second = try Scratch()
    try second.write("set/t.csv", "label,a\n0,1\n1,2\n")
    #expect(DatasetFolder([first.path, second.path]).location(of: "set") == second.path + "/set")
    try first.write("set/t.csv", "label,a\n0,5\n1,6\n")
    #expect(try DatasetFolder([first.path, second.path]).dataset(named: "set").values == [[5], [6]])
  }

  @Test func `a missing known set says where it was looked for and how to get it`() throws {
    #expect(
      throws: DatasetError(
        .missing,
        "data set \"mnist\" is not there: looked for none/mnist, nowhere/mnist. "
          + "Get it with: palimpsest datasets add mnist --from PATH|URL (the four original IDX files, "
          + "as torchvision fetches them: https://ossci-datasets.s3.amazonaws.com/mnist/)")
    ) { try DatasetFolder(["none", "nowhere"]).dataset(named: "mnist") }
  }

  @Test func `an unknown name says which there are`() throws {
    let scratch = try Scratch()
    try scratch.write("mine/t.csv", "label,a\n0,1\n1,2\n")
    #expect(
      scratch.error(reading: "other")
        == "data set \"other\" is not there: looked for other. There are or could be "
        + (KnownDataset.all.map(\.name) + ["mine"]).sorted().joined(separator: ", ")
        + ". Add your own with: palimpsest datasets add other --from PATH|URL")
    #expect(
      scratch.error(reading: "../mine")
        == "data set \"../mine\": a name is that of a folder: 1 to 200 printable characters, without / and not starting "
        + "with a dot")
  }

  @Test func `a folder without data is missing, not broken`() throws {
    let scratch = try Scratch()
    try scratch.write("set/notes.txt", "nothing")
    #expect(throws: DatasetError.self) { try scratch.library.dataset(named: "set") }
    do {
      _ = try scratch.library.dataset(named: "set")
    } catch let error as DatasetError {
      #expect(error.kind == .missing)
      #expect(
        error.description == "\(scratch.path)/set: there is no table (NAME.csv, NAME.csv.gz) and no IDX file "
          + "(train-images-idx3-ubyte, …)")
    }
  }

  @Test func `the list holds the known sets and those that are there`() throws {
    let scratch = try Scratch()
    try scratch.writeImages("mnist")
    try scratch.write("mine/t.csv", "label,a\n0,1\n1,2\n")
    try scratch.write("no-data/readme.txt", "x")
    let entries = scratch.library.describe()
    #expect(entries.map(\.name) == KnownDataset.all.map(\.name) + ["mine"])
    #expect(entries.filter { $0.folder != nil }.map(\.name) == ["mnist", "mine"])
    #expect(entries.filter { $0.known == nil }.map(\.name) == ["mine"])
  }

  @Test func `a set is called by its title, a known one's copy by what it is, others by what they hold`() throws {
    let scratch = try Scratch()
    try scratch.write("rain/t.csv", "label,a\n0,1\n1,2\n")
    try scratch.write("rain/dataset.json", #"{"title": "Rain in Bellevue"}"#)
    try scratch.write("copy/digits.csv.gz", [UInt8](repeating: 0, count: 53_640))
    try scratch.write("table/t.csv", "label,a\n0,1\n1,2\n")
    try scratch.writeImages("images")
    let titles = Dictionary(uniqueKeysWithValues: scratch.library.describe().map { ($0.name, $0.title) })
    #expect(titles["mnist"] == "MNIST handwritten digits, 28 × 28 grey pixels")
    #expect(titles["rain"] == "Rain in Bellevue")
    #expect(titles["copy"] == "Small handwritten digits, 8 × 8 pixels of 0 to 16 (as digits8x8)")
    #expect(titles["table"] == "a table" && titles["images"] == "images")
  }

  @Test func `other files under a known name are reported as different`() throws {
    let scratch = try Scratch()
    try scratch.write("digits8x8/digits.csv", "label,p0\n0,1\n")
    #expect(try scratch.library.verify("digits8x8").map(\.state) == [.different])
    try scratch.write("letter-recognition/other.csv", "Letter,1\nA,1\n")
    #expect(try scratch.library.verify("letter-recognition").map(\.state) == [.missing])
    #expect(
      throws: DatasetError(
        .missing,
        "data set \"mine\" is not in the manifest, which lists \(KnownDataset.all.map(\.name).joined(separator: ", "))")
    ) { try scratch.library.verify("mine") }
  }

  @Test func `a data set's file must be a regular one`() throws {
    let scratch = try Scratch()
    try scratch.write("set/notes", "x")
    try FileManager.default.createSymbolicLink(atPath: scratch.path + "/set/t.csv", withDestinationPath: "/dev/zero")
    #expect(scratch.error(reading: "set") == "set/t.csv: this is a device; a regular file is needed")
    try scratch.write("pipe/notes", "x")
    #expect(unsafe mkfifo(scratch.path + "/pipe/t.csv.gz", 0o600) == 0)
    #expect(scratch.error(reading: "pipe") == "pipe/t.csv.gz: this is a pipe; a regular file is needed")
  }
}
