import PalimpsestJSON
import Testing

@Suite struct JSONProblemTests {
  @Test func `a problem reads file, line, column, path, message`() {
    let problem = Problem(
      file: "experiment.json", line: 3, column: 15, path: "strategies.ewc.ewc.strength",
      message: #"expected a number ≥ 0, found "high""#)
    #expect(
      problem.description
        == #"experiment.json:3:15: strategies.ewc.ewc.strength: expected a number ≥ 0, found "high""#)
  }

  @Test func `a problem without place or path leaves them out`() {
    #expect(Problem(file: "a.json", place: nil, message: "is not there").description == "a.json: is not there")
    #expect(Problem(file: "--set", place: nil, path: "seeds", message: "no").description == "--set: seeds: no")
  }

  @Test func `problems come sorted by place`() {
    let places = [(3, 1), (1, 20), (1, 3), (2, 9)]
    var problems = Problems(places.map { Problem(file: "a", line: $0, column: $1, message: "m") })
    #expect(problems.map(\.column) == [3, 20, 9, 1])
    problems.append(Problem(file: "a", line: 2, column: 10, message: "m"))
    problems.append(Problem(file: "a", place: nil, message: "m"))
    problems.append(contentsOf: [Problem(file: "a", line: 1, column: 4, message: "m")])
    #expect(problems.description == "a: m\na:1:3: m\na:1:4: m\na:1:20: m\na:2:9: m\na:2:10: m\na:3:1: m")
  }

  @Test func `a problem is one line that can be seen, however long its path`() {
    let long = String(repeating: "k", count: 1000)
    let problem = Problem(file: "a\u{1B}\nb", place: nil, path: long, message: "m\u{202E}")
    let path = String(repeating: "k", count: 150) + "…" + String(repeating: "k", count: 49)
    #expect(problem.description == "a\\u{1B}\\u{A}b: \(path): m\\u{202E}")
  }

  @Test func `of more than a hundred problems the first hundred are told`() {
    let problems = Problems((1...102).map { Problem(file: "a", line: $0, column: 1, message: "m") })
    #expect(problems.description.hasSuffix("\na:100:1: m\nand 2 more problems"))
    #expect(Problems(problems.dropLast()).description.hasSuffix("\nand 1 more problem"))
    #expect(problems.count == 102 && problems.shown.count == 100)
  }

  @Test func `a place far into a long line counts scalars`() {
    let source = Source(file: "a", text: "\n" + String(repeating: "é", count: 5000) + "x")
    #expect(source.place(at: 10_001) == Place(line: 2, column: 5001))
    #expect(source.place(at: 2049) == Place(line: 2, column: 1025))
    #expect(source.place(at: 99_999) == Place(line: 2, column: 5002))
  }

  @Test func `no problems throw nothing`() throws {
    try Problems().throwIfAny()
    #expect(throws: Problems.self) { try Problems([Problem(file: "a", place: nil, message: "m")]).throwIfAny() }
  }

  // a é LF | tab b CR LF | CR | 😀 → bytes: a0 é1–2 LF3 tab4 b5 CR6 LF7 CR8 😀9–12, end 13
  @Test(arguments: [
    (0, 1, 1), (1, 1, 2), (2, 1, 2), (3, 1, 3), (4, 2, 1), (5, 2, 2), (6, 2, 3), (7, 2, 4), (8, 3, 1), (9, 4, 1),
    (12, 4, 1), (13, 4, 2), (99, 4, 2), (-1, 1, 1),
  ])
  func `bytes have lines and columns`(offset: Int, line: Int, column: Int) {
    let source = Source(file: "a", text: "aé\n\tb\r\n\r😀")
    #expect(source.place(at: offset) == Place(line: line, column: column))
  }

  @Test func `a source makes problems at its places`() {
    let source = Source(file: "a.json", text: "{\n  \"b\": 1}")
    #expect(source.problem(at: 4, path: "b", "unknown key").description == "a.json:2:3: b: unknown key")
    #expect(source.problem(at: nil, path: "b", "unknown key").description == "a.json: b: unknown key")
  }
}

@Suite struct SuggestionTests {
  static let names = ["ewc", "online-ewc", "si", "mas", "reservoir", "ring", "herding", "fisherSamples", "er", "joint"]

  @Test(
    arguments: [
      ("fisherSampels", "fisherSamples"), ("resevoir", "reservoir"), ("EWC", "ewc"),
      ("fisher_samples", "fisherSamples"),
      ("is", "si"), ("rign", "ring"), ("ew", "ewc"), ("onlineewc", "online-ewc"), ("mass", "mas"), ("jiont", "joint"),
      ("strength", nil), ("x", nil), ("", nil), ("gem", nil), ("reservoirs-of-rows", nil), ("ewc", nil),
    ] as [(String, String?)])
  func `a slip finds the word that was meant`(typed: String, meant: String?) {
    #expect(didYouMean(typed, among: Self.names.filter { $0 != typed }) == meant)
  }

  @Test func `the nearest wins, then the first`() {
    #expect(didYouMean("cart", among: ["cars", "card", "carts", "charts"]) == "cars")
    #expect(didYouMean("sample", among: ["samplers", "samples"]) == "samples")
  }

  @Test func `nothing is near an empty list`() {
    #expect(didYouMean("ewc", among: []) == nil)
    #expect(suggestion(for: "ewc", among: []) == "")
    #expect("unknown key" + suggestion(for: "sedes", among: ["seeds"]) == #"unknown key; did you mean "seeds"?"#)
  }
}
