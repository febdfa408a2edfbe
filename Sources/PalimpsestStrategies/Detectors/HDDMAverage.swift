import PalimpsestCore

/// Hoeffding's bound on averages: alarms when the mean of all errors lies above that of the errors up to a cut more than chance
/// allows.
///
/// With z the mean of all n errors, x that of the n₀ up to the cut and ε(n) = √(ln(1/δ) / 2n): the cut is the latest row at which
/// z + ε(n) ≤ x + ε(n₀). An alarm where z − x ≥ √(½ (n − n₀) / (n₀ n) ln(2/δ)), a warning where that holds with `warningDelta`.
/// Falls of the mean are found likewise, from the latest row at which z − ε(n) ≥ x − ε(n₀).
///
/// A zone of warnings is told once, at its first row.
/// - Memory: six numbers. Time: O(1) a row.
public struct HDDMAverage: DriftDetector, CheckedState {
  public static let name = "hddm-a"
  public static let summary =
    "Hoeffding's bound on averages: alarms when the mean of all errors is above what it was at its best."
  public static let source =
    "Frías-Blanco, del Campo-Ávila, Ramos-Jiménez, Morales-Bueno, Ortiz-Díaz & Caballero-Mota, \"Online and non-parametric "
    + "drift detection methods based on Hoeffding's bounds\", IEEE TKDE 2015; alarms and warnings of River."

  @Parameter("Chance of a false alarm, δ.", .between(0, 1)) public var delta: Double = 0.001
  @Parameter("The same of a warning.", .between(0, 1)) public var warningDelta: Double = 0.005
  @Parameter("Whether a rise of the mean, a fall or both raise an alarm.") public var mode: DriftDirection = .up
  public var response = AlarmResponse()

  private var all = RunningMean()
  private var lowest = RunningMean()
  private var highest = RunningMean()
  private var zone = WarningZone()

  public init() {}

  public var bytes: Int { 49 }

  public mutating func observe(_ outcome: Outcome) -> DriftSignal {
    all.add(outcome.error)
    moveCuts()
    if hasChanged(delta) {
      (all, lowest, highest, zone) = (RunningMean(), RunningMean(), RunningMean(), WarningZone())
      return .alarm
    }
    return zone.signal(hasChanged(warningDelta))
  }

  private mutating func moveCuts() {
    let scale = -Elementary.log(delta) / 2
    func bound(_ count: Int) -> Double { (scale / Double(count)).squareRoot() }
    let own = bound(all.count)
    if lowest.count == 0 || lowest.mean + bound(lowest.count) >= all.mean + own { lowest = all }
    if highest.count == 0 || highest.mean - bound(highest.count) <= all.mean - own { highest = all }
  }

  private func hasChanged(_ delta: Double) -> Bool {
    (mode != .down && all.mean - lowest.mean >= allowed(since: lowest, delta))
      || (mode != .up && highest.mean - all.mean >= allowed(since: highest, delta))
  }

  /// Infinite where the cut is the row at hand.
  private func allowed(since cut: RunningMean, _ delta: Double) -> Double {
    guard cut.count < all.count else { return .infinity }
    let rest = Double(all.count - cut.count) / (Double(cut.count) * Double(all.count))
    return (rest / 2 * Elementary.log(2 / delta)).squareRoot()
  }

  public func problem(within limits: StateLimits) -> String? {
    let cuts = [lowest.count, highest.count]
    guard (0...Int.max / 2).contains(all.count), cuts.allSatisfy({ (min(1, all.count)...all.count).contains($0) })
    else { return "cuts behind \(cuts[0]) and \(cuts[1]) of \(all.count) rows" }
    return nil
  }
}

/// The mean of the values so far; 0 where there are none.
private struct RunningMean: Sendable, Codable {
  private(set) var count = 0
  private(set) var mean = 0.0

  mutating func add(_ x: Double) {
    count += 1
    mean += (x - mean) / Double(count)
  }
}
