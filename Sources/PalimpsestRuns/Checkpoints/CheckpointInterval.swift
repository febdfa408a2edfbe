/// How often a run in hand is saved.
public enum CheckpointInterval: Sendable, Equatable {
  case seconds(Double)
  case steps(Int)

  /// - Parameter text: a time with its unit (`30s`, `5min`, `1h`), or a number of steps (`2000`, `2000 steps`).
  /// - Returns: nil where it is neither.
  public init?(_ text: String) {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = text.dropFirst(number.count).drop { $0 == " " }
    switch unit {
    case "", "steps", "step":
      guard let steps = Int(number), steps >= 1 else { return nil }
      self = .steps(steps)
    default:
      let lengths: [Substring: Double] = ["s": 1, "min": 60, "h": 3600]
      guard let value = Double(number), let length = lengths[unit], value > 0, value * length < 1e9 else { return nil }
      self = .seconds(value * length)
    }
  }
}

/// Says when a checkpoint is due.
struct CheckpointClock {
  private let every: CheckpointInterval?
  private var pulse: Pulse
  private var steps = 0

  init(_ every: CheckpointInterval?) {
    self.every = every
    if case .seconds(let seconds) = every {
      pulse = Pulse(every: .seconds(seconds))
    } else {
      pulse = Pulse(every: .zero)
    }
  }

  /// Asked once a step.
  mutating func isDue() -> Bool {
    switch every {
    case nil: return false
    case .seconds: return pulse.isDue()
    case .steps(let count):
      steps += 1
      guard steps >= count else { return false }
      steps = 0
      return true
    }
  }
}
