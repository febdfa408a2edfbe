/// Role: a method that is no composition of terms. It makes a learner of its own and stands alone in its strategy.
///
/// Law: the same seed gives the same bits, and a ``Learner`` that is saved and restored at any step goes on as if it had
/// never stopped (`LearnerLaws` and `CheckpointLaws` of PalimpsestTesting). One that is `Codable` is saved by that; any
/// other writes its own state and refuses a foreign one with a ``PalimpsestSettings/StateError``.
public protocol WholeLearner: StrategyPart {
  /// A learner that has seen nothing yet, with the network, optimiser and seed of the setup.
  func makeLearner(_ setup: LearnerSetup) -> any Learner
}
