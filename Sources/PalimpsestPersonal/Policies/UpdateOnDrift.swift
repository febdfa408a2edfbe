import PalimpsestCore
import PalimpsestStrategies

/// An update when a drift detector finds that predictions have become worse, and one at least every so many days.
///
/// The detector watches what the person got: the log-loss of the predictions that were deployed, or their errors where it knows no
/// other. It looks for a rise alone where it can tell one from a fall: a model that has become better needs no update. It is as new behind
/// its own alarm and goes on over updates. Beside `page-hinkley`, which has its settings here, detectors have those of their own
/// declaration; those that expect errors (`adwin`'s bound is one for values in [0, 1]) are given losses where they take them.
///
/// An alarm holds until an update begins: one within `minimumDays` is not lost, and an order that is not followed is given again with the
/// next row.
///
/// - Memory: the detector's. Time: the detector's.
public struct UpdateOnDrift: UpdatePolicy {
  public static let name = "drift"
  public static let summary =
    "Updates when a drift detector says that predictions have become worse, and every so many days at least."
  public static let source =
    "The detectors' sources; an update on alarm as in Gama et al. 2004, here with a least and a longest time between updates."

  @Parameter("The drift detector that watches what predictions were worth.")
  public var detector: DetectorName = DetectorName(PageHinkley.self)
  @Parameter("Change of the mean log-loss that counts as none, δ, in nats; of page-hinkley alone.", .atLeast(0))
  public var delta: Double = 0.05
  @Parameter("What the sum must rise by for an alarm, λ, in nats; of page-hinkley alone.", .above(0))
  public var threshold: Double = 3
  @Parameter("Rows since the latest alarm before there may be another; of page-hinkley alone.", .count)
  public var least: Int = 30
  @Parameter("Days since the latest update before an alarm may lead to another.", .atLeast(0))
  public var minimumDays: Double = 3
  @Parameter("Days after which there is an update without an alarm; null: never.", .above(0)) public var base: Double? =
    28

  /// The detector at work, from the first row on.
  private var watcher: NamedDetector?
  /// The number of rows with which the latest alarm came; 0: none has.
  private var alarmedAt = 0

  public init() {}

  public mutating func decide(_ now: Moment) -> UpdateOrder? {
    if watches(now.outcome) == .alarm { alarmedAt = now.rows }
    if isAlarmed(now), now.daysSinceUpdate >= minimumDays { return UpdateOrder(.drift) }
    if let base, now.daysSinceUpdate >= base { return UpdateOrder(.interval) }
    return nil
  }

  private mutating func watches(_ outcome: Outcome) -> DriftSignal {
    if watcher == nil { watcher = NamedDetector(detector: newDetector()) }
    return watcher?.detector.observe(outcome) ?? .none
  }

  /// No update has begun since the latest alarm.
  private func isAlarmed(_ now: Moment) -> Bool { now.rows - now.rowsSinceUpdate < alarmedAt }

  private func newDetector() -> any DriftDetector {
    guard detector == DetectorName(PageHinkley.self) else { return detector.type.watchingRises }
    var test = PageHinkley()
    (test.watches, test.mode) = (.loss, .up)
    (test.delta, test.threshold, test.least) = (delta, threshold, least)
    return test
  }
}

extension UpdateOnDrift: CheckedState {
  public func problem(within limits: StateLimits) -> String? {
    guard (0...Int.max / 2).contains(alarmedAt) else { return "an alarm at row \(alarmedAt)" }
    guard let watcher else { return nil }
    let settings = newDetector().parameters.map(\.value)
    guard watcher.name == detector, watcher.detector.parameters.map(\.value) == settings else {
      return "a \(watcher.name.rawValue) with other settings than those of the \(detector.rawValue) that is to watch"
    }
    return nil
  }
}

extension DriftDetector {
  /// A new one as declared, but of losses and of rises alone where it knows these.
  fileprivate static var watchingRises: any DriftDetector {
    let words: [String: ParameterValue] = ["watches": .string("loss"), "mode": .string("up")]
    do { return try Self(settings: words) } catch { preconditionFailure("\(name) takes other words: \(error)") }
  }
}
