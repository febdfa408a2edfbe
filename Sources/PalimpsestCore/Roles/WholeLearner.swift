/// Role: a method that is no composition of terms. It makes a learner of its own and stands alone in its strategy.
public protocol WholeLearner: StrategyPart {
  func makeLearner(_ setup: LearnerSetup) -> any Learner
}
