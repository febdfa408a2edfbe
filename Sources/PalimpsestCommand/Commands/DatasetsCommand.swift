import ArgumentParser
import Palimpsest

/// `palimpsest datasets`.
struct DatasetsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "datasets", abstract: "What data sets are there, and where to get others.",
    subcommands: [Show.self, Describe.self, Add.self, Verify.self], defaultSubcommand: Show.self)

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List data sets (what no subcommand does).")

    @OptionGroup var json: JSONOption

    func run() { DatasetList().show(json) }
  }

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Copy or fetch a data set into the folder of data sets.",
      discussion: "What cannot be read as a data set is not added.")

    @Argument(help: "Name of the data set; it becomes a folder.") var name: String
    @Option(help: "A file, a folder, or the URL of a file; of a known data set also the URL of its folder.") var from:
      String
    @Option(help: "Folder of data sets.") var to = "datasets"

    func run() async throws {
      let entry = try await DatasetFolder.add(name, from: from, to: to)
      if entry.known != nil { try warn(DatasetFolder([to]).verify(name)) }
      print(visible("\(name): \(entry.folder ?? to)"))
    }

    private func warn(_ checks: [FileCheck]) {
      for check in checks where check.state != .right {
        StandardError.write("\(check.path): \(check.state.rawValue) from the published file")
      }
    }
  }

  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify", abstract: "Compare a known data set with its published digests.")

    @Argument(help: "Name of the data set.") var name: String

    func run() throws {
      let checks = try DatasetFolder.standard().verify(name)
      print(aligned(checks.map { [$0.path, $0.state.rawValue] }, leftColumns: 2))
      if checks.contains(where: { $0.state != .right }) { throw End(.badFile) }
    }
  }
}

/// The list of `datasets` and `list datasets`.
struct DatasetList {
  private let entries = DatasetFolder.standard().describe()

  func show(_ json: JSONOption) { json.print(text, or: JSONValue(entries.map(\.json))) }

  private var text: String { aligned(entries.map(\.cells), leftColumns: 3) }
}

extension DatasetEntry {
  fileprivate var cells: [String] {
    return [name, title, folder ?? "not there; from " + (known?.urls.first ?? "?")]
  }

  fileprivate var json: JSONValue {
    [
      "name": JSONValue(name), "folder": folder.map { JSONValue($0) } ?? .null,
      "title": JSONValue(title), "licence": known.map { JSONValue($0.licence) } ?? .null,
      "urls": JSONValue((known?.urls ?? []).map { JSONValue($0) }),
    ]
  }
}
