import PalimpsestCore
import PalimpsestPersonal
import Testing
import habit_app

@Suite struct HabitLoopTests {
  private static let entries = Result {
    EventLog.lines([UInt8](try PersonFolder.log.get().utf8), from: 0).compactMap(\.entry)
  }

  private func loop(_ rule: any DecisionRule = ThompsonRule()) throws -> HabitLoop {
    try HabitLoop(shipped: PersonFolder.shipped.get(), rule: rule)
  }

  /// Days by hand: opened, two reminders of which one is tapped, and the outcome.
  private func live(_ loop: inout HabitLoop, _ days: Range<Int>, isKept: (Int) -> Bool?) throws -> [Double] {
    var foretold: [Double] = []
    for day in days {
      var kinds: [HabitEntry.Kind] = [.appOpened, .reminderSent, .reminderSent, .reminderTapped]
      if let kept = isKept(day) { kinds.append(kept ? .habitCompleted : .habitSkipped) }
      for kind in kinds {
        try loop.take(HabitEntry(kind, day: day, hour: 8, date: day))
        while loop.isUpdating { loop.advance(steps: .max) }
        if let evening = loop.foretell() { foretold.append(evening.p ?? .nan) }
      }
    }
    return foretold
  }

  @Test(arguments: [ThresholdRule(), ThompsonRule()] as [any DecisionRule])
  func `saved and restored anywhere, within an update too, it goes on with the same bits`(
    rule: any DecisionRule
  ) throws {
    var (whole, parted) = (try loop(rule), try loop(rule))
    for entry in try HabitLoopTests.entries.get().prefix(900) {
      try whole.take(entry)
      try parted.take(entry)
      while whole.isUpdating { whole.advance(steps: .max) }
      while parted.isUpdating {
        parted.advance(steps: 3)
        parted = try restored(parted)
      }
      #expect(whole.foretell() == parted.foretell())
    }
    parted = try restored(parted)
    #expect(try whole.saved() == parted.saved())
    #expect(whole.model.counts.finished > 5 && whole.counts.life.rows > 60)
  }

  private func restored(_ loop: HabitLoop) throws -> HabitLoop {
    var other = try self.loop()
    try other.restore(loop.saved())
    return other
  }

  @Test func `it gets closer to the person than the model that was shipped`() throws {
    // 14 days before the 150 and a last evening: 163 rows of somebody; a coin gives half of them.
    var loop = try loop()
    for entry in try HabitLoopTests.entries.get() {
      try loop.take(entry)
      while loop.isUpdating { loop.advance(steps: .max) }
      loop.foretell()
    }
    #expect(loop.counts.life.rows == 163)
    #expect(loop.counts.life.right > 100)
    #expect(loop.model.personalWeight > 0 && loop.counts.reminders > 0)
  }

  @Test(arguments: [true, false]) func `labels that are all equal stop nothing`(isKept: Bool) throws {
    var loop = try loop()
    let foretold = try live(&loop, 0..<120) { _ in isKept }
    #expect(foretold.count == 119 && foretold.allSatisfy { $0 > 0 && $0 < 1 })
    #expect((foretold[118] > 0.5) == isKept && loop.model.counts.finished > 10)
  }

  @Test func `somebody without outcomes has the model that was shipped`() throws {
    var loop = try loop()
    #expect(loop.foretell() == nil && !loop.isUpdating)
    let foretold = try live(&loop, 0..<60) { _ in nil }
    #expect(loop.samples.count == 0 && loop.model.counts == UpdateCounts() && foretold.count == 59)
    var shipped = try HabitLoop.network()
    try StateDecoder.read(PersonFolder.shipped.get()) { try shipped.restoreState(from: $0) }
    var builder = HabitFeatureBuilder()
    let days = (0..<3).flatMap { day in
      [HabitEntry.Kind.appOpened, .reminderSent, .reminderSent, .reminderTapped].flatMap {
        builder.take(HabitEntry($0, day: day, hour: 8, date: day))
      }
    }
    let z = shipped.predict(Matrix([days[1].features]), knowing: 0)[0, 0]
    #expect(abs(foretold[1] - Elementary.logistic(Double(z))) < 1e-15)
  }

  @Test func `a clock that goes back learns nothing twice`() throws {
    var loop = try loop()
    _ = try live(&loop, 0..<30) { $0 % 3 != 0 }
    let before = loop
    // A week that was there already, as far as the clock says.
    let foretold = try live(&loop, 20..<27) { _ in true }
    #expect(foretold == [] && loop.samples == before.samples && loop.counts.days == before.counts.days)
    #expect(try live(&loop, 30..<32) { _ in true }.count == 2)
  }

  @Test func `the log's text gives the entries back, bit for bit`() throws {
    let entries = try HabitLoopTests.entries.get() + [HabitEntry(.zoneChanged, day: 3, hour: 0.1, date: 5, value: -9.5)]
    let bytes = [UInt8](entries.map(EventLog.text).joined().utf8)
    #expect(EventLog.lines(bytes, from: 0).map(\.entry) == entries)
    // A line that is still being written is not there yet.
    #expect(EventLog.lines(bytes.dropLast(1), from: 0).count == entries.count - 1)
    let wrong = EventLog.lines([UInt8]("1 nan 1 app-opened\n1 2 3 slept\n\n".utf8), from: 10)
    #expect(wrong.map(\.entry) == [nil, nil, nil] && wrong.map(\.next) == [29, 41, 42])
    #expect(wrong[0].problem == "hour nan is not in 0..<24")
    #expect(wrong[1].problem == "\"1 2 3 slept\" is no entry DAY HOUR DATE KIND [VALUE]")
  }

  @Test func `a state is small`() throws {
    var loop = try loop()
    _ = try live(&loop, 0..<182) { $0 % 3 != 0 }
    #expect(loop.samples.count == 180)
    #expect(try loop.saved().count <= 12_000)
  }
}
