/// What a name among a run's observations means, declared once by whoever observes it. Journal, results, merge, export and
/// reports follow the declaration.
///
///     Measure("weight_norm", "Norm of all weights", definition: "√Σ θ²", direction: .neither)
public struct Measure: Sendable, Equatable {
  /// What it is about; the results have them in this order.
  public enum Subject: String, Sendable, CaseIterable {
    /// What the learner can do, or has become.
    case outcome
    /// What is known of the scenario.
    case truth
    /// Time, work or memory.
    case cost
  }

  /// How the results store it.
  public enum Storage: String, Sendable, CaseIterable {
    case f64, f32, i64, i32, i8

    public var isInteger: Bool { self != .f64 && self != .f32 }
  }

  public let name: ObservationName
  /// What a person calls it.
  public let longName: String
  /// `1` for shares and counts, else `s`, `byte` and so on (UDUNITS).
  public let unit: String
  /// The formula in one line.
  public let definition: String
  public let subject: Subject
  public let direction: Metric.Direction
  public let storage: Storage
  /// Beside `run`, from the slowest to the fastest; none for one number a run.
  public let axes: [MeasureAxis]
  /// True where the same run gives the same bits on any machine and any number of workers: merged files must then agree.
  /// False for times.
  public let isRepeatable: Bool
  /// The observation that says by which rules it was counted: it compares only where that is equal.
  public let countedBy: ObservationName?
  /// What numbers mean that stand for words, where they do; the results say it as the CF conventions have it.
  package var flags: [Flag] = []
  /// The results have it even where no run observed it.
  package let isAlwaysThere: Bool

  /// A number that stands for a word.
  package struct Flag: Sendable, Equatable {
    package let value: Int
    /// One word.
    package let meaning: String

    init(_ value: Int, _ meaning: String) { (self.value, self.meaning) = (value, meaning) }
  }

  /// The same with words for its numbers.
  func with(flags: [Flag]) -> Measure {
    var measure = self
    measure.flags = flags
    return measure
  }

  /// - Precondition: the names of measure and axes are lower-case letters, digits and underscores, and axes have different ones.
  /// - Parameter storage: nil: 64-bit floats for one number a run, 32-bit floats along axes.
  public init(
    _ name: ObservationName, _ longName: String, unit: String = "1", definition: String,
    subject: Subject = .outcome, direction: Metric.Direction = .neither, storage: Storage? = nil,
    along axes: [MeasureAxis] = [], isRepeatable: Bool = true, countedBy: ObservationName? = nil
  ) {
    self.init(
      name, longName, unit: unit, definition: definition, subject: subject, direction: direction, storage: storage,
      along: axes, isRepeatable: isRepeatable, countedBy: countedBy, isAlwaysThere: false)
  }

  init(
    _ name: ObservationName, _ longName: String, unit: String = "1", definition: String, subject: Subject,
    direction: Metric.Direction, storage: Storage? = nil, along axes: [MeasureAxis] = [], isRepeatable: Bool = true,
    countedBy: ObservationName? = nil, isAlwaysThere: Bool
  ) {
    precondition(ObservationName.isName(name.text), "\"\(name)\": a measure's name is lower-case with underscores")
    precondition(ObservationName.areAxes(axes.map(\.name)), "\(name): axes of \(axes.map(\.name))")
    self.name = name
    self.longName = longName
    self.unit = unit
    self.definition = definition
    self.subject = subject
    self.direction = direction
    self.storage = storage ?? (axes.isEmpty ? .f64 : .f32)
    self.axes = axes
    self.isRepeatable = isRepeatable
    self.countedBy = countedBy
    self.isAlwaysThere = isAlwaysThere
  }

  /// One number a run.
  public var isScalar: Bool { axes.isEmpty }

  /// The dimensions of its dataset.
  public var dimensions: [String] { ["run"] + axes.map(\.name) }
}

/// An axis of a measure.
public struct MeasureAxis: Sendable, Hashable {
  public let name: String
  /// What its places are; nil for a bare dimension without coordinates.
  public let longName: String?

  public init(_ name: String, _ longName: String?) {
    self.name = name
    self.longName = longName
  }
}

extension MeasureAxis {
  /// After learning task 0, 1, …
  public static let afterTask = MeasureAxis("after_task", "Last task trained on")
  public static let task = MeasureAxis("task", "Task evaluated")
  /// The second task of a pair.
  public static let otherTask = MeasureAxis("task_other", nil)
  /// Evaluations within tasks, counted over the whole run.
  public static let evaluation = MeasureAxis("evaluation", "Index of the evaluation within tasks")
  /// Who cost what: the network, the optimiser, then the strategy's parts, by the names that label the axis.
  public static let part = MeasureAxis("part", "Network, optimiser or part of the strategy")
  /// Windows of a stream: their coordinates are the rows seen at their right edges.
  public static let examplesSeen = MeasureAxis("examples_seen", "Rows seen at the right edge of the window")
}
