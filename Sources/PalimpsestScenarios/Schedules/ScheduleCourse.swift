import PalimpsestCore

extension ScheduleSettings {
  /// The schedule of so many concepts, which takes all of the stream's rows. The settings have been checked.
  /// - Parameter seed: of the run: a Markov path is its own.
  func course(_ stream: Stream, seed: Seed) -> any ConceptSchedule {
    let stream = resolved(stream)
    let (tasks, part) = (stream.tasks, stream.rowsPerTask)
    // Where a seed decides how many rows there are, a round has one for each concept all the same.
    let round = max(period ?? part, name == .recurring && !order.isEmpty ? order.count : tasks)
    switch name {
    case nil: return Transitions(starts: stream.taskStarts, stream.transition, width: stream.width ?? 0)
    case .inTurn, .abrupt, .sigmoid, .linear:
      return Transitions(starts: starts(stream), stream.transition, width: stream.width ?? 0)
    case .recurring:
      return Visits.recurring(
        order.isEmpty ? Array(0..<tasks) : order, period: round, rows: stream.rows, of: tasks, stream.transition,
        width: stream.width ?? 0)
    case .seasonal: return Seasons(tasks, period: round, amplitude: amplitude ?? 1)
    case .markov:
      return Visits.markov(
        stay: stay ?? 0.99, rows: stream.rows, of: tasks, seed: seed.derived("generator-schedule"))
    case .gaussian, .periodicGaussian: return presences(stream, round)
    case .blip:
      let blips = at.isEmpty ? evenBlips(stream) : at
      return Visits.blips(at: blips, length: blipLength(part), rows: stream.rows, of: tasks)
    case .incremental: return Incremental(tasks, part: part, moving: (from ?? 0)..<(to ?? part))
    }
  }

  /// Even middles are half a gap from the ends of what they share.
  private func presences(_ stream: Stream, _ round: Int) -> Presences {
    let isPeriodic = name == .periodicGaussian
    let gap = isPeriodic ? Double(round) / Double(stream.tasks) : Double(stream.rowsPerTask)
    let even = (0..<stream.tasks).map { (Double($0) + 0.5) * gap }
    return Presences(
      middles: at.isEmpty ? even : at.map(Double.init), width: width ?? gap / 4,
      period: isPeriodic ? Double(round) : nil)
  }

  /// The first row of each concept that comes once.
  func starts(_ stream: Stream) -> [Int] {
    at.isEmpty ? stream.taskStarts : [0] + at
  }

  func blipLength(_ rowsPerTask: Int) -> Int { length ?? max(1, rowsPerTask / 10) }

  /// One in the middle of each concept's part.
  func evenBlips(_ stream: Stream) -> [Int] {
    let (parts, length) = (stream.tasks - 1, blipLength(stream.rowsPerTask))
    return (0..<parts).map { max(1, (2 * $0 + 1) * stream.rows / (2 * parts) - length / 2) }
  }
}
