/// What is known of a scenario beyond its rows: the accuracy of the best rules, and how far its tasks lie apart. Numbers that a
/// scenario doesn't know are nil or NaN.
///
/// A scenario says whether its numbers are means over the test rows of a seed or those of its laws, which are the same for any rows.
public struct ScenarioTruth: Sendable, Equatable, Codable {
  /// B_k, one a task: accuracy of the best rule for task k on task k's test rows, or under its law.
  public var bayesAccuracy: [Double]
  /// C_jk: row j, column k is the accuracy on task k's test rows of the best rule for task j.
  public var crossAccuracy: [[Double]]
  /// E over task k's inputs of |p_j − p_k|: row j, column k.
  public var totalVariation: [[Double]]
  /// E over task k's inputs of the Hellinger distance between p_j and p_k: row j, column k.
  public var hellinger: [[Double]]
  /// J*: the best mean accuracy that one function of the inputs reaches over all tasks (estimated from below).
  public var jointCeiling: Double
  /// What else differs between the laws of two tasks; nil where nobody has worked it out.
  public var distances: DriftDistances?

  public init(
    bayesAccuracy: [Double], crossAccuracy: [[Double]], totalVariation: [[Double]], hellinger: [[Double]],
    jointCeiling: Double, distances: DriftDistances? = nil
  ) {
    self.bayesAccuracy = bayesAccuracy
    self.crossAccuracy = crossAccuracy
    self.totalVariation = totalVariation
    self.hellinger = hellinger
    self.jointCeiling = jointCeiling
    self.distances = distances
  }

  /// Γ = mean_k B_k − J*: how hidden the context is.
  public var ambiguityGap: Double { bayesAccuracy.reduce(0, +) / Double(bayesAccuracy.count) - jointCeiling }

  /// mean_k C_Tk: a learner that is perfect on the last task and remembers nothing else.
  public var trackerAccuracy: Double {
    guard let last = crossAccuracy.last else { return .nan }
    return last.reduce(0, +) / Double(last.count)
  }
}

/// How far the laws of two tasks lie apart in the parts of a row's joint law that ``ScenarioTruth/totalVariation`` does not look at:
/// tasks × tasks each, symmetric, from 0 (equal) to 1 but for the accuracy of a classifier, which is ½ of equal ones.
public struct DriftDistances: Sendable, Equatable, Codable {
  /// p(x): the largest Hellinger distance between the histograms of a column.
  public var inputs: [[Double]]
  /// P(y): total variation, |π − π′| of a yes or no.
  public var labels: [[Double]]
  /// p(x | y): as of `inputs`, the mean over labels by how often they come.
  public var inputsOfLabels: [[Double]]
  /// p(x) again, of all columns together: the share of right answers of a classifier that tells rows of one task from rows of the other; ½ where
  /// they are equal. Nil where there are too many pairs or columns to be compared.
  public var twoSample: [[Double]]?

  public init(inputs: [[Double]], labels: [[Double]], inputsOfLabels: [[Double]]) {
    (self.inputs, self.labels, self.inputsOfLabels) = (inputs, labels, inputsOfLabels)
  }

  /// Those of some tasks.
  public func first(_ tasks: Int) -> DriftDistances {
    func corner(_ matrix: [[Double]]) -> [[Double]] { matrix.prefix(tasks).map { Array($0.prefix(tasks)) } }
    var copy = DriftDistances(inputs: corner(inputs), labels: corner(labels), inputsOfLabels: corner(inputsOfLabels))
    copy.twoSample = twoSample.map(corner)
    return copy
  }
}
