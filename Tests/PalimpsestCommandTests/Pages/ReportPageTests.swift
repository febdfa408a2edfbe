import Foundation
import Palimpsest
import PalimpsestTesting
import TestFixtures
import Testing

private let hasBrowser = works(["sh", "-c", "command -v chromium-headless-shell && command -v python3"])
private let hasPython = works(["python3", "-c", "import resource"])

/// `palimpsest report --html` and `--figures`.
@Suite struct ReportPageTests {
  // MARK: Where the runs are read from

  /// A page without its last section, which says where it comes from.
  private func body(_ page: String) throws -> Substring {
    let end = try #require(page.range(of: "<section id=\"provenance\">"))
    return page[..<end.lowerBound]
  }

  @Test func `a results folder and a bare cube give pages that are equal but for their provenance`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(), to: "small.json")
    _ = try await tool("run", "small.json", "--quiet")
    let folder = try await tool("report", "results/small", "--html", "folder.html")
    #expect(folder.status == 0 && folder.errors == "")
    try FileManager.default.moveItem(atPath: tool.folder + "/results/small.h5", toPath: tool.folder + "/bare.h5")
    let cube = try await tool("report", "bare.h5", "--html", "cube.html")
    #expect(cube.status == 0 && cube.errors == "")
    let pages = try ["folder.html", "cube.html"].map {
      try String(contentsOfFile: tool.folder + "/" + $0, encoding: .utf8)
    }
    #expect(try body(pages[0]) == body(pages[1]))
    #expect(
      folder.output == "folder.html: \(try count("<figure ", pages[0])) figures, \(pages[0].utf8.count / 1000) kB\n")
  }

  private func count(_ piece: String, _ text: String) throws -> Int { text.components(separatedBy: piece).count - 1 }

  @Test func `the same results give the same page again`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(seeds: 2), to: "small.json")
    _ = try await tool("run", "small.json", "--quiet")
    for name in ["a.html", "b.html"] { _ = try await tool("report", "results/small", "--html", name) }
    #expect(FileManager.default.contentsEqual(atPath: tool.folder + "/a.html", andPath: tool.folder + "/b.html"))
  }

  @Test func `numbers in the page's table are those of report --json`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(), to: "small.json")
    _ = try await tool("run", "small.json", "--quiet")
    _ = try await tool("report", "results/small", "--html", "page.html")
    let page = try String(contentsOfFile: tool.folder + "/page.html", encoding: .utf8)
    let json = try JSONReader.read(try await tool("report", "results/small", "--json").output, file: "json").value()
    let rows = try #require(json["rows"]?.array)
    #expect(rows.count == 2)
    for row in rows {
      let metrics = try #require(row["metrics"]?.object)
      for name in metrics.keys {
        guard let mean = metrics[name]?["mean"]?.double else { continue }
        #expect(page.contains("data-v=\"\(mean)\""), "\(name)")
      }
    }
  }

  @Test func `figures are written by their names, as SVG and as specifications`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(seeds: 2), to: "small.json")
    _ = try await tool("run", "small.json", "--quiet")
    let both = try await tool("report", "results/small", "--figures", "both")
    let names = try FileManager.default.contentsOfDirectory(atPath: tool.folder + "/both")
    #expect(both.output == "both: \(names.count / 2) figures as svg and vl.json\n")
    for kind in [".svg", ".vl.json"] {
      #expect(names.contains("intervals-average-accuracy-visible" + kind) && names.contains("matrices-visible" + kind))
      #expect(names.count { $0.hasSuffix(kind) } * 2 == names.count)
    }
    _ = try await tool("report", "results/small", "--figures", "svg", "--figure-format", "svg")
    let some = try FileManager.default.contentsOfDirectory(atPath: tool.folder + "/svg")
    #expect(Set(some) == Set(names.filter { $0.hasSuffix(".svg") }))
  }

  @Test(arguments: [
    (["--figure-format", "svg"], "--figure-format: no figures are written; add --figures DIR"),
    (
      ["--html", "a.html", "--figure-format", "svg"],
      "--figure-format: no figures are written by themselves; add --figures DIR"
    ),
    (["--figures", "f", "--figure-format", "svg,png"], "--figure-format: \"png\" is none of svg and vl.json"),
    (
      ["--html", "a.html", "--json"],
      "--html writes files and prints no table; leave out --format, --json, --best and other views"
    ),
    (
      ["--figures", "f", "--json"],
      "--figures writes files and prints no table; leave out --format, --json, --best and other views"
    ),
  ])
  func `options that contradict each other are told`(options: [String], message: String) async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(seeds: 1), to: "small.json")
    _ = try await tool("run", "small.json", "--quiet")
    let answer = try await Tool.run(Tool.executable, ["report", "results/small"] + options, in: tool.folder)
    #expect(answer.status == 64)
    #expect(answer.errors == message + "\n" && answer.output == "")
    #expect(!tool.exists("a.html") && !tool.exists("f"))
  }

  // MARK: In a browser

  /// What `Scripts/check-page.py` says of a page.
  private func look(_ tool: Tool, _ page: String) async throws -> Tool.Answer {
    try await Tool.run("python3", [House.root + "/Scripts/check-page.py", page], in: tool.folder)
  }

  /// Runs an experiment and looks at its page.
  private func look(experiment: String, _ options: [String]) async throws -> Tool.Answer {
    let tool = try Tool()
    _ = try await Tool.run(
      Tool.executable, ["run", experiment, "--quiet", "--output", "a.h5"] + options, in: tool.folder)
    let report = try await tool("report", "a.h5", "--html", "a.html")
    #expect(report.status == 0 && report.errors == "")
    return try await look(tool, "a.html")
  }

  @Test(.enabled(if: hasBrowser, "chromium-headless-shell and python3 are not here"))
  func `the quickstart's page is sound in a browser`() async throws {
    let answer = try await look(experiment: Tool.experiment("quickstart.json"), ["--seeds", "3"])
    #expect(answer.output == "pages: 1, defects: 0\n" && answer.errors == "")
  }

  @Test(
    .enabled(if: hasBrowser && Tier.slow, "chromium-headless-shell and python3 are not here, or the tier is quick"),
    arguments: [
      ("habit-stream-detector.json", ["--seeds", "3"]),
      (
        "who-is-made-worse-off.json",
        ["--set", "scenarios.habits.users=40", "--set", "scenarios.habits.population=60", "--seeds", "3"]
      ),
      // Half of the runs at a rate that no network bears.
      (
        "quickstart.json",
        ["--over", "training.optimizer.rate=0.01,1e30", "--seeds", "2", "--only", "strategy=naive,joint"]
      ),
      ("quickstart.json", ["--limit", "7"]), ("quickstart.json", ["--seeds", "1", "--only", "strategy=naive"]),
      ("tune-habit-phases.json", []),
    ])
  func `pages of every kind of results are sound in a browser`(experiment: String, options: [String]) async throws {
    let answer = try await look(experiment: Tool.experiment(experiment), options)
    #expect(answer.output == "pages: 1, defects: 0\n" && answer.errors == "")
  }

  @Test(.enabled(if: hasBrowser && Tier.slow, "chromium-headless-shell and python3 are not here, or the tier is quick"))
  func `a page with labels that look like markup is sound in a browser`() async throws {
    let labels = [
      "</script><script>alert(1)</script>", "<b onmouseover='x'>", "🌅🧠 👩‍👩‍👧‍👦", "עברית مرحبا", "]]> --> <!-- &amp; &#60;",
      "a label that is very long, and then goes on and on, to a hundred characters or so, for nobody cuts it",
    ]
    let text = Small.experiment(
      strategies: labels.map { "\"\($0)\": [{ \"name\": \"reservoir\", \"capacity\": 20 }]" }.joined(separator: ", "))
    let tool = try Tool()
    try tool.write(text.replacing("\"visible\"", with: "\"<i>v</i> & 'q' עברית\""), to: "hostile.json")
    let answer = try await look(experiment: tool.folder + "/hostile.json", [])
    #expect(answer.output == "pages: 1, defects: 0\n" && answer.errors == "")
  }

  /// A page with one of every defect: what finds none of them finds nothing elsewhere.
  @Test(.enabled(if: hasBrowser, "chromium-headless-shell and python3 are not here"))
  func `defects of a page are told with their places`() async throws {
    let tool = try Tool()
    try tool.write(BrokenPage.text, to: "bad.html")
    let answer = try await look(tool, "bad.html")
    #expect(answer.status == 1 && answer.errors == "")
    let lines = answer.output.replacing("file://\(tool.folder)/", with: "").split(separator: "\n").map(String.init)
    #expect(Set(lines.dropLast()) == Set(BrokenPage.defects.map { "bad.html: " + $0 }))
    #expect(lines.last == "pages: 1, defects: \(BrokenPage.defects.count)")
  }

  // MARK: Size

  /// Seconds of the processor and megabytes that a command took, and what it said.
  private func measured(_ tool: Tool, _ arguments: [String]) async throws -> (seconds: Double, megabytes: Double) {
    let program = """
      import resource, subprocess, sys
      subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
      used = resource.getrusage(resource.RUSAGE_CHILDREN)
      print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1000)
      """
    let answer = try await Tool.run("python3", ["-c", program, Tool.executable] + arguments, in: tool.folder)
    #expect(answer.errors == "")
    let numbers = answer.output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    try #require(numbers.count == 2)
    return (numbers[0], numbers[1])
  }

  @Test(.enabled(if: Tier.slow, "slow: PALIMPSEST_TIER=slow runs it"))
  func `the page of the quickstart stays within 300 kB`() async throws {
    let tool = try Tool()
    _ = try await tool("run", Tool.experiment("quickstart.json"), "--output", "quickstart.h5", "--quiet")
    let answer = try await tool("report", "quickstart.h5", "--html", "page.html")
    #expect(answer.status == 0 && answer.errors == "")
    let page = try String(contentsOfFile: tool.folder + "/page.html", encoding: .utf8)
    #expect(page.contains("160 of 160 runs completed") && (200_000...300_000).contains(page.utf8.count))
  }

  @Test(.enabled(if: Tier.slow && hasPython, "the tier is quick, or python3 is not here"))
  func `a page of 400 configurations and 20,000 runs stays within 3 MB, 5 seconds and 300 MB`() async throws {
    let tool = try Tool()
    try LargeSweep.write(to: ResultsFolder(tool.folder + "/results/large"))
    let cost = try await measured(tool, ["report", "results/large", "--html", "large.html"])
    #expect(cost.seconds < 5 && cost.megabytes < 300)
    let page = try String(contentsOfFile: tool.folder + "/large.html", encoding: .utf8)
    #expect(page.utf8.count <= 3_000_000)
    #expect(page.contains("20000 of 20000 runs completed"))
    if hasBrowser {
      let answer = try await look(tool, "large.html")
      #expect(answer.output == "pages: 1, defects: 0\n" && answer.errors == "")
    }
  }
}
