/// A scenario that works numbers out from its settings alone before any run, and takes long for it. Whoever prepares it may keep
/// the numbers and hand them over another time: they are the same whatever machine worked them out, as long as program and
/// instruction set are.
public protocol CalibratedScenario: Scenario {
  /// These settings, with those at their defaults that no number of the calibration depends on.
  var calibrationSettings: Self { get }
  /// Works the numbers out: all of them finite.
  /// - Throws: ``ScenarioError`` for settings that contradict each other or a target that is out of reach.
  func calibrate() throws -> [Double]
  /// The scenario ready to be drawn from.
  /// - Parameter numbers: what ``calibrate()`` gave, here or for other settings with equal ``calibrationSettings``.
  /// - Returns: nil where these cannot be its numbers.
  /// - Throws: ``ScenarioError`` for settings that contradict each other.
  func prepared(by numbers: [Double]) throws -> (any PreparedScenario)?
}
