/// Role: other parameters to predict with; training does not see them.
///
/// Law: they are as long as the network's; before the first step they are the network's; the same steps give the same bits.
public protocol Predictor: StrategyPart {
  /// A step was taken, and parameters renewed.
  mutating func observe(_ parameters: FloatBuffer, _ context: StepContext)
  /// What to predict with; nil: the network as it is. Parameters behind its end are the network's.
  var parameters: FloatBuffer? { get }
}
