import PalimpsestMetrics

/// How far a run is.
public struct RunPosition: Sendable, Equatable {
  /// Tasks done: the one at hand, counted from 0.
  public var task: Int
  /// Tasks in all.
  public var of: Int
  /// Steps done of the task at hand.
  public var step: Int
  /// Training rows fed so far, each pass counted.
  public var examples: Int

  public init(task: Int, of: Int, step: Int, examples: Int) {
    self.task = task
    self.of = of
    self.step = step
    self.examples = examples
  }
}

/// Says now and then that some time is over, and looks at the clock only a few times in between, however short the steps
/// that ask.
struct Pulse {
  private let period: Duration
  private var stride = 1
  private var left = 1
  private var looked = ContinuousClock.now
  private var last = ContinuousClock.now

  init(every period: Duration) { self.period = period }

  mutating func isDue() -> Bool {
    left -= 1
    guard left <= 0 else { return false }
    let now = ContinuousClock.now
    stride = now - looked < period / 16 ? min(stride * 2, 1 << 16) : max(1, stride / 2)
    looked = now
    left = stride
    guard now - last >= period else { return false }
    last = now
    return true
  }
}

/// What a run has taken, over all the processes that it ran in.
struct RunTimes: Codable {
  /// Seconds before this process.
  private var before = 0.0
  /// Of them, spent training in the task at hand.
  private var taskBefore = 0.0
  private var start = RunTimes.clock.now
  private var taskStart = RunTimes.clock.now
  private var evaluatedBefore = 0.0

  private static let clock = ContinuousClock()
  private enum CodingKeys: String, CodingKey { case before, taskBefore }

  init() {}

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    before = try fields.decode(Double.self, forKey: .before)
    taskBefore = try fields.decode(Double.self, forKey: .taskBefore)
  }

  /// Seconds in all.
  func total(at now: ContinuousClock.Instant) -> Double { before + (now - start) / .seconds(1) }

  mutating func beginTask(at now: ContinuousClock.Instant, evaluated: Double) {
    taskBefore = 0
    goOnWithTask(at: now, evaluated: evaluated)
  }

  /// - Returns: seconds spent on the task, without evaluation.
  mutating func endTask(at now: ContinuousClock.Instant, evaluated: Double) -> Double {
    taskBefore + (now - taskStart) / .seconds(1) - (evaluated - evaluatedBefore)
  }

  /// As a checkpoint keeps them.
  func kept(at now: ContinuousClock.Instant, evaluated: Double) -> RunTimes {
    var copy = self
    copy.taskBefore = copy.endTask(at: now, evaluated: evaluated)
    copy.before = total(at: now)
    return copy
  }

  /// The clock runs on from here.
  mutating func goOn(at now: ContinuousClock.Instant, evaluated: Double) {
    start = now
    goOnWithTask(at: now, evaluated: evaluated)
  }

  private mutating func goOnWithTask(at now: ContinuousClock.Instant, evaluated: Double) {
    taskStart = now
    evaluatedBefore = evaluated
  }
}
