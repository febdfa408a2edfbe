import Foundation
import Palimpsest
import Testing

/// The JSON Schema and our reader say the same.
struct SchemaTests {
  private static let corpus = Tool.root + "/Tests/PalimpsestCommandTests/Corpus"

  /// Files of the corpus and all experiments: path, whether it is good, and whether a schema takes it: files called
  /// `reader-…` are wrong in a way that no schema can say.
  private static var files: [(path: String, isGood: Bool, fitsSchema: Bool)] {
    let files = names(in: corpus).map { name in
      (path: "\(corpus)/\(name)", isGood: name.hasPrefix("good-"), fitsSchema: !name.hasPrefix("bad-"))
    }
    return files + experiments.map { (path: $0, isGood: true, fitsSchema: true) }
  }

  private static var experiments: [String] {
    names(in: Tool.root + "/Experiments").filter { $0 != "experiment.schema.json" }.map { Tool.experiment($0) }
  }

  private static func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".json") }.sorted()
  }

  private func reads(_ path: String) throws -> Bool {
    let bytes = try Files.read(path)
    do {
      _ = try Plan(Experiment.read(bytes, file: path))
      return true
    } catch is Problems {
      return false
    }
  }

  @Test func `the committed schema is the one the declarations make`() async throws {
    let committed = String(decoding: try Files.read(Tool.experiment("experiment.schema.json")), as: UTF8.self)
    let answer = try await Tool()("schema")
    #expect(
      answer.output == committed, "run: palimpsest schema --output Experiments/experiment.schema.json")
  }

  @Test func `the schema goes to a file, or the file stays as it was`() async throws {
    let tool = try Tool()
    let answer = try await tool("schema", "--output", "made/s.json")
    #expect(answer.status == 0 && answer.output.isEmpty)
    #expect(answer.errors == "made: this folder was not there and has been made\nmade/s.json\n")
    let written = try Files.read(tool.folder + "/made/s.json")
    #expect(try written == Files.read(Tool.experiment("experiment.schema.json")))
    let blocked = try await tool("schema", "--output", "made/s.json/t.json")
    #expect(blocked.status == 73 && blocked.errors == "made/s.json/t.json: cannot write: Not a directory\n")
    for path in ["", "made/", "/dev/null"] {
      let refused = try await tool("schema", "--output", path)
      #expect(refused.status == 64 && refused.errors.contains("such as experiment.schema.json"), "\(refused.errors)")
    }
    #expect(try Files.read(tool.folder + "/made/s.json") == written)
    #expect(try Files.names(in: tool.folder + "/made") == ["s.json"])
  }

  @Test func `our reader takes the good files of the corpus and refuses each bad one`() throws {
    #expect(SchemaTests.files.count > 110)
    for file in SchemaTests.files { #expect(try reads(file.path) == file.isGood, "\(file.path)") }
  }

  @Test(.enabled(if: Python.has("jsonschema"), "needs python3 with jsonschema"))
  func `Python's jsonschema takes and refuses the same files`() async throws {
    let script = """
      import json, sys, jsonschema
      schema = json.load(open(sys.argv[1]))
      jsonschema.Draft202012Validator.check_schema(schema)
      check = jsonschema.Draft202012Validator(schema)
      for path in sys.argv[2:]:
          print("good" if check.is_valid(json.load(open(path))) else "bad")
      """
    let files = SchemaTests.files
    let answer = try await Tool.run(
      "python3", ["-c", script, Tool.experiment("experiment.schema.json")] + files.map(\.path), in: Tool.root)
    #expect(answer.status == 0, "\(answer.errors)")
    let verdicts = answer.output.split(separator: "\n")
    #expect(verdicts.count == files.count)
    for (file, verdict) in zip(files, verdicts) { #expect((verdict == "good") == file.fitsSchema, "\(file.path)") }
  }

  @Test func `every shipped experiment names the schema beside it`() throws {
    for path in SchemaTests.experiments {
      let root = try JSONReader.read(try Files.read(path), file: path).value()
      #expect(root["$schema"]?.string == "./experiment.schema.json", "\(path)")
    }
  }

  @Test func `an editor finds a description of every property`() {
    let schema = ExperimentSchema().json
    let bare = SchemaTests.undescribed(schema, "", schema["$defs"])
    #expect(bare == [])
  }

  /// Paths of the properties in a schema that neither they nor what they refer to describe. Conditions show in no editor.
  private static func undescribed(_ schema: JSONValue, _ path: String, _ definitions: JSONValue?) -> [String] {
    guard let object = schema.object else { return schema.array?.flatMap { undescribed($0, path, definitions) } ?? [] }
    return object.members.flatMap { key, member -> [String] in
      if ["if", "then", "else", "contains", "const", "enum", "default"].contains(key) { return [] }
      let inner = undescribed(member.value, path + "/" + key, definitions)
      guard key == "properties", let properties = member.value.object else { return inner }
      return inner
        + properties.members.filter { _, property in !isDescribed(property.value, definitions) }
        .map { "\(path)/properties/\($0.key)" }
    }
  }

  private static func isDescribed(_ schema: JSONValue, _ definitions: JSONValue?) -> Bool {
    let name = schema["$ref"]?.string.map { String($0.dropFirst("#/$defs/".count)) }
    return [schema, name.flatMap { definitions?[$0] }].contains { $0?["description"]?.string?.isEmpty == false }
  }

  @Test func `a new part of a catalogue is in the schema by itself`() throws {
    let schema = ExperimentSchema(Catalog.standard.adding(Weightless.self)).json
    let part = try #require(schema["$defs"]?["part.weightless"])
    #expect(
      part["properties"]?["load"]?.compactText
        == #"{"type":["number","null"],"minimum":0,"exclusiveMaximum":2.5,"description":"Its load.","default":null}"#)
    #expect(part["additionalProperties"]?.bool == false)
    #expect(schema["$defs"]?["part"]?["properties"]?["name"]?["enum"]?.array?.last?.string == "weightless")
  }
}

/// A penalty of nothing.
private struct Weightless: Penalty {
  static let name = "weightless"
  static let summary = "Weighs nothing."
  static let source = "A test."

  @Parameter("Its load.", .within(0..<2.5)) var load: Double? = nil

  mutating func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float { 0 }
}

/// What the machine's Python can do.
enum Python {
  static func has(_ modules: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", "import " + modules.joined(separator: ", ")]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
