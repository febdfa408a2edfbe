import PalimpsestCore
import PalimpsestPersonal

/// The app at work in a person's folder: it goes on where it was ended, however it was.
public struct HabitSession {
  /// Why ``goOn(days:saying:wantsBack:)`` came back.
  public enum Pause: Sendable { case caughtUp, paused }

  public private(set) var folder: StateFolder
  public private(set) var loop: HabitLoop
  /// What was found wrong on the way, and what came of it; a sentence each.
  public private(set) var remarks: [String] = []

  private let lock: FolderLock

  /// Steps of an update between two looks at whether the system wants the app back.
  private static let slice = 8

  /// - Parameter rule: of decisions; nil: that of the state, `thompson` where there is none.
  /// - Throws: ``AppError``, `StateError` of the shipped model.
  public init(_ path: String, rule: (any DecisionRule.Type)? = nil) throws {
    folder = StateFolder(path)
    lock = try FolderLock(folder.lock)
    try folder.eraseIfBegun()
    guard let shipped = try Files.read(folder.shipped) else {
      throw AppError("\(folder.shipped): there is no model. It comes with the app; habit-life makes one")
    }
    loop = try HabitLoop(shipped: shipped, rule: (rule ?? ThompsonRule.self).init())
    try restore(rule)
  }

  /// The newest generation that can be gone on from.
  private mutating func restore(_ rule: (any DecisionRule.Type)?) throws {
    let fresh = loop
    for saved in try folder.saved(problems: &remarks) {
      do {
        try loop.restore(saved.payload)
        folder.take(saved.generation)
        if !remarks.isEmpty { remarks.append("going on from the other generation, \(saved.generation)") }
        return try check(rule)
      } catch let error as StateError {
        loop = fresh
        remarks.append("generation \(saved.generation): \(error)")
      }
    }
    if let first = remarks.first {
      throw AppError("\(first). No generation can be read; habit-app anew learns everything again from the log")
    }
  }

  private func check(_ rule: (any DecisionRule.Type)?) throws(AppError) {
    if let rule, type(of: loop.rule).name != rule.name {
      throw AppError(
        "the state decides by \"\(type(of: loop.rule).name)\", not by \"\(rule.name)\"; leave --rule out, or begin anew"
      )
    }
    guard Files.size(folder.log) ?? 0 >= loop.cursor else {
      throw AppError("\(folder.log): it ends before byte \(loop.cursor), up to which it was learned from")
    }
  }

  /// Goes through what the log has more, day by day: outcome, sample, update, prediction, decision, save.
  /// - Parameters:
  ///   - days: to go on by at most.
  ///   - saying: takes lines for the person who watches: one a week, with `isDaily` one a day.
  ///   - wantsBack: asked between slices of an update and between days; all is saved when it is told so.
  public mutating func goOn(
    days: Int = .max, isDaily: Bool = false, saying: (String) -> Void, wantsBack: () -> Bool = { false }
  ) throws -> Pause {
    for remark in remarks { saying(remark) }
    remarks = []
    var left = days
    let lines = EventLog.lines(try Files.read(folder.log, from: loop.cursor) ?? [], from: loop.cursor)
    var place = lines.startIndex
    while true {
      while loop.isUpdating {
        if wantsBack() { return try pause() }
        loop.advance(steps: HabitSession.slice)
        try save()
      }
      if loop.isToForetell {
        foretell(isDaily, saying)
        try save()
        left -= 1
      }
      if wantsBack() || left <= 0 { return try pause() }
      guard place < lines.endIndex else { break }
      if let entry = lines[place].entry { try loop.take(entry) }
      if let problem = lines[place].problem { saying("log, before byte \(lines[place].next): \(problem)") }
      loop.cursor = lines[place].next
      place += 1
    }
    try save()
    return .caughtUp
  }

  private mutating func foretell(_ isDaily: Bool, _ saying: (String) -> Void) {
    guard let evening = loop.foretell() else { return }
    if isDaily, let p = evening.p {
      saying("day \(evening.day + 1): \(String(p.bitPattern, radix: 16)) \(evening.decision.rawValue)")
    }
    if let line = loop.weekLine() { saying(line) }
  }

  private mutating func pause() throws -> Pause {
    try save()
    return .paused
  }

  /// Called by whoever is about to end the app; every day and every slice of an update is saved without it.
  public mutating func save() throws { try folder.save(loop.saved()) }
}
