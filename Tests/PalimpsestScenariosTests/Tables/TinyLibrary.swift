import PalimpsestCore
import PalimpsestScenarios

/// One data set in memory, under every name.
struct TinyLibrary: DatasetLibrary {
  let dataset: Dataset

  func dataset(named name: String) throws -> Dataset { dataset }

  /// A table whose single column holds the row's number: `rows` training rows and half as many test rows a class, one
  /// class after the other in turn.
  static func table(classes: Int, rows: Int = 4) -> TinyLibrary {
    let all = classes * (rows + rows / 2)
    return TinyLibrary(
      dataset: Dataset(
        name: "tiny", inputs: Table(FloatBuffer((0..<all).map { Float($0) }), columns: 1),
        labels: (0..<all).map { Int32($0 % classes) }, classes: (0..<classes).map { "c\($0)" },
        training: 0..<classes * rows, test: classes * rows..<all))
  }

  /// Images of bytes: pixel p of image i is 10·i + p + 1; two classes in turn, four training images and two test
  /// images.
  static func images(height: Int, width: Int) -> TinyLibrary {
    let pixels = height * width
    return TinyLibrary(
      dataset: Dataset(
        name: "pictures",
        inputs: Table(
          bytes: (0..<6 * pixels).map { UInt8(($0 / pixels * 10 + $0 % pixels + 1) % 256) }, columns: pixels, scale: 1),
        labels: [0, 1, 0, 1, 0, 1], classes: ["a", "b"], training: 0..<4, test: 4..<6,
        image: ImageSize(height: height, width: width)))
  }
}

/// Settings that leave the values as they are.
func unscaled(testRows: Int? = nil) -> DatasetSettings {
  var settings = DatasetSettings()
  settings.scale = .none
  settings.testRows = testRows
  return settings
}

/// The message of a scenario's refusal, `parameter: what is wrong`.
func refusal(_ scenario: any Scenario, _ library: TinyLibrary) -> String? {
  do {
    _ = try scenario.prepare(from: library)
    return nil
  } catch let error as ScenarioError {
    return "\(error.parameter ?? "nil"): \(error.description)"
  } catch {
    return "not a ScenarioError: \(error)"
  }
}

/// The scenario with other parameters.
func with<T>(_ value: T, _ change: (inout T) -> Void) -> T {
  var copy = value
  change(&copy)
  return copy
}
