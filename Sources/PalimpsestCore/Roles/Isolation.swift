/// Role: which parameters a task may change, and which way its rows take.
///
/// Law: parameters outside the mask keep their bits under every optimiser; where ``isolatesPredictions`` holds, so do the
/// predictions for earlier tasks.
public protocol Isolation: StrategyPart {
  /// True where learning a task never changes what earlier tasks' routes predict.
  var isolatesPredictions: Bool { get }
  /// Makes what the task needs and says what it may train.
  mutating func prepare(
    _ model: inout MLP, for experience: ExperienceInfo, using rng: inout Random
  ) -> ParameterMask
  /// The way for rows of a task; nil: the task is unknown. A task not begun yet takes the way of the latest.
  func program(for experience: Int?, in model: MLP) -> Program
  /// Parameters that a task adds to the network at most, asked before any of it is made. By default an output layer of its own.
  /// - Parameter layers: the network's own layers.
  func parametersAdded(by experience: ExperienceInfo, beside layers: ParameterLayout) -> Double
}

extension Isolation {
  public func parametersAdded(by experience: ExperienceInfo, beside layers: ParameterLayout) -> Double {
    layers.headParameters(outputs: experience.outputs.count)
  }
}
