import PalimpsestCore
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestRuns
import PalimpsestScenarios
import TestFixtures
import Testing

/// Saved models of image scenarios, used on images as they are in a data set's files: whole bytes, upright, unpermuted.
@Suite struct PredictionTests {
  /// Images of 3 × 4 pixels in two classes, by brightness; the pixels lie between 0 and 255.
  struct Pictures: DatasetLibrary {
    static let pixels: [[UInt8]] = (0..<24).map { image in (0..<12).map { pixel($0, of: image) } }

    private static func pixel(_ place: Int, of image: Int) -> UInt8 {
      let mixed: Int = image * 37 + place * 53 + place * place * image
      return UInt8(mixed % 120 + image % 2 * 130)
    }

    func dataset(named name: String) throws -> Dataset {
      Dataset(
        name: name, inputs: Table(bytes: Pictures.pixels.flatMap { $0 }, columns: 12, scale: 1 / 255),
        labels: (0..<24).map { Int32($0 % 2) }, classes: ["dark", "light"], training: 0..<16, test: 16..<24,
        image: ImageSize(height: 3, width: 4))
    }
  }

  static let scenarios = [
    #""name": "permuted", "tasks": 3"#, #""name": "permuted", "tasks": 2, "pad": 6, "permuteFirst": true"#,
    #""name": "rotated""#, #""name": "rotated", "angles": [45, 135]"#,
    #""name": "rotated", "interpolation": "bilinear""#,
    #""name": "rotated", "interpolation": "bilinear", "angles": [30, 360], "scale": "standard""#,
    #""name": "permuted", "tasks": 2, "scale": "none""#,
  ]

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A trained run, and its model as it is read from its file.
  func trained(_ scenario: String) throws -> (run: Run, model: SavedModel) {
    let text = """
      { "name": "x", "strategies": { "naive": [] }, "training": { "epochs": 3, "batch": 4 },
        "scenarios": { "s": { "dataset": "pictures", \(scenario) } } }
      """
    let configuration = try Plan(Fixture.experiment(text)).configurations[0].resolved
    var run = try Run(configuration, configuration.scenario.prepare(from: Pictures()), seed: 1)
    _ = run.execute()
    let path = folder("x.model")
    try Files.replace(path, with: run.model("x"))
    return (run, try SavedModel(path: path, catalog: .standard))
  }

  func images(_ rows: Rows) -> Matrix { Matrix(rows.places.map { Pictures.pixels[Int($0)].map { Float($0) } }) }

  @Test(arguments: scenarios)
  func `the rows of a file become those that the learner was tested on`(scenario: String) throws {
    let (run, model) = try trained(scenario)
    for task in run.stream.experiences.indices {
      let rows = run.stream.evaluationSet(for: task).rows
      let expected = run.predict(rows.batch.inputs, knowing: task)
      #expect(model.logits(images(rows), task: task) == expected, "task \(task)")
      let answers = model.predictions(images(rows), task: task).map(\.output)
      #expect(answers == (0..<expected.rows).map { expected.largestColumn(inRow: $0, of: 0..<2) })
    }
  }

  @Test(arguments: scenarios)
  func `the same image is another row in another task, and scaled pixels are other rows`(scenario: String) throws {
    let (run, model) = try trained(scenario)
    let rows = images(run.stream.evaluationSet(for: 0).rows)
    #expect(model.logits(rows, task: 0) != model.logits(rows, task: 1))
    var scaled = rows
    for row in 0..<rows.rows { for column in 0..<rows.columns { scaled[row, column] /= 255 } }
    #expect(model.logits(scaled, task: 0) != model.logits(rows, task: 0))
    #expect(model.about.inputs?.takesPixels == true)
    #expect(model.about.inputs?.outputs == ["dark", "light"])
  }

  /// 300 and −7 count as 255 and 0, what is no number as 0.
  @Test func `values that are no bytes are turned as the nearest`() throws {
    let turns = ImageTurns(ImageSize(height: 3, width: 4), degrees: [80])
    let odd = Matrix([[300, -7, .nan, 12.4, 99.5, 0, 1, 2, 3, 4, 5, 6]])
    let even = Matrix([[255, 0, 0, 12, 100, 0, 1, 2, 3, 4, 5, 6]])
    #expect(turns.turned(odd, task: 0) == turns.turned(even, task: 0))
  }

  @Test func `a description of turns that do not fit the columns is refused`() {
    func problem(_ height: Int, _ width: Int, _ degrees: [Double]) -> String? {
      var inputs = InputDescription()
      inputs.turns = ImageTurns(ImageSize(height: height, width: width), degrees: degrees)
      return inputs.problem(columns: 12, target: .classes(2))
    }
    #expect(problem(3, 4, [0, 80]) == nil)
    #expect(problem(4, 4, [0]) == "images of 4 × 4 for 12 columns")
    #expect(problem(-3, -4, [0]) == "images of -3 × -4 for 12 columns")
    #expect(problem(.max, .max, [0])?.hasPrefix("images of ") == true)
    #expect(problem(3, 4, [.nan]) == "images turned by [nan] degrees")
  }
}
