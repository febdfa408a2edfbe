import Foundation
import Palimpsest
import Testing

/// `palimpsest predict`.
struct PredictTests {
  /// Three tasks, two strategies, models kept.
  static let experiment = Small.experiment(seeds: 1).replacing(
    "\"seeds\":", with: "\"output\": { \"keep\": [\"model\"] },\n  \"seeds\":")
  static let header = HabitFeatures.names.joined(separator: ",")
  static let rows = ["0.5,0.5,0.3,0,0.4,1,0.1,0.2,0,0.7", "0.1,0.9,0.3,1,0.8,0,0.5,0.2,0.5,0.1"]

  let tool: Tool

  init() async throws {
    tool = try Tool()
    try tool.write(PredictTests.experiment, to: "small.json")
    try tool.write(([PredictTests.header] + PredictTests.rows).joined(separator: "\n") + "\n", to: "table.csv")
    let answer = try await tool("run", "small.json", "--quiet")
    #expect(answer.status == 0, "\(answer.errors)")
  }

  var folder: ResultsFolder { ResultsFolder(tool.folder + "/results/small") }

  var values: Matrix { Matrix(PredictTests.rows.map { $0.split(separator: ",").compactMap { Float($0) } }) }

  @Test func `a saved model predicts with the bits of the run's learner`() async throws {
    let plan = try Plan(Experiment.read(PredictTests.experiment, file: "x"))
    for planned in plan.runs {
      let configuration = plan.configurations[planned.configuration].resolved
      var run = try Run(configuration, configuration.scenario.prepare(from: EmptyLibrary()), seed: planned.seed)
      _ = run.execute()
      let model = try SavedModel(path: folder.model(of: planned.id), catalog: .standard)
      for task in [nil, 0, 1, 2] {
        #expect(model.logits(values, task: task) == run.predict(values, knowing: task))
      }
      let answer = try await tool(
        "predict", "results/small.h5", "--run", String(planned.id.prefix(8)), "--input", "table.csv", "--task", "1")
      let predictions = model.predictions(values, task: 1)
      let lines = predictions.map { "\($0.output ?? -1),\($0.probabilities[0])" }
      #expect(answer.output == (["prediction,probability_1"] + lines + [""]).joined(separator: "\n"))
    }
  }

  @Test func `columns are found by name, and predictions go to a file`() async throws {
    let names = HabitFeatures.names.reversed().joined(separator: ";")
    let rows = PredictTests.rows.map { $0.split(separator: ",").reversed().joined(separator: ";") + ";x" }
    try tool.write(([names + ";user"] + rows).joined(separator: "\n"), to: "turned.csv")
    let model = try "results/small.palimpsest/detail/" + Files.names(in: folder.detailFolder)[0]
    let straight = try await tool("predict", model, "--input", "table.csv", "--task", "night shift")
    let turned = try await tool("predict", model, "--input", "turned.csv", "--task", "1", "--output", "out.csv")
    #expect(straight.status == 0 && turned.status == 0 && turned.output == "")
    #expect(String(decoding: try Files.read(tool.folder + "/out.csv"), as: UTF8.self) == straight.output)
  }

  @Test func `bad input is told with file, line and column`() async throws {
    let model = try "results/small.palimpsest/detail/" + Files.names(in: folder.detailFolder)[0]
    func errors(_ table: String, _ more: String...) async throws -> String {
      try tool.write(table, to: "bad.csv")
      let answer = try await Tool.run(
        Tool.executable, ["predict", model, "--input", "bad.csv"] + more, in: tool.folder)
      return "\(answer.status) \(answer.errors)"
    }
    let header = PredictTests.header
    #expect(
      try await errors(header + "\n1,2,3,x,5,6,7,8,9,10\n")
        == "65 bad.csv:2: column 4 (\"remindersOpenedToday\"): \"x\" is not a number\n")
    #expect(
      try await errors(header + "\n1,2,3,4,5,6,7,8,9,10\n1,2,3\n") == "65 bad.csv:3: 3 cells, the first line has 10\n")
    #expect(
      try await errors("a,b\n1,2\n")
        == "65 bad.csv:1: no column is called \"currentStreak\". The model takes \(HabitFeatures.names.joined(separator: ", ")); "
        + "the table has a, b\n")
    #expect(try await errors(header + "\n") == "65 bad.csv:2: there is a header line, but no row\n")
    #expect(
      try await errors(header + "\n", "--task", "nihgt shift")
        == "64 --task: no task is called \"nihgt shift\"; did you mean \"night shift\"?\n")
    let absent = try await tool("predict", model, "--input", "absent.csv")
    #expect(absent.status == 66 && absent.errors == "absent.csv: there is no such file\n")
    let foreign = try await tool("predict", "table.csv", "--input", "table.csv")
    #expect(foreign.status == 65)
    #expect(foreign.errors == "table.csv: this is neither a checkpoint nor a saved model\n")
    let unnamed = try await tool("predict", "results/small.h5", "--input", "table.csv")
    #expect(unnamed.status == 64)
    #expect(unnamed.errors == "results/small.h5: these are results; name one of their runs with --run\n")
    let unknown = try await tool("predict", "results/small.h5", "--run", "xyz", "--input", "table.csv")
    #expect(unknown.status == 66)
    #expect(
      unknown.errors == "results/small.palimpsest/detail: no model of run \"xyz\" among 2. "
        + "Experiments with \"output\": {\"keep\": [\"model\"]} save models\n")
  }

  @Test func `a word that output does not know is an error`() async throws {
    try tool.write(PredictTests.experiment.replacing("[\"model\"]", with: "[\"modle\"]"), to: "bad.json")
    let answer = try await tool("validate", "bad.json")
    #expect(answer.status == 65)
    #expect(
      answer.errors.contains("output.keep: expected a list of words of \"model\", found \"modle\" as element 1\n"))
  }
}

/// `palimpsest predict` with images as they are in the files of a data set.
struct PredictPixelTests {
  static let names = (0..<12).map { "p\($0)" }

  /// Rows of 3 × 4 pixels, dark and light in turn.
  static func pixels(_ row: Int) -> [Int] { (0..<12).map { pixel($0, of: row) } }

  private static func pixel(_ place: Int, of row: Int) -> Int {
    let mixed: Int = row * 37 + place * 53 + place * place * row
    return mixed % 120 + row % 2 * 130
  }

  static func table(_ rows: Range<Int>, columns: [Int], scale: Double = 1) -> String {
    let lines = rows.map { row in
      let pixels = pixels(row)
      return columns.map { scale == 1 ? "\(pixels[$0])" : "\(Double(pixels[$0]) * scale)" }.joined(separator: ",")
    }
    return ([columns.map { names[$0] }.joined(separator: ",")] + lines).joined(separator: "\n") + "\n"
  }

  @Test func `pixels are given as in the data set, columns by name, and each task sees them its own way`() async throws
  {
    let tool = try Tool()
    let rows = (0..<40).map { row in (row % 2 == 0 ? "dark," : "light,") + text(PredictPixelTests.pixels(row)) }
    let header = "label," + PredictPixelTests.names.joined(separator: ",")
    try tool.write(([header] + rows).joined(separator: "\n") + "\n", to: "datasets/pictures/table.csv")
    try tool.write(#"{ "label": "label", "image": [3, 4] }"#, to: "datasets/pictures/dataset.json")
    try tool.write(
      """
      { "name": "small", "strategies": { "naive": [] }, "training": { "epochs": 5, "batch": 4 },
        "scenarios": { "s": { "name": "permuted", "dataset": "pictures", "tasks": 2 } },
        "output": { "keep": ["model"] } }
      """, to: "small.json")
    let answer = try await tool("run", "small.json", "--quiet")
    try #require(answer.status == 0, "\(answer.errors)")
    let model =
      try "results/small.palimpsest/detail/" + Files.names(in: tool.folder + "/results/small.palimpsest/detail")[0]
    func predict(_ task: String, _ columns: [Int], scale: Double = 1) async throws -> Tool.Answer {
      try tool.write(PredictPixelTests.table(40..<46, columns: columns, scale: scale), to: "table.csv")
      return try await tool("predict", model, "--input", "table.csv", "--task", task)
    }
    let first = try await predict("0", Array(0..<12))
    #expect(first.status == 0 && first.errors == "")
    #expect(first.output.hasPrefix("prediction,probability_dark,probability_light\n"))
    #expect(try await predict("0", (0..<12).reversed()).output == first.output)
    #expect(try await predict("1", Array(0..<12)).output != first.output)
    let scaled = try await predict("0", Array(0..<12), scale: 0.125)
    #expect(scaled.status == 0)
    #expect(
      scaled.errors == "table.csv: 1.625 is no whole number. The model takes pixels as they are in the files of its "
        + "data set and scales them itself.\n")
  }

  private func text(_ numbers: [Int]) -> String { numbers.map { "\($0)" }.joined(separator: ",") }
}
