import PalimpsestCore
import PalimpsestPersonal

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

func exitProcess(_ status: Int32) -> Never { exit(status) }

/// What was asked for on the command line.
struct HabitCommand {
  static let usage = """
    habit-app run FOLDER [--rule threshold|thompson|epsilon] [--days N] [--daily]
        goes through what the log has more; --days: that many days at most; --daily: a line a day
    habit-app note FOLDER DAY HOUR DATE KIND [VALUE]
        appends an entry to the log
    habit-app anew FOLDER     forgets what was learned, not the log: the next run learns it again
    habit-app erase FOLDER    removes samples, weights, snapshots and the log
    habit-app measure FOLDER  times of a prediction, an update and a start, and bytes of a state
    """

  private let words: [String]
  private var rule: (any DecisionRule.Type)?
  private var days = Int.max
  private var isDaily = false

  init(_ arguments: [String]) throws(AppError) {
    var (words, rest) = ([String](), arguments[...])
    while let word = rest.popFirst() {
      switch word {
      case "--daily": isDaily = true
      case "--days":
        guard let text = rest.popFirst(), let count = Int(text), count > 0 else {
          throw AppError("--days wants a number of days, 1 or more")
        }
        days = count
      case "--rule":
        let name = rest.popFirst() ?? ""
        guard let type = standardDecisionRules.first(where: { $0.name == name }) else {
          throw AppError("--rule: \"\(name)\" is none of \(standardDecisionRules.map { $0.name })")
        }
        rule = type
      default: words.append(word)
      }
    }
    self.words = words
  }

  func run() throws(AppError) {
    guard words.count == 2 || words.count > 2 && words[0] == "note" else {
      throw AppError("what to do?\n" + HabitCommand.usage)
    }
    do {
      switch words[0] {
      case "run": try goOn()
      case "note": try note(words[2...].joined(separator: " "))
      case "anew": try alone { folder throws(AppError) in try folder.forget() }
      case "erase": try alone { folder throws(AppError) in try folder.erase() }
      case "measure": try Measure(words[1]).run()
      default: throw AppError("\"\(words[0])\" is no command\n" + HabitCommand.usage)
      }
    } catch let error as AppError { throw error } catch { throw AppError("\(error)") }
  }

  private func note(_ text: String) throws(AppError) {
    let line = EventLog.lines([UInt8]((text + "\n").utf8), from: 0)[0]
    guard let entry = line.entry else { throw AppError(line.problem ?? text) }
    try StateFolder(words[1]).note(entry)
  }

  private func alone(_ body: (StateFolder) throws(AppError) -> Void) throws(AppError) {
    let folder = StateFolder(words[1])
    let lock = try FolderLock(folder.lock)
    try body(folder)
    withExtendedLifetime(lock) {}
  }

  private func goOn() throws {
    var session = try HabitSession(words[1], rule: rule)
    let pause = try session.goOn(days: days, isDaily: isDaily, saying: { Files.say($0) })
    let counts = session.loop.counts
    Files.say(
      (pause == .caughtUp ? "the log's end" : "paused") + ": \(counts.entries) entries, \(counts.days) days, "
        + "\(counts.foretold) foretold, \(session.loop.samples.count) rows, "
        + "\(session.loop.model.counts.finished) updates, digest \(String(counts.digest, radix: 16))")
  }
}
