import PalimpsestCore

/// How one update of a personal model is trained, and on which rows.
public struct PersonalTraining: ParameterGroup {
  public var training = UpdateTraining()
  public var rows = RowChoice()
  @Parameter("Rows of the population that are mixed into each update, drawn anew.", .within(0...1_000_000_000))
  public var populationRows: Int = 0

  public init() {}
}

/// Passes and steps of one update.
public struct UpdateTraining: NestedParameters {
  @Parameter("Passes over an update's rows.", .count) public var epochs: Int = 10
  @Parameter("Rows a step.", .count) public var batch: Int = 32
  public var optimizer = UpdateOptimizer()
  @Parameter(
    "Whether an update's optimiser begins without a memory of earlier updates and of the population's training; one of other settings than that one had has none of it."
  )
  public var resetOptimizer: Bool = true

  public init() {}

  /// Gives a learner the optimiser of the person's updates.
  func prepare(_ learner: inout any Learner) {
    if resetOptimizer {
      learner.train(with: optimizer.optimizer)
    } else {
      learner.goOnTraining(with: optimizer.optimizer)
    }
  }

  var feed: FeedSettings {
    var settings = FeedSettings()
    (settings.epochs, settings.batch) = (epochs, batch)
    return settings
  }
}

/// The optimiser of an update.
public struct UpdateOptimizer: NestedParameters {
  public enum Name: String, ParameterChoice { case sgd, momentum, adam, adamw }

  @Parameter("Optimiser of an update; its other settings are as declared.") public var name: Name = .adam
  @Parameter("Its step size.", .above(0)) public var rate: Float = 0.001

  public init() {}

  var optimizer: any Optimizer {
    switch name {
    case .sgd:
      var sgd = SGD()
      sgd.rate = rate
      return sgd
    case .momentum:
      var momentum = Momentum()
      momentum.rate = rate
      return momentum
    case .adam:
      var adam = Adam()
      adam.rate = rate
      return adam
    case .adamw:
      var adam = AdamW()
      adam.rate = rate
      return adam
    }
  }
}

/// Which of a person's rows an update is trained on.
public struct RowChoice: NestedParameters {
  public enum Name: String, ParameterChoice {
    /// All so far.
    case all
    /// Those of the last days.
    case window
    /// Those since the update before: what came earlier is left to the strategy's memory.
    case new
    /// So many of all so far: those whose labels one would have asked for.
    case budget
  }

  /// How a budget is spent, by the probability p of label 1 under the model as it was shipped.
  public enum Choice: String, ParameterChoice {
    /// Drawn.
    case random
    /// At even distances.
    case periodic
    /// Least |p − ½|.
    case uncertain
    /// Greatest |p − ½|.
    case certain
    /// Half of each.
    case mixed
  }

  @Parameter(
    "Which of a person's rows an update is trained on: all so far, a window, those since the last update, or a budget.")
  public var name: Name = .all
  @Parameter("Days of the window.", .within(1...1_000_000)) public var days: Int = 30
  @Parameter("Labels of the budget, each row's one.", .count) public var labels: Int = 17
  @Parameter("How the budget is spent, by the shipped model's probabilities.") public var choice: Choice = .random

  public init() {}
}
