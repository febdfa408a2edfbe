import PalimpsestCore
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestScenarios

/// A trained learner with what is needed to use it: its configuration, the tasks, and how inputs are made.
public struct SavedModel: Sendable {
  /// What a model file says of its learner.
  public struct About: Sendable, Codable {
    public let runID: String
    public let scenario: String
    public let strategy: String
    /// The resolved configuration, every default written out.
    public let configuration: String
    public let seed: Seed
    public let shape: TaskShape
    public let tasks: [Task]
    /// How many experiences stored rows may be of, where they are not the tasks.
    public let experiences: Int?
    /// Names and scale of columns, names of outputs, where the scenario knows them.
    public let inputs: InputDescription?
  }

  /// One task, as rows of it are predicted.
  public struct Task: Sendable, Codable {
    public let name: String
    /// The outputs that may be answered.
    public let candidates: Range<Int>
    /// For each column of a row that the learner sees the column it is taken from (−1: none); nil: as they are.
    public let columnOrder: [Int32]?
  }

  public let about: About
  public let learner: any Learner

  private enum Field: String, CodingKey { case about, learner }
}

extension Run {
  /// The learner as it is, as the bytes of a model file.
  /// - Throws: ``PalimpsestSettings/StateError`` where the strategy's learner cannot be saved.
  public func model(_ id: String) throws -> [UInt8] {
    let about = SavedModel.About(
      runID: id, scenario: configuration.scenarioLabel, strategy: configuration.strategyLabel,
      configuration: JSONValue(configuration.record).compactText, seed: seed, shape: stream.shape,
      tasks: stream.experiences.map { experience in
        let set = stream.evaluationSet(for: experience.index)
        return SavedModel.Task(
          name: experience.name, candidates: set.candidates, columnOrder: set.rows.columnOrder)
      },
      experiences: mostExperiences == stream.experiences.count ? nil : mostExperiences, inputs: stream.inputs)
    return try SavedModel.bytes(about, learner)
  }
}

extension SavedModel {
  static func bytes(_ about: About, _ learner: any Learner) throws -> [UInt8] {
    try StateFile.bytes(.model, run: about.runID) { encoder in
      var fields = encoder.container(keyedBy: Field.self)
      try fields.encode(about, forKey: .about)
      try learner.saveState(to: fields.superEncoder(forKey: .learner))
    }
  }

  /// - Throws: ``PalimpsestJSON/FileError``, ``StateFileError``.
  public init(path: String, catalog: Catalog) throws { try self.init(Files.read(path), path: path, catalog: catalog) }

  init(_ bytes: [UInt8], path: String, catalog: Catalog) throws(StateFileError) {
    self = try StateFile.read(bytes, .model, run: nil, path: path, limits: StateLimits()) { decoder in
      let fields = try decoder.container(keyedBy: Field.self)
      let about = try fields.decode(About.self, forKey: .about)
      decoder.userInfo.narrow(StateLimits(about.shape, tasks: about.experiences ?? about.tasks.count))
      var learner = try about.learner(catalog, most: bytes.count)
      try learner.restoreState(from: fields.superDecoder(forKey: .learner))
      return SavedModel(about: about, learner: learner)
    }
  }
}

extension SavedModel.About: CheckedState {
  public func problem(within limits: StateLimits) -> String? {
    if tasks.isEmpty { return "a model without tasks" }
    for task in tasks {
      let isWithin = task.candidates.lowerBound >= 0 && task.candidates.upperBound <= shape.outputs
      if !isWithin || task.candidates.isEmpty { return "task \"\(task.name)\" has outputs \(task.candidates)" }
      if let order = task.columnOrder,
        order.count != shape.inputs || order.contains(where: { $0 < -1 || Int($0) >= columns })
      {
        return "task \"\(task.name)\" has an order of \(order.count) columns for \(shape.inputs) inputs"
      }
    }
    let hasOrders = tasks.allSatisfy { $0.columnOrder != nil }
    if !hasOrders && columns != shape.inputs { return "\(columns) columns for \(shape.inputs) inputs" }
    if let turns = inputs?.turns, turns.degrees.count < tasks.count {
      return "\(turns.degrees.count) angles for \(tasks.count) tasks"
    }
    return inputs?.problem(columns: columns, target: shape.target)
  }

  /// Columns of a row before a task's order is applied: where it is not told, as many as any order asks for.
  public var columns: Int {
    if let width = inputs?.width, width > 0 { return width }
    let orders = tasks.compactMap(\.columnOrder)
    if let named = inputs?.columns.count, named > 0 { return named }
    return orders.isEmpty ? shape.inputs : Int(orders.joined().max() ?? 0) + 1
  }

  /// The learner before its first task, by the configuration.
  /// - Parameter most: no network has more parameters than its file has bytes.
  fileprivate func learner(_ catalog: Catalog, most: Int) throws -> any Learner {
    let document = JSONReader.read(Array(configuration.utf8), file: "configuration")
    guard let json = document.root, document.problems.isEmpty else { throw StateError("its configuration is no JSON") }
    let model = try ModelSettings(settings: json["model"].given)
    let training = try TrainingSettings(settings: json["training"].given)
    let widths = [shape.inputs] + model.hidden + [shape.outputs]
    let parameters = zip(widths, widths.dropFirst()).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
    guard parameters <= Double(most) else { throw StateError("a network of \(parameters) weights in \(most) bytes") }
    let optimizer = try catalog.optimizer(Component(json["training"]?["optimizer"]))
    let parts = try (json["strategy"]?.array ?? []).map { try catalog.part(Component($0)) }
    return try LearnerSetup(
      shape: shape, hidden: model.hidden, activation: model.activation, initializer: model.initializer,
      optimizer: optimizer, resetsOptimizer: training.resetOptimizer, outputRule: training.outputs,
      seed: seed.derived("learner")
    ).makeLearner(parts)
  }
}

extension JSONValue? {
  /// The settings in an object.
  fileprivate var given: [String: ParameterValue] {
    var given: [String: ParameterValue] = [:]
    for (key, member) in self?.object?.members ?? JSONObject().members { given[key] = member.value.parameterValue }
    return given
  }
}

extension Component {
  /// What a resolved configuration holds under a component's place.
  fileprivate init(_ json: JSONValue?) {
    var given = json.given
    given["name"] = nil
    given["revision"] = nil
    self.init(name: json?["name"]?.string ?? "", given: given)
  }
}
