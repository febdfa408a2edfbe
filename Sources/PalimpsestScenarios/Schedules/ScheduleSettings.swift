import PalimpsestCore

/// Which concepts make the training rows, and when.
public struct ScheduleSettings: NestedParameters {
  public enum Name: String, ParameterChoice {
    /// Each once, from given rows on.
    case inTurn = "in-turn"
    /// The same, with a transition of the schedule's own.
    case abrupt, sigmoid, linear
    /// Round and round.
    case recurring
    /// Shares swing about their mean.
    case seasonal
    /// A chain that stays where it is with one probability.
    case markov
    /// A presence in time for each.
    case gaussian
    /// Presences that come again and again.
    case periodicGaussian = "periodic-gaussian"
    /// The last one for some rows now and then.
    case blip
    /// Parameters that move from one to the next.
    case incremental
  }

  @Parameter(
    "What the concepts' shares of the training rows follow; null: each is in force for the rows of its task.")
  public var name: Name? = nil
  @Parameter(
    "Rows of the whole stream, from 0: where the concepts behind the first begin (in-turn, abrupt, sigmoid, linear), where blips begin (blip), the middles of the presences (gaussian, periodic-gaussian); empty: at even distances.",
    .within(0...1_000_000_000))
  public var at: [Int] = []
  @Parameter(
    "Concepts of a round, by their places in the list from 0 (recurring); empty: all as they are listed.",
    .within(0...1000))
  public var order: [Int] = []
  @Parameter(
    "Rows until all come again (recurring, seasonal, periodic-gaussian); null: those of a task.", .count)
  public var period: Int? = nil
  @Parameter("How far shares swing, of what they can (seasonal); null: 1.", .within(0...1))
  public var amplitude: Double? = nil
  @Parameter(
    "Probability that the concept of a row makes the next one too (markov); null: 0.99.", .within(0...1))
  public var stay: Double? = nil
  @Parameter(
    "Standard deviation of a presence in rows (gaussian, periodic-gaussian); null: a quarter of the rows from one even middle to the next. Rows that a transition takes (sigmoid, linear): whole, and never null.",
    .above(0))
  public var width: Double? = nil
  @Parameter("Rows of a blip (blip); null: a tenth of a task's.", .count) public var length: Int? = nil
  @Parameter(
    "Rows of a task's part before its parameters begin to move (incremental); null: 0.", .within(0...10_000_000))
  public var from: Int? = nil
  @Parameter("Rows of a task's part behind which they have moved (incremental); null: those of a task.", .count)
  public var to: Int? = nil

  public init() {}
}

extension ScheduleSettings {
  /// What a check looks at beside these settings.
  struct Stream {
    /// Rows to train on, one number a task.
    let taskRows: [Int]
    let transition: Transition
    let width: Int?
    let identity: TaskIdentity
    /// Why nothing stands between two concepts; nil: something does.
    let obstacle: String?

    var tasks: Int { taskRows.count }
    var rows: Int { taskRows.reduce(0, +) }
    /// Their mean, rounded down, where tasks have different numbers.
    var rowsPerTask: Int { rows / max(1, tasks) }
    /// The number of each task's first row.
    var taskStarts: [Int] {
      var start = 0
      return taskRows.map { rows in
        defer { start += rows }
        return start
      }
    }
  }

  /// - Throws: ``ScenarioError`` for settings that contradict each other.
  func check(_ stream: Stream) throws(ScenarioError) {
    try checkAlone(stream)
    switch name {
    case nil, .markov: break
    case .inTurn, .abrupt, .sigmoid, .linear: try checkStarts(resolved(stream))
    case .recurring: try checkRound(stream)
    case .seasonal: try checkPeriod(atLeast: stream.tasks, stream)
    case .gaussian, .periodicGaussian: try checkMiddles(stream)
    case .blip: try checkBlips(stream)
    case .incremental: try checkMoving(stream)
    }
  }

  /// What needs no rows to be judged.
  /// - Throws: ``ScenarioError`` for settings that contradict each other.
  func checkAlone(_ stream: Stream) throws(ScenarioError) {
    try checkUse()
    guard let name else { return }
    try checkNamedWidth()
    if stream.identity == .given {
      throw ScenarioError(
        parameter: "identity",
        "rows of one part of the stream are made by several concepts, so none can be told. It must be \"hidden\".")
    }
    if stream.transition != .abrupt && name != .inTurn && name != .recurring {
      throw ScenarioError(
        parameter: "transition",
        "a \"\(name.rawValue)\" schedule has no transitions. Leave it out, or take \"in-turn\" or \"recurring\".")
    }
    if let obstacle = stream.obstacle, name == .incremental {
      throw refusal(
        "name",
        "\"incremental\" moves parameters from one concept to the next, and \(obstacle). "
          + "Take \"gaussian\", or a transition.")
    }
  }

  /// Each key, whether it is given, and the names that it counts for.
  private var uses: [(key: String, isGiven: Bool, names: [Name])] {
    [
      ("at", !at.isEmpty, [.inTurn, .abrupt, .sigmoid, .linear, .blip, .gaussian, .periodicGaussian]),
      ("order", !order.isEmpty, [.recurring]),
      ("period", period != nil, [.recurring, .seasonal, .periodicGaussian]),
      ("amplitude", amplitude != nil, [.seasonal]),
      ("stay", stay != nil, [.markov]), ("width", width != nil, [.gaussian, .periodicGaussian, .sigmoid, .linear]),
      ("length", length != nil, [.blip]), ("from", from != nil, [.incremental]), ("to", to != nil, [.incremental]),
    ]
  }

  private func checkUse() throws(ScenarioError) {
    for use in uses where use.isGiven && !use.names.contains(where: { $0 == name }) {
      let names = use.names.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      throw refusal(use.key, "it counts where \"name\" is \(names) alone. Take it away.")
    }
  }

  private func checkStarts(_ stream: Stream) throws(ScenarioError) {
    guard at.isEmpty || at.count == stream.tasks - 1 else {
      throw refusal(
        "at", "\(at.count) rows for \(stream.tasks) concepts. Say where each but the first begins: \(stream.tasks - 1)."
      )
    }
    try checkAscending(stream)
    try checkWidth(starts: starts(stream), stream)
  }

  private func checkRound(_ stream: Stream) throws(ScenarioError) {
    if let wrong = order.first(where: { $0 >= stream.tasks }) {
      throw refusal("order", "\(wrong) is no place among \(stream.tasks) concepts. There are 0 to \(stream.tasks - 1).")
    }
    let visits = order.isEmpty ? stream.tasks : order.count
    try checkPeriod(atLeast: visits, stream)
    let period = period ?? stream.rowsPerTask
    try checkWidth(starts: (0...visits).map { $0 * period / visits }, stream)
  }

  private func checkPeriod(atLeast least: Int, _ stream: Stream) throws(ScenarioError) {
    let period = period ?? stream.rowsPerTask
    if period < least {
      throw refusal("period", "\(period) rows are too few for \(least) concepts to come. Take at least \(least).")
    }
  }

  /// A transition is over before the next one is halfway.
  func checkWidth(starts: [Int], _ stream: Stream) throws(ScenarioError) {
    let shortest = zip(starts.dropFirst(), starts).map { $0.0 - $0.1 }.min() ?? .max
    guard let width = stream.width, width > shortest else { return }
    throw ScenarioError(
      parameter: name?.transition == nil ? "width" : "schedule.width",
      "\(width) rows are more than the \(shortest) of the shortest visit to a concept. Take at most \(shortest).")
  }

  private func checkMiddles(_ stream: Stream) throws(ScenarioError) {
    if name == .periodicGaussian { try checkPeriod(atLeast: stream.tasks, stream) }
    if at.isEmpty { return }
    if at.count != stream.tasks {
      throw refusal("at", "\(at.count) middles for \(stream.tasks) concepts. Give each one.")
    }
    let period = name == .periodicGaussian ? period ?? stream.rowsPerTask : Int.max
    let folded = at.map { $0 % period }
    if Set(folded).count < folded.count {
      throw refusal("at", "two concepts have the same middle: neither would ever give way to the other. Part them.")
    }
  }

  private func checkBlips(_ stream: Stream) throws(ScenarioError) {
    if stream.tasks < 2 {
      throw refusal("name", "a blip is another concept for a while, and there is one alone. List two.")
    }
    try checkAscending(stream)
    let (length, parts) = (blipLength(stream.rowsPerTask), stream.tasks - 1)
    let starts = at.isEmpty ? evenBlips(stream) : at
    let bounds = (1...parts).map { $0 * stream.rows / parts }
    for (blip, next) in zip(starts, starts.dropFirst() + [Int.max]) {
      if blip + length >= next {
        throw refusal("length", "\(length) rows from row \(blip) on reach up to the next blip at \(next). Take fewer.")
      }
      if let bound = bounds.first(where: { blip <= $0 && blip + length > $0 - ($0 < stream.rows ? 1 : 0) }) {
        throw refusal(
          at.isEmpty ? "length" : "at",
          (bound == blip
            ? "a blip begins with row \(blip), and so does the part of a concept. "
            : "the \(length) rows from row \(blip) on reach row \(bound), where the part of a concept ends. ")
            + "A blip lies within one.")
      }
    }
  }

  private func checkMoving(_ stream: Stream) throws(ScenarioError) {
    let (first, end) = (from ?? 0, to ?? stream.rowsPerTask)
    if end > stream.rowsPerTask {
      throw refusal("to", "\(end) rows are more than the \(stream.rowsPerTask) of a task. It must be at most that.")
    }
    if first >= end {
      throw refusal(
        from == nil ? "to" : "from", "parameters move from row \(first) to row \(end) of a part: none. Part them.")
    }
  }

  private func checkAscending(_ stream: Stream) throws(ScenarioError) {
    if let wrong = at.first(where: { !(1..<stream.rows).contains($0) }) {
      throw refusal("at", "\(wrong) is no row behind the first of \(stream.rows). There are 1 to \(stream.rows - 1).")
    }
    for (row, before) in zip(at.dropFirst(), at) where row <= before {
      throw refusal("at", "\(row) stands behind \(before). Rows are to ascend.")
    }
  }

  func refusal(_ key: String, _ text: String) -> ScenarioError {
    ScenarioError(parameter: "schedule.\(key)", text)
  }
}
