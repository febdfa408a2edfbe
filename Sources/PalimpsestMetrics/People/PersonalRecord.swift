/// What a run measured that went on with single people.
public struct PersonalRecord: Sendable, Equatable, Codable {
  /// One person.
  public struct Person: Sendable, Equatable, Codable {
    /// Among the run's archetypes; −1: nobody knows.
    public var archetype = -1
    /// One a stretch of her life under one law.
    public var concepts: [Concept] = []
    /// Means over the rows of her life. Regret is NaN where p* is not known.
    public var regret = Double.nan
    public var logLoss = Double.nan
    public var populationLogLoss = Double.nan
    /// The most by which the log-loss so far lay above the population model's, in all; 0 where it never did.
    public var mostExcessLogLoss = 0.0
    /// Mean over the rows of what her answer was worth beyond the population model's.
    public var lifeGain = Double.nan
    /// Mean regret of the first 14 days.
    public var coldStart = Double.nan
    /// due, started, finished, accepted, rejected, rolled back.
    public var updates = Updates()
    /// Gain of a fresh adaptation on the first days: one a day of the curve, NaN where her life is shorter.
    public var curve: [Double] = []
    /// Mean over her rows of a rollout's days of wrong answers that she got minus those of the population model, by the labels; NaN where
    /// she has none; nil: there is no rollout.
    public var trial: Double?

    public init() {}
  }

  /// A stage of a rollout.
  public struct Stage: Sendable, Equatable {
    /// Share of the people who have what is tried.
    public let share: Double
    /// People whose difference came in.
    public let users: Int
    /// Of the bet against "worse by the margin or more"; NaN before the stage has begun.
    public let wealth: Double
    public let verdict: Verdict

    /// In the order of their numbers in results, from −1 on.
    public enum Verdict: String, CaseIterable, Sendable {
      case pending, wait, advance, complete, back

      var code: Int { (Verdict.allCases.firstIndex(of: self) ?? 0) - 1 }
    }

    public init(share: Double, users: Int, wealth: Double, verdict: Verdict) {
      (self.share, self.users, self.wealth, self.verdict) = (share, users, wealth, verdict)
    }
  }

  /// What becomes of the orders of a policy.
  public struct Updates: Sendable, Equatable, Codable {
    public var due = 0
    public var started = 0
    public var finished = 0
    public var accepted = 0
    public var rejected = 0
    public var rolledBack = 0

    public init() {}
  }

  /// A stretch under one law: accuracies at its end. On new days under that law, without the noise of labels, where the law is known; else
  /// on the stretch's own rows as they were foretold.
  public struct Concept: Sendable, Equatable, Codable {
    public var accuracy: Double
    public var population: Double
    /// What the best rule has; NaN: not known.
    public var bayes = Double.nan
    /// Share of rows on which the population model answers as the best rule does and the deployed one not, and the other way round.
    public var negativeFlips = Double.nan
    public var positiveFlips = Double.nan

    public init(accuracy: Double, population: Double) {
      self.accuracy = accuracy
      self.population = population
    }

    public var gain: Double { accuracy - population }
  }

  public var status: RunRecord.Status
  public var error = ""
  public var people: [Person] = []
  public var archetypes: [String] = []
  /// Sums over people, day by day, with how many had a row: of the regret, and of the weight that was not the population model's.
  public var dayRows: [Int] = []
  public var dayRegret: [Double] = []
  public var dayWeight: [Double] = []
  /// Days of the scarcity curve.
  public var curveDays: [Int] = []
  public var cost = RunCost()

  public init(status: RunRecord.Status) { self.status = status }
}
