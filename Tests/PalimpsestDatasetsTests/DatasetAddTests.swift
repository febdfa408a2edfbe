import Foundation
import PalimpsestDatasets
import PalimpsestScenarios
import Testing

@Suite struct DatasetAddTests {
  private func error(_ name: String, from source: String, to home: String) async -> String? {
    do {
      _ = try await DatasetFolder.add(name, from: source, to: home)
      return nil
    } catch {
      return "\(error)".replacingOccurrences(of: home + "/", with: "")
    }
  }

  @Test func `a file, a folder and a file's address are copied as they are`() async throws {
    let source = try Scratch()
    let home = try Scratch()
    let file = try source.write("one/t.csv.gz", stored(Array("label,a\n0,1\n1,2\n".utf8)))
    try source.writeImages("images", gzip: true)
    try source.write("images/notes.txt", "not data")
    let entry = try await DatasetFolder.add("one", from: file, to: home.path)
    #expect(entry.name == "one" && entry.known == nil && entry.folder == home.path + "/one")
    _ = try await DatasetFolder.add("images", from: source.path + "/images", to: home.path)
    _ = try await DatasetFolder.add("again", from: "file://" + file, to: home.path)
    #expect(try home.library.dataset(named: "one").values == [[1], [2]])
    #expect(try home.library.dataset(named: "again").values == [[1], [2]])
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path + "/images").count == 4)
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).sorted() == ["again", "images", "one"])
  }

  @Test func `what cannot be read is not added`() async throws {
    let source = try Scratch()
    let home = try Scratch()
    let file = try source.write("set/t.csv", "label,a\n0\n")
    #expect(await error("set", from: file, to: home.path) == "\(file):2: 1 cell, the header has 2")
    #expect(await error("set", from: "file://" + file, to: home.path) == "file://\(file):2: 1 cell, the header has 2")
    let folder = source.path + "/set"
    for named in [folder, folder + "/"] {
      #expect(await error("set", from: named, to: home.path) == "\(file):2: 1 cell, the header has 2")
    }
    try source.write("set/dataset.json", #"{"label": 3}"#)
    #expect(
      await error("set", from: folder, to: home.path) == "\(folder)/dataset.json: label: expected a text, found 3")
    let notes = try source.write("notes.txt", "x")
    #expect(
      await error("set", from: notes, to: home.path)
        == "\(notes): there is no table (NAME.csv, NAME.csv.gz) and no IDX file (train-images-idx3-ubyte, …)")
    #expect(
      await error("set", from: "/dev/zero", to: home.path) == "/dev/zero: this is a device; a regular file is needed")
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
  }

  @Test func `refusals say what would be right`() async throws {
    let home = try Scratch()
    try home.write("set/t.csv", "label,a\n0,1\n1,2\n")
    try home.write("empty/notes.txt", "x")
    #expect(
      await error("set", from: home.path + "/set", to: home.path)
        == "set is there already. Take it away first, or choose another name")
    #expect(await error("b", from: "nowhere.csv", to: home.path) == "nowhere.csv: there is no such file")
    #expect(
      await error("../b", from: "nowhere.csv", to: home.path)
        == "\"../b\" is no name for a data set: it becomes a folder, without / and no dot first")
    #expect(
      await error("b", from: home.path + "/empty", to: home.path)
        == "empty: the folder holds no table (.csv, .csv.gz) and no IDX file")
    #expect(
      await error("b", from: "ftp://host/t.csv", to: home.path)
        == "ftp://host/t.csv: ftp addresses cannot be fetched; use https, http, file or a path")
    #expect(
      await error("b", from: "https://host.invalid/", to: home.path)
        == "https://host.invalid/: which files? Give the address of a file")
  }
}
