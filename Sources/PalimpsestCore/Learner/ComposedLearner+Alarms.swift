/// What a composed learner hears of its answers, and what alarms do to it.
extension ComposedLearner {
  public mutating func observe(_ outcome: Outcome) -> DriftSignal {
    let signal = roles.observe(outcome)
    asksForEnd = false
    if signal == .alarm, let response = roles.detector?.response, alarms.acts(at: outcome.row, response) {
      act(response)
    }
    return signal
  }

  private mutating func act(_ response: AlarmResponse) {
    switch response.action {
    case .consolidate: asksForEnd = true
    case .resetWeights: forgetWeights()
    case .resetOptimizer: roles.resetOptimizer()
    case .clearMemory: roles.clearMemory(like: pristine)
    case .boost: alarms.boost(response.boostRows)
    case .none: break
    }
  }

  /// The n-th fresh start of a run draws its weights from the n-th stream of initial weights, whatever the start's reason.
  private mutating func forgetWeights() {
    restarts += 1
    start(from: setup.makeModel(restart: restarts).parameters)
    roles.forgetWeights(like: pristine)
  }

  /// A step with the step size that alarms left it.
  mutating func takeBoosted(_ batch: Batch, _ context: StepContext) -> StepReport {
    var context = context
    alarms.step(newRows: context.epoch == 0 ? batch.count : 0)
    if alarms.isBoosted, let response = roles.detector?.response { context.rateFactor = response.boostFactor }
    return take(batch, context)
  }
}
