import PalimpsestCore

/// The laws of ``PalimpsestCore/DriftDetector``: silent on constants; the same values give the same signals; stopped after
/// any row and gone on from its encoding it gives them too; behind an alarm it is as new; alarms fall where they are published.
/// A ``PalimpsestCore/DummyDetector`` gives the same signals whatever the values are, instead of the first and the third.
public enum DetectorLaws {
  /// Shows a detector constants and a stream whose share of errors changes.
  ///
  /// - Parameters:
  ///   - detector: as new.
  ///   - startsAfresh: behind an alarm it is as new; false leaves that law out, for one that keeps a part of its window.
  /// - Returns: one sentence for each violation; empty where the laws hold.
  public static func violations<D: DriftDetector>(of detector: D, startsAfresh: Bool = true) -> [String] {
    let stream = DetectorStream.changing
    let signals = signals(of: detector, on: stream)
    var violations = D.self is any DummyDetector.Type ? heed(detector, signals) : constants(detector)
    if self.signals(of: detector, on: stream) != signals {
      violations.append("\(D.name): the same values give other signals")
    }
    violations += checkpoint(detector, stream, signals)
    if startsAfresh && !(D.self is any DummyDetector.Type) { violations += rebirth(detector, stream, signals) }
    return violations
  }

  /// Where a detector alarms, the first value being number 0.
  /// - Parameter values: of both error and loss.
  public static func alarms(of detector: some DriftDetector, on values: [Double]) -> [Int] {
    signals(of: detector, on: values).indices(of: .alarm)
  }

  /// Where a detector warns, the first value being number 0.
  public static func warnings(of detector: some DriftDetector, on values: [Double]) -> [Int] {
    signals(of: detector, on: values).indices(of: .warning)
  }

  private static func signals(of detector: some DriftDetector, on values: [Double]) -> [DriftSignal] {
    var detector = detector
    return values.enumerated().map { detector.observe(Outcome(row: $0, error: $1, loss: $1)) }
  }

  private static func constants<D: DriftDetector>(_ detector: D) -> [String] {
    [0, 1, 0.3, 2.5].compactMap { value in
      let alarms = alarms(of: detector, on: Array(repeating: value, count: 5_000))
      return alarms.first.map { "\(D.name): value \($0) of a constant \(value) raises an alarm" }
    }
  }

  /// The same signals with values that never change.
  private static func heed<D: DriftDetector>(_ detector: D, _ signals: [DriftSignal]) -> [String] {
    [0, 1].compactMap { value in
      let others = self.signals(of: detector, on: Array(repeating: value, count: signals.count))
      return others == signals ? nil : "\(D.name): a dummy that gives other signals on a constant \(value)"
    }
  }

  private static func checkpoint<D: DriftDetector>(
    _ detector: D, _ stream: [Double], _ signals: [DriftSignal]
  ) -> [String] {
    var restored = detector
    do {
      for (row, value) in stream.enumerated() {
        restored = try restored.copiedState
        if restored.observe(Outcome(row: row, error: value, loss: value)) != signals[row] {
          return ["\(D.name): its encoding does not hold all its state: gone on from there, value \(row) differs"]
        }
      }
    } catch { return ["\(D.name): its encoding cannot be read: \(error)"] }
    return []
  }

  /// What follows an alarm gives what it gives a new detector.
  private static func rebirth<D: DriftDetector>(
    _ detector: D, _ stream: [Double], _ signals: [DriftSignal]
  ) -> [String] {
    signals.indices(of: .alarm).compactMap { alarm in
      let rest = Array(stream[(alarm + 1)...])
      return self.signals(of: detector, on: rest) == Array(signals[(alarm + 1)...])
        ? nil : "\(D.name): behind its alarm at value \(alarm) it is not as new"
    }
  }
}

/// Streams of errors that everyone can make again: value i of stream s is 1 where u(s, i) is below the share of errors there.
public enum DetectorStream {
  /// Shares .2, .4, .1 and .5 for 1,000 values each.
  public static let changing = errors(stream: 1, shares: [0.2, 0.4, 0.1, 0.5], each: 1_000)
  /// A share of .3, for 10,000 values.
  public static let steady = errors(stream: 3, shares: [0.3], each: 10_000)

  /// So many values of each share of errors in turn.
  public static func errors(stream: UInt64, shares: [Double], each count: Int) -> [Double] {
    (0..<(shares.count * count)).map { uniform(stream, UInt64($0)) < shares[$0 / count] ? 1 : 0 }
  }

  /// The upper 53 bits of SplitMix64's finaliser, over 2⁵³.
  private static func uniform(_ stream: UInt64, _ index: UInt64) -> Double {
    var z = stream &* 0xD134_2543_DE82_EF95 &+ (index + 1) &* 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((z ^ (z >> 31)) >> 11) * 0x1p-53
  }
}

extension [DriftSignal] {
  fileprivate func indices(of signal: DriftSignal) -> [Int] { indices.filter { self[$0] == signal } }
}
