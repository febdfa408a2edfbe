import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestRuns
import PalimpsestScenarios
import TestFixtures
import Testing

/// Runs whose rows have values, or any number of labels, to be predicted.
@Suite struct ValueRunTests {
  /// y = x₁ − 2 x₂ + ½, in a grid: a linear network can say it exactly.
  private struct Library: DatasetLibrary {
    let kind: DatasetValues.Kind

    func dataset(named name: String) -> Dataset {
      let rows = (0..<200).map { [Float($0 % 20) / 20, Float($0 / 20) / 10] }
      let values = rows.map { row -> [Float] in
        let y = row[0] - 2 * row[1] + 0.5
        return kind == .numbers ? [y, row[0]] : [y > 0 ? 1 : 0, row[0] > 0.5 ? 1 : 0]
      }
      return Dataset(
        name: name, inputs: Table(Matrix(rows)), labels: [], classes: ["y", "x"], training: 0..<200, test: 0..<200,
        targetValues: DatasetValues(Matrix(values), kind))
    }
  }

  private func record(_ kind: DatasetValues.Kind, _ parts: String = "", rate: Double = 0.2) throws -> RunRecord {
    let text = """
      {"format": 1, "name": "values", "scenarios": {"p": {"name": "permuted", "dataset": "d", "tasks": 2, "scale": "none"}},
       "model": {"hidden": []}, "training": {"epochs": 60, "batch": 8, "optimizer": {"name": "sgd", "rate": \(rate)}},
       "strategies": {"s": [\(parts)]}, "seeds": 1}
      """
    let configuration = try Plan(Experiment.read(text, file: "v.json")).configurations[0].resolved
    let data = Run.data(of: try configuration.scenario.prepare(from: Library(kind: kind)), seed: 0)
    var run = try Run(configuration, data: data, seed: 0)
    return run.execute()
  }

  @Test func `a linear network learns linear values, and forgets them where columns change places`() throws {
    let record = try record(.numbers)
    let errors = try #require(record.rootMeanSquareErrors)
    #expect(record.status == .completed && errors[0, 0] < 0.02 && errors[1, 1] < 0.02)
    // Columns exchanged: y′ − y = 3 (x₁ − x₂) and x′ − x = x₂ − x₁, whose mean squares are 9 and 1 times that of x₁ − x₂.
    let squares = (0..<200).map { i in
      let gap = Double(i % 20) / 20 - Double(i / 20) / 10
      return 10 * gap * gap
    }
    let exchanged = (squares.reduce(0, +) / 400).squareRoot()
    #expect(abs(errors[0, 1] - exchanged) < 0.05 && abs(errors[1, 0] - exchanged) < 0.05)
    #expect(record.number("average_rmse") == (errors[1, 0] + errors[1, 1]) / 2)
    #expect(record.number("rmse_forgetting") == errors[1, 0] - errors[0, 0])
    #expect(record["mae"]?.numbers[0] ?? 1 < errors[0, 0])
    #expect(!record.accuracy.values.contains { !$0.isNaN })
  }

  @Test func `labels are judged output by output`() throws {
    let record = try record(.labels)
    #expect(record.accuracy[0, 0] > 0.9 && record.logLoss[0, 0] < 0.35)
    #expect(record["rmse"] == nil)
  }

  @Test(arguments: [
    #"{"name": "ewc"}"#, #"{"name": "si"}"#, #"{"name": "reservoir", "capacity": 20}"#,
    #"{"name": "herding", "capacity": 20}"#, #"{"name": "joint"}"#, #"{"name": "adapters"}"#,
  ])
  func `every kind of part takes rows with values`(part: String) throws {
    for kind in [DatasetValues.Kind.numbers, .labels] {
      let record = try record(kind, part, rate: 0.005)
      #expect(record.status == .completed, "\(record.error)")
    }
  }

  @Test func `classes are asked for where they are needed`() throws {
    var split = Split()
    split.data.dataset = "d"
    let error = #expect(throws: ScenarioError.self) { try split.prepare(from: Library(kind: .numbers)) }
    #expect(
      error?.description
        == "the rows of \"d\" have values to predict (y, x) and no classes to group. Take \"permuted\", or name a column of classes "
        + "with \"label\" in dataset.json")
  }
}
