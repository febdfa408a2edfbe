import PalimpsestCore

/// Which data a scenario over a data set takes, and how much of them. Split, permuted and rotated share these
/// parameters.
public struct DatasetSettings: ParameterGroup {
  @Parameter("Name of the data set.") public var dataset: String = "mnist"
  @Parameter("How inputs are scaled; the figures come from the training rows alone.")
  public var scale: InputScale = .unit
  @Parameter("Most rows a task is tested on, drawn at random; null takes all.", .count)
  public var testRows: Int? = nil

  public init() {}
}

/// Whether a learner is told which task the rows it predicts belong to.
public enum TaskIdentity: String, ParameterChoice {
  case given, hidden
}
