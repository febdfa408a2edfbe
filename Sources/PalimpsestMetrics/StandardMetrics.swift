/// Every metric of the results, in the order of their columns.
public let standardMetrics: [Metric] = [
  .averageAccuracy, .averageIncrementalAccuracy, .forgetting, .backwardTransfer, .forwardTransfer, .learningAccuracy,
  .intransigence, .minAccuracy, .worstCaseAccuracy, .normalisedRetention,
  .driftImpliedForgetting, .interference, .underfit,
  .stabilityGap, .regainSteps, .regainedShare, .anytimeAccuracy, .windowedForgetting, .windowedPlasticity,
  .averageLowerTriangle,
  .forgettingFirstLast, .forgettingAllRows, .forgettingDividedByAll, .forgettingWithoutNewest, .forgettingWithCurrent,
  .backwardTransferPlus, .backwardTransferDividedByAll, .backwardTransferAllPairs, .backwardTransferAllPairsPlus,
  .backwardTransferConsecutive, .backwardTransferDistantPairs,
  .forwardTransferWithoutBaseline, .forwardTransferUpper, .forwardTransferIndependent,
  .intransigenceScratch, .intransigenceBayes,
]
