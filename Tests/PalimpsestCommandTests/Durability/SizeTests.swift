import Palimpsest
import Testing

/// A file full of one mistake; its name alone is shown where a test fails.
struct Mistakes: Sendable, CustomTestStringConvertible {
  let what: String
  let text: String

  var testDescription: String { what }
}

/// Files of a hundred thousand entries take time by their length, not by its square.
struct SizeTests {
  private static let count = 100_000

  /// Validates a file within ten seconds of processor time; what took the square needed minutes.
  private func validated(_ text: String, _ option: String = "") async throws -> Tool.Answer {
    let tool = try Tool()
    try tool.write(text, to: "many.json")
    return try await Tool.run(
      "/bin/bash", ["-c", "ulimit -t 10; '\(Tool.executable)' validate many.json \(option)"], in: tool.folder)
  }

  private static func list(_ number: Int = count, _ item: (Int) -> String) -> String {
    (0..<number).map(item).joined(separator: ",")
  }

  @Test func `of very many problems the first hundred are shown, and how many more there are`() async throws {
    let text = "{" + SizeTests.list { #""k\#($0)":1"# } + "}"
    let answer = try await validated(text)
    #expect(answer.status == 65)
    let lines = answer.errors.split(separator: "\n")
    #expect(lines.count == 101)
    #expect(lines[3].hasPrefix("many.json:1:2: k0: unknown key; "))
    #expect(lines.last == "and 99903 more problems")
    let json = try JSONReader.read(try await validated(text, "--json").output, file: "").value()
    #expect(json[0]?["problems"]?.array?.count == 100)
    #expect(json[0]?["problemCount"]?.int == 100_003)
  }

  private static let strategies = #""name": "x", "scenarios": { "a": { "name": "habit-phases" } }, "strategies": "#

  @Test(arguments: [
    Mistakes(what: "a key given again", text: "{" + list { _ in #""k":1"# } + "}"),
    Mistakes(what: "seeds", text: #"{ "seeds": ["# + list { _ in #""x""# } + "] }"),
    Mistakes(
      what: "strengths",
      text: "{ \(strategies) {" + list { #""s\#($0)": [{ "name": "ewc", "strength": "high" }]"# } + "} }"),
    Mistakes(
      what: "parts of elsewhere", text: "{ \(strategies) {" + list { #""s\#($0)": [{ "name": "lwf" }]"# } + "} }"),
    Mistakes(what: "parts", text: "{ \(strategies) { \"e\": [" + list { #"{ "name": "k\#($0)" }"# } + "] } }"),
    Mistakes(
      what: "paths",
      text: "{ \(strategies) { \"e\": [] }, \"sweep\": { \"grid\": {" + list { #""strategies.f.ewc.k\#($0)": [1]"# }
        + "} } }"),
    Mistakes(
      what: "values of a path",
      text:
        "{ \(strategies) { \"e\": [{ \"name\": \"ewc\" }] }, \"sweep\": { \"grid\": { \"strategies.e.ewc.strength\": ["
        + list { _ in "\"x\"" } + "] } } }"),
  ])
  func `mistakes by the hundred thousand are told in seconds`(_ mistakes: Mistakes) async throws {
    let answer = try await validated(mistakes.text)
    #expect(answer.status == 65)
    #expect(answer.errors.hasSuffix(" more problems\n"))
  }

  @Test func `strategies by the ten thousand, each with a path of its own, are counted in seconds`() async throws {
    let strategies = SizeTests.list(20_000) { #""s\#($0)": [{ "name": "ewc" }]"# }
    let grid = SizeTests.list(20_000) { #""strategies.s\#($0).ewc.strength": [1, 2]"# }
    let sweep = "\"sweep\": { \"grid\": { \(grid) } }, \"training\": { \"epochs\": 9 }"
    let answer = try await validated("{ \(SizeTests.strategies) { \(strategies) }, \(sweep) }")
    #expect(answer.errors == "")
    #expect(answer.output == "many.json: 40000 configurations × 1 seed = 40000 runs\n")
  }

  @Test func `a very long key is cut in its message`() async throws {
    let answer = try await validated(#"{ "\#(String(repeating: "k", count: 1_000_000))": 1 }"#)
    #expect(answer.status == 65)
    #expect(answer.errors.utf8.count < 2000)
  }
}
