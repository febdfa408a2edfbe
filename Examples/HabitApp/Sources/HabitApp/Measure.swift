import PalimpsestCore
import PalimpsestPersonal

/// Times on this machine, medians of repetitions on one core, and bytes.
struct Measure {
  private let folder: String
  private let shipped: [UInt8]
  private let clock = ContinuousClock()

  init(_ folder: String) throws {
    self.folder = folder
    guard let bytes = try Files.read(StateFolder(folder).shipped) else {
      throw AppError("\(folder)/shipped: there is no model")
    }
    shipped = bytes
  }

  func run() throws {
    let loop = try HabitLoop(shipped: shipped).lived(182)
    let bytes = try loop.saved()
    let own = Measure.ownMemory
    Files.say("predict, one model:     \(nanoseconds(try prediction(by: NoSafeguard()))) ns")
    Files.say("predict, mixture of 2:  \(nanoseconds(try prediction(by: Mixture()))) ns")
    Files.say("update, 60 rows x 10:   \(nanoseconds(try update(rows: 60)) / 1000) us")
    Files.say("state, 180 int8 rows:   \(bytes.count) bytes (\(loop.samples.bytes.count) of them samples)")
    if let own { Files.say("memory of its own:      \(own) kB, half a year behind it") }
    let state = folder + "/measured"
    try Files.replace(state, with: bytes, in: folder)
    let start = try median(of: 51) {
      guard let shipped = try Files.read(StateFolder(folder).shipped), let saved = try Files.read(state) else { return }
      var other = try HabitLoop(shipped: shipped)
      try other.restore(saved)
    }
    try Files.erase(state)
    Files.say("cold load, both files:  \(nanoseconds(start) / 1000) us")
  }

  /// What no other process has: pages written, and read ones of files that nobody else has open, in kB; nil where the system doesn't tell.
  private static var ownMemory: Int? {
    guard let bytes = try? Files.read("/proc/self/smaps_rollup") else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
    let sizes = lines.filter { $0.first?.hasPrefix("Private_") ?? false }.compactMap { Int($0[1]) }
    return sizes.isEmpty ? nil : sizes.reduce(0, +)
  }

  private func prediction(by safeguard: any Safeguard) throws -> Duration {
    var model = try model(safeguard)
    let rows = Simulated.rows(60)
    for row in 0..<60 { _ = model.observe(rows[row], label: row % 2, at: 86_400 * Int64(row)) }
    // A median of means of 100, for a clock's look takes as long as a prediction.
    return median(of: 1001) { for row in 0..<100 { _ = model.predict(rows[row % 60]) } } / 100
  }

  private func update(rows count: Int) throws -> Duration {
    var model = try model(NoSafeguard())
    let inputs = Simulated.rows(count)
    let all = Rows(
      Matrix(inputs.map { $0.row(0) }), .labels((0..<count).map { Int32($0 % 2) }), experience: 1,
      times: (0..<count).map { 86_400 * Int64($0) })
    for row in 0..<count { _ = model.observe(inputs[row], label: row % 2, at: 86_400 * Int64(row)) }
    return median(of: 101) {
      var copy = model
      _ = copy.learn(UpdateOrder(.interval), on: all)
    }
  }

  private func model(_ safeguard: any Safeguard) throws -> PersonalModel {
    PersonalModel(
      shipped: try HabitLoop.learner(shipped), shape: HabitLoop.shape, PersonalTraining(), policy: NeverUpdate(),
      safeguard: safeguard, seed: Seed(1))
  }

  private func median(of count: Int, _ body: () throws -> Void) rethrows -> Duration {
    let times = try (0..<count).map { _ in try clock.measure(body) }.sorted()
    return times[count / 2]
  }

  private func nanoseconds(_ time: Duration) -> Int {
    Int(time.components.seconds) * 1_000_000_000 + Int(time.components.attoseconds / 1_000_000_000)
  }
}

/// Rows and days that stand for a person's.
private enum Simulated {
  private static let seed = Seed(1)

  static func rows(_ count: Int) -> [Matrix] {
    (0..<count).map { row in Matrix([(0..<10).map { Float(seed.uniform(row, $0, 0)) }]) }
  }
}

extension HabitLoop {
  /// After days of some visits and reminders.
  fileprivate func lived(_ days: Int) throws -> HabitLoop {
    var loop = self
    for day in 0..<days {
      let isKept = Seed(2).uniform(day, 0, 0) < 0.6
      for (kind, hour) in [(HabitEntry.Kind.appOpened, 8.0), (.reminderSent, 9), (.reminderTapped, 9.2)] {
        try loop.take(HabitEntry(kind, day: day, hour: hour, date: day))
        while loop.isUpdating { loop.advance(steps: .max) }
        loop.foretell()
      }
      try loop.take(HabitEntry(isKept ? .habitCompleted : .habitSkipped, day: day, hour: 20, date: day))
    }
    return loop
  }
}
