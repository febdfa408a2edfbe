import PalimpsestCore

/// What the changes of a stream cost a learner: its events that are changes, but for one in the first row. Regret is what the best rule has more in p*; where p* is not known, the accuracy in
/// the last half of the task before, less 1 for a right answer.
let changeMeasures: [Measure] = [
  .changeRecovery, .changeRegret, .changeVisit, .changeDelay, .recoveryTime, .recoveredShare, .recoveryFirst,
  .recoveryRecurring, .recallRatio, .regretAfterChanges, .regretTracker, .blipReaction, .overReaction,
]

extension MeasureAxis {
  /// Where one task ends and the next begins, in the order of time.
  public static let change = MeasureAxis("change", "Index of the change of the world")
  /// Another law for a while, in the order of time.
  public static let blip = MeasureAxis("blip", "Index of the blip")
}

extension Measure {
  static let changeRecovery = Measure(
    .changeRecovery, "Rows until the learner had recovered from a change",
    definition:
      "rows from the change to the first t with mean regret <= stream.recovery.level in [t, t + stream.recovery.window); the rows until the next change where there is none",
    direction: .lower, along: [.change])

  static let changeRegret = Measure(
    .changeRegret, "Regret from a change to the next",
    definition: "sum of the regret over the rows until the next change",
    direction: .lower, along: [.change])

  static let changeVisit = Measure(
    .changeVisit, "Earlier visits of the concept that a change brings; -1: padding",
    definition: "0: the concept is new, 1: it comes back for the first time", subject: .truth, storage: .i32,
    along: [.change])

  static let changeDelay = Measure(
    .changeDelay, "Rows from a change to its detection; NaN: it was missed",
    definition: "the first alarm in the window of the change minus the change's first row", direction: .lower,
    along: [.change])

  static let recoveryTime = Measure(
    .recoveryTime, "Mean rows until the learner had recovered from a change",
    definition: "mean of change_recovery", direction: .lower)

  static let recoveredShare = Measure(
    .recoveredShare, "Share of changes that the learner recovered from before the next",
    definition: "share of changes with such a t", direction: .higher)

  static let recoveryFirst = Measure(
    .recoveryFirst, "Mean rows until recovered, of new concepts",
    definition: "mean of change_recovery where change_visit is 0", direction: .lower)

  static let recoveryRecurring = Measure(
    .recoveryRecurring, "Mean rows until recovered, of concepts that come back",
    definition: "mean of change_recovery where change_visit is above 0", direction: .lower)

  static let recallRatio = Measure(
    .recallRatio, "Share of the recovery that a concept's return saves",
    definition: "1 - recovery_recurring / recovery_first", direction: .higher)

  static let regretAfterChanges = Measure(
    .regretAfterChanges, "Mean regret from a change to the next", definition: "mean of change_regret",
    direction: .lower)

  static let regretTracker = Measure(
    .regretTracker, "Regret against a perfect tracker",
    definition:
      "mean regret over all rows less what the rule of the row before's concept loses: sum over changes of (C_kk - C_jk) / rows, j the task before k",
    direction: .lower)

  static let blipReaction = Measure(
    .blipReaction, "What a blip leaves behind: growth of the mean regret around it",
    definition:
      "mean regret over the stream.recovery.aroundBlips rows or days behind the blip's last, less that over as many before its first; without p* the error stands for regret",
    direction: .lower, along: [.blip])

  static let overReaction = Measure(
    .overReaction, "Mean growth of regret around blips, which a learner had better not heed",
    definition:
      "mean of blip_reaction; less that of a learner that is never taught on the stream it is the difference in differences",
    direction: .lower)
}

extension ObservationName {
  static let changeRecovery: Self = "change_recovery"
  static let changeRegret: Self = "change_regret"
  static let changeVisit: Self = "change_visit"
  static let changeDelay: Self = "change_delay"
  static let recoveryTime: Self = "recovery_time"
  static let recoveredShare: Self = "recovered_share"
  static let recoveryFirst: Self = "recovery_first"
  static let recoveryRecurring: Self = "recovery_recurring"
  static let recallRatio: Self = "recall_ratio"
  static let regretAfterChanges: Self = "regret_after_changes"
  static let regretTracker: Self = "regret_tracker"
  static let blipReaction: Self = "blip_reaction"
  static let overReaction: Self = "over_reaction"
}

// MARK: - Observing

extension RunRecord {
  /// Nothing where nothing changes, or the stream was not gone through.
  mutating func observe(changesOf stream: StreamRecord) {
    let changes = stream.changes
    guard stream.status == .completed, !changes.isEmpty else { return }
    let visits = stream.visits
    guard visits.count >= changes.count else { return }
    let recoveries = changes.map { Double($0.recovery ?? $0.rows) }
    let axis = [Axis(MeasureAxis.change.name, changes.count)]
    observe(Observation(.changeRecovery, along: axis, .numbers(recoveries)))
    observe(Observation(.changeRegret, along: axis, .numbers(changes.map(\.regret))))
    observe(Observation(.changeVisit, along: axis, .integers(Array(visits[..<changes.count]))))
    observe(Observation(.recoveryTime, mean(of: recoveries)))
    observe(Observation(.recoveredShare, mean(of: changes.map { $0.recovery == nil ? 0 : 1 })))
    observe(Observation(.regretAfterChanges, mean(of: changes.map(\.regret))))
    let first = mean(of: zip(recoveries, visits).filter { $0.1 == 0 }.map(\.0))
    let recurring = mean(of: zip(recoveries, visits).filter { $0.1 > 0 }.map(\.0))
    if !first.isNaN { observe(Observation(.recoveryFirst, first)) }
    if recurring.isNaN { return }
    observe(Observation(.recoveryRecurring, recurring))
    if first > 0 { observe(Observation(.recallRatio, 1 - recurring / first)) }
  }

  /// Nothing where there are no blips, or the stream was not gone through.
  mutating func observe(blipsOf stream: StreamRecord) {
    let reactions = stream.blipReactions
    guard stream.status == .completed, !reactions.isEmpty else { return }
    observe(Observation(.blipReaction, along: [Axis(MeasureAxis.blip.name, reactions.count)], .numbers(reactions)))
    let known = reactions.filter { !$0.isNaN }
    if !known.isEmpty { observe(Observation(.overReaction, mean(of: known))) }
  }

  /// Against the best rule that hears of each change one row late.
  mutating func observe(regretsOf stream: StreamRecord) {
    let rows = stream.windows.reduce(0) { $0 + $1.rows }
    let regret = stream.windows.reduce(0.0) { $0 + $1.regret * Double($1.rows) }
    guard stream.status == .completed, let cross = stream.truth?.crossAccuracy, !regret.isNaN,
      let late = stream.lateness(cross)
    else { return }
    observe(Observation(.regretTracker, (regret - late) / Double(rows)))
  }
}

extension StreamRecord {
  /// Events that are changes, but for one in the first row.
  private var changeEvents: [DriftEvent] { events.filter { $0.kind == .change && $0.rows.lowerBound > 0 } }

  /// Of each change, how often the concept that it brings was there before; 0 where it is no task's.
  fileprivate var visits: [Int] {
    func concept(_ task: Int?) -> Int? { task.flatMap { concepts.indices.contains($0) ? concepts[$0] : nil } }
    var seen = [concept(changeEvents.first?.before ?? 0)]
    return changeEvents.map { change in
      let own = concept(change.behind)
      defer { seen.append(own) }
      return own == nil ? 0 : seen.count { $0 == own }
    }
  }

  /// What a rule loses that hears of each change one row late; nil where a change is between laws that are no tasks'.
  fileprivate func lateness(_ cross: [[Double]]) -> Double? {
    var sum = 0.0
    for change in changeEvents {
      guard let before = change.before, let behind = change.behind, cross.indices.contains(before),
        cross.indices.contains(behind)
      else { return nil }
      sum += cross[behind][behind] - cross[before][behind]
    }
    return sum
  }
}

/// NaN of none.
private func mean(of values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
